package progress

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

// File is the sink that writes the log. It is safe for use by several goroutines.
type File struct {
	f   *os.File
	now func() time.Time

	mu     sync.Mutex
	buf    []byte      // what is not written yet
	later  *time.Timer // writes it; nil = nothing waits
	wrote  time.Time   // the last write, of the monotonic clock
	failed error       // of a write by later, for the next Handle
	closed bool
	split  event.Splitter
	stamp  []byte // shortTime of second
	second int64
	ended  bool // the footer is written
	start  time.Time
}

// Open opens the log of a run, makes it and its folder where they are missing, and writes the header. The file is
// locked until Close; if another run has it, the error is durable.ErrHeld and the file is as it was. now is the clock, nil = time.Now.
func Open(path string, h Header, now func() time.Time) (*File, error) {
	if now == nil {
		now = time.Now
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, fmt.Errorf("open progress file: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open progress file: %w", err)
	}
	p := &File{f: f, now: now, start: now(), second: -1}
	err = tryLock(f)
	if err == nil {
		err = p.begin(h)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open progress file %s: %w", path, err)
	}
	return p, nil
}

// tryLock takes the lock. A tool that looks whether a run is alive takes it too, for a moment.
func tryLock(f *os.File) (err error) {
	for range 5 {
		if err = durable.TryLock(f); !errors.Is(err, durable.ErrHeld) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

// begin writes what stands before this run's log.
func (p *File) begin(h Header) error {
	tail, err := tail(p.f, 256)
	if err != nil {
		return err
	}
	text := h.restart(p.start)
	if tail == "" || finished(tail) {
		if err := p.f.Truncate(0); err != nil {
			return err
		}
		text = h.text(p.start)
	}
	_, err = p.f.WriteString(text)
	return err
}

// tail returns the last n bytes of a file.
func tail(f *os.File, n int64) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	n = min(n, info.Size())
	text, err := io.ReadAll(io.NewSectionReader(f, info.Size()-n, n))
	return string(text), err
}

// Path returns the path as it was given.
func (p *File) Path() string { return p.f.Name() }

// Remake makes the file anew, with all that was in it, where somebody took it away.
func (p *File) Remake() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := os.Lstat(p.f.Name()); !errors.Is(err, os.ErrNotExist) || p.closed {
		return nil
	}
	info, err := p.f.Stat()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(p.f.Name()), 0o750)
	}
	if err != nil {
		return fmt.Errorf("make progress file anew: %w", err)
	}
	f, err := os.OpenFile(p.f.Name(), os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("make progress file anew: %w", err)
	}
	_, err = io.Copy(f, io.NewSectionReader(p.f, 0, info.Size()))
	if err = errors.Join(err, tryLock(f)); err != nil {
		return errors.Join(fmt.Errorf("make progress file anew: %w", err), f.Close())
	}
	_ = p.f.Close() // it has no name any more
	p.f = f
	return nil
}

// Handle adds what the event looks like. Behind the end of the run nothing is added. Output that comes soon after other output
// is gathered for a moment; everything else is in the file when Handle returns.
func (p *File) Handle(e event.Event) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil
	}
	p.clock(e.Time)
	if o, ok := e.Data.(event.Output); ok {
		p.split.Split(o, p.piece)
		return p.gather()
	}
	if event.EndsText(e.Data) {
		p.split.Flush(p.piece)
	}
	for _, line := range event.Text(e) {
		p.line(line)
	}
	if end, ok := e.Data.(event.RunEnd); ok {
		p.end(e.Time, end)
	}
	return p.write()
}

func (p *File) end(at time.Time, end event.RunEnd) {
	p.buf = append(p.buf, footer(at, end)...)
	p.ended = true
}

// clock makes the time stamp, once a second.
func (p *File) clock(t time.Time) {
	if s := t.Unix(); s != p.second {
		p.second = s
		p.stamp = t.AppendFormat(p.stamp[:0], shortTime)
	}
}

// piece adds a line of output. Blank lines are left out, and list items are set in, as in the public format.
func (p *File) piece(piece event.Piece) {
	if !piece.First {
		p.buf = append(p.buf, piece.Text...)
	} else if piece.Last && blank(piece.Text) {
		return
	} else {
		p.buf = append(p.buf, p.stamp...)
		if indented(piece) {
			p.buf = append(p.buf, "  "...)
		}
		p.buf = append(p.buf, piece.Text...)
	}
	if piece.Last {
		p.buf = append(p.buf, '\n')
	}
}

func indented(piece event.Piece) bool {
	if piece.Source == event.FromTool {
		return !strings.HasPrefix(piece.Text, " ")
	}
	return listItem(piece.Text)
}

func blank(text string) bool {
	for i := range len(text) {
		if text[i] > ' ' {
			return false
		}
	}
	return true
}

// listItem tells whether the line begins with "- ", "* " or a number like "12. ".
func listItem(text string) bool {
	if len(text) < 2 {
		return false
	}
	if text[0] == '-' || text[0] == '*' {
		return text[1] == ' '
	}
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n > 0 && strings.HasPrefix(text[n:], ". ")
}

// prefixes of the styles whose lines have a time.
var prefixes = map[event.Style]string{event.Warning: "WARN: ", event.Problem: "ERROR: ", event.Help: "  "}

// line adds a line that is no output. Text of several lines stays so, as the public format has it.
func (p *File) line(l event.Line) {
	switch l.Style {
	case event.Heading:
		p.buf = append(p.buf, "\n--- "+l.Text+" ---\n"...)
	case event.Raw:
		p.buf = append(p.buf, l.Text+"\n"...)
	default:
		p.buf = append(p.buf, p.stamp...)
		p.buf = append(p.buf, prefixes[l.Style]+l.Text+"\n"...)
	}
}

// Close writes the footer of a failure if the run has not ended, and gives the lock back.
func (p *File) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if !p.ended {
		now := p.now()
		p.clock(now)
		p.split.Flush(p.piece)
		p.end(now, event.RunEnd{Outcome: event.Failed, Elapsed: now.Sub(p.start)})
	}
	return errors.Join(p.write(), p.f.Close())
}
