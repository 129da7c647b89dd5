package phase_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/finding"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// desk is a review phase over a real repository, with sessions that a test scripts and a gate that runs real commands.
type desk struct {
	t         *testing.T
	repo      *vcstest.Repo
	tree      vcs.Repo
	deps      *phase.Deps
	ledger    *finding.Ledger
	events    []event.Event
	reviewer  []act // what each of its sessions does; the last one repeats
	tool      []act
	ran       int
	asked     int
	prompts   []phase.ReviewPrompt
	externals []phase.ExternalPrompt
	evals     []phase.EvaluationPrompt
	renamed   [][2]string // as rules see it
	own       []finding.Finding
	command   string // the validation command
	site      phase.SiteOptions
	told      func(event.Data)
}

// act is what a session does.
type act func(d *desk) (executor.Result, error)

func newDesk(t *testing.T, reviewer ...act) *desk {
	t.Helper()
	r := vcstest.NewRepo(t)
	r.Write("a.go", "package a\n")
	r.Write("theirs.txt", "theirs\n")
	r.Commit("start")
	return &desk{t: t, repo: r, tree: r.Open(t), deps: phase.NewDeps(), ledger: &finding.Ledger{}, reviewer: reviewer,
		site: phase.SiteOptions{Root: r.Dir}}
}

func (d *desk) Emit(task int, fact event.Data) {
	d.events = append(d.events, event.Event{Task: task, Data: fact})
	if d.told != nil {
		d.told(fact)
	}
}
func (d *desk) Review(p phase.ReviewPrompt) (phase.Prompt, error) {
	d.prompts = append(d.prompts, p)
	return phase.Told("review"), nil
}
func (d *desk) External(p phase.ExternalPrompt) (phase.Prompt, error) {
	d.externals = append(d.externals, p)
	return phase.Told("look"), nil
}
func (d *desk) Evaluation(p phase.EvaluationPrompt) (phase.Prompt, error) {
	d.evals = append(d.evals, p)
	return phase.Told("evaluate"), nil
}
func (d *desk) Finalize() (phase.Prompt, error) { return phase.Told("finalize"), nil }

func (d *desk) Commands() int {
	if d.command == "" {
		return 0
	}
	return 1
}

func (d *desk) Check(ctx context.Context, _ int) (phase.Verdict, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", d.command)
	cmd.Dir = d.repo.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return phase.Verdict{Summary: d.command + ": " + err.Error(), Failure: string(out)}, nil
	}
	return phase.Verdict{Green: true}, nil
}

// sessions plays acts in their order.
type sessions struct {
	d    *desk
	acts *[]act
	n    *int
}

func (s sessions) Run(ctx context.Context, _ phase.Session) (executor.Result, error) {
	a := (*s.acts)[min(*s.n, len(*s.acts)-1)]
	*s.n++
	res, err := a(s.d)
	if errors.Is(err, errWaits) { // a session that lasts until somebody ends it
		<-ctx.Done()
		return res, context.Cause(ctx)
	}
	return res, err
}

var errWaits = errors.New("waits")

func (d *desk) parts() phase.ReviewParts {
	return phase.ReviewParts{Deps: d.deps, Ledger: d.ledger, Sessions: sessions{d, &d.reviewer, &d.ran},
		Site: phase.NewSite(phase.SiteParts{Log: d, Tree: d.tree, Committer: d.tree, Gate: d, Deletions: vcs.Deletions(d.tree)}, d.site),
		Inspect: func(context.Context, vcs.Rev) (phase.Inspection, error) {
			return phase.Inspection{Found: slices.Clone(d.own), Renamed: d.renamed}, nil
		}}
}

func (d *desk) review(o phase.ReviewOptions, earlier ...event.ReviewRound) (phase.ReviewReport, error) {
	d.t.Helper()
	o.Stage, o.Reviewer, o.Label = event.StageReview, "claude", "claude"
	return phase.NewReview(d.parts(), d, o).Run(d.t.Context(), phase.Look{Earlier: earlier})
}

