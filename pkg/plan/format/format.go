package format

import (
	"fmt"
	"strconv"
	"strings"

	"ralphex/pkg/plan"
)

// Result is a formatted plan.
type Result struct {
	Text       []byte
	Renumbered int    // tasks that got another number
	Notes      []Note // what a person may want to change by hand now
}

// Note is about one line.
type Note struct {
	Line int // of the result
	Was  int // of what was formatted
	Text string
}

// ChangedError says that formatting would change what the plan says. It is a fault of this package, and the
// reason why no plan is damaged by it.
type ChangedError struct{ What string }

func (e *ChangedError) Error() string {
	return "formatting would change " + e.What + "; please report this file"
}

// Format tidies a plan. Errors are *plan.LimitError and *ChangedError.
func Format(src []byte) (Result, error) {
	p, err := plan.ParsePlan(src)
	if err != nil {
		return Result{}, err
	}
	if strings.TrimSpace(strings.TrimPrefix(string(src), bom)) == "" {
		return Result{Text: src}, nil
	}
	w := newWriter(p)
	for n := range w.lines {
		w.line(n)
	}
	res := Result{Text: []byte(w.out.String()), Renumbered: len(w.renamed)}
	after, err := plan.ParsePlan(res.Text)
	if err != nil {
		return Result{}, err
	}
	if what := difference(p, after); what != "" {
		return Result{}, &ChangedError{What: what}
	}
	res.Notes = references(after, w.renamed)
	for i, was := range references(p, w.renamed) { // the same words in the same order
		res.Notes[i].Was = was.Line
	}
	return res, nil
}

// writer goes through the lines of a plan and writes the tidy ones.
type writer struct {
	p        *plan.Plan
	eol      string
	lines    []line
	heads    map[int]plan.Heading
	tasks    map[int]plan.Task
	boxes    map[int]plan.Checkbox
	renamed  map[string]string // identifiers of tasks that changed, old to new
	out      strings.Builder
	written  int  // lines
	blank    bool // the last of them is blank
	pending  int  // blank lines that wait for what follows
	afterHdr bool // the last line that was written is a heading
}

func newWriter(p *plan.Plan) *writer {
	w := &writer{p: p, heads: map[int]plan.Heading{}, tasks: map[int]plan.Task{}, boxes: map[int]plan.Checkbox{}, renamed: map[string]string{}}
	for _, h := range p.Headings {
		w.heads[h.Line] = h
	}
	for _, t := range p.Tasks {
		w.tasks[t.Line] = t
		for _, b := range t.Checkboxes {
			w.boxes[b.Line] = b
		}
	}
	w.lines, w.eol = split(p)
	if strings.HasPrefix(p.Source(), bom) {
		w.out.WriteString(bom)
	}
	return w
}

// line writes line n, 0-based, or keeps it as a pending blank one.
func (w *writer) line(n int) {
	l := w.lines[n]
	task, isTask := w.tasks[n+1]
	heading := w.isHeading(n + 1)
	if l.sealed || l.verbatim && !isTask && !heading {
		w.afterHdr = w.afterHdr && strings.TrimSpace(l.text) != ""
		w.flush(n)
		w.write(l.text)
		return
	}
	text := strings.TrimRight(l.text, " \t\r")
	if text == "" {
		w.pending++
		return
	}
	if heading && w.pending == 0 && w.written > 0 && !w.blank {
		w.pending = 1
	}
	if w.afterHdr && w.pending == 0 {
		w.pending = 1
	}
	w.flush(n)
	switch {
	case isTask:
		text = w.header(task, text, heading)
	case heading:
		text = spaced(text)
	default:
		text = w.box(n+1, text) + w.hardBreak(n)
	}
	w.write(text)
	w.afterHdr = heading
}

// isHeading tells whether a line is a heading with marks. What is underlined, and task headers that Markdown
// does not see, keep their surroundings.
func (w *writer) isHeading(num int) bool {
	h, ok := w.heads[num]
	return ok && !h.Setext
}

