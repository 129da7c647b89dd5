package stable

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may lie in each other.
const MaxDepth = 1000

// SyntaxError tells where a text stops being JSON, and what was expected there.
type SyntaxError struct {
	Offset       int // in bytes, from 0
	Line, Column int // from 1; the column counts UTF-16 units
	Msg          string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// Parse reads a JSON text. The result is nil, a bool, a float64, a string, an *Array or an *Object. Of a key that comes
// twice the last value counts, in the first one's place. The error is a *SyntaxError.
func Parse(data []byte) (any, error) {
	p := &parser{s: string(data)}
	v, err := p.text()
	if err != nil {
		err.Line, err.Column = NewLines(data).Position(err.Offset)
		return nil, err
	}
	return v, nil
}

// ObjectOf is for looking at a file that may be missing or hold anything: it takes what reading it returned, and is nil where that
// isn't one object.
func ObjectOf(data []byte, err error) *Object {
	if err != nil {
		return nil
	}
	o, err := ParseObject(data)
	if err != nil {
		return nil
	}
	return o
}

// ParseObject is Parse for a text that has to be one object.
func ParseObject(data []byte) (*Object, error) {
	v, err := Parse(data)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*Object)
	if !ok {
		at := len(data) - len(bytes.TrimLeft(data, " \t\r\n"))
		e := &SyntaxError{Offset: at, Msg: "expected an object, found " + kind(v)}
		e.Line, e.Column = NewLines(data).Position(at)
		return nil, e
	}
	return o, nil
}

// kind names the type of a value for an error.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a truth value"
	case float64:
		return "a number"
	case string:
		return "a string"
	case *Array:
		return "an array"
	}
	return "an object"
}

// parser goes over the text once. Members and items are gathered on two stacks and copied to their own slices when
// their object or array is complete, so that no slice grows.
type parser struct {
	s       string
	i       int
	depth   int
	members []member
	items   []any
	at      []int
	buf     []byte

	// What is complete lies in large pieces: a file has tens of thousands of small objects.
	memberPiece []member
	itemPiece   []any
	atPiece     []int
}

// piece is how many members or items are allocated at once.
const piece = 512

// settle copies what is complete to the end of a piece. The copy can't grow into its neighbour.
func settle[T any](in *[]T, from []T) []T {
	n := len(from)
	if n > piece/8 {
		return append(make([]T, 0, n), from...)
	}
	if cap(*in)-len(*in) < n {
		*in = make([]T, 0, piece)
	}
	start := len(*in)
	*in = append(*in, from...)
	return (*in)[start : start+n : start+n]
}

func (p *parser) fail(at int, msg string) *SyntaxError { return &SyntaxError{Offset: at, Msg: msg} }

// unexpected words what stands at the place instead of what was expected.
func (p *parser) unexpected(want string) *SyntaxError {
	if p.i >= len(p.s) {
		return p.fail(p.i, "the text ends where "+want+" was expected")
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.i:])
	return p.fail(p.i, fmt.Sprintf("expected %s, found %q", want, r))
}

// readable looks at what concerns the text as a whole.
func (p *parser) readable() *SyntaxError {
	if len(p.s) > math.MaxInt32 {
		return p.fail(0, "the file is larger than 2 GiB")
	}
	if len(p.s) >= 3 && p.s[:3] == "\uFEFF" {
		return p.fail(0, "the file begins with a byte order mark: save it as UTF-8 without one")
	}
	if !utf8.ValidString(p.s) {
		return p.fail(badUTF8(p.s), "these bytes are no UTF-8: save the file as UTF-8")
	}
	return nil
}

func (p *parser) text() (any, *SyntaxError) {
	if err := p.readable(); err != nil {
		return nil, err
	}
	p.space()
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.i < len(p.s) {
		return nil, p.unexpected("the end of the text")
	}
	return v, nil
}

func badUTF8(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
}

func (p *parser) space() {
	s, i := p.s, p.i // in registers: half of an indented file is space
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	p.i = i
}

func (p *parser) value() (any, *SyntaxError) {
	if p.i >= len(p.s) {
		return nil, p.unexpected("a value")
	}
	switch c := p.s[p.i]; c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return p.str()
	case 't':
		return true, p.word("true")
	case 'f':
		return false, p.word("false")
	case 'n':
		return nil, p.word("null")
	default:
		if c == '-' || digit(c) {
			return p.number()
		}
		return nil, p.unexpected("a value")
	}
}

func (p *parser) word(w string) *SyntaxError {
	if len(p.s)-p.i < len(w) || p.s[p.i:p.i+len(w)] != w {
		return p.unexpected("a value")
	}
	p.i += len(w)
	return nil
}