func (d *desk) external(o phase.ExternalOptions, earlier ...event.ReviewRound) (phase.ReviewReport, error) {
	d.t.Helper()
	o.Tool, o.Reviewer = "codex", "claude"
	return phase.NewExternal(d.parts(), sessions{d, &d.tool, &d.asked}, d, o).Run(d.t.Context(), phase.Look{Earlier: earlier})
}

// log are the subjects of the commits behind the first, the oldest first.
func (d *desk) log() []string {
	out := d.repo.Git("log", "--reverse", "--format=%s")
	return strings.Split(out, "\n")[1:]
}

func (d *desk) results() (all []event.RoundResult) {
	for _, e := range d.events {
		if r, ok := e.Data.(event.ReviewRound); ok {
			all = append(all, r.Result)
		}
	}
	return all
}

func (d *desk) notes() string {
	var b strings.Builder
	for _, e := range d.events {
		for _, l := range event.Text(e) {
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

func (d *desk) dispositions() (all []string) {
	for _, e := range d.ledger.Entries() {
		all = append(all, fmt.Sprintf("%s %s %s", e.Place(), e.Disposition, e.Reason))
	}
	return all
}

// say ends a session with words, and does before what edits say.
func say(text string, edits ...func(d *desk)) act {
	return func(d *desk) (executor.Result, error) {
		for _, edit := range edits {
			edit(d)
		}
		s := signals.NewScanner()
		s.Write(text)
		s.Finish()
		return executor.Result{Text: text, Signals: s.Signals()}, nil
	}
}

func write(path, text string) func(*desk) {
	return func(d *desk) { d.repo.Write(path, text) }
}

const (
	reviewDone = "<<<RALPHEX:REVIEW_DONE>>>"
	codexDone  = "<<<RALPHEX:CODEX_REVIEW_DONE>>>"
	gaveUp     = "<<<RALPHEX:TASK_FAILED>>>"
)

func TestReviewEndsWhereNothingChanges(t *testing.T) {
	t.Parallel()
	t.Run("a clean first pass is the whole review", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, say("NO ISSUES FOUND\n"+reviewDone))
		report, err := d.review(phase.ReviewOptions{FirstPass: true})
		require.NoError(t, err)
		assert.Equal(t, phase.ReviewReport{Sessions: 1, Clean: true}, report)
		assert.Contains(t, d.notes(), "claude review 0: all findings\n")
		assert.Contains(t, d.notes(), "claude review complete - no more findings")
	})
	t.Run("what is left uncommitted is committed, and looked at again", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, say("a.go:1 - [major] wrong name => fixed", write("a.go", "package b\n")), say("nothing more"))
		report, err := d.review(phase.ReviewOptions{FirstPass: true})
		require.NoError(t, err)
		assert.True(t, report.Changed)
		assert.Equal(t, 2, report.Sessions)
		assert.Equal(t, []string{"fix: address code review findings"}, d.log())
		assert.Empty(t, d.repo.Status())
		assert.Equal(t, []event.RoundResult{event.RoundAgain, event.RoundUnchanged}, d.results())
		assert.Contains(t, d.notes(), "issues fixed, running another review iteration...")
		assert.Contains(t, d.notes(), "claude review complete - no changes detected")
		assert.Contains(t, d.prompts[1].Ledger, "=> fixed")
		assert.Equal(t, phase.FindingCount{Found: 1, Fixed: 1}, phase.Count(d.ledger))
	})
	t.Run("at the latest after the last round", func(t *testing.T) {
		t.Parallel()
		n := 0
		d := newDesk(t, func(d *desk) (executor.Result, error) {
			n++
			return say(fmt.Sprintf("a.go:%d - thing %c", n, 'a'+n), write("a.go", strings.Repeat("//\n", n)))(d)
		})
		report, err := d.review(phase.ReviewOptions{FirstPass: true, Max: 2})
		require.NoError(t, err)
		assert.Equal(t, 3, report.Sessions)
		assert.False(t, report.Clean)
		assert.Contains(t, d.notes(), "max claude review iterations reached, continuing...")
	})
	t.Run("or when the same is named again", func(t *testing.T) {
		t.Parallel()
		n := 0
		d := newDesk(t, func(d *desk) (executor.Result, error) {
			n++
			return say("a.go:1 - wrong name", write("b.go", strings.Repeat("//\n", n)))(d)
		})
		report, err := d.review(phase.ReviewOptions{Max: 9})
		require.NoError(t, err)
		assert.Equal(t, 2, report.Sessions)
		assert.Equal(t, []event.RoundResult{event.RoundAgain, event.RoundSame}, d.results())
		assert.Equal(t, phase.FindingCount{Found: 1, Open: 1}, phase.Count(d.ledger))
	})
}

