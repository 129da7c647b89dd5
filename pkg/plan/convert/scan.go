package convert

import (
	"strings"
	"unicode/utf8"
)

// kind is the kind of a block.
type kind int

const (
	blank kind = iota
	heading
	item
	text
	quote
	fence
)

// block is a piece of Markdown that begins at a line.
type block struct {
	kind    kind
	num     int      // line it begins at
	indent  int      // column it begins at
	lines   []string // text, quote: its lines with their indentation; fence: content without that of the fence
	text    string   // heading, item: what follows the marks, on one line; fence: what follows the opening
	level   int      // heading: 1–6
	content int      // item: column of its text
	number  string   // item: "3." of a numbered list
	box     bool     // item: it has brackets
	mark    string   // what stands between them
	state   int      // byte offset of the mark if it is one byte in brackets, else -1
	fence   string   // the characters of a fence
	glued   bool     // follows the block before without an empty line
}

// scanner reads Markdown line by line, tolerantly: what looks like a box is one.
type scanner struct {
	lines  []line
	i      int
	out    []block
	lose   func(num int, text, why string)
	keep   bool         // comments are text
	shut   map[byte]int // fence character → shortest fence that is known to be never closed
	open   bool         // no comment is closed from here on
	bases  []int        // content columns of the items around
	wasGap bool         // the line before was empty
}

// maxJoined bounds the text of an item that goes over several lines, in bytes.
const maxJoined = 400

// scan reads a text. lose gets what is no part of any block: comments, marks that nothing belongs to.
func scan(src string, lose func(num int, text, why string)) []block {
	return scanLines(splitLines(src), lose, false)
}

// scanProse reads text that is on its way into a plan. Nothing is taken out of it.
func scanProse(src string) []block {
	return scanLines(splitLines(src), func(int, string, string) {}, true)
}

func scanLines(lines []line, lose func(int, string, string), keep bool) []block {
	s := scanner{lines: lines, lose: lose, keep: keep, shut: map[byte]int{}, wasGap: true}
	for ; s.i < len(s.lines); s.i++ {
		if !s.keep {
			s.comments()
		}
		s.line(&s.lines[s.i])
	}
	return s.out
}

// line reads the current line, and more where a block has several.
func (s *scanner) line(l *line) {
	cols, n := columns(l.raw)
	rest := strings.TrimRight(l.raw[n:], " \t\r\f\v")
	if strings.TrimSpace(clean(rest)) == "" {
		s.wasGap = true
		return
	}
	gap := s.wasGap
	s.wasGap = false
	switch {
	case s.fenced(l, cols, rest, gap):
	case s.heading(l, cols, rest):
	case s.underline(l, rest, gap):
	case isRule(rest):
		s.wasGap = true
	case s.item(l, cols, n, rest, gap):
	default:
		s.text(l, cols, rest, gap)
	}
}

func (s *scanner) add(b block) { s.out = append(s.out, b) }

func (s *scanner) last() *block {
	if len(s.out) == 0 {
		return &block{kind: blank}
	}
	return &s.out[len(s.out)-1]
}

// within forgets the items that a block at this column is no part of, and returns the column of the rest.
func (s *scanner) within(cols int) int {
	for len(s.bases) > 0 && cols < s.bases[len(s.bases)-1] {
		s.bases = s.bases[:len(s.bases)-1]
	}
	if len(s.bases) == 0 {
		return 0
	}
	return s.bases[len(s.bases)-1]
}

// heading reads `## text`.
func (s *scanner) heading(l *line, cols int, rest string) bool {
	level := len(rest) - len(strings.TrimLeft(rest, "#"))
	if cols > 3 || level == 0 || level > 6 || level < len(rest) && rest[level] != ' ' && rest[level] != '\t' {
		return false
	}
	t := strings.TrimSpace(rest[level:])
	if u := strings.TrimRight(t, "#"); u == "" || strings.HasSuffix(u, " ") || strings.HasSuffix(u, "\t") {
		t = strings.TrimSpace(u)
	}
	s.bases = s.bases[:0]
	s.add(block{kind: heading, num: l.num, level: level, text: oneLine(t)})
	s.wasGap = true
	return true
}

// underline reads a line of = or - under a single line of text, which makes a heading of it.
func (s *scanner) underline(l *line, rest string, gap bool) bool {
	b := s.last()
	if gap || b.kind != text || len(b.lines) != 1 || b.indent > 3 || len(s.bases) > 0 {
		return false
	}
	level := 0
	switch {
	case strings.Trim(rest, "=") == "":
		level = 1
	case strings.Trim(rest, "-") == "" && len(rest) > 1:
		level = 2
	default:
		return false
	}
	*b = block{kind: heading, num: b.num, level: level, text: oneLine(b.lines[0])}
	s.wasGap = true
	return true
}

