package convert

import (
	"strings"
)

// maxNest bounds how deep lists go in what is written. Markdown readers get slow beyond it.
const maxNest = 12

// proseWriter writes Markdown of a source into a plan.
type proseWriter struct {
	w      *writer
	place  Origin // for losses
	key    string // names the piece; what does not pass the check is left out by it
	indent int    // 0 = a section's own text, more = below a box
	head   string // what a heading becomes: "###", "####", or "" for plain text
	n      int    // blocks so far
	lists  []listAt
}

// listAt is an item that is open: the column of its text in the source, and in the plan.
type listAt struct{ from, to int }

// prose writes a piece of Markdown at an indentation.
func (w *writer) prose(text string, place Origin, key string, indent int, head string) {
	if trimBlankLines(text) == "" {
		return
	}
	p := proseWriter{w: w, place: place, key: key, indent: indent, head: head}
	blocks := scanProse(text)
	for i := range blocks {
		p.block(&blocks[i], i)
	}
	if n := len(w.lines); indent > 0 && n > 0 && w.lines[n-1] == "" {
		w.lines, w.keys, w.wasGap = w.lines[:n-1], w.keys[:n-1], false
	}
}

// at is the column where a block of the source that begins at cols goes.
func (p *proseWriter) at(cols int, lazy bool) int {
	for n := len(p.lists); n > 0 && cols < p.lists[n-1].from && !lazy; n-- {
		p.lists = p.lists[:n-1]
	}
	if n := len(p.lists); n > 0 {
		return p.lists[n-1].to
	}
	return p.indent
}

// put writes lines as one piece.
func (p *proseWriter) put(b *block, lines ...string) {
	p.n++
	p.w.put(p.key+"."+itoa(p.n), Loss{Path: p.place.Path, Line: p.lineOf(b)}, lines...)
}

// lineOf is the line of the source that a block begins at, as near as it is known.
func (p *proseWriter) lineOf(b *block) int {
	if p.place.Line == 0 {
		return 0
	}
	return p.place.Line + b.num - 1
}

func (p *proseWriter) block(b *block, i int) {
	switch b.kind {
	case heading:
		p.lists = nil
		p.heading(b)
	case item:
		col := p.at(b.indent, false)
		p.gap(i > 0 && !b.glued && len(p.lists) == 0)
		p.item(b, col)
	case fence:
		col := p.at(b.indent, false)
		p.gap(i > 0)
		p.fence(b, col)
		p.gap(true)
	default:
		col := p.at(b.indent, b.glued && i > 0)
		p.gap(i == 0 && p.indent > 0 || i > 0 && (!b.glued || col == p.indent))
		p.text(b, col)
	}
}

func (p *proseWriter) gap(want bool) {
	if want {
		p.w.gap()
	}
}

// heading keeps headings, except those that would be a task or a section.
func (p *proseWriter) heading(b *block) {
	t := p.w.guard(b.text, Loss{Path: p.place.Path, Line: p.lineOf(b)})
	if !hasWord(t) {
		if t != "" {
			p.put(b, pad(p.indent)+opening(t))
		}
		return
	}
	p.gap(true)
	switch {
	case p.indent == 0 && p.head != "" && !reserved(t):
		head := p.head
		if b.level > 3 && len(head) == 3 {
			head = "####"
		}
		p.put(b, head+" "+t)
	default:
		p.put(b, pad(p.indent)+opening(t))
	}
	p.gap(true)
}

// reserved tells whether a heading means something to a reader of plans.
func reserved(t string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.Trim(t, "*_` #")), " ")
	return taskWords[strings.TrimSuffix(word, "s")] || taskWords[word] || strings.EqualFold(strings.TrimRight(t, " :"), validationName)
}

const validationName = "Validation Commands"

