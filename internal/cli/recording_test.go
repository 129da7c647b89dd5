package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs/vcstest"
)

// recorded is a run with `record = full` that has begun, over a plan of two tasks.
type recorded struct {
	*recording
	notes []string
	ctx   context.Context
	plan  *plan.Plan
}

func newRecorded(t *testing.T) *recorded {
	t.Helper()
	repo := vcstest.NewRepo(t)
	repo.Write("docs/plans/p.md", "# P\n### Task 1: One\n- [ ] a\n### Task 2: Two\n- [ ] b\n")
	repo.Commit("start")
	tree := repo.Open(t)
	p, err := plan.ParsePlanFile(repo.Path("docs/plans/p.md"))
	require.NoError(t, err)
	s, err := storeAt(tree)
	require.NoError(t, err)
	out := &recorded{plan: p}
	r := &running{job: &job{proc: &Proc{Err: os.Stderr}, repo: tree, home: tree, planAt: repo.Path("docs/plans/p.md"), ready: &workspace.Prepared{}},
		bus: event.NewBus("20260129-153012-4f2a9c", 0, nil), announced: true, secrets: newSecrets([]string{}, &config.Config{})}
	out.ctx, r.cancel = context.WithCancelCause(t.Context())
	r.bus.Attach("test", event.SinkFunc(func(e event.Event) error {
		if n, ok := e.Data.(event.Note); ok {
			out.notes = append(out.notes, string(n.Level)+" "+n.Text)
		}
		return nil
	}))
	out.recording = newRecording(r, recordFull, s)
	out.provenance = "run-i007-cli-20260317T120000Z"
	r.record = out.recording
	r.closers = append(r.closers, out.close)
	t.Cleanup(r.close)
	return out
}

func (c *recorded) take(pos int) error { return c.Take(c.ctx, pos, c.plan.Tasks[pos-1]) }

func (c *recorded) claims(t *testing.T) []claim.Claim {
	t.Helper()
	f, err := claim.New(c.store.Claims, 0).Read(t.Context())
	require.NoError(t, err)
	return f.Claims
}

// write makes the claims other ones, as another program would.
func (c *recorded) write(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(c.store.Claims)
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	require.NoError(t, os.WriteFile(c.store.Claims, []byte(strings.ReplaceAll(string(text), from, to)), 0o644))
}

func TestOneClaimFollowsTheTask(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	require.NoError(t, c.take(1))
	require.NoError(t, c.take(1), "it is held: there is nothing to do")
	require.NoError(t, c.Holds(c.ctx, 1, c.plan.Tasks[0]))
	all := c.claims(t)
	require.Len(t, all, 1)
	assert.Equal(t, []string{"plan_p.1", "default", c.provenance, "active"},
		[]string{all[0].TaskID, all[0].AgentID, all[0].ProvenanceID, string(all[0].Status)})

	c.ended(1, event.TaskEnd{ID: "1", Title: "One", Outcome: event.Done})
	assert.Equal(t, claim.Released, c.claims(t)[0].Status)
	require.NoError(t, c.take(2))
	require.NoError(t, c.take(1), "another task: the one before is let go")
	all = c.claims(t)
	require.Len(t, all, 3)
	assert.Equal(t, []claim.Status{claim.Released, claim.Released, claim.Active}, []claim.Status{all[0].Status, all[1].Status, all[2].Status})
	assert.Empty(t, c.notes)
}

func TestClaimIsReleasedByAPanic(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	assert.PanicsWithValue(t, "a bug", func() {
		defer c.run.close()
		assert.NoError(t, c.take(1))
		panic("a bug")
	})
	assert.Equal(t, claim.Released, c.claims(t)[0].Status)
}

func TestClaimOutlivesAnInterruptUntilItIsReleased(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	require.NoError(t, c.take(1))
	c.run.cancel(errInterrupted) // the session is being ended, and may still write
	assert.Equal(t, claim.Active, c.claims(t)[0].Status)
	c.release()
	assert.Equal(t, claim.Released, c.claims(t)[0].Status)
}

func TestLostClaimEndsTheRun(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	require.NoError(t, c.take(1))
	c.write(t, `"agentId": "default"`, `"agentId": "bob"`)
	<-c.ctx.Done()
	var lost *claimError
	require.ErrorAs(t, context.Cause(c.ctx), &lost)
	assert.Contains(t, lost.Error(), "the claim on plan_p.1 was lost: agent bob ("+c.provenance+")")
	assert.Equal(t, exitBusy, exitCode(lost))
	require.ErrorAs(t, c.take(1), &lost, "and it stays lost")
	c.release()
	assert.Equal(t, claim.Active, c.claims(t)[0].Status, "bob's is not ours to release")
}

