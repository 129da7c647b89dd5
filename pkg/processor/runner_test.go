package processor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
)

// recorder keeps the kinds of what was emitted.
type recorder struct{ got []event.Data }

func (r *recorder) Emit(_ int, d event.Data) { r.got = append(r.got, d) }

func (r *recorder) kinds() []event.Kind {
	var k []event.Kind
	for _, d := range r.got {
		k = append(k, d.Kind())
	}
	return k
}

// scriptedPhase is a task phase that does what a test says.
type scriptedPhase func(context.Context) (phase.Report, error)

func (f scriptedPhase) Run(ctx context.Context) (phase.Report, error) { return f(ctx) }

type noExecutor struct{}

func (noExecutor) Name() string                { return "none" }
func (noExecutor) Check(context.Context) error { return nil }
func (noExecutor) Run(context.Context, executor.Request) (executor.Result, error) {
	return executor.Result{}, errors.New("must not run")
}

func newRunner(mode processor.Mode) (*processor.Runner, *recorder) {
	rec := &recorder{}
	return processor.NewWithExecutors(processor.Config{Mode: mode}, processor.Parts{Log: rec}, processor.Executors{Task: noExecutor{}}), rec
}

func TestRunnerOrdersPhases(t *testing.T) {
	failed := errors.New("task 1 failed")
	tests := []struct {
		name string
		mode processor.Mode
		err  error
		want []event.Kind
	}{
		{"tasks only", processor.ModeTasksOnly, nil, []event.Kind{"phase_start", "phase_end"}},
		{"full says that reviews are missing", processor.ModeFull, nil, []event.Kind{"phase_start", "phase_end", "phase_end"}},
		{"a failed task phase is followed by nothing", processor.ModeFull, failed, []event.Kind{"phase_start", "phase_end"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, rec := newRunner(tt.mode)
			r.InjectTask(scriptedPhase(func(context.Context) (phase.Report, error) { return phase.Report{Done: 2}, tt.err }))
			report, err := r.Run(t.Context())
			require.ErrorIs(t, err, tt.err)
			assert.Equal(t, 2, report.Done)
			assert.Equal(t, tt.want, rec.kinds())
		})
	}
}

func TestRunnerRefusesUnknownMode(t *testing.T) {
	r, rec := newRunner("review")
	_, err := r.Run(t.Context())
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.Empty(t, rec.got)
}

// The seed: setters affect runners that are already built, in any order, and none set is no nil.
func TestSettersReachBuiltPhases(t *testing.T) {
	r, _ := newRunner(processor.ModeTasksOnly)
	deps := r.Deps()
	_, err := deps.Input().AskQuestion(t.Context(), "q", nil)
	require.ErrorIs(t, err, phase.ErrNoPerson)
	hash, err := deps.Git().HeadHash(t.Context())
	require.NoError(t, err)
	assert.Empty(t, hash)
	assert.False(t, deps.Pause(t.Context()))
	deps.DrainBreak()

	brk := make(chan struct{}, 1)
	brk <- struct{}{}
	r.SetPauseHandler(func(context.Context) bool { return true })
	r.SetBreakCh(brk)
	r.SetInputCollector(answers("yes"))
	r.SetGitChecker(fixedGit("abc"))
	assert.True(t, deps.Pause(t.Context()))
	answer, err := deps.Input().AskQuestion(t.Context(), "q", nil)
	require.NoError(t, err)
	assert.Equal(t, "yes", answer)
	hash, err = deps.Git().HeadHash(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "abc", hash)
	deps.DrainBreak()
	assert.Empty(t, brk)

	r.SetInputCollector(nil)
	r.SetGitChecker(nil)
	r.SetPauseHandler(nil)
	r.SetBreakCh(nil)
	_, err = deps.Input().AskQuestion(t.Context(), "q", nil)
	require.ErrorIs(t, err, phase.ErrNoPerson)
	assert.False(t, deps.Pause(t.Context()))
	select {
	case <-deps.Break():
		t.Fatal("a nil channel delivered")
	default:
	}
}

type answers string

func (a answers) AskQuestion(context.Context, string, []string) (string, error) {
	return string(a), nil
}

type fixedGit string

func (g fixedGit) HeadHash(context.Context) (string, error)        { return string(g), nil }
func (g fixedGit) DiffFingerprint(context.Context) (string, error) { return string(g), nil }
