package stable

import (
	"iter"
	"unsafe"
)

// Cursor goes over a text whose shape the caller knows, and makes no tree of it: of a file with ten thousand objects the tree is most of the
// work. It takes exactly what Parse takes, in the same words, but says only that it has given up (Failed); the error with its place is Parse's.
//
// Members and Items stand before a value and pass it, one member or item a turn; the body of the loop has to read that one's value with
// String, Strings, Value, Members or Items, once, and must not leave the loop. A value of another kind than was asked for is passed over.
type Cursor struct {
	p      parser
	failed bool
	texts  []string // items of the list that is being read
	pieces []string // lists that are complete
}

// NewCursor stands before the one value of the text. Strings without escapes are pieces of data, which must never change any more: a copy of a
// large file would cost as much as a fifth of reading it.
func NewCursor(data []byte) *Cursor {
	c := &Cursor{p: parser{s: unsafe.String(unsafe.SliceData(data), len(data))}}
	c.failed = c.p.readable() != nil
	c.p.space()
	return c
}

// Failed tells that the text is no JSON. What was read up to there is worth nothing.
func (c *Cursor) Failed() bool { return c.failed }

// End tells whether all of the text was read.
func (c *Cursor) End() bool {
	c.p.space()
	return !c.failed && c.p.i == len(c.p.s)
}

// At is the byte offset of the value that comes next. Going back to an offset is for reading that value again, in another way.
func (c *Cursor) At() int { return c.p.i }

// Back stands before a value that was passed, at an offset that At told.
func (c *Cursor) Back(at int) { c.p.i = at }

// next tells the first byte of the value that comes, 0 if there is none.
func (c *Cursor) next() byte {
	if c.failed || c.p.i >= len(c.p.s) {
		return 0
	}
	return c.p.s[c.p.i]
}

// IsObject tells whether the next value is one.
func (c *Cursor) IsObject() bool { return c.next() == '{' }

// IsArray tells whether the next value is one.
func (c *Cursor) IsArray() bool { return c.next() == '[' }

// Members yields the keys of an object as they come, also one that comes twice.
func (c *Cursor) Members() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !c.IsObject() {
			c.Value()
			return
		}
		c.each('}', func() bool {
			key, err := c.p.key()
			if c.failed = err != nil; c.failed {
				return false
			}
			return yield(key)
		})
	}
}

// Items yields the offset of each item of an array.
func (c *Cursor) Items() iter.Seq[int] {
	return func(yield func(int) bool) {
		if !c.IsArray() {
			c.Value()
			return
		}
		c.each(']', func() bool { return yield(c.p.i) })
	}
}

// each runs read before everything that lies between the brackets.
func (c *Cursor) each(end byte, read func() bool) {
	if c.failed = c.p.enter() != nil; c.failed {
		return
	}
	if c.p.i < len(c.p.s) && c.p.s[c.p.i] == end {
		c.p.i++
	} else {
		for {
			if !read() || c.failed {
				return
			}
			more, err := c.p.next(end)
			if c.failed = err != nil; c.failed {
				return
			}
			if !more {
				break
			}
		}
	}
	c.p.depth--
}

// Value reads any value, as Parse does.
func (c *Cursor) Value() any {
	if c.failed {
		return nil
	}
	v, err := c.p.value()
	c.failed = err != nil
	return v
}

// String reads a string; of anything else it is "".
func (c *Cursor) String() string {
	if c.next() != '"' {
		c.Value()
		return ""
	}
	s, err := c.p.str()
	c.failed = err != nil
	return s
}

// Strings reads those items of an array that are strings with more than blanks, trimmed. It is nil if there are none, and for what is no array.
func (c *Cursor) Strings() []string {
	c.texts = c.texts[:0]
	for range c.Items() {
		if s := Trim(c.String()); s != "" {
			c.texts = append(c.texts, s)
		}
	}
	if len(c.texts) == 0 {
		return nil
	}
	return settle(&c.pieces, c.texts)
}
