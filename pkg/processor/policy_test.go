package processor

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
)

// limited is an agent that is limited for its first n sessions.
type limited struct {
	n     int
	reset func() time.Time
	runs  int
}

func (l *limited) Name() string                { return "limited" }
func (l *limited) Check(context.Context) error { return nil }
func (l *limited) Run(context.Context, executor.Request) (executor.Result, error) {
	l.runs++
	if l.runs > l.n {
		return executor.Result{Text: "done"}, nil
	}
	f := &executor.Failure{Class: executor.ClassLimit, Message: "You've hit your limit"}
	if l.reset != nil {
		f.ResetAt = l.reset()
	}
	return executor.Result{Failure: f}, nil
}

type discard struct{ waits []time.Duration }

func (d *discard) Emit(_ int, data event.Data) {
	if w, ok := data.(event.Wait); ok {
		d.waits = append(d.waits, w.For)
	}
}

func TestLimitRetry(t *testing.T) {
	in := func(d time.Duration) func() time.Time { return func() time.Time { return time.Now().Add(d) } }
	tests := []struct {
		name    string
		agent   limited
		wait    time.Duration
		runs    int
		limit   bool
		elapsed time.Duration
	}{
		{"no waiting ends at once", limited{n: 1}, 0, 1, true, 0},
		{"waits as configured", limited{n: 2}, time.Hour, 3, false, 2 * time.Hour},
		{"waits for the reset that the agent named", limited{n: 1, reset: in(90 * time.Minute)}, time.Minute, 2, false, 90*time.Minute + 5*time.Second},
		{"a reset in the past falls back to the configured wait", limited{n: 1, reset: in(-time.Hour)}, time.Minute, 2, false, time.Minute},
		{"not for days", limited{n: 1, reset: in(72 * time.Hour)}, time.Minute, 1, true, 0},
		{"not for ever", limited{n: 1000}, 10 * time.Hour, 3, true, 20 * time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				agent := tt.agent
				p := newExecutionPolicy(Config{WaitOnLimit: tt.wait}, &discard{}, &agent)
				start := time.Now()
				res, err := p.Run(t.Context(), phase.Session{})
				require.NoError(t, err)
				assert.Equal(t, tt.limit, res.Failure != nil)
				assert.Equal(t, tt.runs, agent.runs)
				assert.Equal(t, tt.elapsed, time.Since(start))
			})
		})
	}
}

func TestLimitWaitEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, context.Canceled)
		defer cancel()
		p := newExecutionPolicy(Config{WaitOnLimit: time.Hour}, &discard{}, &limited{n: 9})
		start := time.Now()
		_, err := p.Run(ctx, phase.Session{})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, time.Minute, time.Since(start))
	})
}

func TestTaskPrompt(t *testing.T) {
	b := &promptBuilder{task: func(v map[string]string) string { return "plan " + v["PLAN_FILE"] }, trailer: "Signed: x", locator: newPlanLocator("/p.md", nil)}
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
			got, err := b.Task(tt.in)
			require.NoError(t, err)
			for _, s := range tt.has {
				assert.Contains(t, got, s)
			}
			for _, s := range tt.hasNot {
				assert.NotContains(t, got, s)
			}
		})
	}
}
