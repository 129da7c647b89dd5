package lsp

import (
	"slices"
	"unicode/utf8"
)

// Encoding says what a column counts.
type Encoding string

// The encodings of the protocol.
const (
	UTF8  Encoding = "utf-8"  // bytes
	UTF16 Encoding = "utf-16" // code units; what a client that says nothing means
	UTF32 Encoding = "utf-32" // code points
)

// Position is a place between two characters, both numbers 0-based.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is from Start to End, End excluded.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// search is the index of the first number that is not below x.
func search(sorted []int, x int) int {
	i, _ := slices.BinarySearch(sorted, x)
	return i
}

// text is a document's bytes and where its lines begin. Lines end with LF, CRLF or CR, as the protocol has it;
// the reader of plans knows only the first two, so lines are never compared with its.
type text struct {
	bytes  []byte
	starts []int // starts[0] is 0
}

func newText(b []byte) *text {
	t := &text{bytes: b, starts: []int{0}}
	t.starts = appendStarts(t.starts, b, 1, len(b))
	return t
}

// appendStarts adds the line starts s with from <= s <= to.
func appendStarts(starts []int, b []byte, from, to int) []int {
	for s := max(from, 1); s <= to; s++ {
		if c := b[s-1]; c == '\n' || c == '\r' && (s == len(b) || b[s] != '\n') {
			starts = append(starts, s)
		}
	}
	return starts
}

// clone copies the text, with room to grow a little.
func (t *text) clone() *text {
	b := make([]byte, len(t.bytes), len(t.bytes)+len(t.bytes)/64+256)
	copy(b, t.bytes)
	return &text{bytes: b, starts: slices.Clone(t.starts)}
}

// splice replaces the bytes from a to b. Whether a line begins at s is said by the bytes at s-1 and s alone, so
// that only starts from a to the end of the new bytes are looked for.
func (t *text) splice(a, b int, with string) {
	t.bytes = slices.Replace(t.bytes, a, b, []byte(with)...)
	delta, end := len(with)-(b-a), a+len(with)
	keep := search(t.starts, a)
	if keep == 0 {
		keep = 1 // a is 0, where the first line begins in any case
	}
	tail := search(t.starts, b+1)
	fresh := appendStarts(nil, t.bytes, a, end)
	t.starts = slices.Replace(t.starts, keep, max(keep, tail), fresh...)
	for i := keep + len(fresh); i < len(t.starts); i++ {
		t.starts[i] += delta
	}
}

// line returns where the 0-based line begins and where its text ends.
func (t *text) line(n int) (start, end int) {
	start, end = t.starts[n], len(t.bytes)
	if n+1 < len(t.starts) {
		end = t.starts[n+1]
	}
	if end > start && t.bytes[end-1] == '\n' {
		end--
	}
	if end > start && t.bytes[end-1] == '\r' {
		end--
	}
	return start, end
}

// lineOf returns the 0-based line that holds the offset.
func (t *text) lineOf(off int) int { return search(t.starts, off+1) - 1 }

// offset finds a position. What lies behind the end of a line is its end, what lies behind the last line is the
// end of the text, and what lies inside of a character is its beginning.
func (t *text) offset(p Position, enc Encoding) int {
	if int64(p.Line) >= int64(len(t.starts)) {
		return len(t.bytes)
	}
	at, end := t.line(int(p.Line))
	left := int64(p.Character)
	for at < end {
		r, size := rune(t.bytes[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(t.bytes[at:end])
		}
		left -= int64(width(r, size, enc))
		if left < 0 {
			break
		}
		at += size
	}
	return at
}

// span turns a range around if it ends before it begins.
func (t *text) span(r Range, enc Encoding) (from, to int) {
	from, to = t.offset(r.Start, enc), t.offset(r.End, enc)
	return min(from, to), max(from, to)
}

func width(r rune, size int, enc Encoding) int {
	switch {
	case enc == UTF8:
		return size
	case enc == UTF16 && r > 0xffff:
		return 2
	}
	return 1
}

// ruler turns offsets into positions. It remembers where it was, so that offsets in rising order cost one pass
// over the text, however long its lines are.
type ruler struct {
	t    *text
	enc  Encoding
	line int
	at   int // a place in that line, and its column
	col  int
}

func (t *text) ruler(enc Encoding) *ruler { return &ruler{t: t, enc: enc} }

func (r *ruler) position(off int) Position {
	off = min(max(off, 0), len(r.t.bytes))
	if line := r.t.lineOf(off); line != r.line || off < r.at {
		r.line, r.at, r.col = line, r.t.starts[line], 0
	}
	for r.at < off {
		if r.t.bytes[r.at] < utf8.RuneSelf {
			r.at++
			r.col++
			continue
		}
		c, size := utf8.DecodeRune(r.t.bytes[r.at:])
		if r.at+size > off {
			break
		}
		r.at += size
		r.col += width(c, size, r.enc)
	}
	return Position{Line: uint32(r.line), Character: uint32(r.col)}
}
