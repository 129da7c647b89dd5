package phase_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// steersman hands out sessions that end as soon as they begin something, with the causes that it was given, one a session; nil = it is let run.
type steersman struct {
	causes []error
	before []error // errors of Begin, one a session
	asked  []int   // positions
}

func (s *steersman) Begin(ctx context.Context, position int) (context.Context, func(), error) {
	n := len(s.asked)
	s.asked = append(s.asked, position)
	if n < len(s.before) && s.before[n] != nil {
		return nil, nil, s.before[n]
	}
	own, cancel := context.WithCancelCause(ctx)
	if n < len(s.causes) && s.causes[n] != nil {
		cancel(s.causes[n])
	}
	return own, func() { cancel(nil) }, nil
}

// held is a session that somebody ends from outside, when it has done a part of its work.
func held(part func(b *bench)) session {
	return func(ctx context.Context, b *bench) (executor.Result, error) {
		<-ctx.Done()
		part(b)
		return executor.Result{}, context.Cause(ctx)
	}
}

// A pause costs no attempt, and what the session had done by then is not lost: the next one is told of it.
func TestHeldSessionIsRunAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, held(func(b *bench) { b.repo.Write("half.txt", "half\n") }), does(1), does(2))
	s := &steersman{causes: []error{phase.ErrHeld}}
	b.deps.SetSteering(s)
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, 2, report.Done)
	assert.Equal(t, []int{1, 1, 2}, s.asked)
	assert.Equal(t, 1, b.prompts[1].Attempt)
	assert.Contains(t, b.prompts[1].Unfinished, "half.txt")
	assert.Empty(t, b.repo.Status(), "it is committed with its task")
}

func TestPauseThatEndsWithTheRun(t *testing.T) {
	t.Parallel()
	stop := errors.New("interrupted")
	b := newBench(t, twoTasks, does(1))
	b.deps.SetSteering(&steersman{before: []error{stop}})
	_, err := b.run()
	require.ErrorIs(t, err, stop)
	assert.Zero(t, b.ran)
}

// A task that is skipped stays open, and the others are done.
func TestSkippedTaskStaysOpen(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		steer steersman
		first []session
	}{
		{"while its session runs", steersman{causes: []error{phase.ErrSkip}}, []session{held(func(*bench) {})}},
		{"when one of its boxes is ticked", steersman{causes: []error{phase.ErrSkip}}, []session{held(func(b *bench) { b.tick(1, 1) })}},
		{"when all of its boxes are ticked, and nothing proves them", steersman{causes: []error{phase.ErrSkip}}, []session{held(func(b *bench) { b.tick(1) })}},
		{"before its session", steersman{before: []error{phase.ErrSkip}}, nil},
		{"after a red validation", steersman{before: []error{nil, phase.ErrSkip}}, []session{func(_ context.Context, b *bench) (executor.Result, error) {
			b.tick(1)
			return executor.Result{}, nil
		}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, twoTasks, append(tt.first, does(2))...)
			b.opts.Retries = 3
			b.commands = []string{"test -e work2.txt"}
			b.deps.SetSteering(&tt.steer)
			report, err := b.run()
			require.NoError(t, err)
			p, err := b.Load()
			require.NoError(t, err)
			assert.NotEmpty(t, p.Tasks[0].OpenForAgent(), "nothing is recorded as done that is not")
			assert.Empty(t, p.Tasks[1].OpenForAgent())
			require.NotEmpty(t, report.Left)
			assert.Equal(t, 1, report.Left[0].Position)
			assert.Equal(t, 1, report.Done)
			var skipped []int
			for _, e := range b.events {
				if d, ok := e.Data.(event.TaskEnd); ok && d.Outcome == event.Skipped {
					skipped = append(skipped, e.Task)
				}
			}
			assert.Equal(t, []int{1}, skipped)
		})
	}
}

// What a skipped task left is nobody's commit, until its own task is worked on again, or another one changes it further.
func TestWhatASkippedTaskLeft(t *testing.T) {
	t.Parallel()
	half := func(b *bench) { b.repo.Write("half.txt", "half\n"); b.repo.Write("both.txt", "of one\n") }
	b := newBench(t, twoTasks, held(half), func(_ context.Context, b *bench) (executor.Result, error) {
		b.repo.Write("both.txt", "of two\n")
		b.repo.Write("work2.txt", "x\n")
		b.tick(2)
		return executor.Result{}, nil
	})
	b.deps.SetSteering(&steersman{causes: []error{phase.ErrSkip}})
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []int{1}, report.Skipped)
	assert.Equal(t, "?? half.txt", strings.TrimSpace(b.repo.Status()))
	assert.Contains(t, b.repo.Git("show", "--stat", "--format=", "HEAD"), "both.txt")
	var aside []string
	for _, e := range b.events {
		if d, ok := e.Data.(event.SetAside); ok && d.By == event.BySkip {
			aside = append(aside, d.Paths...)
		}
	}
	assert.Equal(t, []string{"both.txt", "half.txt"}, aside)
}

// A process that takes over from one that died leaves out what that one left out, or was ordered to.
func TestSkipHoldsForTheNextProcess(t *testing.T) {
	t.Parallel()
	b := newBench(t, twoTasks, does(2))
	b.repo.Write("half.txt", "half\n")
	b.opts.Resume = phase.Resume{Active: true, Skipping: []string{"1: one"}}
	report, err := b.run()
	require.NoError(t, err)
	assert.Equal(t, []int{1}, report.Skipped)
	assert.Equal(t, 1, report.Done)
	assert.Equal(t, "?? half.txt", strings.TrimSpace(b.repo.Status()))

	b = newBench(t, twoTasks, does(2))
	b.repo.Write("half.txt", "half\n")
	b.site.Passed = []string{"half.txt"}
	b.opts.Resume = phase.Resume{Active: true, Skipped: []string{"1: one"}}
	report, err = b.run()
	require.NoError(t, err)
	assert.Equal(t, []int{1}, report.Skipped)
	assert.Equal(t, "?? half.txt", strings.TrimSpace(b.repo.Status()))
}
