package convert

import (
	"fmt"
	"slices"
	"strings"
)

// CycleError says that tasks wait for each other, so that none can come first.
type CycleError struct {
	Path []string // ids, the first one again at the end
}

func (e *CycleError) Error() string {
	return "the dependencies of the source go round in a circle: " + strings.Join(e.Path, " → ")
}

// Hint says what to do.
func (e *CycleError) Hint() string { return "take one of these dependencies out of the source" }

// graph is who waits for whom. A task is two nodes: its begin, which each of its items waits for, and its end,
// which waits for each of its items.
type graph struct {
	names []string // id of the task or item that a node stands for
	task  []int    // the task it belongs to
	waits [][]edge
}

type edge struct {
	to   int
	said bool // the source says so; else one is a part of the other
}

// order puts tasks and items so that what something depends on comes before it. What need not move stays where
// it was.
func (s *Source) order() error {
	g, items := s.graph()
	if path := g.cycle(); path != nil {
		return &CycleError{Path: path}
	}
	if !g.said() {
		return nil
	}
	if order, ok := s.orderTasks(g); ok {
		tasks := make([]Task, len(order))
		for i, t := range order {
			tasks[i] = s.Tasks[t]
			tasks[i].Items = orderItems(s.Tasks[t].Items, items[t], g)
		}
		s.Tasks = tasks
		return nil
	}
	s.interleave(g, items)
	return nil
}

// graph builds the nodes: begin and end of each task first, then the items. items[t][i] is the node of an item.
func (s *Source) graph() (g *graph, items [][]int) {
	g = &graph{}
	node := func(name string, task int) int {
		g.names, g.task, g.waits = append(g.names, name), append(g.task, task), append(g.waits, nil)
		return len(g.names) - 1
	}
	byID := map[string]int{}
	know := func(id string, n int) {
		if _, ok := byID[id]; !ok && id != "" {
			byID[id] = n
		}
	}
	for t := range s.Tasks {
		begin, end := node(s.Tasks[t].ID, t), node(s.Tasks[t].ID, t)
		g.waits[end] = append(g.waits[end], edge{to: begin})
		know(s.Tasks[t].ID, end)
	}
	items = make([][]int, len(s.Tasks))
	for t := range s.Tasks {
		for i := range s.Tasks[t].Items {
			n := node(s.Tasks[t].Items[i].ID, t)
			items[t] = append(items[t], n)
			know(s.Tasks[t].Items[i].ID, n)
			g.waits[2*t+1] = append(g.waits[2*t+1], edge{to: n})
			g.waits[n] = append(g.waits[n], edge{to: 2 * t})
		}
	}
	for t := range s.Tasks {
		if id := s.Tasks[t].ID; strings.Trim(id, "0123456789") == "" && id != "" {
			know("T"+id, 2*t+1) // as .ralph/tasks.json calls the task of a plan
		}
	}
	for t := range s.Tasks {
		s.depend(g, byID, 2*t, s.Tasks[t].Depends, s.Tasks[t].Origin)
		for i, n := range items[t] {
			it := &s.Tasks[t].Items[i]
			s.depend(g, byID, n, slices.Concat(it.Depends, it.after), it.Origin)
		}
	}
	return g, items
}

// depend adds what the source says that a node waits for. That a part waits for its whole, or a whole for its
// parts, says nothing about their order.
func (s *Source) depend(g *graph, byID map[string]int, n int, on []string, at Origin) {
	for _, id := range on {
		to, ok := byID[strings.TrimPrefix(id, "#")]
		switch {
		case !ok && (s.Format == PlanFormat || s.Format == JSONFormat): // a text of ours that names an id of elsewhere
		case !ok:
			s.lose(at.Path, at.Line, id, "a dependency on something that the source does not have")
		case g.task[to] == g.task[n] && (to < 2*len(s.Tasks) || n < 2*len(s.Tasks)):
		default:
			g.waits[n] = append(g.waits[n], edge{to: to, said: true})
		}
	}
}

func (g *graph) said() bool {
	return slices.ContainsFunc(g.waits, func(w []edge) bool { return slices.ContainsFunc(w, func(e edge) bool { return e.said }) })
}

// cycle returns the ids of a circle, nil if there is none.
func (g *graph) cycle() []string {
	const open, done = 1, 2
	state := make([]byte, len(g.waits))
	var trail []int
	var visit func(n int) []string
	visit = func(n int) []string {
		state[n] = open
		trail = append(trail, n)
		for _, e := range g.waits[n] {
			switch state[e.to] {
			case open:
				return g.circle(trail[slices.Index(trail, e.to):])
			case 0:
				if path := visit(e.to); path != nil {
					return path
				}
			}
		}
		trail = trail[:len(trail)-1]
		state[n] = done
		return nil
	}
	for n := range g.waits {
		if state[n] == 0 {
			if path := visit(n); path != nil {
				return path
			}
		}
	}
	return nil
}

