package convert

import (
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/plan"
)

// Kiro writes .kiro/specs/name/{requirements.md, design.md, tasks.md}. tasks.md is one nested list: `- [ ] 1. Title`
// with `- [ ] 1.1 text` below it, and `_Requirements: 1.2_` in the details.

var (
	kiroNote = lazyregexp.New(`(?m)^\s*[-*]?\s*_Requirements?:`)
	kiroTop  = lazyregexp.New(`(?m)^[-*] \[.\]\*? \d+\.? `)
	kiroID   = lazyregexp.New(`^(\d+(?:\.\d+)*)[.)]?\s+(.*)$`)
)

func detectKiro(in *Input) (int, string) {
	if in.Folder && !in.has("tasks.md") {
		return 0, ""
	}
	t := in.markdownText("tasks.md")
	switch {
	case kiroNote.MatchString(t) && kiroTop.MatchString(t):
		return 93, "boxes like `1. text` with `_Requirements: …_`"
	case kiroTop.MatchString(t) && in.has("requirements.md") && in.has("design.md"):
		return 88, "tasks.md, requirements.md and design.md stand together"
	case kiroTop.MatchString(t) && openSpecBox.MatchString(t) && !openSpecGroup.MatchString(t):
		return 62, "boxes like `1. text` with `1.1 text` below them"
	}
	return 0, ""
}

func readKiro(s *Source, in *Input, _ Options) error {
	f, err := in.pick("tasks.md")
	if err != nil {
		return err
	}
	o := s.readOutline(f)
	s.Title = firstText(s.titled(o.title), in.name(f))
	if in.Folder || in.base() == "tasks.md" {
		for _, x := range []struct {
			file string
			name SectionName
		}{{"requirements.md", Overview}, {"design.md", Technical}} {
			if err := s.readAside(in, x.file, x.name); err != nil {
				return err
			}
		}
	}
	s.readValidation(o)
	s.tasks(o, shape{item: s.kiroItem})
	s.unnest()
	return nil
}

// kiroItem reads `1.1 text`, `* text` for what is optional, and [-] for what goes on.
func (s *Source) kiroItem(it *Item) {
	if rest, ok := strings.CutPrefix(it.Text, "* "); ok {
		it.Text = rest + " (optional)"
	}
	if it.State == plan.BoxSkipped || it.State == plan.BoxManual {
		it.State = plan.BoxOpen
		s.lose(it.Origin.Path, it.Origin.Line, it.Text, "is in progress there; a plan only has open and done")
	}
	if m := kiroID.FindStringSubmatch(it.Text); m != nil {
		it.ID = m[1]
	}
}

// unnest makes tasks of the outermost boxes, and boxes of those below them.
func (s *Source) unnest() {
	var out []Task
	for _, t := range s.Tasks {
		intro := t.Intro
		for i := 0; i < len(t.Items); {
			j := i + 1
			for j < len(t.Items) && t.Items[j].Depth > 0 {
				j++
			}
			n := s.outermost(t.Items[i], t.Items[i+1:j])
			n.Intro = joinProse(joinProse(intro, t.Items[i].Before), n.Intro)
			intro = ""
			out = append(out, n)
			i = j
		}
		if n := len(out); n > 0 {
			out[n-1].Outro = joinProse(out[n-1].Outro, t.Outro)
		}
		if len(t.Items) == 0 {
			out = append(out, t)
		}
	}
	s.Tasks = out
}

// outermost makes a task of a box with those below it.
func (s *Source) outermost(top Item, below []Item) Task {
	t := Task{ID: top.ID, Title: top.Text, Origin: top.Origin, Depends: top.Depends, Intro: top.Detail}
	if m := kiroID.FindStringSubmatch(top.Text); m != nil {
		t.Title = m[2]
	}
	if len(below) == 0 {
		own := top
		own.Before, own.Detail = "", ""
		t.Items, t.Depends = []Item{own}, nil
		return t
	}
	open := 0
	for _, it := range below {
		it.Depth--
		if !it.Checked() {
			open++
		}
		t.Items = append(t.Items, it)
	}
	switch {
	case top.Checked() && open > 0:
		s.lose(top.Origin.Path, top.Origin.Line, "[x] "+top.Text, "is ticked while boxes below it are open; the boxes below it count")
	case !top.Checked() && open == 0:
		own := top
		own.Before, own.Detail, own.Depends = "", "", nil
		t.Items = append(t.Items, own)
	}
	return t
}
