package plan

import (
	"strconv"
	"strings"
)

// boxLine handles what is a box, or looks like one, on the current line.
func (r *reading) boxLine() {
	hasItems := r.items < len(r.o.items) && r.o.items[r.items].pos < r.next
	c := r.char()
	if !hasItems && !isBullet(c) {
		return
	}
	var byLine lineBox
	lineOK := false
	if isBullet(c) {
		if byLine, lineOK = boxAt(r.line, r.first); lineOK && r.hideBox(byLine) {
			lineOK = false
		}
		lineOK = lineOK && !r.inFence
	}
	found := lineOK
	for r.items < len(r.o.items) && r.o.items[r.items].pos < r.next {
		it := &r.o.items[r.items]
		r.items++
		b, ok := r.itemBox(it)
		switch {
		case ok && lineOK && b.marker == byLine.marker:
			lineOK = false
			r.addBox(b, it, true)
		case ok:
			r.addBox(b, it, false)
		}
		found = found || ok
		if r.section > 0 && !it.quoted {
			r.validationItem(it, b.text)
		}
	}
	if lineOK {
		r.addBox(byLine, nil, true)
	}
	if !found && !r.inFence && isBullet(c) && r.cur >= 0 && !r.hidden(r.first) {
		r.nearBox()
	}
}

// hideBox tells whether a box of the line rule is left out, and reports it if the public rule counts it.
func (r *reading) hideBox(b lineBox) bool {
	if !r.hidden(b.marker) {
		return false
	}
	if b.public && r.publicTask && !r.inFence {
		r.report(HiddenBox, b.marker, "")
	}
	return true
}

// itemBox reads the box of a list item, and reports one that has a number instead of a bullet.
func (r *reading) itemBox(it *item) (lineBox, bool) {
	at := it.pos - r.off
	if it.quoted || at < 0 || at >= len(r.line) {
		return lineBox{}, false
	}
	if !it.ordered {
		return boxAt(r.line, at)
	}
	if i := strings.IndexAny(r.line[at:], ".)"); i >= 0 {
		rest := "-" + r.line[at+i+1:]
		if b, ok := boxAt(rest, 0); ok && !b.glued {
			r.report(NumberedBox, at, "")
		}
	}
	return lineBox{}, false
}

// addBox counts a box for the current task, or reports it as stray. it is its list item, nil if Markdown
// sees none; byLine tells whether the line rule sees it.
func (r *reading) addBox(b lineBox, it *item, byLine bool) {
	public := b.public && byLine && r.publicTask
	// A box counts if either reading counts it. Where Markdown sees no item, its view of where the task ended
	// says nothing: `## Notes` inside <details> is text to it.
	inTask := r.ended < 0 && (it != nil || r.publicTask) || public && r.publicOurs
	if r.cur < 0 || !inTask {
		r.report(StrayBox, b.marker, "")
		return
	}
	if r.ended >= 0 { // only Markdown sees the heading that ended the task
		r.ended = -1
		r.report(BoxAfterEnd, b.marker, "")
	}
	box := Checkbox{
		Text: b.text, Line: r.num, Offset: r.base + r.off + b.state, Sample: isSample(b.text),
		Span: Span{Start: r.base + r.off, End: r.base + r.next},
	}
	if it != nil {
		box.Depth = it.depth
		box.Span.End = max(box.Span.End, r.base+r.trimBlankLines(it.end))
	}
	box.set(r.line[b.state])
	r.boxes = append(r.boxes, box)
	switch {
	case it == nil || !it.prose:
		r.report(LineOnlyBox, b.marker, "")
	case b.glued:
		r.report(GluedBox, b.marker, "")
	case isOurs(r.line[b.state]):
		r.report(OurMark, b.marker, "")
	case !public:
		r.report(PublicBlindBox, b.marker, "")
	}
	if box.Sample {
		r.report(SampleBox, b.marker, "")
	}
}

// trimBlankLines moves an end back over blank lines.
func (r *reading) trimBlankLines(end int) int {
	n := len(strings.TrimRight(r.body[:end], " \t\r\n"))
	if i := strings.IndexByte(r.body[n:end], '\n'); i >= 0 {
		return n + i + 1
	}
	return end
}

// nearBox reports a bullet in a task that looks like a box and is none.
func (r *reading) nearBox() {
	s := r.line[r.first+1:]
	rest := strings.TrimLeft(s, " \t")
	inner, after, ok := strings.Cut(strings.TrimPrefix(rest, "["), "]")
	if !ok || rest == "" || rest[0] != '[' || len(inner) > 4 {
		return
	}
	if strings.Trim(inner, " \txX~-\u00a0") != "" || after != "" && strings.IndexByte("([:", after[0]) >= 0 {
		return
	}
	if strings.Trim(inner, "-") == "" && len(inner) > 1 { // `- [--] x`: a flag or a rule
		return
	}
	r.report(NearBox, r.first, "")
}

// number reads an identifier as an integer, 0 if it is none.
func number(id string) int {
	n, err := strconv.Atoi(id)
	if err != nil {
		return 0
	}
	return n
}

// fenceOpens handles a fenced block at its opening line.
func (r *reading) fenceOpens(f *fence) {
	if !f.closed {
		r.report(UnclosedFence, f.pos-r.off, "")
	}
	if f.quoted || !r.hides {
		return
	}
	info := fenceInfo(r.src, f.node)
	if r.section > 0 {
		r.validationFence(f, info)
	}
	if r.cur < 0 || r.ended >= 0 || !isShell(info) {
		return
	}
	b := Block{Lang: firstWord(info), Info: info, Text: fenceText(r.src, f.node), Line: r.num}
	if len(r.boxes) > r.firstOf[r.cur] {
		box := &r.boxes[len(r.boxes)-1]
		box.Blocks = append(box.Blocks, b)
	} else {
		t := &r.p.Tasks[r.cur]
		t.Blocks = append(t.Blocks, b)
	}
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i]
	}
	return s
}

// isShell tells whether a fence's info string names a shell.
func isShell(info string) bool {
	switch strings.ToLower(firstWord(info)) {
	case "sh", "bash", "shell":
		return true
	}
	return false
}
