package stable

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Trim takes away what JavaScript's trim does at both ends: Unicode's space separators, line ends, tab, vertical tab,
// form feed and U+FEFF, but not U+0085.
func Trim(s string) string {
	if n := len(s); n > 0 && visible(s[0]) && visible(s[n-1]) { // as nearly all are
		return s
	}
	return strings.TrimFunc(s, isSpace)
}

// visible tells whether a byte is an ASCII character other than a blank.
func visible(c byte) bool { return ' ' < c && c < utf8.RuneSelf }

// TrimEnd is Trim for the end only.
func TrimEnd(s string) string { return strings.TrimRightFunc(s, isSpace) }

func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return 0x2000 <= r && r <= 0x200A
}

// UTF16Len returns the length of s as JavaScript counts it, in UTF-16 units.
func UTF16Len(s string) int {
	n := 0
	for i := range len(s) {
		n += units(s[i])
	}
	return n
}

// units tells how many UTF-16 units begin with the byte of a UTF-8 text.
func units(c byte) int {
	switch {
	case c >= 0xF0:
		return 2
	case c&0xC0 == 0x80:
		return 0
	}
	return 1
}

// CutUTF16 returns the first n UTF-16 units of s, as slice(0, n) does: where that goes through a character of two units, its first half is
// left at the end.
func CutUTF16(s string, n int) string {
	for i := 0; i < len(s); {
		if n <= 0 {
			return s[:i]
		}
		r, size := decode(s[i:])
		if r > 0xFFFF {
			if n == 1 {
				return string(appendUnit([]byte(s[:i]), 0xD800+(r-0x10000)>>10))
			}
			n--
		}
		n--
		i += size
	}
	return s
}

// Text is the form of the store's Markdown and prompt files: without white space at its end, and one newline.
func Text(s string) string {
	s = TrimEnd(s)
	if utf8.ValidString(s) {
		return s + "\n"
	}
	return strings.ToValidUTF8(s, "\uFFFD") + "\n"
}

// Page is Text for a page that people read, who may print it to a terminal: what would move a cursor or turn the direction of writing round is not in it.
func Page(s string) string { return Text(Visible(s, true)) }

// Visible shows control characters other than tabs and line ends as their pictures (␛), so that nothing acts and nothing is hidden. straight also drops the
// marks that turn the direction of writing round.
func Visible(s string, straight bool) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return r
		case r < ' ':
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case r > 0x7f && r < 0xa0:
			return '\uFFFD'
		case straight && (r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c):
			return -1
		}
		return r
	}, s)
}

// OneLine is the words of a text with one blank between them, where words are parted by what Trim takes away.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, isSpace), " ")
}

// Hash returns "sha256:" and 64 hexadecimal digits.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