// flush writes the blank lines between what was written and line n: one, or all where they may be a part of code.
func (w *writer) flush(n int) {
	blanks := min(w.pending, 1)
	if _, isBox := w.boxes[n+1]; !isBox && !w.afterHdr && !w.isHeading(n+1) && indented(w.lines[n].text) {
		blanks = w.pending
	}
	switch {
	case w.written == 0 && !strings.HasPrefix(w.lines[n].text, bom): // one that comes first would be the file's
		blanks = 0
	case w.afterHdr:
		blanks = 1
	}
	for range blanks {
		w.write("")
	}
	w.pending, w.afterHdr = 0, false
}

func (w *writer) write(text string) {
	w.written++
	w.blank = strings.TrimSpace(text) == ""
	w.out.WriteString(text)
	w.out.WriteString(w.eol)
}

// header numbers a task by its position. One that Markdown does not see keeps its blanks, or it would.
func (w *writer) header(t plan.Task, text string, heading bool) string {
	id := strconv.Itoa(t.Position)
	colon := strings.IndexByte(text, ':')
	at := -1
	if colon >= 0 {
		at = strings.LastIndex(text[:colon], t.ID)
	}
	if at < 0 {
		return text
	}
	if t.ID != id {
		w.renamed[t.ID] = id
	}
	title := strings.TrimSpace(text[colon+1:])
	if !heading || strings.Trim(title, "# \t") == "" && title != "" { // a blank before marks alone would make them the heading's end
		return text[:at] + id + text[at+len(t.ID):]
	}
	body := strings.TrimLeft(text, " ")
	marks := body[:len(body)-len(strings.TrimLeft(body, "#"))]
	keyword := strings.Fields(body[len(marks):])[0]
	return strings.TrimRight(fmt.Sprintf("%s %s %s: %s", marks, keyword, id, title), " ")
}

// spaced writes a heading with one blank after its marks, at the start of the line.
func spaced(text string) string {
	text = strings.TrimLeft(text, " ")
	title := strings.TrimLeft(text, "#")
	marks := text[:len(text)-len(title)]
	return strings.TrimRight(marks+" "+strings.TrimLeft(title, " \t"), " ")
}

// box writes one blank on either side of the brackets. A box with more lines keeps what is before them: its
// other lines are indented by that.
func (w *writer) box(num int, text string) string {
	b, ok := w.boxes[num]
	if !ok {
		return text
	}
	start := w.lines[num-1].start
	mark := b.Offset - start
	if mark < 1 || mark+2 > len(text) || text[mark-1] != '[' || text[mark+1] != ']' {
		return text
	}
	before, brackets, after := text[:mark-1], text[mark-1:mark+2], text[mark+2:]
	oneLine := num == len(w.lines) || b.Span.End <= w.lines[num].start
	bullet := strings.TrimRight(before, " \t")
	if oneLine && w.leaves(num, len(bullet)) && len(before)-len(bullet) <= 4 && bullet != "" && !strings.Contains(before, "\t") {
		before = bullet + " "
	}
	if after != "" && (after[0] == ' ' || after[0] == '\t') {
		after = " " + strings.TrimLeft(after, " \t")
	}
	return before + brackets + after
}

// leaves tells whether what follows line num stands outside of an item whose text begins one blank behind the
// bullet, which ends at column end: with fewer blanks there, a line could become a part of it.
func (w *writer) leaves(num, end int) bool {
	for _, l := range w.lines[num:] {
		text := strings.TrimLeft(l.text, " ")
		if strings.TrimSpace(text) == "" {
			continue
		}
		return text[0] != '\t' && len(l.text)-len(text) <= end
	}
	return true
}

// hardBreak keeps the two blanks that break a line in the middle of a paragraph.
func (w *writer) hardBreak(n int) string {
	text := strings.TrimRight(w.lines[n].text, "\r")
	if !strings.HasSuffix(text, "  ") || n+1 == len(w.lines) || w.boxes[n+2].Line > 0 || w.isHeading(n+2) {
		return ""
	}
	if next := w.lines[n+1]; next.verbatim || strings.TrimSpace(next.text) == "" {
		return ""
	}
	return "  "
}