// item writes an item of a list that is no work.
func (p *proseWriter) item(b *block, col int) {
	mark := "-"
	if b.number != "" {
		mark = b.number
	}
	t := b.text
	if b.box {
		t = unboxed("[" + b.mark + "] " + t)
	} else {
		t = unboxed(t)
	}
	t = p.w.guard(t, Loss{Path: p.place.Path, Line: p.lineOf(b)})
	if strings.HasPrefix(t, "#") || strings.HasPrefix(t, "<") || fenceOpen(t) != "" || nestedMark(t) {
		t = opening(t)
	}
	if t == "" {
		return // what it holds is written where it would stand
	}
	if len(p.lists) < maxNest {
		p.lists = append(p.lists, listAt{from: b.content, to: col + len(mark) + 1})
	}
	p.put(b, pad(col)+mark+" "+t)
}

// nestedMark tells whether the text of an item begins a list of its own.
func nestedMark(t string) bool {
	_, size, ok := marker(t)
	return ok && (size == len(t) || t[size] == ' ' || t[size] == '\t')
}

// fence writes a fenced block. Readers that know no lists find a fence only near the margin.
func (p *proseWriter) fence(b *block, col int) {
	if col > 3 && fenceHazard(b.lines) {
		col = min(p.indent, 2)
	}
	open := b.fence
	out := []string{pad(col) + open + strings.ReplaceAll(b.text, "`", "'")}
	if open[0] == '~' {
		out[0] = pad(col) + open + b.text
	}
	for _, l := range b.lines {
		out = append(out, strings.TrimRight(pad(col)+l, " "))
	}
	p.put(b, append(out, pad(col)+open)...)
}

// fenceHazard tells whether code looks like a part of a plan.
func fenceHazard(lines []string) bool {
	for _, l := range lines {
		t := strings.TrimLeft(l, " \t")
		if t != "" && (t[0] == '#' || t[0] == '`' || t[0] == '~') {
			return true
		}
		if t != "" && strings.IndexByte("-*+", t[0]) >= 0 && strings.HasPrefix(strings.TrimLeft(t[1:], " \t"), "[") {
			return true
		}
	}
	return false
}

// text writes a paragraph, a table or a quote. What is indented like code becomes a fence.
func (p *proseWriter) text(b *block, col int) {
	if b.kind == text && !b.glued && b.indent >= p.from()+4 {
		code := *b
		code.lines = nil
		longest := 2
		for _, l := range b.lines {
			code.lines = append(code.lines, dedent(l, b.indent))
			longest = max(longest, longestRun(l))
		}
		code.fence, code.text = strings.Repeat("`", longest+1), ""
		p.gap(true)
		p.fence(&code, col)
		p.gap(true)
		return
	}
	var out []string
	for i, l := range b.lines {
		t := p.w.guard(strings.TrimLeft(l, " \t"), Loss{Path: p.place.Path, Line: p.lineOf(b) + i})
		if b.kind == quote {
			t = quoteLine(t)
		}
		t = opening(strings.TrimLeft(t, " \t"))
		if t != "" && (hasWord(t) || strings.HasPrefix(t, "|")) {
			out = append(out, pad(col)+unboxedLine(t))
		}
	}
	p.put(b, out...)
}

// from is the column of the text around, in the source.
func (p *proseWriter) from() int {
	if n := len(p.lists); n > 0 {
		return p.lists[n-1].from
	}
	return 0
}

func longestRun(s string) int {
	longest := 0
	for s != "" {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			break
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		longest, s = max(longest, run), s[i+run:]
	}
	return longest
}

// quoteLine takes boxes, tasks and fences out of a quote.
func quoteLine(t string) string {
	body := strings.TrimLeft(t, "> \t")
	prefix := "> "
	switch {
	case body == "":
		return ">"
	case body[0] == '#':
		return prefix + strings.TrimLeft(body, "# ")
	case fenceOpen(body) != "":
		return prefix + `\` + body
	}
	if _, size, ok := marker(body); ok && size < len(body) {
		return prefix + body[:size] + " " + unboxed(strings.TrimLeft(body[size:], " \t"))
	}
	return prefix + opening(body)
}

// unboxedLine takes a box off a line that is no item.
func unboxedLine(t string) string {
	if strings.HasPrefix(t, "[ ]") || strings.HasPrefix(t, "[x]") || strings.HasPrefix(t, "[X]") {
		return opening(unboxed(t))
	}
	return t
}

func pad(n int) string { return strings.Repeat(" ", n) }