func (p *parser) enter() *SyntaxError {
	if p.depth++; p.depth > MaxDepth {
		return p.fail(p.i, fmt.Sprintf("values lie more than %d deep in each other", MaxDepth))
	}
	p.i++
	p.space()
	return nil
}

func (p *parser) object() (*Object, *SyntaxError) {
	o := &Object{Start: p.i}
	base := len(p.members)
	if err := p.enter(); err != nil {
		return nil, err
	}
	var seen map[string]int // made when there are many keys
	if p.i < len(p.s) && p.s[p.i] == '}' {
		p.i++
	} else {
		for {
			m, err := p.member()
			if err != nil {
				return nil, err
			}
			p.put(o, base, m, &seen)
			if more, err := p.next('}'); err != nil {
				return nil, err
			} else if !more {
				break
			}
		}
	}
	o.members = settle(&p.memberPiece, p.members[base:])
	o.index = seen
	clear(p.members[base:])
	p.members = p.members[:base]
	p.depth--
	o.End = p.i
	return o, nil
}

func (p *parser) member() (m member, err *SyntaxError) {
	m.keyAt = int32(p.i)
	if m.key, err = p.key(); err != nil {
		return m, err
	}
	m.at = int32(p.i)
	m.val, err = p.value()
	return m, err
}

// key reads a key and what stands between it and its value.
func (p *parser) key() (key string, err *SyntaxError) {
	if p.i >= len(p.s) || p.s[p.i] != '"' {
		return "", p.unexpected("a key in double quotes")
	}
	if key, err = p.str(); err != nil {
		return "", err
	}
	p.space()
	if p.i >= len(p.s) || p.s[p.i] != ':' {
		return "", p.unexpected("':' after the key")
	}
	p.i++
	p.space()
	return key, nil
}

// put adds the member to those of the object, which lie on the stack from base on.
func (p *parser) put(o *Object, base int, m member, seen *map[string]int) {
	old := -1
	if *seen != nil {
		if i, ok := (*seen)[m.key]; ok {
			old = i
		}
	} else {
		for i := range p.members[base:] {
			if p.members[base+i].key == m.key {
				old = i
				break
			}
		}
	}
	if old >= 0 {
		o.twice = append(o.twice, m.key)
		p.members[base+old] = m
		return
	}
	p.members = append(p.members, m)
	o.numeric = o.numeric || isIndex(m.key)
	n := len(p.members) - base
	switch {
	case *seen != nil:
		(*seen)[m.key] = n - 1
	case n > few:
		*seen = make(map[string]int, 2*n)
		for i := range n {
			(*seen)[p.members[base+i].key] = i
		}
	}
}

// next passes a comma and tells that more is to come, or passes the end.
func (p *parser) next(end byte) (more bool, err *SyntaxError) {
	p.space()
	switch {
	case p.i < len(p.s) && p.s[p.i] == ',':
		p.i++
		p.space()
		return true, nil
	case p.i < len(p.s) && p.s[p.i] == end:
		p.i++
		return false, nil
	}
	return false, p.unexpected(fmt.Sprintf("',' or '%c'", end))
}

func (p *parser) array() (*Array, *SyntaxError) {
	base := len(p.items)
	if err := p.enter(); err != nil {
		return nil, err
	}
	if p.i < len(p.s) && p.s[p.i] == ']' {
		p.i++
	} else {
		for {
			at := p.i
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			p.items, p.at = append(p.items, v), append(p.at, at)
			if more, err := p.next(']'); err != nil {
				return nil, err
			} else if !more {
				break
			}
		}
	}
	a := &Array{Items: settle(&p.itemPiece, p.items[base:]), At: settle(&p.atPiece, p.at[base:])}
	clear(p.items[base:])
	p.items, p.at = p.items[:base], p.at[:base]
	p.depth--
	return a, nil
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func (p *parser) digits() bool {
	from := p.i
	for p.i < len(p.s) && digit(p.s[p.i]) {
		p.i++
	}
	return p.i > from
}

func (p *parser) number() (any, *SyntaxError) {
	from := p.i
	if p.s[p.i] == '-' {
		p.i++
	}
	switch {
	case p.i < len(p.s) && p.s[p.i] == '0':
		p.i++
	case !p.digits():
		return nil, p.unexpected("a digit")
	}
	if p.i < len(p.s) && p.s[p.i] == '.' {
		p.i++
		if !p.digits() {
			return nil, p.unexpected("a digit")
		}
	}
	if p.i < len(p.s) && (p.s[p.i] == 'e' || p.s[p.i] == 'E') {
		p.i++
		if p.i < len(p.s) && (p.s[p.i] == '+' || p.s[p.i] == '-') {
			p.i++
		}
		if !p.digits() {
			return nil, p.unexpected("a digit")
		}
	}
	f, _ := strconv.ParseFloat(p.s[from:p.i], 64) // out of range is an infinity there, too
	return f, nil
}