// circle names the nodes of a circle that the source itself says to wait.
func (g *graph) circle(nodes []int) []string {
	var out []string
	for i, n := range nodes {
		next := nodes[(i+1)%len(nodes)]
		if slices.Contains(g.waits[n], edge{to: next, said: true}) {
			out = append(out, g.names[n])
		}
	}
	return append(out, out[0])
}

// orderTasks orders whole tasks, if that is enough.
func (s *Source) orderTasks(g *graph) ([]int, bool) {
	waits := make([][]int, len(s.Tasks))
	for n, w := range g.waits {
		for _, e := range w {
			if a, b := g.task[n], g.task[e.to]; a != b && e.said {
				waits[a] = append(waits[a], b)
			}
		}
	}
	for _, w := range waits {
		slices.Sort(w)
	}
	return sorted(waits)
}

// sorted orders 0, 1, 2… so that each comes after all that it waits for; false if there is a circle.
func sorted(waits [][]int) ([]int, bool) {
	const open, done = 1, 2
	state := make([]byte, len(waits))
	out := make([]int, 0, len(waits))
	var visit func(n int) bool
	visit = func(n int) bool {
		state[n] = open
		for _, m := range waits[n] {
			if state[m] == open && m != n || state[m] == 0 && !visit(m) {
				return false
			}
		}
		state[n] = done
		out = append(out, n)
		return true
	}
	for n := range waits {
		if state[n] == 0 && !visit(n) {
			return nil, false
		}
	}
	return out, true
}

// orderItems orders the items of one task. An item takes along what is nested in it; where that can't be, the
// items are made flat.
func orderItems(list []Item, nodes []int, g *graph) []Item {
	at := map[int]int{}
	unit := make([]int, len(list)) // index of the outermost item around
	for i, n := range nodes {
		at[n] = i
		unit[i] = i
		if list[i].Depth > 0 && i > 0 {
			unit[i] = unit[i-1]
		}
	}
	for _, whole := range []bool{true, false} {
		waits := make([][]int, len(list))
		for i, n := range nodes {
			if whole && unit[i] != i {
				waits[i] = append(waits[i], i-1) // behind the item before it
			}
			for _, e := range g.waits[n] {
				if j, ok := at[e.to]; ok && e.said && (!whole || unit[i] != unit[j]) {
					if whole {
						waits[unit[i]] = append(waits[unit[i]], lastOf(unit, unit[j]))
						continue
					}
					waits[i] = append(waits[i], j)
				}
			}
		}
		order, ok := sorted(waits)
		if ok && whole {
			ok = together(order, unit)
		}
		if ok {
			return pick(list, order, whole)
		}
	}
	return list
}

// lastOf is the last item of a unit.
func lastOf(unit []int, u int) int {
	last := u
	for i := u; i < len(unit) && unit[i] == u; i++ {
		last = i
	}
	return last
}

// together tells whether no unit was torn apart.
func together(order, unit []int) bool {
	for i := 1; i < len(order); i++ {
		if unit[order[i]] != order[i] && order[i-1] != order[i]-1 {
			return false
		}
	}
	return true
}

func pick(list []Item, order []int, nested bool) []Item {
	moved := false
	out := make([]Item, 0, len(list))
	for k, i := range order {
		moved = moved || k != i
		out = append(out, list[i])
	}
	if moved && !nested {
		for i := range out {
			out[i].Depth = 0
		}
	}
	return out
}

// interleave orders items over the borders of tasks: a task whose middle is waited for is done in parts.
func (s *Source) interleave(g *graph, items [][]int) {
	waits := make([][]int, len(g.waits))
	for n, w := range g.waits {
		for _, e := range w {
			waits[n] = append(waits[n], e.to)
		}
	}
	order, ok := sorted(waits)
	if !ok {
		return // no circle is left to be found here
	}
	where := map[int]int{}
	for t := range items {
		for i, n := range items[t] {
			where[n] = i
		}
	}
	var out []Task
	var from []int // index of the task that each of out is a part of
	parts := make([]int, len(s.Tasks))
	for _, n := range order {
		i, ok := where[n]
		if !ok {
			continue
		}
		t := g.task[n]
		if len(from) == 0 || from[len(from)-1] != t {
			out, from = append(out, s.Tasks[t].another(&parts[t])), append(from, t)
		}
		it := s.Tasks[t].Items[i]
		it.Depth = 0
		out[len(out)-1].Items = append(out[len(out)-1].Items, it)
	}
	for t := range s.Tasks {
		last := len(from) - 1
		for last >= 0 && from[last] != t {
			last--
		}
		if last < 0 { // it has no items
			out, from = append(out, s.Tasks[t]), append(from, t)
			continue
		}
		out[last].Outro = s.Tasks[t].Outro
	}
	s.Tasks = out
}

// another is the next part of a task, without items.
func (t Task) another(parts *int) Task {
	*parts++
	t.Items, t.Outro = nil, ""
	if *parts > 1 {
		t.Title = fmt.Sprintf("%s, part %d", t.Title, *parts)
		t.Intro, t.Depends = "", nil
	}
	return t
}
