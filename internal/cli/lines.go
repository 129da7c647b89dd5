package cli

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"

	"ralphex/internal/term"
)

// lineSource gives out the lines of standard input, one to each who asks. There is one for the process, and it reads a byte at a time:
// whoever else reads standard input (an editor, a pager) finds what is behind the line, and what one question did not take is there for the next one. A read
// can't be cancelled, so one that nobody waits for any more goes on, and its line is the answer to the next question, unless that one is to be
// answered by who has seen it (afresh).
type lineSource struct {
	in io.Reader

	mu      sync.Mutex
	pending chan inputLine // of the read that goes on; nil = none does
}

// afresh are the lines of standard input for a question that comes after work that took its time, and is shown now: on a terminal, what was typed before the question can't
// be an answer to it. Lines of a file or a pipe were written as answers, in their order.
func (p *Proc) afresh() *lineSource {
	l := p.lines()
	if interactive(p) {
		term.ForgetInput(p.In)
		l.forget()
	}
	return l
}

// forget drops a line that came when nobody waited for one any more.
func (l *lineSource) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.pending: // an end of the input is found again
		l.pending = nil
	default:
	}
}

// inputLine is a line without its end.
type inputLine struct {
	text string
	err  error // io.EOF at the end of the input; text may hold a last line without end
}

// lines are the lines of standard input.
func (p *Proc) lines() *lineSource {
	if p.input == nil {
		p.input = &lineSource{in: p.In}
	}
	return p.input
}

// ask begins to read a line, unless somebody else's read still goes on. Who receives from the channel calls got.
func (l *lineSource) ask() <-chan inputLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending == nil {
		line := make(chan inputLine, 1)
		l.pending = line
		go func() { // ends with the line, or with the process
			text, err := bufio.NewReaderSize(oneByte{l.in}, 16).ReadString('\n')
			if err == io.EOF && text != "" {
				err = nil // the next read finds the end again
			}
			line <- inputLine{text: strings.TrimRight(text, "\r\n"), err: err}
		}()
	}
	return l.pending
}

// got says that the line of ask was received.
func (l *lineSource) got() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = nil
}

// next is the next line. The error is io.EOF at the end of the input, or ctx's cause.
func (l *lineSource) next(ctx context.Context) (string, error) {
	select {
	case line := <-l.ask():
		l.got()
		return line.text, line.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// oneByte reads byte by byte.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	return o.r.Read(b[:1])
}
