package term

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// Bounds of what a Panel keeps of the log.
const (
	maxKeptLines = 10_000
	maxKeptBytes = 4 << 20
)

// kept holds the lines of a log while a full-screen view covers the screen, and gives them back when that ends: whoever scrolls up
// then finds what the run has said. It is safe for use by several goroutines.
type kept struct {
	mu      sync.Mutex
	lines   []keptLine // the newest last
	open    [2][]byte  // the beginning of a line that goes on, by stream
	bytes   int
	dropped int // lines that were too many
	out     [2]io.Writer
	free    bool // what is written goes to out from now on
}

// keptLine is a line with its colours, without its end.
type keptLine struct {
	text   string
	stream int
}

// The streams of a log.
const (
	toOut = iota
	toErr
)

// stream returns the writer whose lines are those of a stream.
func (k *kept) stream(n int) io.Writer { return keptStream{k, n} }

type keptStream struct {
	k *kept
	n int
}

// Write keeps the lines of b.
func (s keptStream) Write(b []byte) (int, error) {
	k := s.k
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.free {
		return k.out[s.n].Write(b)
	}
	rest := b
	for {
		line, after, more := bytes.Cut(rest, []byte("\n"))
		k.open[s.n] = append(k.open[s.n], line...)
		if !more {
			return len(b), nil
		}
		k.add(keptLine{string(k.open[s.n]), s.n})
		k.open[s.n], rest = k.open[s.n][:0], after
	}
}

func (k *kept) add(l keptLine) {
	k.lines = append(k.lines, l)
	k.bytes += len(l.text)
	n := 0
	for n < len(k.lines)-1 && (len(k.lines)-n > maxKeptLines || k.bytes > maxKeptBytes) {
		k.bytes -= len(k.lines[n].text)
		k.lines[n] = keptLine{}
		n++
	}
	k.lines, k.dropped = k.lines[n:], k.dropped+n
}

// end is the number of lines so far, those that were dropped included.
func (k *kept) end() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.dropped + len(k.lines)
}

// before returns at most n lines that stand before the line with this number, the newest last.
func (k *kept) before(number, n int) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	last := min(max(number-k.dropped, 0), len(k.lines))
	var out []string
	for _, l := range k.lines[max(last-n, 0):last] {
		out = append(out, l.text)
	}
	return out
}

// release writes what was kept, each line to its stream and in the form that shape gives it, and lets through what comes behind it.
// where names the place of what was dropped.
func (k *kept) release(out, err io.Writer, where string, shape func(string) string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.free {
		return nil
	}
	k.free, k.out = true, [2]io.Writer{out, err}
	for n, open := range k.open {
		if len(open) > 0 {
			k.add(keptLine{string(open), n})
		}
	}
	var b bytes.Buffer
	if k.dropped > 0 {
		fmt.Fprintf(&b, "… %d lines before these", k.dropped)
		if where != "" {
			fmt.Fprintf(&b, " are in %s", where)
		}
		b.WriteString("\n")
	}
	stream := toOut
	for _, l := range k.lines {
		if l.stream != stream {
			if _, werr := b.WriteTo(k.out[stream]); werr != nil {
				return werr
			}
			stream = l.stream
		}
		b.WriteString(shape(l.text) + "\n")
	}
	k.lines = nil
	_, werr := b.WriteTo(k.out[stream])
	return werr
}
