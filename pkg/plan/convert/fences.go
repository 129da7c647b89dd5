package convert

import "strings"

// fenceOpen returns the characters of a fence that s opens, or "".
func fenceOpen(s string) string {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := len(s) - len(strings.TrimLeft(s, s[:1]))
	if n < 3 || s[0] == '`' && strings.IndexByte(s[n:], '`') >= 0 {
		return ""
	}
	return s[:n]
}

// fenceCloses tells whether a line closes a fence.
func fenceCloses(raw, open string) bool {
	t := strings.TrimSpace(raw)
	return len(t) >= len(open) && strings.Trim(t, open[:1]) == ""
}

// fenced reads a fenced block. One that is never closed is none: what follows stays visible, and the loss says
// so. A list item that ends, ends its fence.
func (s *scanner) fenced(l *line, cols int, rest string, gap bool) bool {
	open := fenceOpen(rest)
	if open == "" {
		return false
	}
	end, next, ok := s.closing(open, s.within(cols))
	if !ok {
		s.lose(l.num, rest, "a fence that is never closed; what follows it is read as text")
		if strings.TrimLeft(rest, open[:1]) == "" {
			s.wasGap = true
			return true
		}
		return !s.keep // prose that we write keeps its words
	}
	b := block{kind: fence, num: l.num, indent: cols, fence: open, text: oneLine(rest[len(open):]), glued: !gap}
	for _, c := range s.lines[s.i+1 : end] {
		b.lines = append(b.lines, outdent(strings.TrimRight(clean(c.raw), " \t"), cols))
	}
	s.add(b)
	s.i = next
	s.wasGap = true
	return true
}

// closing finds the end of the content of the fence that the current line opens in an item whose text begins
// at base, and the last line of the block.
func (s *scanner) closing(open string, base int) (end, last int, ok bool) {
	if n, known := s.shut[open[0]]; known && len(open) >= n {
		return 0, 0, false
	}
	for j := s.i + 1; j < len(s.lines); j++ {
		raw := s.lines[j].raw
		if fenceCloses(raw, open) {
			return j, j, true
		}
		if base > 0 && leaves(raw, base) {
			return j, j - 1, true
		}
	}
	s.shut[open[0]] = len(open)
	return 0, 0, false
}

// leaves tells whether a line is a heading or a box that stands outside of the item whose text begins at base.
func leaves(raw string, base int) bool {
	cols, n := columns(raw)
	if cols >= base || n == len(raw) {
		return false
	}
	rest := raw[n:]
	if rest[0] == '#' {
		t := strings.TrimLeft(rest, "#")
		return t != "" && t[0] == ' ' && len(rest)-len(t) > 1
	}
	_, size, ok := marker(rest)
	if !ok {
		return false
	}
	t := strings.TrimLeft(rest[size:], " \t")
	return strings.HasPrefix(t, "[ ]") || strings.HasPrefix(t, "[x]") || strings.HasPrefix(t, "[X]")
}

// comments takes the comments out of the current line, and of the lines that they go on to. A comment that is
// never closed is text.
func (s *scanner) comments() {
	from, ticks := 0, 0
	for !s.open {
		l := &s.lines[s.i]
		at := strings.Index(l.raw[from:], "<!--")
		if at < 0 || fenceOpen(strings.TrimLeft(l.raw, " \t")) != "" {
			return
		}
		at += from
		if ticks += strings.Count(l.raw[from:at], "`"); ticks%2 == 1 {
			from = at + 4
			continue
		}
		if !s.comment(l, at) {
			s.open = true
			return
		}
		from = at
	}
}

// comment takes one comment out, which begins at an index of the current line.
func (s *scanner) comment(l *line, at int) bool {
	if end := strings.Index(l.raw[at+4:], "-->"); end >= 0 {
		end += at + 7
		s.lose(l.num, oneLine(l.raw[at:end]), "a comment, which no reader of the source sees")
		l.raw = l.raw[:at] + strings.Repeat(" ", end-at) + l.raw[end:]
		return true
	}
	said := []string{l.raw[at:]}
	for j := s.i + 1; j < len(s.lines); j++ {
		raw := s.lines[j].raw
		end := strings.Index(raw, "-->")
		if end < 0 {
			said = append(said, raw)
			continue
		}
		said = append(said, raw[:end+3])
		s.lose(l.num, oneLine(strings.Join(said, " ")), "a comment, which no reader of the source sees")
		l.raw = l.raw[:at]
		for k := s.i + 1; k < j; k++ {
			s.lines[k].raw = ""
		}
		s.lines[j].raw = strings.Repeat(" ", end+3) + raw[end+3:]
		return true
	}
	return false
}
