package jsonl

import (
	"bytes"

	"ralphex/pkg/event"
)

// MaxLine is how much of a line is held in memory. A longer one goes through a file.
const MaxLine = 1 << 20

// Sink takes what the lines of a stream hold, in order. Bytes are its own only until it returns.
type Sink interface {
	// Line takes a whole line, without its newline.
	Line(line []byte)
	// Long takes a line that was too long for memory, as its skeleton: the same JSON with the long strings cut.
	// l gives the strings back. false: it is no JSON object after all, and comes by Raw.
	Long(skeleton []byte, l *Long) bool
	// Raw takes the next piece of a long line that is no JSON object; ends: it is the line's last.
	Raw(piece []byte, ends bool)
	// Note takes what must be said about a line that could not be read whole.
	Note(level event.Level, text string)
}

// Lines cuts a stream into lines, whatever pieces it comes in.
type Lines struct {
	Limit int // of a line in memory; MaxLine, less in tests

	sink Sink
	part []byte // beginning of a line whose end has not come
	long longLine
}

// NewLines returns the reader that feeds a sink.
func NewLines(sink Sink) *Lines { return &Lines{Limit: MaxLine, sink: sink} }

// longLine takes a line that is too long to be held.
type longLine interface {
	add(p []byte)
	end(s Sink)
}

// Write takes the next piece of the stream. It never fails.
func (l *Lines) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.keep(p)
			break
		}
		l.finish(p[:i])
		p = p[i+1:]
	}
	return n, nil
}

// keep stores the beginning of a line.
func (l *Lines) keep(p []byte) {
	if l.long == nil && len(l.part)+len(p) > l.Limit {
		l.begin(p)
	}
	if l.long != nil {
		l.long.add(p)
		return
	}
	l.part = append(l.part, p...)
}

// begin turns the line at hand into a long one; p, its next piece, is still to be added.
func (l *Lines) begin(p []byte) {
	if looksLikeObject(l.part, p) {
		l.long = newLong(min(maxString, max(l.Limit, 64)))
	} else {
		l.long = &longRaw{s: l.sink}
	}
	l.long.add(l.part)
	l.part = nil
}

// finish takes the end of a line, without its newline.
func (l *Lines) finish(p []byte) {
	if l.long == nil && len(l.part)+len(p) > l.Limit {
		l.begin(p)
	}
	switch {
	case l.long != nil:
		l.long.add(p)
		l.long.end(l.sink)
		l.long = nil
	case len(l.part) > 0:
		l.part = append(l.part, p...)
		l.sink.Line(l.part)
	default:
		l.sink.Line(p)
	}
	l.part = l.part[:0]
}

// End takes what is left as the last line.
func (l *Lines) End() {
	if l.long != nil || len(l.part) > 0 {
		l.finish(nil)
	}
}

// longRaw is a long line that is no JSON: handed on as it comes, in whole runes.
type longRaw struct {
	s     Sink
	rest  []byte // beginning of a rune, or carriage returns that may end the line
	shown bool
}

func (r *longRaw) add(p []byte) {
	p = append(r.rest, p...)
	n := len(p) - OpenRune(p)
	if n == len(p) {
		n = len(bytes.TrimRight(p, "\r"))
	}
	r.show(p[:n], false)
	r.rest = append([]byte(nil), p[n:]...)
}

func (r *longRaw) end(Sink) {
	last := bytes.TrimRight(r.rest, "\r")
	if r.shown || len(last) > 0 { // else the line is empty
		r.show(last, true)
	}
}

func (r *longRaw) show(p []byte, ends bool) {
	r.shown = r.shown || len(p) > 0
	r.s.Raw(p, ends)
}

// looksLikeObject tells whether a line that begins with these pieces may be a JSON object.
func looksLikeObject(pieces ...[]byte) bool {
	want := []byte{'{', '"'}
	for _, p := range pieces {
		for len(want) > 0 {
			if p = bytes.TrimLeft(p, " \t\r"); len(p) == 0 {
				break
			}
			if p[0] != want[0] {
				return false
			}
			p, want = p[1:], want[1:]
		}
	}
	return true
}

// Quiet is a Sink that takes lines in memory only; embed it, and bring Line.
type Quiet struct{}

// Long implements Sink.
func (Quiet) Long([]byte, *Long) bool { return true }

// Raw implements Sink.
func (Quiet) Raw([]byte, bool) {}

// Note implements Sink.
func (Quiet) Note(event.Level, string) {}
