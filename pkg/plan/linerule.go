package plan

import "strings"

// This file is the line rule: what the public ralphex sees when it looks at one line at a time, widened by
// the marks of ours (`*` and `+` bullets, [~] and [-]). Lines come without their line end.

// lineBox is a box on a line.
type lineBox struct {
	marker int    // index of the bullet
	state  int    // index of the byte between the brackets
	text   string // the rest, without blanks around it
	public bool   // the public rule counts it
	glued  bool   // no blank behind the bracket: Markdown reads text, or a link as in `- [x](url)`
}

// boxAt reads a box from a line whose first byte that is no blank is a bullet at index i.
func boxAt(line string, i int) (lineBox, bool) {
	b := lineBox{marker: i}
	if i >= len(line) || !isBullet(line[i]) {
		return b, false
	}
	j := skipBlanks(line, i+1)
	if j == i+1 || j+2 >= len(line) || line[j] != '[' || line[j+2] != ']' {
		return b, false
	}
	b.state = j + 1
	c := line[b.state]
	if !isState(c) {
		return b, false
	}
	rest := line[j+3:]
	b.text = strings.TrimSpace(rest)
	b.public = line[i] == '-' && c != '~' && c != '-'
	b.glued = rest != "" && !isBlank(rest[0])
	return b, b.public || !b.glued
}

// headerAt reads the identifier and title of a task header from what follows `###`: blanks, keyword, blanks,
// an identifier without a colon, a colon, a title.
func headerAt(rest string) (id, title string, ok bool) {
	i := skipBlanks(rest, 0)
	if i == 0 {
		return "", "", false
	}
	return headerText(rest[i:])
}

// headerText does so from the keyword on.
func headerText(rest string) (id, title string, ok bool) {
	switch {
	case strings.HasPrefix(rest, "Task"):
		rest = rest[len("Task"):]
	case strings.HasPrefix(rest, "Iteration"):
		rest = rest[len("Iteration"):]
	default:
		return "", "", false
	}
	colon := strings.IndexByte(rest, ':')
	if colon < 2 || !isBlank(rest[0]) {
		return "", "", false
	}
	return strings.TrimSpace(rest[:colon]), strings.TrimSpace(rest[colon+1:]), true
}

// lineHeader reads a task header as the public rule does: exactly three `#` at the start of the line.
func lineHeader(line string) (id, title string, ok bool) {
	if !strings.HasPrefix(line, "###") || strings.HasPrefix(line, "####") {
		return "", "", false
	}
	return headerAt(line[3:])
}

// fenceTracker follows fences as the public rule does: up to three spaces, three or more of one character,
// and nothing but blanks after a closing fence. Lists and quotes mean nothing to it.
type fenceTracker struct {
	char byte // 0 = outside
	n    int
}

// step takes a line and tells whether the line belongs to a fence, its ends included.
func (f *fenceTracker) step(line string) bool {
	inside := f.char != 0
	i := 0
	for i < len(line) && i < 3 && line[i] == ' ' {
		i++
	}
	if i == len(line) || line[i] != '`' && line[i] != '~' {
		return inside
	}
	c, start := line[i], i
	for i < len(line) && line[i] == c {
		i++
	}
	n, rest := i-start, line[i:]
	switch {
	case n < 3:
		return inside
	case !inside && c == '`' && strings.IndexByte(rest, '`') >= 0:
		return false // a code span, as in Markdown
	case !inside:
		f.char, f.n = c, n
		return true
	case c == f.char && n >= f.n && strings.TrimSpace(rest) == "":
		*f = fenceTracker{}
	}
	return true
}

// endsPublicTask tells whether the public rule ends a task at this line.
func endsPublicTask(line string, titleKnown bool) bool {
	if strings.HasPrefix(line, "##") {
		return !strings.HasPrefix(line, "###")
	}
	return titleKnown && strings.HasPrefix(line, "#")
}

// lineTitle reads a title as the public rule does.
func lineTitle(line string) (string, bool) {
	if len(line) < 2 || line[0] != '#' || !isBlank(line[1]) {
		return "", false
	}
	t := strings.TrimSpace(line[1:])
	return t, t != ""
}

func isBullet(c byte) bool { return c == '-' || c == '*' || c == '+' }
func isState(c byte) bool  { return c == ' ' || c == 'x' || c == 'X' || c == '~' || c == '-' }

// isBlank is the white space of the public rule, without the line feed.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' }

func skipBlanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}
