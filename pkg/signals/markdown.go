package signals

import "strings"

// look is a line taken apart as far as fences and paragraphs need it.
type look struct {
	column int    // where the line begins, not counting blanks; a tab goes to the next multiple of 4
	item   bool   // text stands behind a list marker
	indent int    // where text begins: column, or the column behind the list markers
	quote  bool   // the line begins with >
	text   string // without leading blanks and list markers
}

// lookAt skips blanks and list markers ("- ", "* ", "+ ", "12. ", "12) "), also several of them.
func lookAt(line string) look {
	l := look{}
	l.column, l.text = skipBlanks(0, line)
	l.indent = l.column
	for {
		n := marker(l.text)
		if n == 0 {
			break
		}
		l.item = true
		l.indent, l.text = skipBlanks(l.indent+n, l.text[n:])
	}
	l.quote = strings.HasPrefix(l.text, ">")
	return l
}

func skipBlanks(column int, s string) (int, string) {
	for i := range len(s) {
		switch s[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column, s[i:]
		}
	}
	return column, ""
}

// marker returns the length of the list marker that s begins with, without the blank that must follow it; 0 = none.
func marker(s string) int {
	n := 0
	for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n >= len(s) {
		return 0
	}
	switch c := s[n]; {
	case n == 0 && (c == '-' || c == '*' || c == '+'), n > 0 && (c == '.' || c == ')'):
		n++
	default:
		return 0
	}
	if n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		return n
	}
	return 0
}

// blank tells whether there is nothing on the line.
func (l look) blank() bool { return strings.TrimRight(l.text, " \t\r") == "" }

// startsBlock tells whether the line can't belong to the paragraph before it.
func (l look) startsBlock() bool {
	return l.item || l.quote || l.blank() || strings.HasPrefix(l.text, "#")
}

// fence is an open code fence; its zero value is none.
type fence struct {
	char   byte // ` or ~
	length int
	item   int // column that the text of its list item must keep to; 0 = not on the first line of an item
}

func (f fence) open() bool { return f.length > 0 }

// openFence returns the fence that the line opens, if it opens one.
func openFence(l look) fence {
	n := run(l.text)
	if n < 3 {
		return fence{}
	}
	f := fence{char: l.text[0], length: n}
	if f.char == '`' && strings.IndexByte(l.text[n:], '`') >= 0 {
		return fence{} // a code span that is written with three backticks
	}
	if l.item {
		f.item = l.indent
	}
	return f
}

// endsBefore tells whether the line lies outside of the list item that holds the fence.
func (f fence) endsBefore(l look) bool {
	return f.item > 0 && !l.blank() && l.column < f.item
}

// closeAt closes the fence if the line is its closing line.
func (f *fence) closeAt(l look) {
	n := run(l.text)
	if !l.item && n >= f.length && l.text[0] == f.char && strings.TrimRight(l.text[n:], " \t\r") == "" {
		*f = fence{}
	}
}

// run counts the backticks or tildes that s begins with.
func run(s string) int {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0
	}
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}
