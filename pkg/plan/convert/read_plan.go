package convert

import (
	"slices"
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/plan"
)

// A plan is read as its sections and tasks. Sections that are not of the format stay, before or behind the tasks.

var planSections = lazyregexp.New(`(?m)^## (?:Implementation Steps|Validation Commands|Progress Tracking)\s*$`)

func detectPlan(in *Input) (int, string) {
	if in.Folder || looksJSON(in.main.text) {
		return 0, ""
	}
	if !taskLine.MatchString(in.main.text) {
		return 0, ""
	}
	if planSections.MatchString(in.main.text) {
		return 97, "headings like `### Task 1: title`, and sections of a plan"
	}
	return 75, "headings like `### Task 1: title`"
}

func readPlan(s *Source, in *Input, _ Options) error {
	f, err := in.pick()
	if err != nil {
		return err
	}
	o := s.readOutline(f)
	s.Title = firstText(o.title, in.name(f))
	s.planCommands(o)
	var firstTask = len(o.parts)
	isTask := func(p *part) bool {
		_, _, _, ok := isTaskHeading(p.text)
		return ok && p.level > 0
	}
	for i := range o.parts {
		if isTask(&o.parts[i]) {
			firstTask = min(firstTask, i)
		}
	}
	ours := map[*part]SectionName{}
	late := map[SectionName]bool{}
	for i := range o.parts {
		p := &o.parts[i]
		name := SectionName("")
		switch top := o.top(i); {
		case p.level == 0:
			name = Overview
		case o.parts[top].level == 2:
			name = planSection(o.parts[top].text)
			late[name] = !isOurs(name) && i > firstTask
		default:
			name = o.sectionOf(i)
		}
		ours[p] = name
	}
	s.tasks(o, shape{
		group:   isTask,
		only:    true,
		section: func(p *part) (SectionName, bool) { return ours[p], true },
	})
	for i := range s.Tasks {
		s.ownLines(&s.Tasks[i])
	}
	for i := range s.Sections {
		s.Sections[i].Late = late[s.Sections[i].Name]
	}
	return nil
}

// ownLines reads the lines that a conversion wrote below the header of a task.
func (s *Source) ownLines(t *Task) {
	for {
		line, rest, _ := strings.Cut(t.Intro, "\n")
		if id, ok := strings.CutPrefix(line, idMark); ok && len(strings.Fields(id)) == 1 {
			t.ID = strings.TrimSpace(id)
			s.Counted = append(s.Counted, words(idMark)...)
		} else if ids, ok := strings.CutPrefix(line, dependsMark); ok && idList.MatchString(strings.TrimSuffix(ids, idsMark)) {
			t.Depends = idSplit.Split(strings.TrimSuffix(ids, idsMark), -1)
			s.Counted = append(s.Counted, words(dependsMark+idsMark)...)
		} else {
			return
		}
		t.Intro = trimBlankLines(rest)
	}
}

var (
	idList  = lazyregexp.New(`^[\pL\d][\pL\d._-]*(?:, [\pL\d][\pL\d._-]*)*$`)
	idSplit = lazyregexp.New(`, `)
)

// top is the outermost heading around a part, or the part itself.
func (o *outline) top(i int) int {
	for o.parts[i].parent >= 0 {
		i = o.parts[i].parent
	}
	return i
}

// planSection finds the section that a heading names.
func planSection(text string) SectionName {
	t := strings.TrimRight(text, " :")
	for _, n := range []SectionName{Overview, Context, Approach, Testing, Progress, Technical, Steps, After} {
		if strings.EqualFold(t, string(n)) {
			return n
		}
	}
	if strings.EqualFold(t, "tasks") {
		return Steps
	}
	return SectionName(text)
}

// planCommands takes the validation commands as a run would read them. Prose of that section goes to Testing.
func (s *Source) planCommands(o *outline) {
	p, err := plan.ParsePlan([]byte(o.file.text))
	if err != nil {
		s.readValidation(o)
		return
	}
	s.Commands = slices.Clone(p.ValidationCommands)
	for i := range o.parts {
		if x := &o.parts[i]; strings.EqualFold(strings.TrimRight(x.text, " :"), validationName) {
			s.Counted = append(s.Counted, words(x.text)...)
			rest := slices.DeleteFunc(slices.Clone(x.blocks), func(b block) bool {
				return slices.ContainsFunc(s.Commands, func(c plan.Command) bool { return c.Line == b.num })
			})
			x.text, x.blocks = "", nil
			s.add(Testing, o.file.Path, x.line, markdown(rest, 0))
		}
	}
}
