package planimport

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/task"
	"ralphex/pkg/plan"
)

// Options says how to project.
type Options struct {
	// Path names the plan, slash-separated and relative to the root of the repository; "" = the plan's own path.
	Path string
	// Proven picks the tasks whose ticks are facts; nil = all. The ticks of the others are claims.
	Proven func(plan.Task) bool
}

// Result is what an import did.
type Result struct {
	*task.Change
	Root     string   `json:"root"`           // id
	Children []Child  `json:"children"`       // of the plan's tasks, in its order
	Gone     []string `json:"gone,omitempty"` // ids of tasks that the plan does not have any more
}

// Child is a task of the plan and its projection.
type Child struct {
	Position int         `json:"position"` // in the plan, from 1
	PlanID   string      `json:"planId"`   // "2.5" of "### Task 2.5: …"
	TaskID   string      `json:"taskId"`
	Status   task.Status `json:"status"`
}

// ErrNoTasks is returned for a plan without tasks: there is nothing to project.
var ErrNoTasks = errors.New("the plan has no tasks")

// Import makes the projection of a plan, or brings it up to date. New parts enter as every pipeline does: the root by append, its children
// as todo below it; then one locked write sets titles, order and statuses. If the process dies in between, the next import goes on. The
// task file must be there.
func Import(ctx context.Context, s task.Store, p *plan.Plan, o Options) (*Result, error) {
	if len(p.Tasks) == 0 {
		return nil, ErrNoTasks
	}
	if o.Path == "" {
		o.Path = p.Path
	}
	r := &Result{}
	before := map[string]bool{}
	grow := func(c *task.Change, err error) error {
		if err != nil {
			return fmt.Errorf("import %s: %w", o.Path, err)
		}
		for _, id := range c.Changed {
			before[id] = true
		}
		return nil
	}
	if err := r.plant(ctx, s, p, o, grow); err != nil {
		return nil, err
	}
	list := wants(p, o.Proven)
	line, warnings := command(p)
	c, err := s.Update(ctx, func(f *task.File) error {
		root := f.Find(r.Root)
		if root < 0 {
			return &task.UnknownTaskError{ID: r.Root}
		}
		gone := match(f, r.Root, list)
		w := writer{f: f, root: root, path: o.Path, title: rootTitle(p, o), line: line, list: list}
		r.Gone = w.write(gone)
		warnings = append(warnings, w.warnings...)
		return nil
	})
	wrote := len(before) > 0
	if err := grow(c, err); err != nil {
		return nil, err
	}
	r.Change = c
	c.Wrote = c.Wrote || wrote
	c.Warnings = append(c.Warnings, warnings...)
	c.Changed = []string{}
	for i := range c.File.Tasks {
		if id := c.File.Tasks[i].ID; before[id] {
			c.Changed = append(c.Changed, id)
		}
	}
	for i := range list {
		status := task.Status("")
		if at := c.File.Find(list[i].id); at >= 0 {
			status = c.File.Tasks[at].Status
		}
		r.Children = append(r.Children, Child{Position: list[i].Position, PlanID: list[i].ID, TaskID: list[i].id, Status: status})
	}
	return r, nil
}

func rootTitle(p *plan.Plan, o Options) string {
	if s := strings.TrimSpace(p.Title); s != "" {
		return s
	}
	return o.Path
}

