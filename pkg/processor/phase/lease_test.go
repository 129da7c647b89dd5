package phase_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
)

// lease notes what it is asked, and says no from the nth question on.
type lease struct {
	b     *bench
	asked []string
	no    int
}

var errTaken = errors.New("somebody else has it")

func (l *lease) Take(_ context.Context, pos int, task plan.Task) error {
	return l.ask(fmt.Sprintf("take %d %s", pos, task.Title))
}

func (l *lease) Holds(_ context.Context, pos int, task plan.Task) error {
	return l.ask(fmt.Sprintf("holds %d %s", pos, task.Title))
}

func (l *lease) ask(question string) error {
	l.asked = append(l.asked, question)
	if l.no > 0 && len(l.asked) >= l.no {
		return errTaken
	}
	return nil
}

func (l *lease) run() error {
	b := l.b
	_, err := b.phase(phase.TaskParts{Lease: l}).Run(b.t.Context())
	return err
}

func TestLeaseIsAskedBeforeSessionAndCommit(t *testing.T) {
	t.Parallel()
	l := &lease{b: newBench(t, twoTasks, does(1), does(2))}
	require.NoError(t, l.run())
	assert.Equal(t, []string{"take 1 one", "take 1 one", "holds 1 one", "take 2 two", "take 2 two", "holds 2 two"}, l.asked)
}

func TestTaskOfSomebodyElseIsNotBegun(t *testing.T) {
	t.Parallel()
	l := &lease{b: newBench(t, twoTasks, does(1)), no: 1}
	require.ErrorIs(t, l.run(), errTaken)
	assert.Zero(t, l.b.ran)
	assert.Empty(t, l.b.events, "nothing was begun, and nothing is told to be")
}

func TestTaskThatWasTakenAwayIsNotCommitted(t *testing.T) {
	t.Parallel()
	l := &lease{b: newBench(t, twoTasks, does(1)), no: 3}
	require.ErrorIs(t, l.run(), errTaken)
	assert.Equal(t, "holds 1 one", l.asked[2])
	assert.Empty(t, ends(l.b))
	assert.Empty(t, l.b.repo.Git("log", "--format=%s", "--grep=feat"))
}

func TestLeftOfADeadSessionIsTakenBeforeItIsJudged(t *testing.T) {
	t.Parallel()
	l := &lease{b: newBench(t, "# Plan\n\n### Task 1: one\n- [x] first\n", func(context.Context, *bench) (executor.Result, error) {
		return executor.Result{}, nil
	}), no: 1}
	l.b.opts.Resume = phase.Resume{Active: true}
	require.ErrorIs(t, l.run(), errTaken)
	assert.Equal(t, []string{"take 1 one"}, l.asked)
	assert.Zero(t, l.b.ran)
}
