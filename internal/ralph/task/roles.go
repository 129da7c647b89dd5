package task

import "slices"

// Role is what an agent's configured role makes of the choice of a task. The zero value chooses as nobody in particular does.
type Role struct {
	// Name is "planner", "implementer" or "reviewer"; any other filters nothing. Only a role that somebody set may filter.
	Name string
	// Planned and Reviewed tell whether a task has its plan, and its review, among the artifacts. nil = none has.
	Planned, Reviewed func(id string) bool
	// PlanRequired keeps an implementer from tasks without a plan: several agents work here, and planning is a step of its own.
	PlanRequired bool
}

// Candidates are the tasks that an agent of the role may take, best first.
//
// A planner takes what is todo and has no plan. An implementer prefers what has one, or takes nothing else; what is in progress
// comes before what is todo all the same. A reviewer takes what is done and has no review.
func (g *Graph) Candidates(r Role) []Task {
	has := func(of func(string) bool, id string) bool { return of != nil && of(id) }
	switch r.Name {
	case "planner":
		return slices.DeleteFunc(g.Ready(), func(t Task) bool { return t.Status != Todo || has(r.Planned, t.ID) })
	case "implementer":
		ready := g.Ready()
		if r.PlanRequired {
			return slices.DeleteFunc(ready, func(t Task) bool { return !has(r.Planned, t.ID) })
		}
		rank := func(t Task) int {
			n := 0
			if t.Status == Todo {
				n = 2
			}
			if !has(r.Planned, t.ID) {
				n++
			}
			return n
		}
		slices.SortStableFunc(ready, func(a, b Task) int { return rank(a) - rank(b) })
		return ready
	case "reviewer":
		var done []Task
		for _, t := range g.tasks {
			if t.Status == Done && !has(r.Reviewed, t.ID) {
				done = append(done, t)
			}
		}
		slices.SortStableFunc(done, func(a, b Task) int { return a.Priority.rank() - b.Priority.rank() })
		return done
	}
	return g.Ready()
}

// rank orders priorities, the most urgent first.
func (p Priority) rank() int {
	switch p {
	case High:
		return 0
	case Low:
		return 2
	}
	return 1
}
