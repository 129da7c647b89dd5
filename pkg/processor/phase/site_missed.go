package phase

import (
	"context"
	"path"
	"slices"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// hider is a Tree that can be told to look away from files; see vcs.Hider.
type hider interface {
	Hidden(ctx context.Context) ([]string, error)
}

// hidden are the changed files that the repository looks away from. Where that can't be said there are none: it is asked to find out more, not less.
func (s *Site) hidden(ctx context.Context) []string {
	h, ok := s.tree.(hider)
	if !ok {
		return nil
	}
	paths, err := h.Hidden(ctx)
	if err != nil {
		s.note(0, event.Warn, err.Error(), "")
	}
	return paths
}

// excluder is a Tree that has rules for what it does not see; see vcs.Excluder.
type excluder interface {
	Excludes() vcs.Excludes
	ExcludedSince(ctx context.Context, was vcs.Excludes) ([]string, error)
}

// excluded are the files that only rules name which came since the run began, and which no branch has. An ignore file of the tree is work like any other; these are not.
func (s *Site) excluded(ctx context.Context) []string {
	x, ok := s.tree.(excluder)
	if !ok {
		return nil
	}
	paths, err := x.ExcludedSince(ctx, s.excludesAtStart)
	if err != nil {
		s.note(0, event.Warn, err.Error(), "")
	}
	return paths
}

// Missed looks at the checkout once more behind the last session and says what a person should look at, because work of the run is in no commit:
// what was validated is then not what a branch has. Each phase has committed what was its own, so as a rule there is nothing. A file that is called
// like the plan is left to its archive, which may have been killed halfway.
func (s *Site) Missed(ctx context.Context, plan string) ([]string, error) {
	if s.foreign == nil { // no phase has worked here
		return nil, nil
	}
	if err := s.look(ctx); err != nil {
		return nil, err
	}
	var missed []string
	if left := slices.DeleteFunc(s.leftovers(), func(p string) bool { return s.accounted(p) || path.Base(p) == plan }); len(left) > 0 {
		missed = append(missed, "no commit has these changes of the run: "+list(left))
	}
	hidden := slices.DeleteFunc(s.hidden(ctx), func(p string) bool {
		at, was := s.hiddenAtStart[p]
		return was && at == stampOf(s.rules.Root, p)
	})
	if len(hidden) > 0 {
		missed = append(missed, "the repository was told to look away from files that were changed (git update-index --no-skip-worktree --no-assume-unchanged shows them again): "+list(hidden))
	}
	if excluded := s.excluded(ctx); len(excluded) > 0 {
		missed = append(missed, "rules that came during the run (.git/info/exclude, core.excludesFile) hide files from the repository, and no commit has them: "+list(excluded))
	}
	for _, text := range missed {
		s.note(0, event.Warn, text, "see to it, commit it if it is right, and run the same command: it archives the plan")
	}
	return missed, nil
}

// accounted tells whether a path is named elsewhere in the report, or is the caller's to commit.
func (s *Site) accounted(p string) bool {
	if s.rules.Later != nil && slices.Contains(s.rules.Later(), p) {
		return true
	}
	return slices.Contains(s.kept, p) || slices.Contains(s.kept, strings.TrimSuffix(p, "/"))
}
