package task

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// graph reads tasks from lines "id status parent deps priority"; "-" is nothing, deps are separated by commas.
func graph(t testing.TB, lines ...string) []Task {
	t.Helper()
	var out []Task
	for _, line := range lines {
		w := append(strings.Fields(line), "-", "-", "-", "-")
		task := Task{ID: w[0], Title: w[0], Status: Status(w[1])}
		require.Contains(t, Statuses, task.Status, line)
		if w[2] != "-" {
			task.ParentID = w[2]
		}
		if w[3] != "-" {
			task.DependsOn = strings.Split(w[3], ",")
		}
		if w[4] != "-" {
			task.Priority = Priority(w[4])
		}
		out = append(out, task)
	}
	return out
}

func ids(list []Task) string {
	var out []string
	for _, t := range list {
		out = append(out, t.ID)
	}
	return strings.Join(out, " ")
}

func TestA18Selection(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		tasks []string
		want  string
	}{
		{"in progress before todo, whatever the priority", []string{"A todo - - high", "B in_progress - - low"}, "B A"},
		{"priorities, absent is normal, ties as in the file", []string{"A todo - - low", "B todo", "C todo - - high", "D todo - - normal", "E todo - - high"}, "C E B D A"},
		{"unmet dependency", []string{"A todo - B", "B todo"}, "B"},
		{"met dependency", []string{"A todo - B", "B done"}, "A"},
		{"a dependency that is blocked", []string{"A todo - B", "B blocked"}, ""},
		{"a dependency on nothing is never met", []string{"A in_progress - X"}, ""},
		{"an id that stands twice is the first", []string{"A todo", "B todo - A", "A done"}, "A"},
		{"open children hold nobody back", []string{"P todo", "C todo P"}, "P C"},
		{"blocked and done are left alone", []string{"A blocked", "B done"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := NewGraph(graph(t, tt.tasks...))
			assert.Equal(t, tt.want, ids(g.Ready()))
			next, ok := g.Next(Role{})
			assert.Equal(t, tt.want != "", ok)
			if ok {
				assert.Equal(t, strings.Fields(tt.want)[0], next.ID)
			}
		})
	}
}

func TestA19GraphDiagnostics(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		tasks []string
		want  []string // code task related
	}{
		{"duplicates, once an id", []string{"A todo", "B todo", "A done", "A todo"}, []string{"duplicate_task_id A A"}},
		{"own parent", []string{"A todo A"}, []string{"self_parent_reference A A", "parent_cycle  A"}},
		{"orphan", []string{"A todo X"}, []string{"orphaned_parent_reference A X"}},
		{"done above open, any depth, in order", []string{"A done", "B done A", "C in_progress B", "D blocked A"},
			[]string{"completed_parent_with_incomplete_descendants A C,D", "completed_parent_with_incomplete_descendants B C"}},
		{"own dependency", []string{"A todo - A"}, []string{"self_dependency_reference A ", "dependency_cycle  A"}},
		{"dependency on nothing", []string{"A todo - X,Y"}, []string{"invalid_dependency_reference A X", "invalid_dependency_reference A Y"}},
		{"done behind open", []string{"A done - B,C", "B todo", "C done"}, []string{"completed_task_with_incomplete_dependencies A B"}},
		{"dependency circle, from the first task", []string{"A todo - B", "B todo - C", "C todo - B,A"}, []string{"dependency_cycle  B,C,B", "dependency_cycle  A,B,C,A"}},
		{"two circles", []string{"A todo - B", "B todo - A", "C todo - D", "D todo - C"}, []string{"dependency_cycle  A,B,A", "dependency_cycle  C,D,C"}},
		{"parent circle, and what is done in it", []string{"A todo B", "B done A", "C todo A"},
			[]string{"completed_parent_with_incomplete_descendants B A,C", "parent_cycle  A,B,A"}},
		{"a clean graph", []string{"A done", "B done A", "C todo - A", "D blocked C B"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, d := range NewGraph(graph(t, tt.tasks...)).Check() {
				assert.Equal(t, Error, d.Severity)
				assert.NotEmpty(t, d.Message)
				got = append(got, fmt.Sprintf("%s %s %s", d.Code, d.TaskID, strings.Join(d.RelatedTaskIDs, ",")))
			}
			assert.Equal(t, tt.want, got)
		})
	}
	blank := NewGraph([]Task{{Title: "x", Status: Todo}}).Check()
	assert.Equal(t, []Code{IDEmpty}, codes(blank), "of a graph in memory")
	in := ParseText([]byte(file(`{"id":"A","title":"a","status":"todo"}`, `{"id":"A","title":"b","status":"todo"}`)))
	require.Len(t, in.Diagnostics, 1)
	assert.Len(t, in.Diagnostics[0].RelatedLocations, 2)
	assert.Contains(t, in.Diagnostics[0].Message, "Task A at tasks[0] (line 1, column 23)")
}

