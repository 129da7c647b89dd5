package iteration

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/task"
)

func workspace(t *testing.T) layout.Layout {
	t.Helper()
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(l.Ralph, 0o750))
	return l
}

func yes() *bool { b := true; return &b }

// Each reason for a rejection, and each way to pass. terms is a task in progress with a green validation.
func TestA49_Judgements(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Report, *Terms)
		want   ReportStatus
		reason string
		stop   StopReason
		review bool
		says   string // in a warning; "" = there is none
	}{
		{"done and green", func(r *Report, _ *Terms) {}, Applied, "", "", false, ""},
		{"a heartbeat may always come", func(r *Report, t *Terms) { r.Requested, t.Role, t.Validation = task.InProgress, "scm", task.Failed }, Applied, "", "", false, ""},
		{"no task was selected", func(_ *Report, t *Terms) { t.Task = nil }, Missing, "", "", false, ""},
		{"replenishing", func(_ *Report, t *Terms) { t.Kind = Replenish }, Missing, "", "", false, ""},
		{"another task", func(r *Report, _ *Terms) { r.TaskID = "T2" }, Rejected, TaskIDMismatch, "", false, "T1 was selected"},
		{"a planner can't finish", func(_ *Report, t *Terms) { t.Role = "planner" }, Rejected, PolicyViolated, PolicyViolation, true, "role planner may not change a task in_progress→done"},
		{"a reviewer can't finish", func(_ *Report, t *Terms) { t.Role = "reviewer" }, Rejected, PolicyViolated, PolicyViolation, true, "in_progress→done"},
		{"an unknown role can't", func(_ *Report, t *Terms) { t.Role = "x" }, Rejected, PolicyViolated, PolicyViolation, true, "in_progress→done"},
		{"todo counts as in progress", func(_ *Report, t *Terms) { t.Task.Status = task.Todo }, Applied, "", "", false, ""},
		{"a blocked task can't become done at once", func(_ *Report, t *Terms) { t.Task.Status = task.Blocked }, Rejected, PolicyViolated, PolicyViolation, true, "blocked→done"},
		{"a watchdog can't propose tasks", func(r *Report, t *Terms) {
			r.Requested, t.Role, r.Children = task.InProgress, "watchdog", []task.SuggestedChild{{}}
		}, Rejected, PolicyViolated, PolicyViolation, true, "may not propose"},
		{"a planner can", func(r *Report, t *Terms) {
			r.Requested, t.Role, r.Children = task.InProgress, "planner", []task.SuggestedChild{{}}
		}, Applied, "", "", false, ""},
		{"red", func(_ *Report, t *Terms) { t.Validation, t.Preliminary = task.Failed, task.Failed }, Rejected, VerificationFailed, "", false, "`go test` failed"},
		{"changed files don't make up for a validation that did not run", func(_ *Report, t *Terms) { t.Validation = task.Skipped }, Rejected, VerificationFailed, "", false, "did not run"},
		{"documentation needs none", func(_ *Report, t *Terms) {
			t.Validation, t.Preliminary, t.Task.Mode = task.Skipped, task.Skipped, task.Documentation
		}, Applied, "", "", false, ""},
		{"no command: files are enough", func(r *Report, t *Terms) { t.Command, t.Validation, r.ValidationRan = "", task.Skipped, "" }, Applied, "", "", false, ""},
		{"no command and no file", func(_ *Report, t *Terms) { t.Command, t.Validation, t.Preliminary = "", task.Skipped, task.Failed }, Rejected, VerificationFailed, "", false, "nothing verified it"},
		{"its verifier is off: files are enough", func(_ *Report, t *Terms) { t.CommandOn, t.Validation = false, task.Skipped }, Applied, "", "", false, ""},
		{"only the state is looked at", func(_ *Report, t *Terms) {
			t.CommandOn, t.StateOnly, t.Validation, t.Preliminary = false, true, task.Skipped, task.Skipped
		}, Applied, "", "", false, ""},
		{"done, and a person has to look", func(r *Report, _ *Terms) { r.NeedsHumanReview = yes() }, Rejected, ReviewWithDone, "", true, "a person has to look"},
		{"a contract for another task, and done", func(_ *Report, t *Terms) { t.ContractTask = "T2" }, Rejected, ReviewWithDone, "", true, "contract is about T2"},
		{"a contract for another task", func(r *Report, t *Terms) { t.ContractTask, r.Requested = "T2", task.Blocked }, Applied, "", "", true, "contract is about T2"},
		{"blocked over complete", func(r *Report, t *Terms) { r.Requested, t.Class = task.Blocked, Complete }, Rejected, BlockedOverComplete, "", false, "says that it is complete"},
		{"blocked", func(r *Report, _ *Terms) { r.Requested = task.Blocked }, Applied, "", "", false, ""},
		{"done without a word of the validation", func(r *Report, _ *Terms) { r.ValidationRan = "" }, Applied, "", "", false, "does not say that `go test` was run"},
		{"the plan wanted more", func(_ *Report, t *Terms) { t.PlannedCommand = "go test -race" }, Applied, "", "", false, "planner_suggested_stronger_validation_not_used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Report{TaskID: "T1", Requested: task.Done, ValidationRan: "go test"}
			terms := Terms{Task: &task.Task{ID: "T1", Status: task.InProgress}, Kind: Normal, Role: "build", Command: "go test", CommandOn: true,
				Validation: task.Passed, Preliminary: task.Passed, Class: PartialProgress}
			c.change(r, &terms)
			j := Judge(Parsed{Status: ReportParsed, Report: r}, terms)
			assert.Equal(t, c.want, j.Status, "%v", j.Warnings)
			assert.Equal(t, c.reason, j.Reason)
			assert.Equal(t, c.stop, j.Stop)
			assert.Equal(t, c.review, j.NeedsHumanReview)
			if c.says == "" {
				assert.Empty(t, j.Warnings)
			} else if assert.NotEmpty(t, j.Warnings) {
				assert.Contains(t, j.Warnings[0], c.says)
			}
		})
	}
	terms := Terms{Task: &task.Task{ID: "T1"}, Kind: Normal, Role: "build"}
	assert.Equal(t, Missing, Judge(ParseReport(""), terms).Status)
	assert.Len(t, Judge(ParseReport(""), terms).Warnings, 1)
	assert.Equal(t, Invalid, Judge(ParseReport(fence("{")), terms).Status)
}