// That the reviewer is done is a claim: what it changed is looked at by another round.
func TestReviewDoneWithChangesIsAClaim(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say(reviewDone, write("a.go", "package b\n")), say(reviewDone))
	report, err := d.review(phase.ReviewOptions{})
	require.NoError(t, err)
	assert.Equal(t, 2, report.Sessions)
	assert.True(t, report.Clean)
}

func TestReviewDispositionsAreFacts(t *testing.T) {
	t.Parallel()
	d := newDesk(t,
		say("a.go:1 - one => fixed\nb.go:2 - two => fixed\nc.go:3 - three => refuted: it is meant so\nd.go:4 - four => refuted:\na.go:5 - five\n",
			write("a.go", "package b\n")),
		say("c.go:9 - three\n"+reviewDone))
	_, err := d.review(phase.ReviewOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"a.go:1 fixed ",
		"b.go:2 open said to be fixed, but the file did not change",
		"c.go:9 refuted it is meant so",
		"d.go:4 open said to be none, without a reason",
		"a.go:5 fixed its file was changed, and it was not named again",
	}, d.dispositions())
	commit := strings.TrimSpace(d.repo.Git("rev-parse", "HEAD"))
	assert.Equal(t, commit, d.ledger.Entries()[0].Commit)
	rounds := d.results()
	assert.Equal(t, event.RoundClean, rounds[len(rounds)-1], "what was refuted and comes back is nothing new")
}

func TestReviewNeverCommitsTheUsersWork(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("fixing", write("a.go", "package b\n"), write("theirs.txt", "touched by the reviewer\n")), say(reviewDone))
	d.repo.Write("theirs.txt", "their own change\n")
	d.site.UserDirty = []string{"theirs.txt"}
	_, err := d.review(phase.ReviewOptions{})
	require.NoError(t, err)
	assert.Equal(t, " M theirs.txt", strings.TrimRight(d.repo.Status(), "\n"))
	assert.NotContains(t, d.repo.Git("show", "--stat", "HEAD"), "theirs.txt")
}

func TestReviewGate(t *testing.T) {
	t.Parallel()
	t.Run("red goes into the next round and is not committed", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, say("a.go:1 - x => fixed", write("bad", "")), say("mended", func(d *desk) { d.repo.Remove("bad"); d.repo.Write("a.go", "package b\n") }), say(reviewDone))
		d.command = "test ! -e bad || { echo bad is there; exit 1; }"
		_, err := d.review(phase.ReviewOptions{})
		require.NoError(t, err)
		assert.Contains(t, d.prompts[1].Failure, "bad is there")
		assert.Equal(t, []string{"bad"}, d.prompts[1].Unfinished)
		assert.Equal(t, []string{"fix: address code review findings"}, d.log())
		assert.Empty(t, d.prompts[2].Failure)
	})
	t.Run("a review that ends red is no end", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, say("x", write("bad", "")), say("can't"))
		d.command = "test ! -e bad || { echo bad is there; exit 1; }"
		_, err := d.review(phase.ReviewOptions{})
		var re *phase.ReviewError
		require.ErrorAs(t, err, &re)
		assert.Contains(t, re.Error(), "validation is red")
		assert.Contains(t, re.Detail, "bad is there")
		assert.Empty(t, d.repo.Git("log", "--format=%s", "HEAD~0..HEAD"))
		assert.Equal(t, "?? bad", strings.TrimSpace(d.repo.Status()), "nothing is lost")
	})
	t.Run("report only goes on", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, say("x", write("bad", "")), say(reviewDone))
		d.command, d.site.Validate = "false", phase.ValidateReport
		_, err := d.review(phase.ReviewOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"fix: address code review findings"}, d.log())
	})
}

