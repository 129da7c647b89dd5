package processor

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
)

func TestTaskPrompt(t *testing.T) {
	b := &promptBuilder{task: func(_ string, v map[string]string) string { return "plan " + v["PLAN_FILE"] }, trailer: "Signed: x", locator: newPlanLocator("/p.md", nil)}
	task := plan.Task{ID: "2a", Title: "Two", Line: 9}
	tests := []struct {
		name   string
		in     phase.TaskPrompt
		has    []string
		hasNot []string
	}{
		{"first", phase.TaskPrompt{Position: 2, Task: task, Attempt: 1}, []string{"plan /p.md", `task 2a ("Two"), number 2 in the plan, at line 9`, "Signed: x"}, []string{"attempt", "unfinished", "cut off"}},
		{"after a failure", phase.TaskPrompt{Task: task, Attempt: 2, Failure: "go test failed"}, []string{"attempt 2", "go test failed"}, []string{"cut off"}},
		{"after a cut-off session", phase.TaskPrompt{Task: task, Attempt: 1, Unfinished: []string{"a.go", "b c.go"}}, []string{"cut off", "- a.go\n- b c.go\n"}, []string{"attempt"}},
		{"with many paths", phase.TaskPrompt{Task: task, Unfinished: make([]string, 60)}, []string{"and 10 more"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			prompt, err := b.Task(tt.in)
			require.NoError(t, err)
			got := prompt.For("claude")
			for _, s := range tt.has {
				assert.Contains(t, got, s)
			}
			for _, s := range tt.hasNot {
				assert.NotContains(t, got, s)
			}
		})
	}
}
