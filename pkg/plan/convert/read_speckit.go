package convert

import (
	"strings"

	"ralphex/internal/lazyregexp"
)

// spec-kit writes specs/NNN-name/{spec.md, plan.md, tasks.md, …}. tasks.md has phases with boxes
// `- [ ] T001 [P] [US1] text`.

var specKitBox = lazyregexp.New(`(?m)^\s*[-*] \[[ xX]\] \**T\d{3}\b`)

func detectSpecKit(in *Input) (int, string) {
	if in.Folder && !in.has("tasks.md") {
		return 0, ""
	}
	switch n := len(specKitBox.FindAllStringIndex(in.markdownText("tasks.md"), 3)); {
	case n > 1:
		return 94, "boxes like `T001 text`"
	case n == 1 && in.has("spec.md"):
		return 94, "a box like `T001 text`, and spec.md beside it"
	}
	return 0, ""
}

var phaseHeading = lazyregexp.New(`(?i)^phase\b`)

func readSpecKit(s *Source, in *Input, _ Options) error {
	f, err := in.pick("tasks.md")
	if err != nil {
		return err
	}
	o := s.readOutline(f)
	s.Title = firstText(s.titled(o.title), in.name(f))
	isTasks := in.Folder || in.base() == "tasks.md"
	if isTasks {
		if err := s.readAside(in, "spec.md", Overview); err != nil {
			return err
		}
		if err := s.readAside(in, "plan.md", Technical); err != nil {
			return err
		}
	}
	before := dependencyLines(o)
	s.readValidation(o)
	s.tasks(o, shape{
		group:   func(p *part) bool { return phaseHeading.MatchString(p.text) && p.level == 2 && o.hasBoxes(p) },
		section: func(p *part) (SectionName, bool) { return Context, p.level == 0 },
	})
	s.applyBefore(before)
	if isTasks {
		s.others(in, "spec.md", "plan.md", "tasks.md")
	}
	return nil
}

// others names the files of the folder that were not read.
func (s *Source) others(in *Input, read ...string) {
	var names []string
	for _, n := range in.glob(".", "") {
		skip := false
		for _, r := range read {
			skip = skip || n == r
		}
		if !skip && len(names) < 40 {
			names = append(names, "- `"+strings.ReplaceAll(oneLine(n), "`", "'")+"`")
		}
	}
	if len(names) > 0 {
		s.add(Context, "", 0, "More about it stands in the same folder:\n\n"+strings.Join(names, "\n"))
	}
}

// hasBoxes tells whether a box stands in a part or below it.
func (o *outline) hasBoxes(p *part) bool {
	for i := range o.parts {
		if &o.parts[i] != p {
			continue
		}
		for j := i; j < o.under(i); j++ {
			for k := range o.parts[j].blocks {
				if o.parts[j].blocks[k].box {
					return true
				}
			}
		}
	}
	return false
}

// first is one line of a Dependencies section: these come first, then those.
type first struct{ these, then []string }

var (
	beforeWord = lazyregexp.New(`(?i)\b(?:before|blocks?)\b`)
	idRange    = lazyregexp.New(`\bT(\d{3})(?:\s*(?:-|–|to|through)\s*T?(\d{3}))?\b`)
)

// dependencyLines reads `T004-T006 before T008` and `T004 blocks T009, T010`.
func dependencyLines(o *outline) []first {
	var out []first
	for i := range o.parts {
		if !strings.HasPrefix(strings.ToLower(o.parts[i].text), "dependenc") {
			continue
		}
		for _, b := range o.parts[i].blocks {
			lines := b.lines
			if b.kind == item {
				lines = []string{b.text}
			}
			for _, l := range lines {
				at := beforeWord.FindStringIndex(l)
				if b.kind == fence || at == nil {
					continue
				}
				if f := (first{idsOf(l[:at[0]]), idsOf(l[at[1]:])}); len(f.these) > 0 && len(f.then) > 0 {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// idsOf lists the ids in a text, ranges included.
func idsOf(text string) []string {
	var out []string
	for _, m := range idRange.FindAllStringSubmatch(text, -1) {
		from, to := number(m[1]), number(m[1])
		if m[2] != "" {
			to = number(m[2])
		}
		for n := from; n <= to && n < from+200; n++ {
			out = append(out, "T"+pad3(n))
		}
	}
	return out
}

func number(s string) int {
	n := 0
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}

func pad3(n int) string {
	s := itoa(n)
	return strings.Repeat("0", max(0, 3-len(s))) + s
}

// applyBefore makes dependencies of what a Dependencies section says about items that are there. The section
// itself stays in the plan, so they are not written once more.
func (s *Source) applyBefore(list []first) {
	items := map[string]*Item{}
	for t := range s.Tasks {
		for i := range s.Tasks[t].Items {
			if it := &s.Tasks[t].Items[i]; it.ID != "" && items[it.ID] == nil {
				items[it.ID] = it
			}
		}
	}
	for _, f := range list {
		for _, then := range f.then {
			for _, these := range f.these {
				if it := items[then]; it != nil && items[these] != nil && these != then {
					it.after = append(it.after, these)
				}
			}
		}
	}
}
