package iteration

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

func TestTierOf(t *testing.T) {
	bad := func(n int, id string) (out []state.Iteration) {
		for range n {
			out = append(out, state.Iteration{TaskID: id, Classification: "no_progress"})
		}
		return out
	}
	middling := strings.Repeat("x", 40)
	for _, row := range []struct {
		name    string
		task    task.Task
		parts   int
		history []state.Iteration
		want    task.Tier
	}{
		{"its own word wins", task.Task{ID: "T1", Tier: task.Complex}, 0, nil, task.Complex},
		{"nothing known", task.Task{ID: "T1", Title: middling}, 0, nil, task.Simple},
		{"a validation is not enough", task.Task{ID: "T1", Title: middling, Validation: "x"}, 0, nil, task.Simple},
		{"validation and blocker", task.Task{ID: "T1", Title: middling, Validation: "x", Blocker: "b"}, 0, nil, task.Medium},
		{"a short title is lighter", task.Task{ID: "T1", Title: "x", Validation: "x", Blocker: "b"}, 0, nil, task.Simple},
		{"a long one is heavier", task.Task{ID: "T1", Title: strings.Repeat("x", 90), Validation: "x"}, 0, nil, task.Medium},
		{"parts, three at most", task.Task{ID: "T1", Title: middling, Validation: "x"}, 9, nil, task.Medium},
		{"trouble", task.Task{ID: "T1", Title: middling, Validation: "x"}, 0, bad(9, "T1"), task.Complex},
		{"trouble with another task", task.Task{ID: "T1", Title: middling, Validation: "x"}, 0, bad(9, "T2"), task.Simple},
		{"trouble that was overcome", task.Task{ID: "T1", Title: middling, Validation: "x"}, 0, append(bad(9, "T1"), state.Iteration{TaskID: "T1", Classification: "partial_progress"}), task.Simple},
	} {
		assert.Equal(t, row.want, TierOf(&row.task, row.parts, row.history, 3, 6), row.name)
	}
}