const graph = `{
  "version": 2,
  "tasks": [
    {"id": "P", "title": "Parent", "status": "in_progress"},
    {"id": "T1", "title": "One", "status": "in_progress", "parentId": "P", "notes": "old", "blocker": "was in the way"},
    {"id": "T2", "title": "Two", "status": "in_progress"},
    {"id": "T2.1", "title": "Part", "status": "todo", "parentId": "T2"},
    {"id": "T3", "title": "Three", "status": "in_progress", "dependsOn": ["T2.1"]}
  ]
}
`

func ledger(t *testing.T, held string) (Ledger, layout.Layout) {
	t.Helper()
	l := workspace(t)
	require.NoError(t, os.WriteFile(l.Tasks, []byte(graph), 0o600))
	require.NoError(t, os.WriteFile(l.Progress, []byte("# Progress\n\n- began  \n\n"), 0o600))
	claims := claim.New(l.Claims, time.Hour)
	_, err := claims.Acquire(t.Context(), claim.Request{TaskID: held, AgentID: "a", ProvenanceID: "run-i001-cli-x"})
	require.NoError(t, err)
	return Ledger{Tasks: task.At(l.Tasks), Claims: claims, Progress: l.Progress, AgentID: "a", ProvenanceID: "run-i001-cli-x"}, l
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func applied(r *Report) Judgement { return Judgement{Status: Applied, Report: r, Warnings: []string{}} }

func TestA50_AnAppliedReport(t *testing.T) {
	g, l := ledger(t, "T1")
	j := applied(&Report{TaskID: "T1", Requested: task.Done, ProgressNote: "parsed"})
	j.Warnings = []string{"first", "a Conflict of sorts"}
	j, c, err := g.Apply(t.Context(), j, task.Passed, "go test")
	require.NoError(t, err)
	assert.Equal(t, Applied, j.Status)
	t1, err := c.File.Get("T1")
	require.NoError(t, err)
	assert.Equal(t, task.Done, t1.Status)
	assert.Equal(t, "parsed", t1.Notes)
	assert.Equal(t, "was in the way", t1.Blocker)
	assert.Equal(t, "go test", t1.Validation)
	assert.Equal(t, task.Passed, t1.LastVerifierResult)
	assert.Equal(t, "a Conflict of sorts", t1.LastReconciliationWarning)
	p, err := c.File.Get("P")
	require.NoError(t, err)
	assert.Equal(t, task.Done, p.Status, "ancestors for which nothing is left are done with it")
	require.NotNil(t, c.File.MutationCount)
	assert.Equal(t, int64(1), *c.File.MutationCount)
	assert.Equal(t, "# Progress\n\n- began\n- parsed\n", read(t, l.Progress))
	assert.NoFileExists(t, l.TasksLock())
}

func TestA50_Blocked(t *testing.T) {
	g, l := ledger(t, "T2")
	_, c, err := g.Apply(t.Context(), applied(&Report{TaskID: "T2", Requested: task.Blocked, Blocker: "no key"}), task.Failed, "")
	require.NoError(t, err)
	t2, err := c.File.Get("T2")
	require.NoError(t, err)
	assert.Equal(t, task.Blocked, t2.Status)
	assert.Equal(t, "no key", t2.Blocker)
	assert.Equal(t, "# Progress\n\n- began  \n\n", read(t, l.Progress), "without a note the progress file stays")
}

// TestA50_TheBlockerStays: what was in the way is still to be read when the task is done, also where the task was blocked until then.
func TestA50_TheBlockerStays(t *testing.T) {
	g, _ := ledger(t, "T1")
	_, err := g.Tasks.Block(t.Context(), "T1", "no key")
	require.NoError(t, err)
	_, c, err := g.Apply(t.Context(), applied(&Report{TaskID: "T1", Requested: task.Done}), task.Passed, "")
	require.NoError(t, err)
	t1, err := c.File.Get("T1")
	require.NoError(t, err)
	assert.Equal(t, task.Done, t1.Status)
	assert.Equal(t, "no key", t1.Blocker)
	assert.Equal(t, "old", t1.Notes, "a report without a note leaves the notes")
}

func TestA49_DoneAboveOrBehindOpenWorkIsRejected(t *testing.T) {
	for id, reason := range map[string]string{"T2": IncompleteDescendants, "T3": IncompleteDependencies} {
		g, l := ledger(t, id)
		j, _, err := g.Apply(t.Context(), applied(&Report{TaskID: id, Requested: task.Done, ProgressNote: "done"}), task.Passed, "")
		require.NoError(t, err)
		assert.Equal(t, Rejected, j.Status)
		assert.Equal(t, reason, j.Reason)
		assert.Contains(t, j.Warnings[0], "T2.1")
		assert.Equal(t, graph, read(t, l.Tasks))
		assert.Equal(t, "# Progress\n\n- began  \n\n", read(t, l.Progress))
	}
}

func TestA51_ALostClaimWritesNothing(t *testing.T) {
	for name, take := range map[string]func(*Ledger){
		"released":           func(g *Ledger) { _, _ = g.Claims.Release(t.Context(), "T1", "a") },
		"of another agent":   func(g *Ledger) { g.AgentID = "b" },
		"of another process": func(g *Ledger) { g.ProvenanceID = "run-i002-cli-y" },
	} {
		t.Run(name, func(t *testing.T) {
			g, l := ledger(t, "T1")
			take(&g)
			j, _, err := g.Apply(t.Context(), applied(&Report{TaskID: "T1", Requested: task.Done, ProgressNote: "done"}), task.Passed, "")
			require.NoError(t, err)
			assert.Equal(t, Rejected, j.Status)
			assert.Equal(t, ClaimContested, j.Stop)
			assert.Equal(t, Contested, j.Reason)
			assert.Equal(t, graph, read(t, l.Tasks))
			assert.Equal(t, "# Progress\n\n- began  \n\n", read(t, l.Progress))
		})
	}
}

func TestApplyOfWhatWasRejectedTouchesNothing(t *testing.T) {
	j, c, err := Ledger{}.Apply(t.Context(), Judgement{Status: Rejected, Reason: "x"}, task.Passed, "")
	require.NoError(t, err)
	assert.Nil(t, c)
	assert.Equal(t, "x", j.Reason)
}

func TestAReportDoesNotUndoWhatAPersonDid(t *testing.T) {
	g, _ := ledger(t, "T1")
	_, err := g.Tasks.Done(t.Context(), "T1")
	require.NoError(t, err)
	_, c, err := g.Apply(t.Context(), applied(&Report{TaskID: "T1", Requested: task.Blocked, Blocker: "x"}), task.Passed, "")
	require.NoError(t, err)
	t1, err := c.File.Get("T1")
	require.NoError(t, err)
	assert.Equal(t, task.Done, t1.Status)
}

func TestANoteThatCanNotBeKeptIsInAWarning(t *testing.T) {
	g, l := ledger(t, "T1")
	require.NoError(t, os.Remove(l.Progress))
	require.NoError(t, os.Mkdir(l.Progress, 0o750))
	j, c, err := g.Apply(t.Context(), applied(&Report{TaskID: "T1", Requested: task.Done, ProgressNote: "parsed"}), task.Passed, "")
	require.NoError(t, err)
	assert.Equal(t, Applied, j.Status)
	require.Len(t, j.Warnings, 1)
	assert.Contains(t, j.Warnings[0], "parsed")
	require.NotNil(t, c)
}

// TestDoubt: what the graph says behind a session is a claim as any other.
func TestDoubt(t *testing.T) {
	at := func(s task.Status, validation string) *task.Task {
		return &task.Task{ID: "T1", Status: s, Validation: validation}
	}
	for _, c := range []struct {
		name   string
		change func(*Terms)
		now    *task.Task
		says   string // "" = there is no doubt
	}{
		{"as it was", func(*Terms) {}, at(task.InProgress, "go test"), ""},
		{"done, and green", func(*Terms) {}, at(task.Done, "go test"), ""},
		{"done, and red", func(t *Terms) { t.Validation, t.Preliminary = task.Failed, task.Failed }, at(task.Done, "go test"), "its validation `go test` failed"},
		{"done, and not validated", func(t *Terms) { t.Validation = task.Skipped }, at(task.Done, "go test"), "did not run"},
		{"done without a command, files changed", func(t *Terms) { t.Command, t.Task.Validation = "", "" }, at(task.Done, ""), ""},
		{"done without a command, nothing changed", func(t *Terms) { t.Command, t.Task.Validation, t.Preliminary = "", "", task.Failed }, at(task.Done, ""), "nothing verified it"},
		{"done when it was selected", func(t *Terms) { t.Task.Status, t.Validation = task.Done, task.Failed }, at(task.Done, "go test"), ""},
		{"blocked", func(t *Terms) { t.Validation = task.Failed }, at(task.Blocked, "go test"), ""},
		{"without its validation", func(*Terms) {}, at(task.InProgress, ""), "was `go test` when the session began, and is `` now"},
		{"with an easier validation", func(*Terms) {}, at(task.Done, "true"), "is `true` now"},
		{"gone", func(t *Terms) { t.Validation = task.Failed }, nil, ""},
		{"no task", func(t *Terms) { t.Task = nil }, at(task.Done, ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			terms := Terms{Task: at(task.InProgress, "go test"), Role: "build", Command: "go test", CommandOn: true, Validation: task.Passed, Preliminary: task.Passed}
			c.change(&terms)
			j := Judgement{Status: Missing, Warnings: []string{"before"}}.Doubt(terms, c.now)
			assert.Equal(t, Missing, j.Status, "what becomes of the report is another matter")
			assert.Equal(t, c.says != "", j.NeedsHumanReview)
			if c.says == "" {
				assert.Empty(t, j.Stop)
				assert.Len(t, j.Warnings, 1)
				return
			}
			assert.Equal(t, HumanReviewNeeded, j.Stop)
			assert.Contains(t, j.Warnings[1], c.says)
		})
	}
}
