package task

import (
	"fmt"
	"slices"
	"strings"
)

// Refusal codes of a change to done.
const (
	IncompleteDescendants  = "incomplete_descendants"
	IncompleteDependencies = "incomplete_dependencies"
)

// NotDoneError says why a task may not be done yet (or, of a parent, not stay done). Nothing was changed.
type NotDoneError struct {
	Task         string
	Descendants  []Task // not done
	Dependencies []Task // not done, or only an id if there is no such task

	// Together are the task and all that has to be done with it, where they wait for each other: a part that depends on its parent, for
	// example. Empty = one can be done after the other.
	Together []string
}

// Code is the refusal's code; descendants come first where both are unfinished.
func (e *NotDoneError) Code() string {
	if len(e.Descendants) > 0 {
		return IncompleteDescendants
	}
	return IncompleteDependencies
}

func (e *NotDoneError) Error() string {
	var parts []string
	if len(e.Descendants) > 0 {
		parts = append(parts, "tasks below it are not done: "+named(e.Descendants))
	}
	if len(e.Dependencies) > 0 {
		parts = append(parts, "it depends on tasks that are not done: "+named(e.Dependencies))
	}
	return fmt.Sprintf("task %s can't be done: %s", e.Task, strings.Join(parts, "; "))
}

// Hint says what to do.
func (e *NotDoneError) Hint() string {
	if len(e.Together) > 0 {
		return "these wait for each other; when all of them are finished: ralphex task done " + strings.Join(e.Together, " ")
	}
	all := slices.Concat(e.Descendants, e.Dependencies)
	return fmt.Sprintf("finish or block those first, for example: ralphex task show %s", all[0].ID)
}

func named(list []Task) string {
	const shown = 20
	var out []string
	for i, t := range list {
		if i == shown {
			out = append(out, fmt.Sprintf("and %d more", len(list)-shown))
			break
		}
		status := string(t.Status)
		if status == "" {
			status = "no such task"
		}
		out = append(out, fmt.Sprintf("%s (%s)", t.ID, status))
	}
	return strings.Join(out, ", ")
}

// MayBeDone returns a *NotDoneError if the task has descendants or dependencies that are not done.
func (g *Graph) MayBeDone(id string) error {
	i, ok := g.index(id)
	if !ok {
		return &UnknownTaskError{ID: id}
	}
	e := &NotDoneError{Task: id, Descendants: g.Remaining(id)}
	for _, d := range g.Unmet(&g.tasks[i]) {
		t, ok := g.Task(d)
		if !ok {
			t = Task{ID: d}
		}
		e.Dependencies = append(e.Dependencies, t)
	}
	if len(e.Descendants)+len(e.Dependencies) > 0 {
		e.Together = g.together(id)
		return e
	}
	return nil
}

// needs lists what has to be done before a task, or with it.
func (g *Graph) needs(t *Task) []string {
	out := g.Unmet(t)
	for _, d := range g.Remaining(t.ID) {
		out = append(out, d.ID)
	}
	return out
}

// together lists the task and all that it needs, what those need, and so on, if one of them needs the task itself; else nothing. So
// does a list that is too long for a command line.
func (g *Graph) together(id string) []string {
	const most = 50
	list, waits := []string{id}, false
	for i := 0; i < len(list); i++ {
		t, ok := g.Task(list[i])
		if !ok {
			return nil
		}
		for _, n := range g.needs(&t) {
			waits = waits || n == id
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
		if len(list) > most {
			return nil
		}
	}
	if !waits {
		return nil
	}
	return list
}

// completeTogether makes those of the tasks done that wait for nothing but each other, and what is complete with them.
func completeTogether(f *File, ids []string) (done, notes []string) {
	g := NewGraph(f.Tasks)
	set := map[string]bool{}
	for _, id := range ids {
		if t, ok := g.Task(id); ok && t.Status != Done {
			set[id] = true
		}
	}
	for before := -1; before != len(set); {
		before = len(set)
		for id := range set {
			t, _ := g.Task(id)
			if slices.ContainsFunc(g.needs(&t), func(n string) bool { return !set[n] }) {
				delete(set, id)
			}
		}
	}
	for _, id := range ids {
		if set[id] {
			t := &f.Tasks[f.Find(id)]
			t.Status, t.Blocker = Done, ""
			done = append(done, id)
			delete(set, id) // an id may be named twice
		}
	}
	for _, id := range done {
		for _, a := range CompleteAncestors(f, id) {
			notes = append(notes, completedNote(a))
		}
	}
	return done, notes
}

// CompleteAncestors makes the explicit ancestors of a done task done, nearest first, where nothing is left to do for them: all that
// is below them is done, all that they depend on is done, and they have no validation of their own, which would have to be run. An
// ancestor that does not qualify does not end the walk. It returns the ids that changed.
func CompleteAncestors(f *File, id string) []string {
	g := NewGraph(f.Tasks)
	open := g.openBelow(g.parents())
	var changed []string
	at, ok := g.index(id)
	if !ok || f.Tasks[at].Status != Done {
		return nil
	}
	seen := map[int]bool{at: true}
	gone := int32(0) // tasks below the current ancestor that this walk made done
	for {
		p, ok := g.index(f.Tasks[at].ParentID)
		if !ok || f.Tasks[at].ParentID == "" || seen[p] {
			return changed
		}
		seen[p] = true
		at = p
		t := &f.Tasks[p]
		if t.Status == Done || t.Validation != "" || open[p] > gone || len(g.Unmet(t)) > 0 {
			continue
		}
		t.Status = Done
		changed = append(changed, t.ID)
		gone++
	}
}

// UnknownTaskError names a task that is not in the file, and one whose id is alike.
type UnknownTaskError struct {
	ID   string
	Near string // "" = none
}

func (e *UnknownTaskError) Error() string { return fmt.Sprintf("there is no task %s", e.ID) }

// Hint says what to do.
func (e *UnknownTaskError) Hint() string {
	if e.Near != "" {
		return fmt.Sprintf("did you mean %s? ralphex task list shows all", e.Near)
	}
	return "ralphex task list shows all ids"
}