func TestA21RemainingSubtasksFollowParents(t *testing.T) {
	t.Parallel()
	g := NewGraph(graph(t, "T1 todo", "T1.1 todo", "X done T1", "Y todo X", "Z blocked T1", "W done Y"))
	assert.Equal(t, "X Y W Z", ids(g.Descendants("T1")), "an id that looks like a child is none")
	assert.Equal(t, "Y Z", ids(g.Remaining("T1")))
	assert.Empty(t, g.Remaining("T1.1"))
	g = NewGraph(graph(t, "A todo C", "B todo A", "C todo B"))
	assert.Equal(t, "B C", ids(g.Remaining("A")), "a circle ends")
	assert.Equal(t, 5, NewGraph(graph(t, "a todo", "b in_progress", "c blocked", "d todo", "e todo", "f done")).Counts().Remaining())
}

func TestA22AncestorsAreCompleted(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		tasks   []string
		check   string // task that has a validation of its own
		changed []string
	}{
		{"all the way up", []string{"A todo", "B in_progress A", "C done B"}, "", []string{"B", "A"}},
		{"a sibling is open", []string{"A todo", "B todo A", "C done B", "D todo B"}, "", nil},
		{"a validation must be run, and what is above it waits", []string{"A todo", "B todo A", "C done B"}, "B", nil},
		{"past a done one", []string{"A todo", "B done A", "C done B"}, "", []string{"A"}},
		{"a blocked parent counts as the others", []string{"A blocked", "C done A"}, "", []string{"A"}},
		{"a dependency elsewhere is open", []string{"A todo - X", "C done A", "X todo"}, "", nil},
		{"dependencies on its own children", []string{"A in_progress - C,D", "C done A", "D done A"}, "", []string{"A"}},
		{"the task itself is not done", []string{"A todo", "C todo A"}, "", nil},
		{"a circle ends", []string{"A todo C", "C done A"}, "", []string{"A"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &File{Tasks: graph(t, tt.tasks...)}
			if i := f.Find(tt.check); i >= 0 {
				f.Tasks[i].Validation = "make test"
			}
			assert.Equal(t, tt.changed, CompleteAncestors(f, "C"))
			if tt.name != "a circle ends" {
				assert.Empty(t, NewGraph(f.Tasks).Check())
			}
		})
	}
	f := &File{Tasks: graph(t, "A todo", "B todo A", "C done B", "V done A")}
	f.Tasks[1].Validation = "make test"
	f.Tasks = append(f.Tasks, Task{ID: "Z", Title: "z", Status: Todo})
	f.Tasks[1].Status = Done // verified by itself
	assert.Equal(t, []string{"A"}, CompleteAncestors(f, "C"), "past the ancestor with a validation, upward")
}

func TestDoneIsRefusedWithTheIDs(t *testing.T) {
	t.Parallel()
	g := NewGraph(graph(t, "A todo - X,N", "B todo A", "C blocked B", "D done A", "X in_progress"))
	err := g.MayBeDone("A")
	var refused *NotDoneError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, IncompleteDescendants, refused.Code())
	assert.Equal(t, "task A can't be done: tasks below it are not done: B (todo), C (blocked); it depends on tasks that are not done: X (in_progress), N (no such task)", err.Error())
	require.NoError(t, g.MayBeDone("X"))
	var unknown *UnknownTaskError
	require.ErrorAs(t, g.MayBeDone("Q"), &unknown)
	refused = nil
	require.ErrorAs(t, NewGraph(graph(t, "A todo - X", "X todo")).MayBeDone("A"), &refused)
	assert.Equal(t, IncompleteDependencies, refused.Code())
}

// hostile are graphs in which a careless walk is quadratic.
func hostile(n int) map[string][]Task {
	chain := func(status func(i int) Status) []Task {
		list := make([]Task, n)
		for i := range list {
			list[i] = Task{ID: fmt.Sprint(i), Title: "t", Status: status(i)}
			if i > 0 {
				list[i].ParentID = fmt.Sprint(i - 1)
			}
		}
		return list
	}
	doneChain := chain(func(i int) Status {
		if i == n-1 {
			return InProgress
		}
		return Done
	})
	half := chain(func(i int) Status {
		if i < n/2 {
			return Done
		}
		return Blocked
	})
	ring := chain(func(int) Status { return Todo })
	ring[0].ParentID = fmt.Sprint(n - 1)
	back := chain(func(int) Status { return Todo })
	for i := range back {
		back[i].ParentID = ""
		back[i].DependsOn = []string{fmt.Sprint((i + 1) % n), "0"}
	}
	return map[string][]Task{"done chain above one open": doneChain, "half done": half, "ring": ring, "every task back to the first": back}
}

func TestHostileGraphsAreChecked(t *testing.T) {
	t.Parallel()
	for name, list := range hostile(20_000) {
		ds := NewGraph(list).Check()
		assert.NotEmpty(t, ds, name)
		total := 0
		for _, d := range ds {
			total += len(d.RelatedTaskIDs)
		}
		assert.LessOrEqual(t, total, 2*idBudget, name)
	}
	ds := NewGraph(hostile(2000)["half done"]).Check()
	assert.Contains(t, ds[len(ds)-1].Message, "more", "what is not listed is counted")
}
