package task

import (
	"fmt"
	"slices"
	"strings"
)

// ProposalError says why a proposal was not applied. Nothing was changed.
type ProposalError struct {
	Parent string
	Why    string
}

func (e *ProposalError) Error() string {
	return fmt.Sprintf("children of %s: %s; nothing was changed", e.Parent, e.Why)
}

// ApplySuggestedChildren puts proposed tasks below a parent (applySuggestedChildTasks): at the end of the file, in their order, as
// todo. The parent waits for them and, if it was todo or done, is in progress from now on. A proposal that would leave a graph with
// any error is refused whole, with a *ProposalError; f is changed only if all of it fits.
func ApplySuggestedChildren(f *File, parent string, children []SuggestedChild) error {
	refuse := func(format string, args ...any) error {
		return &ProposalError{Parent: parent, Why: fmt.Sprintf(format, args...)}
	}
	at := f.Find(parent)
	switch {
	case at < 0:
		return refuse("the parent does not exist")
	case len(children) == 0:
		return refuse("the proposal is empty")
	}
	known := make(map[string]bool, len(f.Tasks)+len(children))
	for i := range f.Tasks {
		known[f.Tasks[i].ID] = true
	}
	next := &File{Tasks: slices.Clone(f.Tasks), MutationCount: f.MutationCount}
	var ids []string
	for i := range children {
		t, err := NormalizeNew(children[i].draft(), NewOptions{Parent: &f.Tasks[at]})
		switch {
		case err != nil:
			return refuse("child %d: %v", i+1, err)
		case t.ParentID != parent:
			return refuse("child %s names the parent %q", t.ID, t.ParentID)
		case t.ID == parent:
			return refuse("child %d has the id of its parent", i+1)
		case known[t.ID]:
			return refuse("the id %s is taken", t.ID)
		}
		known[t.ID] = true
		ids = append(ids, t.ID)
		next.Tasks = append(next.Tasks, t)
	}
	for _, t := range next.Tasks[len(f.Tasks):] {
		for _, d := range t.DependsOn {
			if !known[d] {
				return refuse("child %s depends on %s, which does not exist", t.ID, d)
			}
		}
	}
	p := &next.Tasks[at]
	if p.Status == Done || p.Status == Todo {
		p.Status = InProgress
	}
	p.DependsOn = unique(slices.Concat(p.DependsOn, ids))
	if errs := NewGraph(next.Tasks).Check(); len(errs) > 0 {
		return refuse("the graph would have errors: %s", firstMessages(errs))
	}
	*f = *next
	return nil
}

// firstMessages are the first messages of some diagnostics, on one line.
func firstMessages(list []Diagnostic) string {
	const shown = 3
	var out []string
	for i, d := range list {
		if i == shown {
			out = append(out, fmt.Sprintf("and %d more", len(list)-shown))
			break
		}
		out = append(out, strings.TrimSuffix(d.Message, "."))
	}
	return strings.Join(out, "; ")
}
