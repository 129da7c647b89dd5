package iteration

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

const whole = `{"selectedTaskId":"T1","requestedStatus":"done"}`

func fence(s string) string { return "Done.\n\n```json\n" + s + "\n```" }

func child(id string) string {
	return fmt.Sprintf(`{"id":%q,"title":"t","parentId":"T1","rationale":"r","validation":null,"dependsOn":[]}`, id)
}

func TestA48_CompletionReports(t *testing.T) {
	with := func(more string) string { return fence(strings.TrimSuffix(whole, "}") + "," + more + "}") }
	var eleven []string
	for i := range 11 {
		eleven = append(eleven, child(fmt.Sprintf("T1.%d", i)))
	}
	for _, c := range []struct {
		name string
		text string
		want ParseStatus
		err  string
	}{
		{"fenced at the end", fence(whole), ReportParsed, ""},
		{"blanks behind it", fence(whole) + "\n \n", ReportParsed, ""},
		{"fence tag in capitals", strings.Replace(fence(whole), "json", "JSON", 1), ReportParsed, ""},
		{"CRLF", strings.ReplaceAll(fence(whole), "\n", "\r\n"), ReportParsed, ""},
		{"a fence of four", strings.ReplaceAll(fence(whole), "```", "````"), ReportParsed, ""},
		{"the last fence counts", fence(`{"example": true}`) + "\n\n" + fence(whole), ReportParsed, ""},
		{"bare object", "Done. " + whole, ReportParsed, ""},
		{"bare object with braces in strings", `Done. {"selectedTaskId":"T1","requestedStatus":"done","progressNote":"a } b { \" }"}`, ReportParsed, ""},
		{"bare object with objects in it", `x {"selectedTaskId":"T1","requestedStatus":"done","suggestedChildTasks":[` + child("T1.1") + `]}`, ReportParsed, ""},
		{"trailing prose", fence(whole) + "\nThat was it.", ReportMissing, ""},
		{"prose behind a bare object", whole + " that was it", ReportMissing, ""},
		{"another fence at the end", fence(whole) + "\n```sh\nls\n```", ReportMissing, ""},
		{"a fence without a language", "```\n" + whole + "\n```", ReportMissing, ""},
		{"blank", " \n", ReportMissing, ""},
		{"nothing", "", ReportMissing, ""},
		{"no block", "All is done.", ReportMissing, ""},
		{"braces without end", strings.Repeat("{", 100_000) + "}", ReportInvalid, ""},
		{"bad JSON", fence(`{"selectedTaskId":"T1",}`), ReportInvalid, "line 1"},
		{"no object", fence(`["T1"]`), ReportInvalid, ""},
		{"no task", fence(`{"requestedStatus":"done"}`), ReportInvalid, "selectedTaskId"},
		{"a blank task", fence(`{"selectedTaskId":" ","requestedStatus":"done"}`), ReportInvalid, "selectedTaskId"},
		{"another status", fence(`{"selectedTaskId":"T1","requestedStatus":"todo"}`), ReportInvalid, "requestedStatus"},
		{"review that is no boolean", with(`"needsHumanReview":"yes"`), ReportInvalid, "needsHumanReview"},
		{"review null", with(`"needsHumanReview":null`), ReportInvalid, "needsHumanReview"},
		{"children that are no array", with(`"suggestedChildTasks":{}`), ReportInvalid, "array"},
		{"ten children", with(`"suggestedChildTasks":[` + strings.Join(eleven[:10], ",") + `]`), ReportParsed, ""},
		{"eleven children", with(`"suggestedChildTasks":[` + strings.Join(eleven, ",") + `]`), ReportInvalid, "at most 10"},
		{"a child without validation", with(`"suggestedChildTasks":[` + strings.Replace(child("a"), `"validation":null,`, "", 1) + `]`), ReportInvalid, "validation"},
		{"a child without rationale", with(`"suggestedChildTasks":[` + strings.Replace(child("a"), `"rationale":"r",`, "", 1) + `]`), ReportInvalid, "rationale"},
		{"a child without dependencies", with(`"suggestedChildTasks":[` + strings.Replace(child("a"), `,"dependsOn":[]`, "", 1) + `]`), ReportInvalid, "dependsOn"},
		{"a child with an alias", with(`"suggestedChildTasks":[` + strings.Replace(child("a"), `"dependsOn":[]`, `"depends_on":[{"taskId":"T1","reason":"blocks_sequence"}]`, 1) + `]`), ReportParsed, ""},
		{"a child with an unknown reason", with(`"suggestedChildTasks":[` + strings.Replace(child("a"), `"dependsOn":[]`, `"dependsOn":[{"taskId":"T1","reason":"why"}]`, 1) + `]`), ReportInvalid, "reason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := ParseReport(c.text)
			require.Equal(t, c.want, p.Status, "%v", p.Err)
			assert.Equal(t, c.want == ReportParsed, p.Report != nil)
			if c.want == ReportInvalid {
				assert.ErrorContains(t, p.Err, c.err)
				assert.NotEmpty(t, p.Raw)
			}
		})
	}
}

