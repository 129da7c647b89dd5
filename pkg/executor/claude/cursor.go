package claude

import (
	"encoding/binary"
	"unicode/utf8"
)

// cursor walks over one JSON value by hand. Where it meets something unusual it says bad, and the caller takes
// encoding/json instead: it never accepts what that refuses.
type cursor struct {
	b   []byte
	i   int
	bad bool
}

// maxDepth is how deep values may be nested here; deeper ones are encoding/json's.
const maxDepth = 32

func (c *cursor) fail() { c.bad, c.i = true, len(c.b) }

func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n':
			c.i++
		default:
			return
		}
	}
}

// peek is the next byte that is no blank, 0 at the end.
func (c *cursor) peek() byte {
	c.space()
	if c.i == len(c.b) {
		return 0
	}
	return c.b[c.i]
}

func (c *cursor) expect(want byte) {
	if c.peek() != want {
		c.fail()
		return
	}
	c.i++
}

// more steps to the next member of an object or array that open began. Use: for n := 0; c.more(n, '}'); n++.
func (c *cursor) more(n int, end byte) bool {
	if c.bad {
		return false
	}
	p := c.peek()
	if p == end {
		c.i++
		return false
	}
	if n > 0 {
		c.expect(',')
	}
	return !c.bad
}

// key reads a key and its colon. Keys that encoding/json could take for another's name (it ignores case) are bad.
func (c *cursor) key() []byte {
	k, plain := c.str()
	if !plain {
		c.fail()
		return nil
	}
	for _, b := range k {
		if 'A' <= b && b <= 'Z' || b >= utf8.RuneSelf {
			c.fail()
			return nil
		}
	}
	c.expect(':')
	return k
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special has a high bit set in a byte of v that is ", \, a control character or not ASCII (and perhaps in bytes
// above such a one).
func special(v uint64) uint64 {
	quote, slash := v^(ones*'"'), v^(ones*'\\')
	return ((quote-ones)&^quote)&highs | ((slash-ones)&^slash)&highs | ((v-ones*0x20)&^v)&highs | v&highs
}

// str reads a string and returns what is between its quotes. plain: no escapes.
func (c *cursor) str() (inside []byte, plain bool) {
	c.expect('"')
	start := c.i
	plain = true
	for c.i < len(c.b) {
		for c.i+8 <= len(c.b) && special(binary.LittleEndian.Uint64(c.b[c.i:])) == 0 {
			c.i += 8
		}
		if c.i == len(c.b) {
			break
		}
		switch b := c.b[c.i]; {
		case b == '"':
			c.i++
			return c.b[start : c.i-1], plain
		case b == '\\':
			_, n := escape(c.b[c.i:])
			if n == 0 {
				c.fail()
				return nil, false
			}
			plain = false
			c.i += n
		case b < 0x20:
			c.fail()
			return nil, false
		default:
			c.i++
		}
	}
	c.fail()
	return nil, false
}

// word reads a string without escapes or broken UTF-8.
func (c *cursor) word() []byte {
	s, plain := c.str()
	if !plain || !utf8.Valid(s) {
		c.fail()
	}
	return s
}

// literal reads exactly these bytes.
func (c *cursor) literal(s string) {
	if len(c.b)-c.i < len(s) || string(c.b[c.i:c.i+len(s)]) != s {
		c.fail()
		return
	}
	c.i += len(s)
}

// number reads a plain integer or decimal fraction; exponents and leading zeros are encoding/json's.
func (c *cursor) number() (whole int64) {
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
		c.fail()
		return 0
	}
	if c.i < len(c.b) && c.b[c.i] == '.' {
		c.i++
		start = c.i
		for c.i < len(c.b) && '0' <= c.b[c.i] && c.b[c.i] <= '9' {
			c.i++
		}
		if c.i == start {
			c.fail()
		}
	}
	if c.i < len(c.b) && (c.b[c.i] == 'e' || c.b[c.i] == 'E') {
		c.fail()
	}
	if neg {
		return -whole
	}
	return whole
}

// skip reads any value.
func (c *cursor) skip(depth int) {
	if depth > maxDepth {
		c.fail()
		return
	}
	switch p := c.peek(); p {
	case '"':
		c.str()
	case '{':
		c.i++
		for n := 0; c.more(n, '}'); n++ {
			c.str()
			c.expect(':')
			c.skip(depth + 1)
		}
	case '[':
		c.i++
		for n := 0; c.more(n, ']'); n++ {
			c.skip(depth + 1)
		}
	case 't':
		c.literal("true")
	case 'f':
		c.literal("false")
	case 'n':
		c.literal("null")
	default:
		c.number()
	}
}

// null reads null, and tells whether it was that; anything else is skipped.
func (c *cursor) null() bool {
	if c.peek() == 'n' {
		c.literal("null")
		return !c.bad
	}
	c.skip(0)
	return false
}

// end tells whether the value was whole and nothing follows.
func (c *cursor) end() bool { return !c.bad && c.peek() == 0 && c.i == len(c.b) }
