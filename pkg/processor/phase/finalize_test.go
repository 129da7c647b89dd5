package phase_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

func (d *desk) finalize() (phase.ReviewReport, error) {
	d.t.Helper()
	return phase.NewFinalize(d.parts(), d).Run(d.t.Context(), phase.Look{})
}

func TestFinalizeIsDoneAsWellAsCanBe(t *testing.T) {
	t.Parallel()
	brk := make(chan struct{}, 1)
	squash := func(d *desk) {
		d.repo.Write("b.go", "package a\n")
		d.repo.Git("add", "-A")
		d.repo.Git("commit", "-q", "--amend", "-m", "one commit")
	}
	tests := []struct {
		name    string
		act     act
		command string
		told    string
		look    string
	}{
		{name: "well", act: say("done"), told: "finalize step completed"},
		{name: "a branch that is rewritten is what it is for", act: say("done", squash), command: "true", told: "the finalize step rewrote the branch: before the finalize step the branch was at "},
		{name: "red behind it is for a person", act: say("done", squash), command: "false", told: "finalize step completed", look: "validation is red behind the finalize step"},
		{name: "what it leaves is, too", act: say("done", write("left.go", "package a\n")), told: "finalize step completed", look: "left uncommitted: left.go"},
		{name: "another branch is, too", act: say("done", func(d *desk) { d.repo.Git("switch", "-qc", "other") }), told: "finalize step completed", look: "left branch main: HEAD is at other now"},
		{name: "its word that it failed", act: say(gaveUp), told: "finalize step reported failure"},
		{name: "a session that fails", act: func(*desk) (executor.Result, error) {
			return executor.Result{Failure: &executor.Failure{Class: executor.ClassLogin, Message: "not logged in"}}, nil
		}, told: "finalize step failed: not logged in"},
		{name: "one that can't be run", act: func(*desk) (executor.Result, error) { return executor.Result{}, errors.New("no such command") }, told: "finalize step failed: no such command"},
		{name: "one that takes too long", act: timesOut(), told: "finalize step was ended by session time-out"},
		{name: "one that a person breaks off", act: broken(brk), told: "finalize step"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, tt.act)
			d.command = tt.command
			d.deps.SetBreak(brk)
			report, err := d.finalize()
			require.NoError(t, err)
			assert.Contains(t, d.notes(), tt.told)
			if tt.look == "" {
				assert.Empty(t, report.Look)
			} else {
				require.Len(t, report.Look, 1)
				assert.Contains(t, report.Look[0], tt.look)
			}
			assert.Equal(t, tt.name == "one that a person breaks off", report.Interrupted)
		})
	}
}

func TestFinalizeEndsWithTheRun(t *testing.T) {
	t.Parallel()
	stop := errors.New("somebody pressed Ctrl+C")
	ctx, cancel := context.WithCancelCause(t.Context())
	d := newDesk(t, func(*desk) (executor.Result, error) { cancel(stop); return executor.Result{}, errWaits })
	_, err := phase.NewFinalize(d.parts(), d).Run(ctx, phase.Look{})
	require.ErrorIs(t, err, stop)
}

// keeps notes why a copy of the tree was made.
type keeps struct{ why []string }

func (k *keeps) Keep(_ context.Context, _ int, why string) (string, error) {
	k.why = append(k.why, why)
	return "refs/ralphex/wip/1", nil
}

// A rebase may touch files with the user's own changes: a copy is made of them before.
func TestFinalizeKeepsWhatLiesInTheTree(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("done"))
	d.repo.Write("theirs.txt", "their own change\n")
	d.site.UserDirty = []string{"theirs.txt"}
	k := &keeps{}
	parts := d.parts()
	parts.Site = phase.NewSite(phase.SiteParts{Log: d, Tree: d.tree, Committer: d.tree, Gate: d, Keeper: k, Deletions: vcs.Deletions(d.tree)}, d.site)
	_, err := phase.NewFinalize(parts, d).Run(t.Context(), phase.Look{})
	require.NoError(t, err)
	assert.Equal(t, []string{"before the finalize step"}, k.why)
}