func TestA48_Fields(t *testing.T) {
	action := func(change string) string {
		a := `{"taskId":"T2","agentId":"a","action":"resolve_stale_claim","severity":"HIGH","reason":"r","evidence":"e","trailingNoProgressCount":2,"trailingRepeatedFailureCount":0}`
		from, to, _ := strings.Cut(change, "=>")
		return strings.Replace(a, from, to, 1)
	}
	p := ParseReport(fence(`{"selectedTaskId":" T1 ","requestedStatus":"blocked","progressNote":"- a\n  b\t c ","blocker":7,"validationRan":"  ","proposedPlan":"` + strings.Repeat("p", 5000) +
		`","reviewNotes":"* ` + strings.Repeat("n", 500) + `","needsHumanReview":false,"reviewOutcome":"maybe","watchdog_actions":[` +
		strings.Join([]string{action("=>"), action(`"HIGH"=>"LOW"`), action(`:2=>:-1`), action(`:2=>:1.5`), action(`"e"=>" "`), `"no"`, action(`resolve_stale_claim=>delete`)}, ",") + `]}`))
	require.NoError(t, p.Err)
	r := p.Report
	assert.Equal(t, "T1", r.TaskID)
	assert.Equal(t, "a b c", r.ProgressNote)
	assert.Empty(t, r.Blocker)
	assert.Empty(t, r.ValidationRan)
	assert.Len(t, r.ProposedPlan, 4000)
	assert.Len(t, r.ReviewNotes, 400)
	assert.Empty(t, r.ReviewOutcome)
	require.NotNil(t, r.NeedsHumanReview)
	assert.False(t, *r.NeedsHumanReview)
	require.Len(t, r.Watchdog, 1, "bad elements are dropped")
	assert.Equal(t, 2, r.Watchdog[0].NoProgress)
	assert.Nil(t, ParseReport(fence(`{"selectedTaskId":"T1","requestedStatus":"done","watchdog_actions":{}}`)).Report.Watchdog)
	written := stable.Compact(r.Stable())
	again, err := readReport(string(written))
	require.NoError(t, err)
	assert.Equal(t, r, again, "what is written reads as what was read")
}

func FuzzParseReport(f *testing.F) {
	for _, s := range []string{fence(whole), whole, "{{}", "```json\n```", "```json\n{}\n```", `{"a":"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := ParseReport(s)
		assert.Equal(t, p.Status == ReportParsed, p.Report != nil)
		if p.Report == nil {
			return
		}
		assert.NotContains(t, p.Report.ProgressNote, "\n")
		assert.Contains(t, s, strings.TrimSpace(strings.Split(p.Raw, "\n")[0]))
	})
}

func TestRemediationRecord(t *testing.T) {
	h := entries(NoProgress, NoProgress)
	h[1].NoProgressSignals, h[1].Summary = []string{SameTaskAgain, NoRelevantChanges}, "s"
	r := BuildRemediation(RepeatedNoProgress, &task.Task{ID: "T1", Title: "Write the parser and test it"}, h, "go test")
	require.NotNil(t, r)
	o := r.Record(Place{"run-i002-cli-x", 2, "/w/iteration-002", "/w/iteration-002/iteration-result.json"}, time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC))
	assert.Equal(t, []string{"schemaVersion", "kind", "provenanceId", "iteration", "selectedTaskId", "selectedTaskTitle", "trigger", "attemptCount", "action",
		"humanReviewRecommended", "summary", "rationale", "proposedAction", "evidence", "triggeringHistory", "suggestedChildTasks", "artifactDir",
		"iterationResultPath", "createdAt"}, o.Keys())
	data := stable.Marshal(o)
	assert.True(t, json.Valid(data))
	p, err := ReadProposal(data)
	require.NoError(t, err)
	assert.Equal(t, task.DecomposeTask, p.Action)
	assert.Equal(t, r.Children, p.Children)
	assert.Equal(t, "T1", p.TaskID)
	assert.Equal(t, []string{"trigger", "taskId", "attemptCount", "action", "humanReviewRecommended", "summary", "evidence"}, r.Brief().Keys())

	_, err = ReadProposal([]byte(`{"kind":"other"}`))
	require.ErrorContains(t, err, "taskRemediation")
	_, err = ReadProposal([]byte(`{`))
	require.Error(t, err)
}

func TestHandoff(t *testing.T) {
	l := workspace(t)
	it := state.Iteration{AgentID: "a", Number: 7, TaskID: "T1", TaskTitle: "Parser", Classification: "partial_progress", StopReason: "iteration_cap_reached",
		Backlog: state.Backlog{RemainingTaskCount: 2, ActionableTaskAvailable: true}}
	for _, stop := range []StopReason{"", ExecutionFailed, RepeatedNoProgress, ClaimContested, Cancelled, GateBlocked} {
		none := it
		none.StopReason = string(stop)
		assert.Nil(t, NewHandoff(none, "", ""), stop)
	}
	for _, stop := range handoffStops {
		some := it
		some.StopReason = string(stop)
		assert.NotNil(t, NewHandoff(some, "", ""), stop)
	}
	assert.Nil(t, ReadHandoff(l, "a", 9))
	for _, n := range []int{7, 999, 1000} {
		it.Number = n
		_, err := WriteHandoff(l, "a", n, NewHandoff(it, "half of it", "waits for a key"))
		require.NoError(t, err)
	}
	note := ReadHandoff(l, "a", 1001)
	require.NotNil(t, note)
	assert.JSONEq(t, `{"agentId":"a","iteration":1000,"selectedTaskId":"T1","selectedTaskTitle":"Parser","stopReason":"iteration_cap_reached",
		"completionClassification":"partial_progress","humanSummary":"T1 (Parser) ended as partial_progress. The loop stopped with iteration_cap_reached; 2 tasks are left.",
		"pendingBlocker":"waits for a key","validationFailureSignature":null,"remainingTaskCount":2}`, string(stable.Compact(note)))
	n, _ := ReadHandoff(l, "a", 1000).Get("iteration")
	assert.InDelta(t, 999, n, 0)
	assert.Nil(t, ReadHandoff(l, "a", 7), "only notes of earlier iterations")
	assert.Nil(t, ReadHandoff(l, "b", 9))
}
