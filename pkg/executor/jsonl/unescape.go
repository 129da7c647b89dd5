package jsonl

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape decodes the inside of a JSON string as encoding/json does, and appends it to dst. used is how much of src
// it took: without final, an escape or a rune that may go on behind src is left for the next call. ok is false at an escape that isn't one.
func Unescape(dst, src []byte, final bool) (out []byte, used int, ok bool) {
	for used < len(src) {
		plain := src[used:]
		i := bytes.IndexByte(plain, '\\')
		if i < 0 {
			n := len(plain)
			if !final {
				n -= OpenRune(plain)
			}
			return AppendValid(dst, plain[:n]), used + n, true
		}
		dst = AppendValid(dst, plain[:i])
		used += i
		r, n := escape(src[used:])
		switch {
		case n == 0 && !final && mayGoOn(src[used:]):
			return dst, used, true
		case n == 0:
			return dst, used, false
		case utf16.IsSurrogate(r):
			rest := src[used+n:]
			low, m := escape(rest)
			if m == 0 && !final && mayGoOn(rest) {
				return dst, used, true
			}
			if pair := utf16.DecodeRune(r, low); m == 6 && pair != utf8.RuneError {
				r, n = pair, n+m
			} else {
				r = utf8.RuneError
			}
		}
		dst = utf8.AppendRune(dst, r)
		used += n
	}
	return dst, used, true
}

// escape reads the escape at the beginning of b. n is its length, 0 = none or not whole.
func escape(b []byte) (r rune, n int) {
	if len(b) < 2 || b[0] != '\\' {
		return 0, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		if len(b) < 6 {
			return 0, 0
		}
		for _, c := range b[2:6] {
			v, ok := hex(c)
			if !ok {
				return 0, 0
			}
			r = r<<4 | v
		}
		return r, 6
	}
	return 0, 0
}

// mayGoOn tells whether b could be the beginning of an escape.
func mayGoOn(b []byte) bool {
	if len(b) >= 6 || len(b) > 0 && b[0] != '\\' || len(b) > 1 && b[1] != 'u' {
		return false
	}
	for _, c := range b[min(2, len(b)):] {
		if _, ok := hex(c); !ok {
			return false
		}
	}
	return true
}

func hex(c byte) (rune, bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}

// AppendValid appends b, with U+FFFD for each byte that belongs to no rune.
func AppendValid(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[n:]
	}
	return dst
}

// OpenRune is how many bytes at the end of b are the beginning of a rune.
func OpenRune(b []byte) int {
	for n := 1; n <= min(3, len(b)); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
