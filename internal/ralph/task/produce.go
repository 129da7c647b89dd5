package task

import (
	"context"
	"errors"
	"fmt"
)

// Append puts drafts at the end of the file (appendNormalizedTasksToFile). No draft is no change. The file must be there: a blank one
// is a *BlankError. A new task may depend on an old one; the whole graph must be right afterwards.
func (s Store) Append(ctx context.Context, drafts []*Draft) (*Change, error) {
	if len(drafts) == 0 {
		return &Change{Changed: []string{}}, nil
	}
	tasks, err := normalizeAll(drafts)
	if err != nil {
		return nil, err
	}
	return s.Update(ctx, func(f *File) error {
		f.Tasks = append(f.Tasks, tasks...)
		return nil
	})
}

// Replace makes reviewed drafts the whole list (replaceTasksFileWithNormalizedTasks). There must be one at least. A file that is
// there must be readable, so that nothing unread is overwritten; its mutation count goes on.
func (s Store) Replace(ctx context.Context, drafts []*Draft) (*Change, error) {
	return s.ReplaceWith(ctx, drafts, nil)
}

// With is what happens under the lock of a Replace besides it. Both may be nil.
type With struct {
	Check func(old []Task) error // sees the tasks that are there, and may refuse
	Write func() error           // when all is checked, before the tasks are written
}

// ReplaceWith is Replace for who writes another file with it.
func (s Store) ReplaceWith(ctx context.Context, drafts []*Draft, with *With) (*Change, error) {
	if with == nil {
		with = &With{}
	}
	if len(drafts) == 0 {
		return nil, errors.New("replace tasks: there are no new tasks; the old ones stay")
	}
	tasks, err := normalizeAll(drafts)
	if err != nil {
		return nil, err
	}
	return s.update(ctx, true, func(f *File) error {
		if with.Check != nil {
			if err := with.Check(f.Tasks); err != nil {
				return err
			}
		}
		f.Tasks = tasks
		return nil
	}, with.Write)
}

// ApplySuggestedChildren is the function of that name under the lock (applySuggestedChildTasksToFile).
func (s Store) ApplySuggestedChildren(ctx context.Context, parent string, children []SuggestedChild) (*Change, error) {
	return s.Update(ctx, func(f *File) error { return ApplySuggestedChildren(f, parent, children) })
}

// Decompose applies the deterministic decomposition of a task. A task whose words don't ask for it gets none: that is an error, for
// nothing else was asked.
func (s Store) Decompose(ctx context.Context, id, effective string) (*Change, []SuggestedChild, error) {
	var proposal []SuggestedChild
	c, err := s.Update(ctx, func(f *File) error {
		i, err := f.need(id)
		if err != nil {
			return err
		}
		proposal = BuildDecompositionProposal(&f.Tasks[i], effective)
		if len(proposal) == 0 {
			return &NotCompoundError{ID: id}
		}
		return ApplySuggestedChildren(f, id, proposal)
	})
	return c, proposal, err
}

// NotCompoundError says that the words of a task don't ask for parts.
type NotCompoundError struct{ ID string }

func (e *NotCompoundError) Error() string {
	return fmt.Sprintf("task %s names no several things (and, then, plus, a comma, “needs decomposition”): it is left whole", e.ID)
}

// Hint says what to do.
func (e *NotCompoundError) Hint() string {
	return fmt.Sprintf("add the parts by hand: ralphex task add TITLE --parent %s", e.ID)
}

func normalizeAll(drafts []*Draft) ([]Task, error) {
	var out []Task
	for i, d := range drafts {
		t, err := NormalizeNew(d, NewOptions{})
		if err != nil {
			return nil, fmt.Errorf("new task %d: %w", i+1, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// FreeID is the lowest T<n> that no task has.
func FreeID(taken func(string) bool) string {
	for n := 1; ; n++ {
		if id := fmt.Sprintf("T%d", n); !taken(id) {
			return id
		}
	}
}

// Get returns the task with an id, or an *UnknownTaskError, which names one whose id is alike.
func (f *File) Get(id string) (*Task, error) {
	i, err := f.need(id)
	if err != nil {
		return nil, err
	}
	return &f.Tasks[i], nil
}

// need finds a task or says that there is none.
func (f *File) need(id string) (int, error) {
	if i := f.Find(id); i >= 0 {
		return i, nil
	}
	e := &UnknownTaskError{ID: id}
	folded := foldKey(id)
	for i := range f.Tasks {
		if foldKey(f.Tasks[i].ID) == folded {
			e.Near = f.Tasks[i].ID
			break
		}
	}
	return 0, e
}

// AppendFree is Append for drafts whose ids are only names inside the batch: one that is taken becomes a free one, and dependencies inside
// the batch follow. Warnings tell which.
func (s Store) AppendFree(ctx context.Context, drafts []*Draft) (*Change, error) {
	if len(drafts) == 0 {
		return &Change{Changed: []string{}}, nil
	}
	var notes []string
	c, err := s.Update(ctx, func(f *File) error {
		g := NewGraph(f.Tasks)
		var free []*Draft
		free, notes = remapSeeds(drafts, func(id string) bool { _, ok := g.index(id); return ok })
		tasks, err := normalizeAll(free)
		f.Tasks = append(f.Tasks, tasks...)
		return err
	})
	return c.with(notes), err
}
