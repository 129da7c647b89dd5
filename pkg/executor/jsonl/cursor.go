package jsonl

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Cursor walks over one JSON value by hand. Where it meets something unusual it is Bad, and the caller takes
// encoding/json instead: it never accepts what that refuses.
type Cursor struct {
	b   []byte
	i   int
	bad bool
}

// maxDepth is how deep values may be nested here; deeper ones are encoding/json's.
const maxDepth = 32

// NewCursor returns a cursor at the beginning of b.
func NewCursor(b []byte) *Cursor { return &Cursor{b: b} }

// Fail gives up: nothing more is read, and End says false.
func (c *Cursor) Fail() { c.bad, c.i = true, len(c.b) }

// Space steps over blanks.
func (c *Cursor) Space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n':
			c.i++
		default:
			return
		}
	}
}

// Peek is the next byte that is no blank, 0 at the end.
func (c *Cursor) Peek() byte {
	c.Space()
	if c.i == len(c.b) {
		return 0
	}
	return c.b[c.i]
}

// Expect steps over a byte that must come next, blanks aside.
func (c *Cursor) Expect(want byte) {
	if c.Peek() != want {
		c.Fail()
		return
	}
	c.i++
}

// More steps to the next member of an object or array that open began. Use: for n := 0; c.More(n, '}'); n++.
func (c *Cursor) More(n int, end byte) bool {
	if c.bad {
		return false
	}
	if n > 0 && c.i < len(c.b) && c.b[c.i] == ',' {
		c.i++
		return true
	}
	p := c.Peek()
	if p == end {
		c.i++
		return false
	}
	if n > 0 {
		c.Expect(',')
	}
	return !c.bad
}

// Key reads a key and its colon. Keys that encoding/json could take for another's name (it ignores case) are bad.
func (c *Cursor) Key() []byte {
	c.Expect('"')
	b, start := c.b, c.i
	i := start
	for ; i+8 <= len(b); i += 8 {
		if m := unlikely(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			i += bits.TrailingZeros64(m) / 8
			break
		}
	}
	for ; i < len(b); i++ {
		if inKey[b[i]] {
			continue
		}
		if b[i] != '"' {
			break
		}
		c.i = i + 1
		c.Expect(':')
		return b[start:i]
	}
	c.Fail()
	return nil
}

// inKey tells of each byte whether a key may hold it: ASCII without capitals, quotes, escapes and control characters.
var inKey = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' && (c < 'A' || c > 'Z')
	}
	return t
}()

