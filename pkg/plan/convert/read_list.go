package convert

import (
	"strings"

	"ralphex/internal/lazyregexp"
)

// This file reads Markdown of nobody's format: what has boxes is work; else what stands below a heading like
// Tasks; else numbered items; else bullets; else paragraphs.

var (
	anyBox  = lazyregexp.New(`(?m)^[ \t]*(?:[-*+•]|\d{1,9}[.)])?[ \t]*\[[ xX]?\][ \t]+\S`)
	anyItem = lazyregexp.New(`(?m)^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+\S`)
)

// pickMarkdown is the Markdown file of an input; a folder has one if it has a tasks.md or a single .md file.
func (in *Input) pickMarkdown() (*File, error) {
	if f, err := in.pick("tasks.md", "TODO.md", "todo.md"); err == nil {
		return f, nil
	}
	if list := in.glob(".", ".md"); len(list) == 1 {
		return in.file(list[0])
	}
	return nil, errNoFile
}

func detectList(in *Input) (int, string) {
	f, err := in.pickMarkdown()
	if err != nil || f == nil || looksJSON(f.text) {
		return 0, ""
	}
	switch {
	case anyBox.MatchString(f.text):
		return 40, "lines with boxes"
	case anyItem.MatchString(f.text):
		return 30, "a list"
	}
	return 0, ""
}

func detectProse(in *Input) (int, string) {
	f, err := in.pickMarkdown()
	if err != nil || f == nil || looksJSON(f.text) || !hasWord(f.text) {
		return 0, ""
	}
	return 10, "text"
}

func readList(s *Source, in *Input, _ Options) error {
	f, err := in.pickMarkdown()
	if err != nil {
		return err
	}
	o := s.readOutline(f)
	s.Title = firstText(o.title, in.name(f))
	s.readValidation(o)
	s.lists(o)
	return nil
}

func readProse(s *Source, in *Input, _ Options) error {
	f, err := in.pickMarkdown()
	if err != nil {
		return err
	}
	o := s.readOutline(f)
	s.Title = firstText(o.title, in.name(f))
	s.readValidation(o)
	s.paragraphs(o)
	return nil
}

// workHeadings are headings below which a list is work.
var workHeadings = lazyregexp.New(`(?i)^(?:\d+[.)]\s*)?(?:tasks?|to-?dos?|steps?|plan|implementation|implementation (?:plan|steps|tasks)|checklist|work(?: items)?|deliverables|action items|what to do|next steps|milestones?|phase\b.*|step \d+.*|задачи|шаги|план|план работ|что сделать|tareas|pasos|tarefas|aufgaben|schritte|tâches|étapes|タスク|手順|任务|步骤)\s*[:：]?$`)

// lists finds the work of an outline without a format.
func (s *Source) lists(o *outline) {
	works := []func(p *part, b *block) bool{
		func(_ *part, b *block) bool { return b.box },
		func(p *part, b *block) bool { return b.indent <= 1 && o.isWork(p) },
		func(_ *part, b *block) bool { return b.indent <= 1 && b.number != "" },
		func(_ *part, b *block) bool { return b.indent <= 1 },
	}
	for _, w := range works {
		if o.any(w) {
			s.tasks(o, shape{work: w})
			return
		}
	}
	s.paragraphs(o)
}

// isWork tells whether a part, or one around it, has a heading like Tasks.
func (o *outline) isWork(p *part) bool {
	for {
		if workHeadings.MatchString(strings.Trim(p.text, " *#")) {
			return true
		}
		if p.parent < 0 {
			return false
		}
		p = &o.parts[p.parent]
	}
}

// any tells whether an item is work by a rule.
func (o *outline) any(work func(p *part, b *block) bool) bool {
	for i := range o.parts {
		for j := range o.parts[i].blocks {
			if b := &o.parts[i].blocks[j]; b.kind == item && hasWord(b.text) && work(&o.parts[i], b) {
				return true
			}
		}
	}
	return false
}

// paragraphs makes an item of each paragraph. What is long goes on below its first sentence.
func (s *Source) paragraphs(o *outline) {
	for i := range o.parts {
		p := &o.parts[i]
		var out []block
		for _, b := range p.blocks {
			if b.kind != text || !hasWord(strings.Join(b.lines, " ")) || b.indent > 3 {
				out = append(out, b)
				continue
			}
			head, rest := sentence(oneLine(strings.Join(b.lines, " ")))
			out = append(out, block{kind: item, num: b.num, content: 2, state: -1, text: head})
			if rest != "" {
				out = append(out, block{kind: text, num: b.num, indent: 2, lines: []string{"  " + rest}})
			}
		}
		p.blocks = out
	}
	first := func(_ *part, b *block) bool { return b.indent == 0 && b.content == 2 }
	s.tasks(o, shape{work: first, below: true})
	for i := range o.parts {
		if p := &o.parts[i]; len(s.Tasks) == 0 && p.text != "" {
			// Nothing but headings: each is a task.
			s.Sections = nil
			s.tasks(o, shape{group: func(p *part) bool { return p.text != "" }})
			return
		}
	}
}

// sentence cuts a text that is long for a box behind its first sentence.
func sentence(t string) (head, rest string) {
	if len(t) <= 160 {
		return t, ""
	}
	for i := 0; i+1 < len(t) && i < 300; i++ {
		if strings.IndexByte(".!?", t[i]) >= 0 && t[i+1] == ' ' && i > 20 {
			return t[:i+1], strings.TrimSpace(t[i+1:])
		}
	}
	if len(t) <= maxJoined {
		return t, ""
	}
	cut := strings.LastIndexByte(t[:maxJoined], ' ')
	if cut < 0 {
		return t, ""
	}
	return t[:cut], strings.TrimSpace(t[cut:])
}