// plant makes the root and the children that are missing.
func (r *Result) plant(ctx context.Context, s task.Store, p *plan.Plan, o Options, grow func(*task.Change, error) error) error {
	in, err := s.Read(ctx)
	switch {
	case err != nil:
		return err
	case in.Blank:
		return &task.BlankError{Path: s.Path}
	case in.File == nil:
		return in.Err(s.Path)
	}
	f := in.File
	if at, ok := findRoot(f, o.Path); ok {
		r.Root = f.Tasks[at].ID
	} else {
		r.Root = RootID(o.Path)
		for n := 2; f.Find(r.Root) >= 0; n++ {
			r.Root = fmt.Sprintf("%s_%d", RootID(o.Path), n)
		}
		c, err := s.Append(ctx, []*task.Draft{task.BuildPipelineRoot(r.Root, rootTitle(p, o), rootNotes(o.Path))})
		if err := grow(c, err); err != nil {
			return err
		}
		f = c.File
	}
	list := wants(p, o.Proven)
	match(f, r.Root, list)
	line, _ := command(p)
	taken := map[string]bool{}
	for i := range f.Tasks {
		taken[f.Tasks[i].ID] = true
	}
	var missing []task.SuggestedChild
	after := ""
	for i := range list {
		w := &list[i]
		if w.at < 0 {
			step := w.step(o.Path, line)
			step.Key = key(w.ID)
			for n := 2; taken[r.Root+"."+step.Key]; n++ {
				step.Key = fmt.Sprintf("%s_%d", key(w.ID), n)
			}
			made := task.BuildPipelineChildren(r.Root, after, []task.PipelineStep{step})
			w.id = made[0].ID
			taken[w.id] = true
			missing = append(missing, made...)
		}
		if w.holds {
			after = w.id
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return grow(s.ApplySuggestedChildren(ctx, r.Root, missing))
}

// writer makes a projection follow its plan, in memory.
type writer struct {
	f           *task.File
	root        int
	path, title string
	line        string // validation
	list        []want
	warnings    []string
}

func (w *writer) warn(format string, args ...any) {
	w.warnings = append(w.warnings, fmt.Sprintf(format, args...))
}

// write returns the ids of the children that the plan has no more.
func (w *writer) write(gone []int) (ids []string) {
	root := &w.f.Tasks[w.root]
	root.Title = w.title
	_, rest, _ := strings.Cut(root.Notes, "\n")
	root.Notes = strings.TrimSpace(marker + w.path + "\n" + rest)
	for _, at := range gone {
		ids = append(ids, w.f.Tasks[at].ID)
		w.detach(at)
	}
	ours := map[string]bool{}
	for i := range w.list {
		ours[w.list[i].id] = true
	}
	after := ""
	for i := range w.list {
		x := &w.list[i]
		if x.at < 0 {
			continue // the file changed since the child was made: the next import finds it
		}
		w.describe(x)
		t := &w.f.Tasks[x.at]
		if t.ParentID == "" { // it was gone, and is back
			t.ParentID = root.ID
			root.DependsOn = append(root.DependsOn, t.ID)
		}
		t.DependsOn = slices.DeleteFunc(slices.Clone(t.DependsOn), func(d string) bool { return ours[d] })
		if after != "" && after != t.ID {
			t.DependsOn = append(t.DependsOn, after)
		}
		if x.holds {
			after = t.ID
		}
	}
	w.statuses()
	return ids
}

// detach lets a child that the plan has no more stand by itself: the plan can be done without it, and it is not lost.
func (w *writer) detach(at int) {
	t, root := &w.f.Tasks[at], &w.f.Tasks[w.root]
	if t.Status == task.Done {
		return
	}
	id := t.ID
	t.ParentID = ""
	root.DependsOn = slices.DeleteFunc(slices.Clone(root.DependsOn), func(d string) bool { return d == id })
	for i := range w.list {
		if x := &w.list[i]; x.at >= 0 {
			c := &w.f.Tasks[x.at]
			c.DependsOn = slices.DeleteFunc(slices.Clone(c.DependsOn), func(d string) bool { return d == id })
		}
	}
	if t.Status != task.Blocked {
		t.Status = task.Blocked
		t.Blocker = w.path + noMore
	}
	w.warn("%s is not in the plan any more: it stands by itself, blocked", id)
}

// describe gives a child what the plan says of it, except for its status.
func (w *writer) describe(x *want) {
	t, step := &w.f.Tasks[x.at], x.step(w.path, w.line)
	t.Title = step.Title
	t.Validation = step.Validation
	t.Acceptance = step.Acceptance
	if t.Notes == "" || isOurs(t.Notes) {
		t.Notes = step.Notes
	}
}

// isOurs tells whether notes are the ones that an import wrote.
func isOurs(notes string) bool {
	return strings.HasPrefix(notes, "Task ") && strings.Contains(notes, " of ") && !strings.Contains(notes, "\n")
}

// statuses sets what the boxes say, as far as the graph lets it. In the plan's order, so that a task finds those before it as they
// are now.
func (w *writer) statuses() {
	g := task.NewGraph(w.f.Tasks)
	last := ""
	for i := range w.list {
		x := &w.list[i]
		if x.at < 0 {
			continue
		}
		t := &w.f.Tasks[x.at]
		to := x.status
		if to == task.Done && t.Status != task.Done {
			if err := g.MayBeDone(t.ID); err != nil {
				w.warn("%v: it counts as in progress", err)
				to = task.InProgress
			}
		} else if to == task.Done && len(g.Unmet(t)) > 0 {
			w.warn("task %s is ticked, and what is before it is open: it counts as in progress", t.ID)
			to = task.InProgress
		}
		ours := strings.HasSuffix(t.Blocker, forPerson) || strings.HasSuffix(t.Blocker, noMore)
		if t.Status == task.Blocked && to != task.Done && !ours {
			continue // a person says that it can't go on: that stays
		}
		if t.Status == task.Done && to != task.Done {
			w.warn("%s was done, and its boxes in the plan are not: it is %s", t.ID, to)
		}
		t.Status = to
		if x.why != "" || ours {
			t.Blocker = x.why
		}
		if to == task.Done {
			last = t.ID
		}
	}
	w.close(last)
}

// What the blocker of a task ends in that an import blocked.
const (
	forPerson = " left for a person."
	noMore    = " has this task no more."
)

// close makes the root follow its children.
func (w *writer) close(last string) {
	root := &w.f.Tasks[w.root]
	open, begun := "", false
	for i := range w.list {
		if x := &w.list[i]; x.at >= 0 {
			t := &w.f.Tasks[x.at]
			begun = begun || t.Status != task.Todo
			if t.Status != task.Done && open == "" {
				open = t.ID
			}
		}
	}
	switch {
	case open != "":
		task.ReopenAncestors(w.f, open)
		if begun && root.Status == task.Todo {
			root.Status = task.InProgress
		}
	case last != "":
		task.CompleteAncestors(w.f, last)
	}
}
