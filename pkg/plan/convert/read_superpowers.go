package convert

import (
	"strings"

	"ralphex/internal/lazyregexp"
)

// Superpowers plans have tasks `### Task N: title` with a Files block and steps, each a box or a bold line
// `**Step 1: text**`; what stands below a step, indented or not, belongs to it.

var (
	superpowersMark = lazyregexp.New(`(?i)superpowers:|for agentic workers|\*\*For Claude:\*\*`)
	stepLine        = lazyregexp.New(`(?m)^\s*(?:[-*] \[[ xX]\] )?\*\*Step \d+`)
	stepStart       = lazyregexp.New(`^\s*\*\*Step \d+`)
	workerNote      = lazyregexp.New(`(?i)^[>\s*]*for (agentic workers|claude)\b`)
	technicalNote   = lazyregexp.New(`(?i)^\*\*(architecture|tech stack|file map)\b`)
)

func detectSuperpowers(in *Input) (int, string) {
	if in.Folder {
		return 0, ""
	}
	t := in.markdownText("")
	tasks := taskLine.MatchString(t)
	switch {
	case tasks && superpowersMark.MatchString(t):
		return 95, "tasks `### Task N`, and a note for agentic workers"
	case tasks && stepLine.MatchString(t):
		return 85, "tasks `### Task N` with steps `**Step 1: …**`"
	}
	return 0, ""
}

func readSuperpowers(s *Source, in *Input, _ Options) error {
	f, err := in.pick()
	if err != nil {
		return err
	}
	o := s.readOutline(f)
	s.Title = firstText(o.title, in.name(f))
	for i := range o.parts {
		o.parts[i].blocks = s.superpowersBlocks(o, &o.parts[i])
	}
	s.readValidation(o)
	s.tasks(o, shape{
		group: func(p *part) bool { _, _, _, ok := isTaskHeading(p.text); return ok },
		work:  func(p *part, b *block) bool { return b.box || stepStart.MatchString(b.text) && p.level > 0 },
		below: true,
	})
	return nil
}

// superpowersBlocks makes items of bold step lines, and sorts what stands above the first heading.
func (s *Source) superpowersBlocks(o *outline, p *part) []block {
	var out []block
	for _, b := range p.blocks {
		first := ""
		if len(b.lines) > 0 {
			first = b.lines[0]
		}
		switch {
		case (b.kind == quote || b.kind == text) && workerNote.MatchString(first):
			s.lose(o.file.Path, b.num, oneLine(strings.Join(b.lines, " ")), "an instruction to another tool")
			continue
		case b.kind == text && p.level == 0 && technicalNote.MatchString(first):
			s.add(Technical, o.file.Path, b.num, markdown([]block{b}, 0))
			continue
		case b.kind == text && p.level > 0 && stepStart.MatchString(first):
			step := block{kind: item, num: b.num, indent: b.indent, content: b.indent + 2, state: -1, text: oneLine(first)}
			out = append(out, step)
			if len(b.lines) > 1 {
				rest := b
				rest.lines, rest.num = b.lines[1:], b.num+1
				out = append(out, rest)
			}
			continue
		}
		out = append(out, b)
	}
	return out
}
