package convert

import (
	"path"
	"strings"

	"ralphex/internal/lazyregexp"
)

// An OpenSpec change is a folder:
//
//	openspec/changes/add-x/{proposal.md, design.md, tasks.md, specs/<capability>/spec.md}
//
// tasks.md has groups `## 1. Title` with boxes `- [ ] 1.1 text`.

var openSpecBox = lazyregexp.New(`(?m)^\s*- \[[ xX]\] \d+\.\d+ `)
var openSpecGroup = lazyregexp.New(`(?m)^## \d+\. `)

func detectOpenSpec(in *Input) (int, string) {
	beside := in.has("proposal.md")
	if beside && in.has("tasks.md") && (in.Folder || in.base() == "tasks.md" || in.base() == "proposal.md") {
		return 95, "proposal.md and tasks.md stand together"
	}
	t := in.markdownText("tasks.md")
	if openSpecGroup.MatchString(t) && openSpecBox.MatchString(t) {
		return 65, "groups like `## 1. Title` with boxes like `1.1 text`"
	}
	return 0, ""
}

// genericTitles are headings that say what a file is, and not what it is about.
var genericTitles = lazyregexp.New(`(?i)^(?:change proposal|change|proposal|implementation plan|implementation tasks|implementation|tasks|task list|feature specification|specification|spec|design document|design|requirements document|requirements|plan)\b\s*[:：–—-]?\s*(.*)$`)

// titled takes what a file is off its title, and returns what it is about.
func (s *Source) titled(title string) string {
	m := genericTitles.FindStringSubmatch(title)
	if m == nil {
		return title
	}
	if rest := strings.TrimSpace(m[1]); rest == "" || strings.ContainsAny(title, ":：–—") {
		s.Counted = append(s.Counted, words(strings.TrimSuffix(title, m[1]))...)
		return rest
	}
	return title
}

func readOpenSpec(s *Source, in *Input, _ Options) error {
	f, err := in.pick("tasks.md")
	if err != nil {
		return err
	}
	if in.base() == "proposal.md" {
		if f, err = in.file("tasks.md"); err != nil {
			return err
		}
	}
	if f == nil {
		return errNoFile
	}
	proposal, err := in.file("proposal.md")
	if err != nil {
		return err
	}
	var title string
	if proposal != nil {
		o := s.readOutline(proposal)
		title = s.titled(o.title)
		for i := range o.parts {
			s.prose(o, i, shape{}, noGroups(o))
		}
	}
	o := s.readOutline(f)
	s.Title = firstText(title, s.titled(o.title), in.name(f))
	s.keepTitle(o, f)
	if err := s.specs(in); err != nil {
		return err
	}
	if err := s.readAside(in, "design.md", Technical); err != nil {
		return err
	}
	s.readValidation(o)
	s.tasks(o, shape{})
	return nil
}

// specs reads the deltas of the specifications: they are the requirements that the last task confirms.
func (s *Source) specs(in *Input) error {
	if !in.has("proposal.md") {
		return nil
	}
	for _, name := range in.glob("specs", ".md") {
		f, err := in.file(name)
		if err != nil {
			return err
		}
		s.add(Overview, f.Path, 0, "### Specification: "+path.Dir(strings.TrimPrefix(name, "specs/")))
		if err := s.readAside(in, name, Overview); err != nil {
			return err
		}
	}
	return nil
}

// keepTitle makes prose of the title of a file that is not the title of the plan.
func (s *Source) keepTitle(o *outline, f *File) {
	if t := s.titled(o.title); t != "" && !strings.Contains(s.Title, t) {
		s.add(Context, f.Path, 1, t)
	}
}

func noGroups(o *outline) []int {
	out := make([]int, len(o.parts))
	for i := range out {
		out[i] = -1
	}
	return out
}

func firstText(texts ...string) string {
	for _, t := range texts {
		if hasWord(t) {
			return t
		}
	}
	return ""
}
