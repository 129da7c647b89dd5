package format

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// difference names the first thing that two readings of a plan do not have in common, numbers of tasks apart;
// "" if there is none.
func difference(a, b *plan.Plan) string {
	heads := headLines(a)
	switch {
	case a.Title != b.Title:
		return "the title"
	case len(a.Tasks) != len(b.Tasks):
		return fmt.Sprintf("the number of tasks from %d to %d", len(a.Tasks), len(b.Tasks))
	case !slices.EqualFunc(a.ValidationCommands, b.ValidationCommands, func(x, y plan.Command) bool { return x.Text == y.Text }):
		return "the validation commands"
	case !slices.EqualFunc(a.ValidationProse, b.ValidationProse, func(x, y plan.Prose) bool { return x.Text == y.Text }):
		return "what is no validation command"
	case !slices.EqualFunc(a.Headings, b.Headings, func(x, y plan.Heading) bool { return x.Level == y.Level && (x.Text == y.Text || heads[x.Line]) }):
		return "the headings"
	}
	for i, t := range a.Tasks {
		u := b.Tasks[i]
		if t.Title != u.Title || t.Status != u.Status || !slices.EqualFunc(t.Blocks, u.Blocks, sameBlock) {
			return fmt.Sprintf("task %d", i+1)
		}
		if !slices.EqualFunc(t.Checkboxes, u.Checkboxes, sameBox) {
			return fmt.Sprintf("the boxes of task %d", i+1)
		}
	}
	if aw, bw := words(a), words(b); aw != bw {
		return "words"
	}
	return ""
}

// headLines are the lines of task headers.
func headLines(p *plan.Plan) map[int]bool {
	lines := make(map[int]bool, len(p.Tasks))
	for _, t := range p.Tasks {
		lines[t.Line] = true
	}
	return lines
}

func sameBlock(a, b plan.Block) bool { return a.Info == b.Info && a.Text == b.Text }

func sameBox(a, b plan.Checkbox) bool {
	return a.Text == b.Text && a.State == b.State && a.Sample == b.Sample && a.Depth == b.Depth && slices.EqualFunc(a.Blocks, b.Blocks, sameBlock)
}

// words is all that the plan says, without white space and without the heads of its tasks.
func words(p *plan.Plan) string {
	src := p.Source()
	var b strings.Builder
	from := 0
	for _, t := range p.Tasks {
		b.WriteString(src[from:t.Span.Start])
		head, _, _ := strings.Cut(src[t.Span.Start:], ":")
		from = t.Span.Start + len(head)
	}
	b.WriteString(src[from:])
	return strings.Join(strings.Fields(b.String()), "")
}

var mention = regexp.MustCompile(`\b[Tt]asks? (\d[\w.]*\w|\d)`)

// references finds lines that speak of tasks whose number is another one now. Words are not ours to change.
func references(p *plan.Plan, renamed map[string]string) []Note {
	if len(renamed) == 0 {
		return nil
	}
	heads := headLines(p)
	var notes []Note
	num := 0
	for text := range strings.Lines(p.Source()) {
		if num++; heads[num] {
			continue
		}
		for _, m := range mention.FindAllStringSubmatch(text, -1) {
			if now, ok := renamed[m[1]]; ok {
				notes = append(notes, Note{Line: num, Text: fmt.Sprintf("says %q, which is task %s now", m[0], now)})
			}
		}
	}
	return notes
}
