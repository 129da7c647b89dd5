package cli

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/internal/control"
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// steeredRun makes the steering of a run that has begun; told gives the orders and pauses that stand in its journal.
func steeredRun(t *testing.T) (s *steering, ctx context.Context, told func() []string) {
	t.Helper()
	cfg, _, err := config.Load(config.Options{})
	require.NoError(t, err)
	r := &running{job: &job{id: "run-1"}, bus: event.NewBus("run-1", 0, nil), secrets: newSecrets([]string{"A=b"}, cfg)}
	var lines []string
	r.bus.Attach("test", event.SinkFunc(func(e event.Event) error {
		for _, l := range event.Text(e) {
			if l.Style != event.Help {
				lines = append(lines, l.Text)
			}
		}
		return nil
	}))
	r.steer = newSteering(r)
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	r.steer.begin(cancel)
	r.steer.enter(event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks})
	return r.steer, ctx, func() []string { out := lines; lines = nil; return out }
}

func order(what string) control.Request {
	return control.Request{Run: "run-1", Order: what, By: "anna"}
}

func afterTask(what string) control.Request {
	q := order(what)
	q.AfterTask = true
	return q
}

// beginning asks for a session in a goroutine.
func beginning(ctx context.Context, s *steering, position int) <-chan error {
	out := make(chan error, 1)
	go func() {
		_, over, err := s.Begin(ctx, position)
		if err == nil {
			over()
		}
		out <- err
	}()
	return out
}

func TestPauseHoldsTheNextSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, ctx, told := steeredRun(t)
		own, over, err := s.Begin(ctx, 1)
		require.NoError(t, err)
		require.True(t, s.obey(order(control.Pause)).OK)
		<-own.Done()
		require.ErrorIs(t, context.Cause(own), phase.ErrHeld)
		over()
		next := beginning(ctx, s, 1)
		synctest.Wait()
		assert.Empty(t, next)
		assert.Equal(t, "it is paused already", s.obey(order(control.Pause)).Text)
		time.Sleep(time.Minute)
		assert.Equal(t, "it goes on", s.obey(order(control.Resume)).Text)
		require.NoError(t, <-next)
		assert.Equal(t, []string{"pause: ordered by anna", "paused by anna", "resume: ordered by anna", "going on after a pause of 1m0s"}, told())
		assert.False(t, s.obey(order(control.Resume)).OK)
		assert.Empty(t, told(), "what is not obeyed is not in the journal")
	})
}

func TestPauseBehindTheTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, ctx, _ := steeredRun(t)
		require.NoError(t, <-beginning(ctx, s, 1))
		require.True(t, s.obey(afterTask(control.Pause)).OK)
		require.NoError(t, <-beginning(ctx, s, 1), "the task has another session")
		next := beginning(ctx, s, 2)
		synctest.Wait()
		assert.Empty(t, next)
		assert.Equal(t, "its session is asked to end, then it ends; the same command goes on", s.obey(afterTask(control.Stop)).Text)
		require.ErrorIs(t, <-next, errInterrupted)
	})
}

func TestPauseIsTakenBack(t *testing.T) {
	s, ctx, _ := steeredRun(t)
	require.NoError(t, <-beginning(ctx, s, 1))
	s.obey(afterTask(control.Pause))
	require.True(t, s.obey(order(control.Resume)).OK)
	require.NoError(t, <-beginning(ctx, s, 2))
}

func TestStop(t *testing.T) {
	s, ctx, _ := steeredRun(t)
	require.NoError(t, <-beginning(ctx, s, 1))
	require.True(t, s.obey(afterTask(control.Stop)).OK)
	require.NoError(t, <-beginning(ctx, s, 1))
	require.NoError(t, ctx.Err())
	require.ErrorIs(t, <-beginning(ctx, s, 0), errInterrupted, "a review is no part of the task")
	require.ErrorIs(t, context.Cause(ctx), errInterrupted)
}

// An order may come before the run has begun, or when it is at its end.
func TestOrdersAtTheEdges(t *testing.T) {
	s := newSteering(&running{job: &job{id: "run-1"}, bus: event.NewBus("run-1", 0, nil), secrets: newSecrets([]string{"A=b"}, &config.Config{})})
	assert.False(t, s.obey(order(control.Skip)).OK, "nothing is there to be skipped")
	assert.False(t, s.obey(order("dance")).OK)
	other := order(control.Stop)
	other.Run = "run-2"
	assert.Equal(t, "this is run run-1, not run-2", s.obey(other).Text)
	require.True(t, s.obey(order(control.Stop)).OK)
	ctx, cancel := context.WithCancelCause(t.Context())
	s.begin(cancel)
	require.ErrorIs(t, context.Cause(ctx), errInterrupted)
	s.end()
	assert.Equal(t, "it is at its end", s.obey(order(control.Pause)).Text)
}

func TestSkip(t *testing.T) {
	s, ctx, told := steeredRun(t)
	own, over, err := s.Begin(ctx, 1)
	require.NoError(t, err)
	assert.Equal(t, "task 1 is left open, and it goes on with the next", s.obey(order(control.Skip)).Text)
	<-own.Done()
	require.ErrorIs(t, context.Cause(own), phase.ErrSkip)
	over()

	require.NoError(t, <-beginning(ctx, s, 2))
	s.obey(order(control.Skip)) // while its validation runs
	require.ErrorIs(t, <-beginning(ctx, s, 2), phase.ErrSkip)

	require.NoError(t, <-beginning(ctx, s, 3))
	s.obey(order(control.Skip))
	told()
	require.NoError(t, <-beginning(ctx, s, 4), "task 3 was done, and task 4 is another one")
	assert.Equal(t, []string{"task 3 was over before it could be skipped"}, told())

	s.enter(event.PhaseStart{Name: event.PhaseReview, Stage: event.StageReview})
	require.NoError(t, <-beginning(ctx, s, 0))
	assert.Equal(t, "stage review is ended, and it goes on", s.obey(order(control.Skip)).Text)
	require.ErrorIs(t, <-beginning(ctx, s, 0), phase.ErrSkip)
}

// Who pauses at the terminal can be let go on from elsewhere.
func TestPauseAtTheTerminalEndsFromElsewhere(t *testing.T) {
	s, _, told := steeredRun(t)
	resumed, over := s.holdByKey()
	require.True(t, s.obey(order(control.Resume)).OK)
	<-resumed
	over()
	assert.Equal(t, `paused by Ctrl+\`, told()[0])
}