func TestReviewThatFails(t *testing.T) {
	t.Parallel()
	t.Run("by its own word", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, say("no way\n"+gaveUp, write("a.go", "package b\n")))
		_, err := d.review(phase.ReviewOptions{FirstPass: true})
		var re *phase.ReviewError
		require.ErrorAs(t, err, &re)
		assert.Equal(t, "review failed (FAILED signal received)", re.Reason)
		assert.Contains(t, re.Detail, "no way")
		assert.Equal(t, []string{"fix: address code review findings"}, d.log(), "what it did is kept all the same")
	})
	t.Run("for good", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, func(*desk) (executor.Result, error) {
			return executor.Result{Failure: &executor.Failure{Class: executor.ClassLogin, Message: "not logged in"}}, nil
		})
		_, err := d.review(phase.ReviewOptions{})
		var f *executor.Failure
		require.ErrorAs(t, err, &f)
		assert.Empty(t, d.results())
	})
	t.Run("at once, again and again", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, func(*desk) (executor.Result, error) {
			return executor.Result{Failure: &executor.Failure{Class: executor.ClassCrash, Message: "segfault"}}, nil
		})
		_, err := d.review(phase.ReviewOptions{Max: 9})
		require.ErrorAs(t, err, new(*phase.BreakerError))
		assert.Equal(t, 3, d.ran)
	})
	t.Run("a history that was rewritten", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, say("x", func(d *desk) { d.repo.Git("commit", "--amend", "-qm", "other") }))
		_, err := d.review(phase.ReviewOptions{})
		require.ErrorAs(t, err, new(*phase.SurpriseError))
	})
}

func timesOut(edits ...func(*desk)) act {
	return func(d *desk) (executor.Result, error) {
		for _, edit := range edits {
			edit(d)
		}
		return executor.Result{Cause: executor.ErrSessionTimeout}, nil
	}
}

func TestReviewThatTimesOut(t *testing.T) {
	t.Parallel()
	t.Run("goes on with what the session left", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, timesOut(write("a.go", "package b\n")), say("a.go:1 - x => fixed"), say(reviewDone))
		_, err := d.review(phase.ReviewOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"a.go"}, d.prompts[1].Unfinished)
		assert.Equal(t, []string{"fix: address code review findings"}, d.log())
		assert.Contains(t, d.notes(), "session timed out, retrying review iteration after 0s...")
	})
	t.Run("each time, has found out nothing", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, timesOut())
		_, err := d.review(phase.ReviewOptions{Max: 2})
		require.ErrorAs(t, err, new(*phase.ReviewError))
		assert.NotContains(t, d.notes(), "review complete")
	})
	t.Run("in the first pass, the loop follows", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t, timesOut(), say(reviewDone))
		report, err := d.review(phase.ReviewOptions{FirstPass: true})
		require.NoError(t, err)
		assert.True(t, report.Clean)
		assert.Contains(t, d.notes(), "first review pass did not complete cleanly, continuing...")
	})
}

// broken is a session that somebody ends by the key.
func broken(brk chan struct{}, edits ...func(*desk)) act {
	return func(d *desk) (executor.Result, error) {
		for _, edit := range edits {
			edit(d)
		}
		brk <- struct{}{}
		return executor.Result{}, errWaits
	}
}

