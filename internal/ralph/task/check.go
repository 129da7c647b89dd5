package task

import (
	"fmt"
	"strings"
)

// idBudget bounds how many ids all diagnostics of a graph list together. Beyond it, messages end in "and N more": a hostile chain
// of n tasks would otherwise have n² of them to tell.
const idBudget = 100_000

// checker collects what is wrong with a graph.
type checker struct {
	*Graph
	deps   edges
	up     edges // to the parent
	out    []Diagnostic
	seen   map[string]bool
	budget int // ids that may still be listed
	steps  int // tasks that may still be looked at for them
}

// Check finds what is wrong with the graph, all of it errors: duplicates first, then task by task parents, done parents and
// dependencies, then cycles of dependencies, then cycles of parents.
func (g *Graph) Check() []Diagnostic {
	c := &checker{Graph: g, seen: map[string]bool{}, budget: idBudget, steps: 5 * idBudget}
	c.deps = g.resolve(func(t *Task) []string { return t.DependsOn })
	c.up = g.parents()
	c.ids()
	open := c.openBelow(c.up)
	for i := range g.tasks {
		c.parent(i)
		if g.tasks[i].Status == Done && open[i] > 0 {
			c.doneAboveOpen(i, open)
		}
		c.dependencies(i)
	}
	c.cycles(DependencyCycle, "The dependencies form a circle: %s.", c.deps)
	c.cycles(ParentCycle, "The parents form a circle: %s.", c.up)
	return c.out
}

// edges are the tasks that each task names. They are looked up once: every check goes along them.
type edges struct {
	to    []int32 // -1 = it names no task
	start []int32 // those of task i lie from start[i] to start[i+1]
}

func (e edges) of(i int) []int32 { return e.to[e.start[i]:e.start[i+1]] }

func (g *Graph) resolve(names func(*Task) []string) edges {
	e := edges{to: make([]int32, 0, len(g.tasks)), start: make([]int32, 1, len(g.tasks)+1)}
	for i := range g.tasks {
		for _, name := range names(&g.tasks[i]) {
			to := int32(-1)
			if at, ok := g.byID[name]; ok && name != "" {
				to = at
			}
			e.to = append(e.to, to)
		}
		e.start = append(e.start, int32(len(e.to)))
	}
	return e
}

// parents has exactly one edge for each task.
func (g *Graph) parents() edges {
	var one [1]string
	return g.resolve(func(t *Task) []string { one[0] = t.ParentID; return one[:] })
}

// add reports an error, once.
func (c *checker) add(code Code, t *Task, related []string, format string, args ...any) {
	d := Diagnostic{Severity: Error, Code: code, Message: fmt.Sprintf(format, args...), RelatedTaskIDs: related}
	if t != nil {
		d.TaskID, d.Location = t.ID, t.Source
	}
	key := string(code) + "\x00" + d.TaskID + "\x00" + d.Message
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.out = append(c.out, d)
}

// ids reports blank and repeated ids.
func (c *checker) ids() {
	if c.distinct() && !c.has("") {
		return
	}
	repeats := map[string][]int{}
	var order []string
	for i := range c.tasks {
		t := &c.tasks[i]
		if t.ID == "" {
			c.add(IDEmpty, t, nil, "%s has no id.", t.name())
		}
		if repeats[t.ID] == nil {
			order = append(order, t.ID)
		}
		repeats[t.ID] = append(repeats[t.ID], i)
	}
	for _, id := range order {
		places := repeats[id]
		if len(places) < 2 {
			continue
		}
		first := &c.tasks[places[0]]
		var where []SourceLocation
		for _, i := range places {
			if at := c.tasks[i].Source; at != nil {
				where = append(where, *at)
			}
		}
		c.add(IDDuplicate, first, []string{id}, "%s: %d tasks have this id; give each its own.", first.name(), len(places))
		c.out[len(c.out)-1].RelatedLocations = where
	}
}

