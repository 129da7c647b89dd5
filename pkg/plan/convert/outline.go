package convert

import (
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// part is a heading with what stands below it, up to the next heading.
type part struct {
	level  int // 0 = what stands before the first heading
	text   string
	line   int
	blocks []block
	parent int // index of the heading around it, -1 = none
}

// outline is a Markdown file as headings.
type outline struct {
	file  *File
	title string // of the first heading, if no other has its level or a higher one
	parts []part
}

// readOutline reads a Markdown file; what is no part of it goes to the losses.
func (s *Source) readOutline(f *File) *outline {
	lose := func(num int, text, why string) {
		if strings.HasPrefix(text, "<!-- ralphex-") {
			s.Counted = append(s.Counted, words(text)...)
			return
		}
		s.lose(f.Path, num, text, why)
	}
	blocks := scan(f.text, lose)
	if f.shifted {
		for i := range blocks {
			blocks[i].state = -1
		}
	}
	return newOutline(f, blocks)
}

func newOutline(f *File, blocks []block) *outline {
	o := &outline{file: f, parts: []part{{parent: -1}}}
	var open []int // headings around
	for _, b := range blocks {
		if b.kind != heading {
			p := &o.parts[len(o.parts)-1]
			p.blocks = append(p.blocks, b)
			continue
		}
		for len(open) > 0 && o.parts[open[len(open)-1]].level >= b.level {
			open = open[:len(open)-1]
		}
		p := part{level: b.level, text: b.text, line: b.num, parent: -1}
		if len(open) > 0 {
			p.parent = open[len(open)-1]
		}
		open = append(open, len(o.parts))
		o.parts = append(o.parts, p)
	}
	o.findTitle()
	return o
}

// findTitle takes the first heading as the title if it is the only one of its level and none is above it.
func (o *outline) findTitle() {
	if len(o.parts) < 2 || len(o.parts[0].blocks) > 0 && o.parts[1].level > 1 {
		return
	}
	first := &o.parts[1]
	for _, p := range o.parts[2:] {
		if p.level <= first.level {
			if first.level > 1 || p.level < first.level {
				return
			}
		}
	}
	if first.level == 1 {
		o.title, first.level, first.text = first.text, 0, ""
	} else if len(o.parts) > 2 && first.level == 2 {
		o.title, first.level, first.text = first.text, 0, ""
	}
	if first.level != 0 {
		return
	}
	for i := range o.parts {
		if o.parts[i].parent == 1 {
			o.parts[i].parent = -1
		}
	}
}

// under are the indexes of a part and of all below it: the next ones until a heading of its level.
func (o *outline) under(i int) int {
	j := i + 1
	for j < len(o.parts) && o.parts[j].level > o.parts[i].level {
		j++
	}
	return j
}

// trail names the headings around a part, the outermost first.
func (o *outline) trail(i int) []string {
	var out []string
	for p := o.parts[i].parent; p >= 0; p = o.parts[p].parent {
		out = append([]string{o.parts[p].text}, out...)
	}
	return out
}

// shape says how a format groups its items. The zero value takes every box, in the deepest heading around it.
type shape struct {
	group   func(p *part) bool                // this heading is a task, with all that stands below it
	work    func(p *part, b *block) bool      // this item is a box; nil: it has brackets
	item    func(it *Item)                    // reads what a format writes into the text of an item
	section func(p *part) (SectionName, bool) // where the prose of a heading belongs; false: by its name
	below   bool                              // what follows an item belongs to it, indented or not
	only    bool                              // nothing but groups are tasks
}

func (sh *shape) works(p *part, b *block) bool {
	switch {
	case b.kind != item:
		return false
	case sh.work != nil:
		return sh.work(p, b)
	}
	return b.box
}

// tasks turns an outline into tasks, and everything else into prose of the sections.
func (s *Source) tasks(o *outline, sh shape) {
	groups := s.groups(o, sh)
	current := -1
	for i := range o.parts {
		p := &o.parts[i]
		g := groups[i]
		if g < 0 {
			s.prose(o, i, sh, groups)
			continue
		}
		if g != current {
			current = g
			s.Tasks = append(s.Tasks, s.newTask(o, g))
		}
		b := taskBuilder{s: s, o: o, sh: &sh, t: &s.Tasks[len(s.Tasks)-1], part: p}
		if g != i && p.text != "" {
			b.pending = "#### " + p.text
		}
		b.blocks(p.blocks)
	}
}

// groups tells for each part which part is the task that it belongs to, -1 = none.
func (s *Source) groups(o *outline, sh shape) []int {
	out := make([]int, len(o.parts))
	for i := range out {
		out[i] = -1
	}
	for i := range o.parts {
		if out[i] >= 0 {
			continue
		}
		if sh.group != nil && o.parts[i].level > 0 && sh.group(&o.parts[i]) {
			for j := i; j < o.under(i); j++ {
				out[j] = i
			}
			continue
		}
		for b := range o.parts[i].blocks {
			if sh.only {
				break
			}
			if sh.works(&o.parts[i], &o.parts[i].blocks[b]) {
				out[i] = i
				break
			}
		}
	}
	return out
}

func (s *Source) newTask(o *outline, g int) Task {
	p := &o.parts[g]
	id, title := s.headingID(p.text)
	t := Task{ID: id, Title: title, Origin: Origin{Path: o.file.Path, Line: p.line, Offset: -1, ID: id}}
	var trail []string
	for _, h := range o.trail(g) {
		if genericHeadings[strings.ToLower(strings.Trim(h, " :"))] {
			s.Counted = append(s.Counted, words(h)...)
		} else if h != "" {
			trail = append(trail, h)
		}
	}
	if len(trail) > 0 {
		t.Intro = "Part of: " + strings.Join(trail, " / ")
	}
	return t
}

// prose puts a part that is no task into a section.
func (s *Source) prose(o *outline, i int, sh shape, groups []int) {
	p := &o.parts[i]
	body := markdown(p.blocks, 0)
	name, known := Context, false
	if sh.section != nil {
		name, known = sh.section(p)
	}
	if !known {
		name = o.sectionOf(i)
	}
	if p.text != "" {
		if body == "" && containsTask(o, i, groups) {
			return // its tasks name it
		}
		if !strings.EqualFold(p.text, string(name)) {
			body = strings.TrimSpace(strings.Repeat("#", min(max(p.level, 3), 4)) + " " + p.text + "\n\n" + body)
		} else {
			s.Counted = append(s.Counted, words(p.text)...)
		}
	}
	s.add(name, o.file.Path, p.line, body)
}

func containsTask(o *outline, i int, groups []int) bool {
	for j := i + 1; j < o.under(i); j++ {
		if g := groups[j]; g >= 0 && g != i {
			return true
		}
	}
	return false
}

// taskBuilder fills one task from the blocks of its parts.
type taskBuilder struct {
	s       *Source
	o       *outline
	sh      *shape
	t       *Task
	part    *part
	pending string // Markdown that belongs to the next item
	stack   []around
}

// around is an item of the source that the next blocks may belong to.
type around struct {
	item    int // index into the task's items
	content int // column of its text
	depth   int
}

func (b *taskBuilder) blocks(blocks []block) {
	for i := range blocks {
		k := &blocks[i]
		if b.sh.works(b.part, k) {
			b.add(k)
			continue
		}
		b.note(k)
	}
	b.stack = nil
	switch {
	case b.pending == "":
	case len(b.t.Items) == 0:
		b.t.Intro = joinProse(b.t.Intro, b.pending)
	default:
		b.t.Outro = joinProse(b.t.Outro, b.pending)
	}
}

// add makes an item of a block.
func (b *taskBuilder) add(k *block) {
	b.leave(k.indent)
	depth := 0
	if n := len(b.stack); n > 0 {
		depth = b.stack[n-1].depth + 1
	}
	it := Item{Text: k.text, State: plan.BoxOpen, Depth: depth, Origin: Origin{Path: b.o.file.Path, Line: k.num, Offset: k.state}}
	if k.box {
		b.s.state(&it, k)
	}
	if b.sh.item != nil {
		b.sh.item(&it)
	}
	if it.ID == "" {
		it.ID = leadingID(it.Text)
	}
	if len(it.Depends) == 0 {
		it.Depends = slices.DeleteFunc(dependsIn(it.Text), func(d string) bool { return d == it.ID })
	}
	it.Origin.ID = it.ID
	if !hasWord(it.Text) {
		b.s.lose(b.o.file.Path, k.num, strings.TrimSpace("[ ] "+it.Text), "a box without text")
		return
	}
	if b.pending != "" {
		if len(b.t.Items) == 0 {
			b.t.Intro = joinProse(b.t.Intro, b.pending)
		} else {
			it.Before = joinProse(b.t.Outro, b.pending)
			b.t.Outro = ""
		}
		b.pending = ""
	} else if b.t.Outro != "" {
		it.Before, b.t.Outro = b.t.Outro, ""
	}
	b.stack = append(b.stack, around{item: len(b.t.Items), content: k.content, depth: depth})
	b.t.Items = append(b.t.Items, it)
}

// note keeps a block that is no item: below the item it is indented under, else in front of the next one.
func (b *taskBuilder) note(k *block) {
	if !k.glued || k.kind == item || k.kind == fence {
		b.leave(k.indent)
	}
	if len(b.stack) == 0 && b.sh.below && len(b.t.Items) > 0 && b.pending == "" {
		b.stack = append(b.stack, around{item: len(b.t.Items) - 1, content: k.indent})
		defer func() { b.stack = b.stack[:0] }()
	}
	if n := len(b.stack); n > 0 {
		top := b.stack[n-1]
		it := &b.t.Items[top.item]
		sep := "\n"
		if !k.glued {
			sep = "\n\n"
		}
		it.Detail = strings.TrimPrefix(it.Detail+sep+markdown([]block{*k}, top.content), "\n")
		it.Detail = strings.TrimPrefix(it.Detail, "\n")
		return
	}
	b.pending = joinAs(b.pending, markdown([]block{*k}, 0), k)
}

// joinAs puts a block under text, with an empty line between them if it had one.
func joinAs(before, add string, k *block) string {
	if before != "" && k.glued {
		return before + "\n" + add
	}
	return joinProse(before, add)
}

// leave forgets items that something at this column is no part of.
func (b *taskBuilder) leave(cols int) {
	for n := len(b.stack); n > 0 && cols < b.stack[n-1].content && !b.inside(cols, n-1); n-- {
		b.stack = b.stack[:n-1]
	}
}

// inside is lenient with lists that are indented by one column less than Markdown asks for.
func (b *taskBuilder) inside(cols, n int) bool {
	return cols > 0 && cols == b.stack[n].content-1 && (n == 0 || cols > b.stack[n-1].content)
}

// markdown writes blocks as Markdown again, dedent columns to the left.
func markdown(blocks []block, by int) string {
	var b strings.Builder
	for i := range blocks {
		k := &blocks[i]
		if b.Len() > 0 {
			b.WriteByte('\n')
			if !k.glued {
				b.WriteByte('\n')
			}
		}
		pad := strings.Repeat(" ", max(0, k.indent-by))
		switch k.kind {
		case heading:
			b.WriteString(strings.Repeat("#", k.level) + " " + k.text)
		case item:
			b.WriteString(pad + k.source())
		case fence:
			b.WriteString(pad + k.fence + k.text)
			for _, l := range k.lines {
				b.WriteString("\n" + strings.TrimRight(pad+l, " "))
			}
			b.WriteString("\n" + pad + k.fence)
		default:
			for j, l := range k.lines {
				if j > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(dedent(l, by))
			}
		}
	}
	return b.String()
}

// source is an item as it is written.
func (k *block) source() string {
	mark := "-"
	if k.number != "" {
		mark = k.number
	}
	if k.box {
		mark += " [" + k.mark + "]"
	}
	return strings.TrimRight(mark+" "+k.text, " ")
}
