package stable

import (
	"unicode/utf8"
)

// str reads a string literal. One without escapes is a piece of the text, and costs nothing.
func (p *parser) str() (string, *SyntaxError) {
	s, from := p.s, p.i+1
	i := from
	for i < len(s) && s[i] != '"' && s[i] != '\\' && s[i] >= 0x20 {
		i++
	}
	p.i = i
	switch {
	case i >= len(s):
		return "", p.unexpected("the closing quote")
	case s[i] == '"':
		p.i++
		return s[from:i], nil
	case s[i] == '\\':
		return p.escaped(from)
	}
	return "", p.unexpected("an escape in place of a control character")
}

// escaped reads the rest of a literal whose first backslash is at p.i. Its pieces between escapes are copied whole, into a
// buffer that all literals of the text use.
func (p *parser) escaped(from int) (string, *SyntaxError) {
	b := append(p.buf[:0], p.s[from:p.i]...)
	for p.i < len(p.s) {
		var err *SyntaxError
		if b, err = p.escape(b); err != nil {
			return "", err
		}
		from := p.i
		for p.i < len(p.s) && p.s[p.i] != '"' && p.s[p.i] != '\\' && p.s[p.i] >= 0x20 {
			p.i++
		}
		b = append(b, p.s[from:p.i]...)
		switch {
		case p.i >= len(p.s):
		case p.s[p.i] == '"':
			p.i++
			p.buf = b
			return string(b), nil
		case p.s[p.i] != '\\':
			return "", p.unexpected("an escape in place of a control character")
		}
	}
	return "", p.unexpected("the closing quote")
}

// escape appends what one escape stands for.
func (p *parser) escape(b []byte) ([]byte, *SyntaxError) {
	p.i++
	if p.i >= len(p.s) {
		return nil, p.unexpected("an escape")
	}
	c := p.s[p.i]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return p.unit(b)
	default:
		return nil, p.unexpected(`one of " \ / b f n r t u after the backslash`)
	}
	p.i++
	return append(b, c), nil
}

// unit appends the UTF-16 unit of a \u escape. A low half joins the high half that b ends with.
func (p *parser) unit(b []byte) ([]byte, *SyntaxError) {
	var r rune
	for range 4 {
		p.i++
		d := rune(-1)
		if p.i < len(p.s) {
			d = hexValue(p.s[p.i])
		}
		if d < 0 {
			return nil, p.unexpected("four hexadecimal digits after \\u")
		}
		r = r<<4 | d
	}
	p.i++
	if n := len(b); isLow(r) && n >= 3 {
		if h, size := decode(string(b[n-3:])); size == 3 && isHigh(h) {
			return utf8.AppendRune(b[:n-3], join(h, r)), nil
		}
	}
	return appendUnit(b, r), nil
}

func hexValue(c byte) rune {
	switch {
	case digit(c):
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

func isHigh(r rune) bool      { return 0xD800 <= r && r < 0xDC00 }
func isLow(r rune) bool       { return 0xDC00 <= r && r < 0xE000 }
func join(h, low rune) rune   { return (h-0xD800)<<10 + (low - 0xDC00) + 0x10000 }
func isSurrogate(r rune) bool { return isHigh(r) || isLow(r) }

// appendUnit is utf8.AppendRune that also writes surrogates.
func appendUnit(b []byte, r rune) []byte {
	if isSurrogate(r) {
		return append(b, 0xE0|byte(r>>12), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(b, r)
}

// decode is utf8.DecodeRuneInString that also reads surrogates.
func decode(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}
