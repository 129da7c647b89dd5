package phase_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

func TestExternalThatFindsNothingCostsNoEvaluation(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"I looked at it all.\n\nNO ISSUES FOUND", "All is well.\n" + codexDone} {
		d := newDesk(t, nil)
		d.tool = []act{say(said)}
		report, err := d.external(phase.ExternalOptions{})
		require.NoError(t, err)
		assert.Equal(t, phase.ReviewReport{Sessions: 1, Clean: true}, report)
		assert.Zero(t, d.ran)
		assert.Contains(t, d.notes(), "codex external review\ncodex iteration 1\n")
		assert.Contains(t, d.notes(), "codex review complete - no more findings")
	}
}

func TestExternalFindingsAreJudgedAndMended(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("a.go:1 - the name is wrong => fixed\nb.go:2 - it leaks => refuted: closed in line 9", write("a.go", "package b\n")))
	d.tool = []act{say("- a.go:1 - the name is wrong\n- b.go:2 - it leaks\n"), say("NO ISSUES FOUND")}
	start := strings.TrimSpace(d.repo.Git("rev-parse", "HEAD"))
	report, err := d.external(phase.ExternalOptions{})
	require.NoError(t, err)
	assert.True(t, report.Changed)
	assert.True(t, report.Clean)
	assert.Equal(t, []string{"fix: address codex review findings"}, d.log())
	assert.Equal(t, []string{"a.go:1 fixed ", "b.go:2 refuted closed in line 9"}, d.dispositions())
	require.Len(t, d.externals, 2)
	assert.Empty(t, d.externals[0].Since)
	assert.Equal(t, start, string(d.externals[1].Since), "the second look is at what came since the first")
	assert.Contains(t, d.externals[1].Previous, "closed in line 9")
	assert.Contains(t, d.externals[1].Ledger, "=> refuted: closed in line 9")
	assert.Contains(t, d.evals[0].Output, "it leaks")
	assert.Contains(t, d.notes(), "claude evaluating codex findings")
}

func TestExternalThatNamesOnlyWhatWasDismissed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("a.go:1 - x => refuted: it is meant so\nb.go:1 - y => fixed", write("b.go", "package a\n")))
	d.tool = []act{say("a.go:1 - x\nb.go:1 - y"), say("a.go:7 - x")}
	report, err := d.external(phase.ExternalOptions{Max: 9})
	require.NoError(t, err)
	assert.Equal(t, 1, d.ran, "what comes back is nothing new: no second evaluation")
	assert.Equal(t, 3, report.Sessions)
	assert.Equal(t, []event.RoundResult{event.RoundAgain, event.RoundSame}, d.results())
	assert.Contains(t, d.notes(), "codex review complete - it names nothing new")
}

func TestExternalEndsWhereNothingChanges(t *testing.T) {
	t.Parallel()
	n := 0
	other := func(d *desk) (executor.Result, error) {
		n++
		return say(strings.Repeat("another ", n) + "remark without a place")(d)
	}
	t.Run("at once", func(t *testing.T) {
		d := newDesk(t, say("nothing of it is right"))
		d.tool = []act{other}
		_, err := d.external(phase.ExternalOptions{Max: 9})
		require.NoError(t, err)
		assert.Equal(t, 1, d.asked)
		assert.Contains(t, d.notes(), "codex review complete - no changes detected")
	})
	t.Run("with patience", func(t *testing.T) {
		d := newDesk(t, say("nothing of it is right"))
		d.tool = []act{other}
		_, err := d.external(phase.ExternalOptions{Max: 9, Patience: 3})
		require.NoError(t, err)
		assert.Equal(t, 3, d.asked)
		assert.Equal(t, []event.RoundResult{event.RoundUnchanged, event.RoundUnchanged, event.RoundStalemate}, d.results())
		assert.Contains(t, d.notes(), "stalemate detected after 3 unchanged rounds, external review terminated early")
	})
	t.Run("with patience that an earlier process began", func(t *testing.T) {
		d := newDesk(t, say("nothing of it is right"))
		d.tool = []act{other}
		before := event.ReviewRound{N: 1, Result: event.RoundUnchanged, Words: "all is well, because"}
		_, err := d.external(phase.ExternalOptions{Max: 9, Patience: 2}, before)
		require.NoError(t, err)
		assert.Equal(t, 1, d.asked)
		assert.Equal(t, "all is well, because", d.externals[0].Previous)
	})
	t.Run("when the evaluator says so", func(t *testing.T) {
		d := newDesk(t, say(codexDone))
		d.tool = []act{other}
		_, err := d.external(phase.ExternalOptions{Max: 9, Patience: 3})
		require.NoError(t, err)
		assert.Equal(t, 1, d.asked)
	})
	t.Run("at the latest after the last round", func(t *testing.T) {
		d := newDesk(t, func(d *desk) (executor.Result, error) { return say("x", write("a.go", strings.Repeat("//\n", n)))(d) })
		d.tool = []act{other}
		_, err := d.external(phase.ExternalOptions{Max: 2})
		require.NoError(t, err)
		assert.Equal(t, 2, d.asked)
		assert.Contains(t, d.notes(), "max codex iterations reached, continuing to next phase...")
	})
}

func TestExternalToolThatSaysNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.tool = []act{say(" \n")}
	report, err := d.external(phase.ExternalOptions{})
	require.NoError(t, err)
	assert.Equal(t, "codex review returned no output", report.Skipped)
	assert.False(t, report.Clean, "silence is no approval")
	assert.Contains(t, d.notes(), "codex review returned no output, skipping...")
}

func TestExternalToolMustChangeNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("b.go:1 - y => fixed", write("b.go", "package a\n")))
	d.tool = []act{say("b.go:1 - y", write("a.go", "package evil\n")), say("NO ISSUES FOUND")}
	report, err := d.external(phase.ExternalOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"codex was to change nothing, and did: a.go"}, report.Look)
	assert.Equal(t, "M a.go", strings.TrimSpace(d.repo.Status()), "it is told, and in no commit")
	assert.Equal(t, []string{"fix: address codex review findings"}, d.log())
	require.Contains(t, d.events, event.Event{Data: event.SetAside{Paths: []string{"a.go"}, By: event.ByTool}})
}

func TestExternalThatIsCutOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t, timesOut(), say(codexDone))
	d.tool = []act{timesOut(), say("a.go:1 - x"), say("a.go:1 - x\na.go:2 - y")}
	report, err := d.external(phase.ExternalOptions{})
	require.NoError(t, err)
	assert.Equal(t, []event.RoundResult{event.RoundTimeout, event.RoundTimeout, event.RoundClean}, d.results())
	assert.Equal(t, 5, report.Sessions)

	d = newDesk(t, nil)
	d.tool = []act{timesOut()}
	_, err = d.external(phase.ExternalOptions{Max: 2})
	require.ErrorAs(t, err, new(*phase.ReviewError), "it never looked")
}

func TestExternalThatFails(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("I can't mend it\n"+gaveUp))
	d.tool = []act{say("a.go:1 - x")}
	_, err := d.external(phase.ExternalOptions{})
	var re *phase.ReviewError
	require.ErrorAs(t, err, &re)
	assert.Equal(t, "external review: review failed (FAILED signal received)", re.Error())

	d = newDesk(t, nil)
	d.tool = []act{func(*desk) (executor.Result, error) {
		return executor.Result{Failure: &executor.Failure{Class: executor.ClassCrash, Message: "exit 2"}}, nil
	}}
	_, err = d.external(phase.ExternalOptions{})
	require.ErrorAs(t, err, new(*executor.Failure))
}

func TestBreakEndsTheExternalReview(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"tool", "evaluation"} {
		t.Run(where, func(t *testing.T) {
			brk := make(chan struct{}, 1)
			d := newDesk(t, broken(brk))
			d.tool = []act{say("a.go:1 - x")}
			if where == "tool" {
				d.tool = []act{broken(brk)}
			}
			d.deps.SetBreak(brk)
			report, err := d.external(phase.ExternalOptions{})
			require.NoError(t, err)
			assert.True(t, report.Interrupted)
			assert.Contains(t, d.notes(), "manual break requested, external review terminated early")
			assert.NotContains(t, d.notes(), "complete")
		})
	}
}

func TestExternalRedEvaluationGoesOnUntilItIsGreen(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("a.go:1 - x => fixed", write("bad", "")), say("mended", func(d *desk) { d.repo.Remove("bad"); d.repo.Write("a.go", "package b\n") }))
	d.tool = []act{say("a.go:1 - x"), say("a.go:1 - x\nbad:1 - why is it there"), say("NO ISSUES FOUND")}
	d.command = "test ! -e bad || { echo bad is there; exit 1; }"
	_, err := d.external(phase.ExternalOptions{})
	require.NoError(t, err)
	assert.Contains(t, d.evals[1].Failure, "bad is there")
	assert.Equal(t, []string{"fix: address codex review findings"}, d.log())

	d = newDesk(t, say("a.go:1 - x => fixed", write("bad", "")))
	d.tool = []act{say("a.go:1 - x"), say("NO ISSUES FOUND")}
	d.command = "test ! -e bad"
	_, err = d.external(phase.ExternalOptions{})
	require.ErrorAs(t, err, new(*phase.ReviewError), "the tool is content, the validation is not")
}