func TestBreakEndsAReview(t *testing.T) {
	t.Parallel()
	brk := make(chan struct{}, 1)
	d := newDesk(t, broken(brk, write("a.go", "package b\n")))
	d.deps.SetBreak(brk)
	report, err := d.review(phase.ReviewOptions{FirstPass: true})
	require.NoError(t, err)
	assert.True(t, report.Interrupted)
	assert.False(t, report.Clean)
	assert.Equal(t, []event.RoundResult{event.RoundInterrupted}, d.results())
	assert.Equal(t, []string{"fix: address code review findings"}, d.log(), "what it left was judged and kept")
	assert.NotContains(t, d.notes(), "review complete")

	brk <- struct{}{} // pressed before anything ran
	d = newDesk(t, say(reviewDone))
	d.deps.SetBreak(brk)
	report, err = d.review(phase.ReviewOptions{FirstPass: true})
	require.NoError(t, err)
	assert.False(t, report.Interrupted, "a press that came before the phase is none of it")
	assert.True(t, report.Clean)
}

func TestBreakBetweenTwoRounds(t *testing.T) {
	t.Parallel()
	brk := make(chan struct{}, 1)
	d := newDesk(t, say("x", write("a.go", "package b\n")))
	d.deps.SetBreak(brk)
	d.told = func(fact event.Data) { // the key is pressed while the next round is waited for
		if r, ok := fact.(event.ReviewRound); ok && r.Result == event.RoundAgain {
			brk <- struct{}{}
		}
	}
	report, err := d.review(phase.ReviewOptions{Delay: time.Minute})
	require.NoError(t, err)
	assert.True(t, report.Interrupted)
}

func TestReviewIsToldWhatRulesFind(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.own = []finding.Finding{{File: "a_test.go", Line: 3, Text: "a skip was added", Rule: "test-weakening"}}
	d.reviewer = []act{say("a_test.go:3 - a skip was added => fixed", write("a_test.go", "package a\n"), func(d *desk) { d.own = nil }), say(reviewDone)}
	_, err := d.review(phase.ReviewOptions{})
	require.NoError(t, err)
	assert.Equal(t, "a_test.go:3 - a skip was added\n", d.prompts[0].Own)
	assert.Empty(t, d.prompts[1].Own)
	assert.Contains(t, d.notes(), "test-weakening: a_test.go:3 - a skip was added")
	assert.Equal(t, phase.FindingCount{Found: 1, Fixed: 1}, phase.Count(d.ledger))
}

// A reviewer that passes over what it was put before has not answered it.
func TestReviewThatPassesOverWhatRulesFind(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say(reviewDone))
	d.own = []finding.Finding{{File: "a_test.go", Line: 3, Text: "a skip was added", Rule: "test-weakening"}}
	_, err := d.review(phase.ReviewOptions{})
	require.NoError(t, err)
	assert.Contains(t, d.notes(), "neither mended nor refuted by claude: a_test.go:3 - a skip was added")

	d = newDesk(t, say("a_test.go:3 - a skip was added => refuted: it needs a network\n"+reviewDone))
	d.own = []finding.Finding{{File: "a_test.go", Line: 3, Text: "a skip was added", Rule: "test-weakening"}}
	_, err = d.review(phase.ReviewOptions{})
	require.NoError(t, err)
	assert.NotContains(t, d.notes(), "neither mended nor refuted")
	assert.Equal(t, phase.FindingCount{Found: 1, Refuted: 1}, phase.Count(d.ledger))
}

// A reviewer that could not look, or says so in a form of its own, has not found that all is well.
func TestReviewWithoutAVerdict(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("I may not run git here."))
	report, err := d.review(phase.ReviewOptions{FirstPass: true, ReportOnly: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"what claude said: it names no finding that could be read, and does not say that there is none; the progress log has it"}, report.Look)

	for _, well := range []string{"NO ISSUES FOUND", "<<<RALPHEX:REVIEW_DONE>>>", "a.go:1 - [major] wrong"} {
		report, err = newDesk(t, say(well)).review(phase.ReviewOptions{FirstPass: true, ReportOnly: true})
		require.NoError(t, err)
		assert.Empty(t, report.Look, well)
	}

	d = newDesk(t, say("I may not run git here."))
	report, err = d.review(phase.ReviewOptions{})
	require.NoError(t, err)
	assert.False(t, report.Clean)
	assert.Contains(t, d.notes(), "claude ended without a verdict")
}

func TestReportChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("a.go:1 - [major] wrong name"))
	report, err := d.review(phase.ReviewOptions{FirstPass: true, ReportOnly: true})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Sessions)
	assert.Empty(t, report.Look)
	assert.True(t, d.prompts[0].ReportOnly)
	assert.Equal(t, []string{"a.go:1 open "}, d.dispositions())

	d = newDesk(t, say("a.go:1 - wrong name => fixed", write("a.go", "package b\n")))
	report, err = d.review(phase.ReviewOptions{FirstPass: true, ReportOnly: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"the reviewer was to change nothing, and did: a.go"}, report.Look)
	assert.Equal(t, "M a.go", strings.TrimSpace(d.repo.Status()), "it is told, and neither committed nor undone")
}

func TestReviewGoesOnAtTheRound(t *testing.T) {
	t.Parallel()
	round := func(n int, result event.RoundResult) event.ReviewRound {
		return event.ReviewRound{Stage: event.StageReview, N: n, Result: result, Changed: result == event.RoundAgain}
	}
	tests := []struct {
		name    string
		earlier []event.ReviewRound
		want    []int // rounds that are run
	}{
		{"none before", nil, []int{0}},
		{"behind the first pass", []event.ReviewRound{round(0, event.RoundAgain)}, []int{1}},
		{"behind a first pass that was not clean", []event.ReviewRound{round(0, event.RoundUnchanged)}, []int{1}},
		{"behind a time-out", []event.ReviewRound{round(0, event.RoundAgain), round(1, event.RoundTimeout)}, []int{2}},
		{"at an interrupted one", []event.ReviewRound{round(0, event.RoundAgain), round(1, event.RoundInterrupted)}, []int{1}},
		{"behind the last one", []event.ReviewRound{round(0, event.RoundAgain), round(1, event.RoundUnchanged)}, nil},
		{"behind a clean first pass", []event.ReviewRound{round(0, event.RoundClean)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, say(reviewDone))
			report, err := d.review(phase.ReviewOptions{FirstPass: true}, tt.earlier...)
			require.NoError(t, err)
			var got []int
			for _, p := range d.prompts {
				got = append(got, p.Round)
			}
			assert.Equal(t, tt.want, got)
			assert.Equal(t, len(tt.earlier) > 0 && tt.earlier[0].Changed, report.Changed)
		})
	}
}

// A process that died between a session and its commit left the work uncommitted: the next one judges it first.
func TestReviewJudgesWhatAKilledRoundLeft(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say(reviewDone))
	d.repo.Write("a.go", "package b\n")
	d.command = "true"
	_, err := d.review(phase.ReviewOptions{}, event.ReviewRound{N: 1, Result: event.RoundAgain})
	require.NoError(t, err)
	assert.Equal(t, []string{"fix: address code review findings"}, d.log())

	d = newDesk(t, say("can't"))
	d.repo.Write("bad", "")
	d.command = "echo red; false"
	_, err = d.review(phase.ReviewOptions{}, event.ReviewRound{N: 1, Result: event.RoundAgain, Red: true})
	require.ErrorAs(t, err, new(*phase.ReviewError))
	assert.Contains(t, d.prompts[0].Failure, "red")
}

// A finding that was refuted comes back under the new name of its file: it is the same one.
func TestReviewKnowsFindingsOfRenamedFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, say("a.go:1 - it leaks => refuted: closed in line 9", write("b.go", "package b\n")), say("pkg/a.go:4 - it leaks"))
	d.renamed = [][2]string{{"a.go", "pkg/a.go"}}
	_, err := d.review(phase.ReviewOptions{FirstPass: true})
	require.NoError(t, err)
	require.Len(t, d.ledger.Entries(), 1)
	assert.Equal(t, finding.Refuted, d.ledger.Entries()[0].Disposition)
}