// isRule tells whether a line is a rule, or nothing but marks that are none.
func isRule(s string) bool {
	t := strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "\t", "")
	return len(t) >= 3 && (strings.Trim(t, "-") == "" || strings.Trim(t, "*") == "" || strings.Trim(t, "_") == "" || strings.Trim(t, "=") == "")
}

// text reads a line of a paragraph, a table or a quote.
func (s *scanner) text(l *line, cols int, rest string, gap bool) {
	k := text
	if rest[0] == '>' {
		k = quote
	}
	b := s.last()
	t := expand(clean(l.raw[:len(l.raw)-len(strings.TrimLeft(l.raw, " \t"))])) + clean(rest)
	switch {
	case gap || b.kind != k && b.kind != item:
	case b.kind == item && k == text && len(b.text)+len(rest) < maxJoined && b.text != "":
		b.text += " " + oneLine(rest)
		return
	case b.kind == k:
		b.lines = append(b.lines, t)
		return
	}
	if gap {
		s.within(cols)
	}
	s.add(block{kind: k, num: l.num, indent: cols, lines: []string{t}, glued: !gap})
}

// item reads an item of a list, or a box that stands without one.
func (s *scanner) item(l *line, cols, n int, rest string, gap bool) bool {
	number, size, ok := marker(rest)
	after := ""
	pad := 0
	if ok {
		after = rest[size:]
		_, pad = columns(after)
		after = after[pad:]
		if after != "" && pad == 0 && !strings.HasPrefix(after, "[") {
			return false
		}
	} else {
		size, after = 0, rest
	}
	b := block{kind: item, num: l.num, indent: cols, number: number, state: -1, content: cols + size + max(1, min(pad, 4)), glued: !gap}
	if !ok {
		b.content = cols + 2
	}
	if mark, at, t, isBox := bracket(after, ok, ok && pad == 0); isBox {
		b.box, b.mark = true, mark
		if at >= 0 {
			b.state = l.off + n + size + pad + at
		}
		after = t
	} else if !ok || pad == 0 && after != "" {
		return false
	}
	s.within(cols)
	s.bases = append(s.bases, b.content)
	if !b.box && ok && fenceOpen(after) != "" {
		if s.fenced(l, b.content, after, true) {
			return true
		}
	}
	b.text = oneLine(after)
	s.add(b)
	return true
}

// marker reads the bullet or number of a list item.
func marker(s string) (number string, size int, ok bool) {
	switch {
	case s == "":
		return "", 0, false
	case s[0] == '-' || s[0] == '*' || s[0] == '+':
		return "", 1, true
	case strings.HasPrefix(s, "•"), strings.HasPrefix(s, "◦"), strings.HasPrefix(s, "‣"), strings.HasPrefix(s, "⎿"):
		_, size := utf8.DecodeRuneInString(s)
		return "", size, true
	}
	i := 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i == len(s) || s[i] != '.' && s[i] != ')' {
		return "", 0, false
	}
	return s[:i+1], i + 1, true
}

// ballots are boxes that are one character.
var ballots = map[rune]string{'☐': " ", '◻': " ", '☑': "x", '☒': "x", '✔': "x", '◼': "/"}

// bracket reads a box. Behind a list's marker any single mark is taken, elsewhere only those that can be nothing
// else. at is the index of a mark that is one byte in tight brackets.
func bracket(s string, marked, glued bool) (mark string, at int, rest string, ok bool) {
	if r, size := utf8.DecodeRuneInString(s); ballots[r] != "" {
		rest := strings.TrimPrefix(s[size:], "\ufe0f")
		if _, n := columns(rest); n > 0 || rest == "" {
			return ballots[r], -1, rest[n:], true
		}
	}
	if !strings.HasPrefix(s, "[") {
		return "", -1, "", false
	}
	end := strings.IndexByte(s, ']')
	if end < 0 || end > 6 {
		return "", -1, "", false
	}
	in := s[1:end]
	mark = strings.TrimSpace(in)
	if mark == "" {
		mark = " "
	}
	rest = s[end+1:]
	_, n := columns(rest)
	known := strings.Contains(" xX", mark)
	other := strings.Contains("~-/>!?*✓✔✗✘✅", mark) && marked
	switch {
	case !known && !other, !marked && in == "" && n == 0, glued && !marked:
		return "", -1, "", false
	case n == 0 && rest != "" && (!known || rest[0] == '(' || rest[0] == '[' || !marked) && !strings.HasPrefix(rest, "*"):
		return "", -1, "", false // a link, `[x](url)`, or an index, `[x]y`
	case n == 0 && in == "" && rest != "":
		return "", -1, "", false // `[]byte`
	}
	if len(in) == 1 && !(marked && glued) {
		at = 1
	} else {
		at = -1
	}
	return mark, at, rest[n:], true
}
