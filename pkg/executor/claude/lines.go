package claude

import "bytes"

// maxLine is how much of a line is held in memory. A longer one goes through a file.
const maxLine = 1 << 20

// lines cuts the stream into lines, whatever pieces it comes in.
type lines struct {
	s     *stream
	limit int    // maxLine, less in tests
	part  []byte // beginning of a line whose end has not come
	long  longLine
}

// longLine takes a line that is too long to be held.
type longLine interface {
	add(p []byte)
	end(s *stream)
}

func (l *lines) write(p []byte) {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.keep(p)
			return
		}
		l.finish(p[:i])
		p = p[i+1:]
	}
}

// keep stores the beginning of a line.
func (l *lines) keep(p []byte) {
	if l.long == nil && len(l.part)+len(p) > l.limit {
		l.begin(p)
	}
	if l.long != nil {
		l.long.add(p)
		return
	}
	l.part = append(l.part, p...)
}

// begin turns the line at hand into a long one; p, its next piece, is still to be added.
func (l *lines) begin(p []byte) {
	if looksLikeObject(l.part, p) {
		l.long = newSpool(min(maxString, max(l.limit, 64)))
	} else {
		l.long = &longRaw{s: l.s}
	}
	l.long.add(l.part)
	l.part = nil
}

// finish takes the end of a line, without its newline.
func (l *lines) finish(p []byte) {
	if l.long == nil && len(l.part)+len(p) > l.limit {
		l.begin(p)
	}
	switch {
	case l.long != nil:
		l.long.add(p)
		l.long.end(l.s)
		l.long = nil
	case len(l.part) > 0:
		l.part = append(l.part, p...)
		l.s.line(l.part)
	default:
		l.s.line(p)
	}
	l.part = l.part[:0]
}

// end takes what is left as the last line.
func (l *lines) end() {
	if l.long != nil || len(l.part) > 0 {
		l.finish(nil)
	}
}

// longRaw is a long line that is no JSON: shown as it comes.
type longRaw struct {
	s     *stream
	rest  []byte // beginning of a rune, or carriage returns that may end the line
	shown bool
}

func (r *longRaw) add(p []byte) {
	r.s.facts.mentions += countMentions(p)
	p = append(r.rest, p...)
	n := len(p) - openRune(p)
	if n == len(p) {
		n = len(bytes.TrimRight(p, "\r"))
	}
	r.show(p[:n], false)
	r.rest = append([]byte(nil), p[n:]...)
}

func (r *longRaw) end(*stream) {
	last := bytes.TrimRight(r.rest, "\r")
	if r.shown || len(last) > 0 { // else the line is empty
		r.show(last, true)
	}
}

func (r *longRaw) show(p []byte, ends bool) {
	r.shown = r.shown || len(p) > 0
	r.s.voice.raw(p, ends)
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
