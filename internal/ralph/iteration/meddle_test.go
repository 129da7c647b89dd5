package iteration

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/ralph/task"
)

func TestMeddled(t *testing.T) {
	was := []task.Task{{ID: "T1", Status: task.InProgress, Validation: "a", Acceptance: []string{"x", "y"}}, {ID: "T2", Status: task.Todo, Validation: "b", Acceptance: []string{"z"}, DependsOn: []string{"T1"}},
		{ID: "T3", Status: task.Done}}
	nobody := func(string) bool { return false }
	for name, c := range map[string]struct {
		change   func([]task.Task) []task.Task
		want     string // part of the only sentence; "" = none
		stops    bool
		unproven bool
	}{
		"nothing":               {func(n []task.Task) []task.Task { return n }, "", false, false},
		"another is done":       {func(n []task.Task) []task.Task { n[1].Status = task.Done; return n }, "T2 was made done", true, true},
		"its own is done":       {func(n []task.Task) []task.Task { n[0].Status, n[0].Validation = task.Done, "c"; return n }, "", false, false},
		"gone":                  {func(n []task.Task) []task.Task { return n[:1] }, "T2 was taken out of the task graph during the session; it was todo", true, false},
		"what was done is gone": {func(n []task.Task) []task.Task { return n[:2] }, "T3 was taken out", false, false},
		"its own is gone":       {func(n []task.Task) []task.Task { return n[1:] }, "T1 was taken out", true, false},
		"another validation":    {func(n []task.Task) []task.Task { n[1].Validation = "true"; return n }, "The validation of T2 was `b`", true, false},
		"acceptance":            {func(n []task.Task) []task.Task { n[0].Acceptance = []string{"x"}; return n }, "Acceptance criteria of T1", true, false},
		"more acceptance":       {func(n []task.Task) []task.Task { n[0].Acceptance = []string{"y", "w", "x"}; return n }, "", false, false},
		"documentation":         {func(n []task.Task) []task.Task { n[0].Mode = task.Documentation; return n }, "The mode of T1", true, false},
		"dependencies":          {func(n []task.Task) []task.Task { n[1].DependsOn = nil; return n }, "The order of T2", false, false},
		"blocked":               {func(n []task.Task) []task.Task { n[1].Status = task.Blocked; return n }, "T2 was made blocked", false, false},
		"in progress":           {func(n []task.Task) []task.Task { n[1].Status = task.InProgress; return n }, "nobody has claimed it", false, false},
		"opened again":          {func(n []task.Task) []task.Task { n[2].Status = task.Todo; return n }, "T3 was done", false, false},
		"added":                 {func(n []task.Task) []task.Task { return append(n, task.Task{ID: "T4", Status: task.Todo}) }, "T4 was added", false, false},
		"added as done":         {func(n []task.Task) []task.Task { return append(n, task.Task{ID: "T4", Status: task.Done}) }, "T4 was made done", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			now := (&task.File{Tasks: was}).Clone().Tasks
			now = c.change(now)
			got := Meddled(was, now, "T1", nobody)
			if c.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.NotEmpty(t, got)
			assert.Contains(t, got[0].Text, c.want)
			assert.Equal(t, c.stops, got[0].Stops)
			assert.Equal(t, c.unproven, got[0].Unproven)
			assert.Empty(t, Meddled(was, now, "T1", func(string) bool { return true }), "somebody answers for it")
		})
	}
}
