package plan

import (
	"cmp"
	"slices"
	"strings"
)

// reading lays the line rule over the outline, line by line.
type reading struct {
	p    *Plan
	body string // without the byte order mark
	base int    // length of the byte order mark
	o    outline
	src  []byte // body

	off, next int    // the current line, line feed included
	line      string // without its line end
	num       int    // its 1-based number
	first     int    // index of its first byte that is no blank

	heads, items, fences, raws, comments, notes int // cursors into the outline

	tracker    fenceTracker // fences of the public rule
	trackerAt  Problem      // where its open fence began
	inFence    bool         // the public rule sees this line in a fence
	titleKnown bool
	publicTask bool // the public rule is inside a task
	publicOurs bool // whose header counts with us, too

	fence int  // fence of the outline that holds this line, -1 = none
	hides bool // boxes in it are left out
	torn  bool // a list ended a fence that the public rule still sees open

	cur     int // current task, -1 = none
	ended   int // where a heading ended it, -1 = not yet
	boxes   []Checkbox
	firstOf []int // per task: index of its first box

	testing bool // inside `## Testing Strategy`
	section int  // level of the validation section that we are in, 0 = none
}

func (r *reading) run() {
	r.cur, r.ended, r.fence = -1, -1, -1
	r.firstOf = make([]int, 0, len(r.o.heads))
	r.boxes = make([]Checkbox, 0, len(r.o.items))
	r.p.Headings = make([]Heading, 0, len(r.o.heads))
	r.p.Tasks = make([]Task, 0, len(r.o.heads))
	for r.next < len(r.body) {
		r.advance()
		for ; r.notes < len(r.o.notes) && r.o.notes[r.notes].pos < r.next; r.notes++ {
			n := r.o.notes[r.notes]
			r.report(n.code, n.pos-r.off, "")
		}
		r.fenceStep()
		r.heading()
		r.boxLine()
	}
	r.off = len(r.body)
	r.closeTask()
	r.finish()
}

// advance takes the next line.
func (r *reading) advance() {
	r.off = r.next
	r.num++
	end := strings.IndexByte(r.body[r.off:], '\n')
	if end < 0 {
		r.next = len(r.body)
		r.line = r.body[r.off:]
	} else {
		r.next = r.off + end + 1
		r.line = r.body[r.off : r.off+end]
	}
	if n := len(r.line); n > 0 && r.line[n-1] == '\r' {
		r.line = r.line[:n-1]
	}
	r.first = skipBlanks(r.line, 0)
}

// char is the first character of the line that is no blank, 0 if there is none.
func (r *reading) char() byte {
	if r.first < len(r.line) {
		return r.line[r.first]
	}
	return 0
}

// fenceStep follows fences in both readings.
func (r *reading) fenceStep() {
	wasIn := r.tracker.char != 0
	r.inFence = wasIn
	if c := r.char(); c == '`' || c == '~' {
		r.inFence = r.tracker.step(r.line)
		if !wasIn && r.inFence {
			r.trackerAt = r.at(PublicFence, r.first)
		}
	}
	if r.fence >= 0 && r.off >= r.o.fences[r.fence].end {
		r.torn = r.torn || !r.o.fences[r.fence].closed && wasIn
		r.fence = -1
	}
	if r.fences < len(r.o.fences) && r.o.fences[r.fences].pos < r.next {
		r.fence = r.fences
		r.fences++
		f := &r.o.fences[r.fence]
		// A fence that Markdown opens on a line where the public rule closes one, because a list ended the
		// fence in between, is most likely the closing fence that its author meant.
		r.hides = f.closed && !(wasIn && r.torn)
		r.fenceOpens(f)
	}
	if r.fence < 0 && r.tracker.char == 0 {
		r.torn = false
	}
}

// hidden tells whether what begins at index i of the line is left out of both readings.
func (r *reading) hidden(i int) bool {
	if r.fence >= 0 && r.hides {
		return true
	}
	at := r.off + i
	for r.comments < len(r.o.hidden) && r.o.hidden[r.comments].end <= r.off {
		r.comments++
	}
	for _, c := range r.o.hidden[r.comments:] {
		if c.start > at {
			return false
		}
		if at < c.end {
			return true
		}
	}
	return false
}

// unseen tells whether Markdown looks at this line at all: HTML and open fences are opaque to it.
func (r *reading) unseen() bool {
	if r.fence >= 0 {
		return !r.hides
	}
	for r.raws < len(r.o.raws) && r.o.raws[r.raws].end <= r.off {
		r.raws++
	}
	return r.raws < len(r.o.raws) && r.o.raws[r.raws].start <= r.off
}

// at makes a problem at index i of the line.
func (r *reading) at(code Code, i int) Problem {
	return Problem{Code: code, Line: r.num, Col: i + 1}
}

