package task

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralphex/internal/ralph/stable"
)

// AddOptions says where a task goes that a person adds.
type AddOptions struct {
	ID     string // "" = the lowest free T<n>
	Parent string // "" = it stands by itself
}

// Add puts one task at the end of the file. The draft needs a title; its id and parent are those of the options. Below a parent it
// counts as its part at once: the parent waits for it, and is in progress again if it was done.
func (s Store) Add(ctx context.Context, draft *Draft, o AddOptions) (*Change, error) {
	var notes []string
	c, err := s.Update(ctx, func(f *File) error {
		d := draft.Clone()
		id := o.ID
		if id == "" {
			known := NewGraph(f.Tasks)
			id = FreeID(func(id string) bool { _, taken := known.index(id); return taken })
		}
		d.Set("id", id)
		if o.Parent != "" {
			d.Set("parentId", o.Parent)
		}
		t, err := NormalizeNew(d, NewOptions{})
		if err != nil {
			return err
		}
		if Plain(t.ID) != t.ID { // readers take any id that is there; a new one is one that a person can type
			return &FieldError{"id", "UTF-8 on one line, without control characters and doubled blanks"}
		}
		if f.Find(t.ID) >= 0 {
			return &TakenError{ID: t.ID}
		}
		f.Tasks = append(f.Tasks, t)
		if t.ParentID == "" {
			return nil
		}
		p, err := f.need(t.ParentID)
		if err != nil {
			return err
		}
		if parent := &f.Tasks[p]; !NewGraph(f.Tasks).waitsFor(t.ID, parent.ID) {
			parent.DependsOn = unique(append(parent.DependsOn, t.ID))
		}
		if t.Status != Done {
			notes = ReopenAncestors(f, t.ID)
		}
		return nil
	})
	return c.with(notes), err
}

// TakenError says that an id belongs to another task.
type TakenError struct{ ID string }

func (e *TakenError) Error() string { return fmt.Sprintf("there is a task %s already", e.ID) }

// Hint says what to do.
func (e *TakenError) Hint() string { return "leave the id out, and a free one is taken" }

// with adds warnings to a change, if there is one.
func (c *Change) with(notes []string) *Change {
	if c != nil {
		c.Warnings = append(c.Warnings, notes...)
	}
	return c
}

// waitsFor tells whether a task depends on another one, directly or through others.
func (g *Graph) waitsFor(id, other string) bool {
	seen := map[string]bool{}
	stack := []string{id}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id == other {
			return true
		}
		if t, ok := g.Task(id); ok && !seen[id] {
			seen[id] = true
			stack = append(stack, t.DependsOn...)
		}
	}
	return false
}

// ReopenAncestors makes the done ancestors of a task that is not done be in progress, and says so in a sentence for each.
func ReopenAncestors(f *File, id string) (notes []string) {
	g := NewGraph(f.Tasks)
	seen := map[string]bool{id: true}
	for i, ok := g.index(id); ok; {
		up := f.Tasks[i].ParentID
		if up == "" || seen[up] {
			break
		}
		seen[up] = true
		if i, ok = g.index(up); ok && f.Tasks[i].Status == Done {
			f.Tasks[i].Status = InProgress
			notes = append(notes, fmt.Sprintf("%s was done and is in progress again: %s below it is not done", up, id))
		}
	}
	return notes
}

// Done makes a task done, and with it the ancestors for which nothing is left to do. It is refused with a *NotDoneError as long as
// a descendant or a dependency is not done.
func (s Store) Done(ctx context.Context, id string) (*Change, error) {
	return s.setStatus(ctx, id, Done, "")
}

// Block makes a task blocked, for a reason that a person can read.
func (s Store) Block(ctx context.Context, id, reason string) (*Change, error) {
	if reason = stable.Trim(reason); reason == "" {
		return nil, &FieldError{"blocker", "a reason that is not blank"}
	}
	return s.setStatus(ctx, id, Blocked, reason)
}

func (s Store) setStatus(ctx context.Context, id string, to Status, blocker string) (*Change, error) {
	var notes []string
	c, err := s.Update(ctx, func(f *File) (err error) {
		notes, err = SetStatus(f, id, to)
		if err == nil && blocker != "" {
			f.Tasks[f.Find(id)].Blocker = blocker
		}
		return err
	})
	return c.with(notes), err
}

// SetStatus changes the status of a task in memory, so that the graph stays right: done is refused while something is left to do
// (*NotDoneError) and completes ancestors; anything else reopens ancestors that are done. A task that is not blocked any more loses its
// blocker. It returns what it did besides.
func SetStatus(f *File, id string, to Status) (notes []string, err error) {
	i, err := f.need(id)
	if err != nil {
		return nil, err
	}
	t := &f.Tasks[i]
	t.believe()
	if t.Status == to {
		return nil, nil
	}
	if to == Done {
		if err := NewGraph(f.Tasks).MayBeDone(id); err != nil {
			return nil, err
		}
	}
	if t.Status == Blocked {
		t.Blocker = ""
	}
	t.Status = to
	if to != Done {
		return ReopenAncestors(f, id), nil
	}
	for _, up := range CompleteAncestors(f, id) {
		notes = append(notes, completedNote(up))
	}
	return notes, nil
}

func completedNote(id string) string {
	return fmt.Sprintf("%s is done with it: nothing below it is left", id)
}

// Set gives a field of a task a value, as a person types it; "" takes the field away, where it may be absent. Lists take one value
// each. A value that reading would throw away is refused, for whoever types it means something.
func (s Store) Set(ctx context.Context, id, field string, values ...string) (*Change, error) {
	field, err := settable(field)
	if err != nil {
		return nil, err
	}
	if field == "status" {
		if len(values) != 1 || !slices.Contains(Statuses, Status(values[0])) {
			return nil, &FieldError{"status", oneOf(Statuses)}
		}
		return s.setStatus(ctx, id, Status(values[0]), "")
	}
	var notes []string
	c, err := s.Update(ctx, func(f *File) error {
		i, err := f.need(id)
		if err != nil {
			return err
		}
		d := DraftOf(f.Tasks[i])
		if err := setField(d, field, values); err != nil {
			return err
		}
		t, err := normalize(d)
		if err != nil {
			return err
		}
		f.Tasks[i] = t
		if field == "parentId" && t.Status != Done {
			notes = ReopenAncestors(f, id)
		}
		return nil
	})
	return c.with(notes), err
}

// DoneAll makes several tasks done in one write, as far as the graph lets it, in whatever order they come; those that wait for each other
// become done together. done are the ids that were
// not done before. What can't be done yet, or is not there, is an error that names each; the others are done all the same.
func (s Store) DoneAll(ctx context.Context, ids []string) (c *Change, done []string, err error) {
	var notes []string
	var refused error
	c, err = s.Update(ctx, func(f *File) error {
		left := ids
		for len(left) > 0 {
			var later []string
			refused = nil
			for _, id := range left {
				i := f.Find(id)
				if i >= 0 && f.Tasks[i].Status == Done {
					continue
				}
				said, err := SetStatus(f, id, Done)
				if err != nil {
					refused = errors.Join(refused, err)
					later = append(later, id)
					continue
				}
				notes = append(notes, said...)
				done = append(done, id)
			}
			if len(later) == len(left) {
				together, said := completeTogether(f, later)
				if len(together) == 0 {
					return nil
				}
				done, notes = append(done, together...), append(notes, said...)
			}
			left = later
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return c.with(notes), done, refused
}