func TestLastLookSeesALostClaim(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	require.NoError(t, c.take(1))
	c.write(t, `"status": "active"`, `"status": "stale", "resolvedBy": "ann", "resolutionReason": "gone"`)
	err := c.Holds(c.ctx, 1, c.plan.Tasks[0])
	require.Error(t, err)
	assert.Contains(t, err.Error(), "ann resolved it (gone)")
}

func TestDeletedClaimsAreClaimedAnew(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	require.NoError(t, c.take(1))
	require.NoError(t, os.RemoveAll(c.store.Ralph))
	require.NoError(t, c.Holds(c.ctx, 1, c.plan.Tasks[0]))
	require.NoError(t, context.Cause(c.ctx))
	all := c.claims(t)
	require.Len(t, all, 1)
	assert.Equal(t, claim.Active, all[0].Status)
}

func TestHeldLockPausesAndIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	path := filepath.Join(c.store.Root, ".ralph", "x.lock")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("999999999\n"), 0o644))
	asked := 0
	do := func() error {
		asked++
		r, err := lock.With(c.ctx, path, lock.Budget{}, func() error { return nil })
		return errors.Join(err, r.Err())
	}
	assert.False(t, c.try(c.ctx, "nothing is written", path, do))
	assert.False(t, c.try(c.ctx, "nothing is written", path, do))
	assert.Equal(t, 1, asked, "a lock that is still there is not waited for again")
	require.Len(t, c.notes, 1)
	for _, want := range []string{"warn recording is paused: x.lock has been locked for", "by process 999999999", path, "nothing is written until the lock is gone"} {
		assert.Contains(t, c.notes[0], want)
	}
	require.NoError(t, os.Remove(path))
	assert.True(t, c.try(c.ctx, "nothing is written", path, do))
	assert.Equal(t, "info .ralph/x.lock is free again: recording goes on", c.notes[1])
	assert.True(t, c.try(c.ctx, "nothing is written", path, do))
	assert.Len(t, c.notes, 2)
}

// A session that is skipped, paused or stopped while it begins is no trouble of the store.
func TestEndOfASessionIsNoTroubleOfALock(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	path := state.New(c.store.State, state.Options{}).LockPath()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("999999999\n"), 0o644))
	ctx, end := context.WithCancelCause(c.ctx)
	end(phase.ErrSkip)
	assert.Zero(t, c.recording.take(ctx))
	assert.Empty(t, c.notes)
	require.NoError(t, os.Remove(path))
	assert.Equal(t, 1, c.recording.take(c.ctx), "the next session has the number")
	assert.Empty(t, c.notes)
}

func TestProjectionIsMadeAgainWhenEitherFileChanged(t *testing.T) {
	t.Parallel()
	c := newRecorded(t)
	status := func() []string {
		t.Helper()
		c.project()
		in, err := c.taskStore().Read(t.Context())
		require.NoError(t, err)
		var out []string
		for _, one := range in.File.Tasks {
			out = append(out, one.ID+" "+string(one.Status))
		}
		return out
	}
	fresh := []string{"plan_p in_progress", "plan_p.1 todo", "plan_p.2 todo"}
	assert.Equal(t, fresh, status())
	before, err := os.Stat(c.store.Tasks)
	require.NoError(t, err)
	assert.Equal(t, fresh, status())
	after, err := os.Stat(c.store.Tasks)
	require.NoError(t, err)
	assert.True(t, os.SameFile(before, after), "nothing to do, nothing written")

	_, err = c.taskStore().Update(t.Context(), func(f *task.File) error {
		f.Tasks[1].Status = task.Done
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, fresh, status(), "the plan is what counts")
	assert.Len(t, c.notes, 1)

	require.NoError(t, c.plan.SetBoxes(1, []int{1}, true))
	assert.Equal(t, []string{"plan_p in_progress", "plan_p.1 in_progress", "plan_p.2 todo"}, status(), "a tick is a claim")
	c.ended(1, event.TaskEnd{ID: "1", Title: "One", Outcome: event.Done})
	assert.Equal(t, []string{"plan_p in_progress", "plan_p.1 done", "plan_p.2 todo"}, status())
	c.ended(1, event.TaskEnd{ID: "1", Title: "One", Outcome: event.Failed})
	assert.Equal(t, []string{"plan_p in_progress", "plan_p.1 in_progress", "plan_p.2 todo"}, status(), "given up, with its boxes still ticked")
}