func (r *reading) report(code Code, i int, detail string) {
	q := r.at(code, i)
	q.Detail = detail
	r.p.Problems = append(r.p.Problems, q)
}

// heading handles task headers and the headings that end a task.
func (r *reading) heading() {
	var h *head
	if r.heads < len(r.o.heads) && r.o.heads[r.heads].pos < r.next {
		h = &r.o.heads[r.heads]
		r.heads++
	}
	if h == nil && r.char() != '#' {
		return
	}
	id, title, public := "", "", false
	if !r.inFence {
		id, title, public = lineHeader(r.line)
	}
	counts := public && !r.hidden(0)
	seen := false
	if h != nil && h.level == 3 && !h.setext {
		if hid, htitle, ok := headerText(h.text); ok && h.nested {
			r.report(NestedHeader, r.first, "")
		} else if ok {
			id, title, seen = hid, htitle, true // without the closing sequence
		}
	}
	r.publicHeading(public, counts || seen)
	switch {
	case counts || seen:
		r.openTask(id, title)
		if !public {
			r.report(PublicBlindHdr, r.first, "")
		} else if !seen {
			r.report(LineOnlyHeader, 0, "")
		}
	case public:
		r.report(HiddenHeader, 0, "")
	case r.endsTask(h):
		if r.cur >= 0 && r.ended < 0 {
			r.ended = r.off
		}
	}
	if h != nil && !h.nested {
		r.p.Headings = append(r.p.Headings, Heading{Level: h.level, Text: h.text, Line: r.num, Offset: r.base + r.off, Setext: h.setext})
		r.enterSection(h)
		if !seen {
			r.nearHeader(h)
		}
	} else if h == nil && !r.inFence && !counts && r.char() == '#' && !r.hidden(0) {
		r.nearLine()
	}
}

// publicHeading follows the public rule's notion of title and task.
func (r *reading) publicHeading(header, ours bool) {
	if r.inFence {
		return
	}
	if header {
		r.publicTask, r.publicOurs = true, ours
	} else if endsPublicTask(r.line, r.titleKnown) {
		r.publicTask = false
	}
	if t, ok := lineTitle(r.line); ok && !r.titleKnown {
		r.titleKnown = true
		if r.p.Title == "" && !r.hidden(0) && r.unseen() {
			r.p.Title = t
		}
	}
}

// endsTask tells whether the line is a higher heading of the document.
func (r *reading) endsTask(h *head) bool {
	if h == nil || h.nested {
		return false
	}
	if h.level == 1 && r.p.Title == "" {
		r.p.Title = h.text
	}
	return h.level <= 2
}

// openTask begins a task at this line.
func (r *reading) openTask(id, title string) {
	r.closeTask()
	r.section = 0 // a task right below the validation section is no part of it: its boxes are no commands
	r.cur, r.ended = len(r.p.Tasks), -1
	r.p.Tasks = append(r.p.Tasks, Task{
		Position: r.cur + 1, ID: id, Number: number(id), Title: title,
		Line: r.num, Span: Span{Start: r.base + r.off},
	})
	r.firstOf = append(r.firstOf, len(r.boxes))
}

// closeTask ends the current task, at the heading that ended it or at this line.
func (r *reading) closeTask() {
	if r.cur < 0 {
		return
	}
	end := r.off
	if r.ended >= 0 {
		end = r.ended
	}
	t := &r.p.Tasks[r.cur]
	t.Span.End = r.base + end
	boxes := r.boxes[r.firstOf[r.cur]:]
	for i := range boxes {
		boxes[i].Span.End = min(boxes[i].Span.End, t.Span.End)
	}
}

// opaque lists the fences and closed comments of the outline.
func (r *reading) opaque() []Span {
	out := make([]Span, 0, len(r.o.fences)+len(r.o.hidden))
	for _, f := range r.o.fences {
		out = append(out, Span{r.base + f.pos, r.base + f.end})
	}
	for _, c := range r.o.hidden {
		out = append(out, Span{r.base + c.start, r.base + c.end})
	}
	slices.SortFunc(out, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// finish hands the boxes to their tasks.
func (r *reading) finish() {
	r.p.Opaque = r.opaque()
	r.reviewMarks()
	for i := range r.p.Tasks {
		t := &r.p.Tasks[i]
		end := len(r.boxes)
		if i+1 < len(r.firstOf) {
			end = r.firstOf[i+1]
		}
		t.Checkboxes = r.boxes[r.firstOf[i]:end:end]
		t.Status = t.status()
		if len(t.Checkboxes) == 0 {
			r.p.Problems = append(r.p.Problems, Problem{Code: NoBoxes, Line: t.Line, Col: 1, Detail: t.ID})
		}
	}
	if r.tracker.char != 0 && (r.fence < 0 || r.o.fences[r.fence].closed) {
		r.p.Problems = append(r.p.Problems, r.trackerAt)
	}
}
