package finding

import "strings"

// spoken lists the lines that the reviewer says himself: no fenced code, no quotes. A fence that nobody closes
// is none: what was cut off must not hide the findings before the cut.
func spoken(text string) []string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	marks := make([]fenceMark, len(lines))
	for i, line := range lines {
		marks[i] = fence(line)
	}
	out := make([]string, 0, len(lines))
	open := map[byte]int{} // shortest fence of this kind that was seen to have no end
	for i := 0; i < len(lines); i++ {
		m := marks[i]
		if m.n == 0 {
			if !strings.HasPrefix(strings.TrimLeft(lines[i], " \t"), ">") {
				out = append(out, lines[i])
			}
			continue
		}
		if shortest, seen := open[m.char]; seen && m.n >= shortest {
			continue
		}
		end := i + 1
		for end < len(lines) && !marks[end].closes(m) {
			end++
		}
		if end == len(lines) {
			open[m.char] = m.n
			continue
		}
		i = end
	}
	return out
}

// fenceMark is a line that may begin or end fenced code; without a length it is none.
type fenceMark struct {
	char byte
	n    int
	bare bool // nothing stands behind it: it may close
}

func (m fenceMark) closes(begin fenceMark) bool {
	return m.bare && m.char == begin.char && m.n >= begin.n
}

func fence(line string) fenceMark {
	s := strings.TrimSpace(line)
	if s == "" || (s[0] != '`' && s[0] != '~') {
		return fenceMark{}
	}
	n := 0
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 || (s[0] == '`' && strings.Contains(s[n:], "`")) {
		return fenceMark{}
	}
	return fenceMark{s[0], n, n == len(s)}
}

// strip takes the markup of lists, headings, emphasis and links away, and leaves words and places.
func strip(line string) string {
	s := strings.TrimSpace(line)
	s = strings.TrimLeft(s, "#")
	s = strings.TrimLeft(s, " \t")
	s = bullet(s)
	s = links(s)
	s = emphasis(s)
	return strings.TrimSpace(s)
}

// bullet takes the mark of a list item: -, *, +, •, "1.", "2)", and a box behind it.
func bullet(s string) string {
	rest := s
	switch {
	case strings.HasPrefix(s, "- "), strings.HasPrefix(s, "* "), strings.HasPrefix(s, "+ "):
		rest = s[2:]
	case strings.HasPrefix(s, "•"):
		rest = s[len("•"):]
	default:
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		if digits > 0 && digits < 5 && len(s) > digits+1 && (s[digits] == '.' || s[digits] == ')') && s[digits+1] == ' ' {
			rest = s[digits+2:]
		}
	}
	rest = strings.TrimLeft(rest, " \t")
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		rest = strings.TrimPrefix(rest, box)
	}
	return rest
}

// links puts the text of a link in its place: [a.go:42](https://…) is a.go:42.
func links(s string) string {
	var b strings.Builder
	for {
		mid := strings.Index(s, "](")
		if mid < 0 {
			break
		}
		start := strings.LastIndexByte(s[:mid], '[')
		if start < 0 {
			b.WriteString(s[:mid+2])
			s = s[mid+2:]
			continue
		}
		end := strings.IndexByte(s[mid:], ')')
		if end < 0 {
			break // nor has any link behind it an end
		}
		b.WriteString(s[:start])
		b.WriteString(s[start+1 : mid])
		s = s[mid+end+1:]
	}
	b.WriteString(s)
	return b.String()
}

// emphasis takes ** and __ away, and one star or line around the first word. Backticks stay: they say how long a path is.
func emphasis(s string) string {
	s = strings.ReplaceAll(s, "**", "")
	if strings.HasPrefix(s, "__") {
		s = strings.Replace(strings.TrimPrefix(s, "__"), "__", "", 1)
	}
	for _, mark := range []string{"*", "_"} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			if i := strings.Index(rest, mark); i >= 0 {
				s = rest[:i] + rest[i+1:]
			}
		}
	}
	return s
}
