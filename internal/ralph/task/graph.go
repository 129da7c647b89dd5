package task

import "slices"

// Graph answers questions about tasks. It looks at the tasks it was made of; who changes their ids or parents makes a new one.
// Of tasks with the same id, the first is the one that the id names.
type Graph struct {
	tasks    []Task
	byID     map[string]int32
	children map[string][]int32 // by parent id, in array order; made when it is asked for
}

// NewGraph indexes tasks.
func NewGraph(tasks []Task) *Graph {
	g := &Graph{tasks: tasks, byID: make(map[string]int32, len(tasks))}
	for i := range tasks {
		if _, there := g.byID[tasks[i].ID]; !there {
			g.byID[tasks[i].ID] = int32(i)
		}
	}
	return g
}

func (g *Graph) index(id string) (int, bool) {
	i, ok := g.byID[id]
	return int(i), ok
}

// Task returns the task with an id.
func (g *Graph) Task(id string) (Task, bool) {
	if i, ok := g.index(id); ok {
		return g.tasks[i], true
	}
	return Task{}, false
}

// Len is the number of tasks.
func (g *Graph) Len() int { return len(g.tasks) }

// NewlyDone are the ids of the tasks that are done in now and were not here, in the order of this graph.
func (g *Graph) NewlyDone(now *Graph) (ids []string) {
	for i := range g.tasks {
		was := &g.tasks[i]
		if is, ok := now.Task(was.ID); ok && was.Status != Done && is.Status == Done {
			ids = append(ids, was.ID)
		}
	}
	return ids
}

// below returns the places of the direct children of an id.
func (g *Graph) below(id string) []int32 {
	if g.children == nil {
		g.children = make(map[string][]int32)
		for i := range g.tasks {
			if p := g.tasks[i].ParentID; p != "" {
				g.children[p] = append(g.children[p], int32(i))
			}
		}
	}
	return g.children[id]
}

// Unmet returns the dependencies of a task that are not done, or name no task.
func (g *Graph) Unmet(t *Task) []string {
	var out []string
	for _, d := range t.DependsOn {
		if i, ok := g.index(d); !ok || g.tasks[i].Status != Done {
			out = append(out, d)
		}
	}
	return out
}

// Selectable tells whether a task can be worked on now. That children of it are open is no reason against it: whoever wants the
// parent to wait makes it depend on them, as ApplySuggestedChildren does.
func (g *Graph) Selectable(t *Task) bool {
	return (t.Status == Todo || t.Status == InProgress) && len(g.Unmet(t)) == 0
}

// Ready lists the tasks that can be worked on, best first: what is in progress, then todo; in each, by priority; then as in the
// file.
func (g *Graph) Ready() []Task {
	const rows = 3
	var buckets [2 * rows][]Task
	for i := range g.tasks {
		t := &g.tasks[i]
		if !g.Selectable(t) {
			continue
		}
		row := t.Priority.rank()
		if t.Status == Todo {
			row += rows
		}
		buckets[row] = append(buckets[row], *t)
	}
	return slices.Concat(buckets[:]...)
}

// Next is the head of Candidates.
func (g *Graph) Next(r Role) (Task, bool) {
	if list := g.Candidates(r); len(list) > 0 {
		return list[0], true
	}
	return Task{}, false
}

// Descendants lists what is below a task by explicit parents: depth first, children in array order, each once, the task itself not.
func (g *Graph) Descendants(id string) []Task {
	var out []Task
	g.walk(id, func(t *Task) { out = append(out, *t) })
	return out
}

// Remaining lists the descendants that are not done (remainingSubtasks).
func (g *Graph) Remaining(id string) []Task {
	var out []Task
	g.walk(id, func(t *Task) {
		if t.Status != Done {
			out = append(out, *t)
		}
	})
	return out
}

func (g *Graph) walk(id string, visit func(*Task)) {
	g.descend(id, func(t *Task) (deeper, more bool) {
		visit(t)
		return true, true
	})
}

// descend visits what is below a task in the order of Descendants. visit tells whether to go below the task that it is given, and
// whether to go on at all.
func (g *Graph) descend(id string, visit func(*Task) (deeper, more bool)) {
	seen := map[string]bool{id: true}
	stack := reversed(g.below(id))
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		t := &g.tasks[i]
		if seen[t.ID] {
			continue
		}
		seen[t.ID] = true
		deeper, more := visit(t)
		if !more {
			return
		}
		if deeper {
			stack = append(stack, reversed(g.below(t.ID))...)
		}
	}
}

func reversed(list []int32) []int32 {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// Counts is how many tasks have each status.
type Counts struct {
	Todo       int `json:"todo"`
	InProgress int `json:"in_progress"`
	Blocked    int `json:"blocked"`
	Done       int `json:"done"`
}

// Remaining is what is left to do. A backlog without remaining tasks is exhausted.
func (c Counts) Remaining() int { return c.Todo + c.InProgress + c.Blocked }

// Counts counts.
func (g *Graph) Counts() Counts {
	var c Counts
	for i := range g.tasks {
		switch g.tasks[i].Status {
		case Todo:
			c.Todo++
		case InProgress:
			c.InProgress++
		case Blocked:
			c.Blocked++
		case Done:
			c.Done++
		}
	}
	return c
}
