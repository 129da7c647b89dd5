package convert

import (
	"strings"
	"unicode"
)

// line is one line of a text. Positions are those of the text before anything was taken out of it.
type line struct {
	num int    // 1-based
	off int    // byte offset
	raw string // without its line end; what a comment took is blanks
}

// splitLines cuts a text at LF, CRLF and bare CR. A bare CR ends a line and does not count as one.
func splitLines(text string) []line {
	var out []line
	off := 0
	if strings.HasPrefix(text, "\xef\xbb\xbf") {
		off = 3
	}
	for num := 1; off < len(text); num++ {
		end := strings.IndexByte(text[off:], '\n')
		next := off + end + 1
		if end < 0 {
			end, next = len(text)-off, len(text)
		}
		part := strings.TrimSuffix(text[off:off+end], "\r")
		for {
			cr := strings.IndexByte(part, '\r')
			if cr < 0 {
				break
			}
			out = append(out, line{num, off, part[:cr]})
			off += cr + 1
			part = part[cr+1:]
		}
		out = append(out, line{num, off, part})
		off = next
	}
	return out
}

// clean makes valid UTF-8 without control characters of s. It never joins or splits words.
func clean(s string) string {
	ok := true
	for i := 0; i < len(s) && ok; i++ {
		ok = s[i] >= ' ' && s[i] < 0x7f
	}
	if ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return r
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\ufeff', unicode.Is(unicode.Zs, r) && r != ' ':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// columns measures the blanks that a line begins with. A tab goes to the next column that 4 divides.
func columns(s string) (cols, n int) {
	for n < len(s) {
		switch s[n] {
		case ' ':
			cols++
		case '\t':
			cols += 4 - cols%4
		case '\f', '\v', '\r':
		default:
			return cols, n
		}
		n++
	}
	return cols, n
}

// expand writes the leading blanks of a line as spaces.
func expand(s string) string {
	cols, n := columns(s)
	return strings.Repeat(" ", cols) + s[n:]
}

// dedent takes up to cols leading spaces away.
func dedent(s string, cols int) string {
	i := 0
	for i < len(s) && i < cols && s[i] == ' ' {
		i++
	}
	return s[i:]
}

// outdent takes blanks of up to cols columns away, and leaves other tabs as they are.
func outdent(s string, cols int) string {
	at := 0
	for i := 0; i < len(s) && at < cols; i++ {
		switch s[i] {
		case ' ':
			at++
		case '\t':
			at += 4 - at%4
		default:
			return s[i:]
		}
		if at >= cols {
			return strings.Repeat(" ", at-cols) + s[i+1:]
		}
	}
	if at > 0 {
		return ""
	}
	return s
}

// oneLine joins the words of s with single blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// trimBlankLines takes empty lines at both ends away, and blanks at the end.
func trimBlankLines(s string) string {
	s = strings.TrimRight(s, " \t\r\n")
	for {
		first, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.TrimSpace(first) != "" {
			return s
		}
		s = rest
	}
}

// joinProse puts two pieces of Markdown under each other.
func joinProse(a, b string) string {
	switch {
	case trimBlankLines(a) == "":
		return trimBlankLines(b)
	case trimBlankLines(b) == "":
		return trimBlankLines(a)
	}
	return trimBlankLines(a) + "\n\n" + trimBlankLines(b)
}

// words are the words of s: runs of letters and digits.
func words(s string) []string {
	return strings.FieldsFunc(clean(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}

// hasWord tells whether there is any.
func hasWord(s string) bool {
	return strings.IndexFunc(clean(s), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }) >= 0
}