// distinct tells whether no two tasks have the same id.
func (g *Graph) distinct() bool { return len(g.byID) == len(g.tasks) }

func (c *checker) has(id string) bool { _, ok := c.index(id); return ok }

func (c *checker) parent(i int) {
	t := &c.tasks[i]
	switch {
	case t.ParentID == "":
	case t.ParentID == t.ID:
		c.add(SelfParent, t, []string{t.ID}, "%s is its own parent.", t.name())
	case c.up.of(i)[0] < 0:
		c.add(OrphanedParent, t, []string{t.ParentID}, "%s has the parent %s, which does not exist.", t.name(), t.ParentID)
	}
}

// doneAboveOpen reports a done task with descendants that are not.
func (c *checker) doneAboveOpen(i int, open []int32) {
	t := &c.tasks[i]
	var ids, texts []string
	total := int(open[i])
	c.unfinished(t.ID, open, func(d *Task) bool {
		c.steps--
		if c.budget <= 0 || c.steps <= 0 {
			return false
		}
		if d.Status == Done {
			return true
		}
		c.budget--
		ids = append(ids, d.ID)
		texts = append(texts, fmt.Sprintf("%s (%s)", d.ID, d.Status))
		return true
	})
	if more := total - len(ids); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	c.add(DoneAboveOpen, t, ids, "%s is done, and below it are tasks that are not: %s.", t.name(), strings.Join(texts, ", "))
}

func (c *checker) dependencies(i int) {
	t := &c.tasks[i]
	for n, on := range c.deps.of(i) {
		d := t.DependsOn[n]
		if d == t.ID {
			c.add(SelfDependency, t, nil, "%s depends on itself.", t.name())
			continue
		}
		if on < 0 {
			c.add(BadDependency, t, []string{d}, "%s depends on %s, which does not exist.", t.name(), d)
			continue
		}
		if t.Status == Done && c.tasks[on].Status != Done {
			c.add(DoneBehindOpen, t, []string{d}, "%s is done, and depends on %s, which is %s.", t.name(), d, c.tasks[on].Status)
		}
	}
}

// openBelow counts for each task the descendants that are not done. Tasks that are their own ancestors count what hangs on their
// circle.
func (g *Graph) openBelow(parents edges) []int32 {
	n := len(g.tasks)
	up := make([]int32, n)    // place of the parent, -1 = none
	waits := make([]int32, n) // children that are not summed up yet
	for i, p := range parents.to {
		if up[i] = p; p == int32(i) {
			up[i] = -1
		} else if p >= 0 {
			waits[p]++
		}
	}
	open := make([]int32, n)
	var leaves []int32
	for i := range waits {
		if waits[i] == 0 {
			leaves = append(leaves, int32(i))
		}
	}
	own := func(i int32) int32 {
		if g.tasks[i].Status == Done {
			return 0
		}
		return 1
	}
	summed := make([]bool, n)
	for len(leaves) > 0 {
		i := leaves[len(leaves)-1]
		leaves = leaves[:len(leaves)-1]
		summed[i] = true
		p := up[i]
		if p < 0 {
			continue
		}
		open[p] += open[i] + own(i)
		if waits[p]--; waits[p] == 0 {
			leaves = append(leaves, p)
		}
	}
	for i := range summed { // only circles are left
		if summed[i] {
			continue
		}
		var ring []int32
		sum := int32(0)
		for j := int32(i); !summed[j]; j = up[j] {
			summed[j] = true
			ring = append(ring, j)
			sum += open[j] + own(j)
		}
		for _, j := range ring {
			open[j] = sum - own(j)
		}
	}
	return open
}

// unfinished visits descendants in the order of Descendants and goes only where there are some that are not done. visit tells
// whether to go on.
func (g *Graph) unfinished(id string, open []int32, visit func(*Task) bool) {
	g.descend(id, func(t *Task) (deeper, more bool) {
		deeper = open[g.byID[t.ID]] > 0
		return deeper, t.Status == Done && !deeper || visit(t)
	})
}