// unlikely has a high bit set in a byte of v that no key may hold (and perhaps in bytes above such a one).
func unlikely(v uint64) uint64 {
	low := v &^ highs
	capitals := (low + ones*(0x80-'A')) &^ (low + ones*(0x80-'Z'-1))
	return (marks(v) | capitals | v) & highs
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special has a high bit set in a byte of v that is ", \\ or a control character (and perhaps in bytes above such a one).
func special(v uint64) uint64 { return marks(v) & highs }

// marks is special before the other bits are taken away, so that several can be joined first. No byte that is not ASCII is
// marked: they have the high bit, and it is taken away.
func marks(v uint64) uint64 {
	return ((v ^ ones*'"' - ones) | (v ^ ones*'\\' - ones) | (v - ones*0x20)) &^ v
}

// ordinary returns the place of the first byte from i on that may be special, or of the last few, that are looked at one by one.
func ordinary(b []byte, i int) int {
	for ; i+32 <= len(b); i += 32 {
		p := b[i : i+32 : i+32]
		m := marks(binary.LittleEndian.Uint64(p)) | marks(binary.LittleEndian.Uint64(p[8:])) |
			marks(binary.LittleEndian.Uint64(p[16:])) | marks(binary.LittleEndian.Uint64(p[24:]))
		if m&highs != 0 {
			break
		}
	}
	for ; i+8 <= len(b); i += 8 {
		if m := special(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	return i
}

// Str reads a string and returns what is between its quotes. plain: no escapes.
func (c *Cursor) Str() (inside []byte, plain bool) {
	c.Expect('"')
	b, i, start := c.b, c.i, c.i
	plain = true
	for {
		if i = ordinary(b, i); i >= len(b) {
			break
		}
		switch b[i] {
		case '"':
			c.i = i + 1
			return b[start:i], plain
		case '\\':
			_, n := escape(b[i:])
			if n == 0 {
				c.Fail()
				return nil, false
			}
			plain = false
			i += n
		default:
			if b[i] < 0x20 {
				c.Fail()
				return nil, false
			}
			i++
		}
	}
	c.Fail()
	return nil, false
}

// Word reads a string without escapes or broken UTF-8.
func (c *Cursor) Word() []byte {
	s, plain := c.Str()
	if !plain || !utf8.Valid(s) {
		c.Fail()
	}
	return s
}

// Literal reads exactly these bytes.
func (c *Cursor) Literal(s string) {
	if len(c.b)-c.i < len(s) || string(c.b[c.i:c.i+len(s)]) != s {
		c.Fail()
		return
	}
	c.i += len(s)
}

// Number reads a plain integer or decimal fraction; exponents and leading zeros are encoding/json's.
func (c *Cursor) Number() (whole int64) {
	neg := c.i < len(c.b) && c.b[c.i] == '-'
	if neg {
		c.i++
	}
	start := c.i
	for c.i < len(c.b) && '0' <= c.b[c.i] && c.b[c.i] <= '9' {
		whole = whole*10 + int64(c.b[c.i]-'0')
		c.i++
	}
	if n := c.i - start; n == 0 || n > 18 || n > 1 && c.b[start] == '0' {
		c.Fail()
		return 0
	}
	if c.i < len(c.b) && c.b[c.i] == '.' {
		c.i++
		start = c.i
		for c.i < len(c.b) && '0' <= c.b[c.i] && c.b[c.i] <= '9' {
			c.i++
		}
		if c.i == start {
			c.Fail()
		}
	}
	if c.i < len(c.b) && (c.b[c.i] == 'e' || c.b[c.i] == 'E') {
		c.Fail()
	}
	if neg {
		return -whole
	}
	return whole
}

// Skip reads any value.
func (c *Cursor) Skip(depth int) {
	if depth > maxDepth {
		c.Fail()
		return
	}
	switch p := c.Peek(); p {
	case '"':
		c.Str()
	case '{':
		c.i++
		for n := 0; c.More(n, '}'); n++ {
			c.Str()
			c.Expect(':')
			c.Skip(depth + 1)
		}
	case '[':
		c.i++
		for n := 0; c.More(n, ']'); n++ {
			c.Skip(depth + 1)
		}
	case 't':
		c.Literal("true")
	case 'f':
		c.Literal("false")
	case 'n':
		c.Literal("null")
	default:
		c.Number()
	}
}

// Null reads null, and tells whether it was that; anything else is skipped.
func (c *Cursor) Null() bool {
	if c.Peek() == 'n' {
		c.Literal("null")
		return !c.bad
	}
	c.Skip(0)
	return false
}

// End tells whether the value was whole and nothing follows.
func (c *Cursor) End() bool { return !c.bad && c.Peek() == 0 && c.i == len(c.b) }

// Once reads a word into a place that must be empty.
func (c *Cursor) Once(place []byte) []byte {
	if place != nil {
		c.Fail()
	}
	return c.Word()
}

// Raw skips any value and returns its bytes.
func (c *Cursor) Raw() []byte {
	c.Space()
	from := c.i
	c.Skip(0)
	return c.b[from:c.i]
}

// Pos is the place of the next byte.
func (c *Cursor) Pos() int { return c.i }

// From returns what was read since a place.
func (c *Cursor) From(pos int) []byte { return c.b[pos:c.i] }
