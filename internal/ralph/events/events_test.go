package events

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/stable"
	"ralphex/pkg/event"
)

const id = "run-i007-cli-20260317T120000Z"

func ptr[T any](v T) *T { return &v }

var noon = time.Date(2026, 3, 17, 12, 0, 0, 123_456_789, time.UTC)

func TestA67SeqGoesOnAfterReopen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", id)
	w, err := Open(dir, id)
	require.NoError(t, err)
	require.NoError(t, w.AppendAt(noon, RunStarted{Mode: "loop", BacklogRemaining: ptr(0)}, TaskSelected{TaskID: "T1", Title: "<a> & b\u2028"}))
	require.NoError(t, w.Append())
	require.NoError(t, w.Close())
	path := filepath.Join(dir, FileName)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	assert.Equal(t, `{"type":"run_started","mode":"loop","backlogRemaining":0,"schemaVersion":1,"runId":"`+id+`","seq":1,"timestamp":"2026-03-17T12:00:00.123Z"}`, lines[0])
	assert.Equal(t, `{"type":"task_selected","taskId":"T1","title":"<a> & b`+"\u2028"+`","schemaVersion":1,"runId":"`+id+`","seq":2,"timestamp":"2026-03-17T12:00:00.123Z"}`, lines[1])
	assert.Contains(t, lines[2], `{"type":"run_completed","stopReason":null,"schemaVersion":1`, "a run is always completed")

	// A killed writer's torn line is no event, and is cut off; unknown types count for the numbers.
	torn := string(text) + `{"type":"from_the_future","seq":10,"runId":"x","timestamp":"y"}` + "\n\n" + `{"type":"run_sta`
	require.NoError(t, os.WriteFile(path, []byte(torn), 0o600))
	all, err := Read(path)
	require.NoError(t, err)
	require.Len(t, all, 3)
	w, err = Open(dir, id)
	require.NoError(t, err)
	require.NoError(t, w.Append(RunStarted{}, RunCompleted{StopReason: "done"}))
	require.NoError(t, w.Close())
	all, err = Read(path)
	require.NoError(t, err)
	require.Len(t, all, 5, "completed is completed: Close adds nothing")
	assert.Equal(t, []int{1, 2, 3, 11, 12}, []int{all[0].Seq, all[1].Seq, all[2].Seq, all[3].Seq, all[4].Seq})
	assert.Equal(t, RunCompleted{StopReason: "done"}, all[4].Body)
	at, ok := all[0].Time()
	assert.True(t, ok)
	assert.Equal(t, noon.Truncate(time.Millisecond), at.UTC())
}

// The sum is of what writers meant to be there: what somebody else made of it is seen by it, also when a writer goes on.
func TestTheSumIsOfWhatWasWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), id)
	path := filepath.Join(dir, FileName)
	write := func(before func()) (isSum bool) {
		t.Helper()
		w, err := Open(dir, id)
		require.NoError(t, err)
		require.NoError(t, w.AppendAt(noon, RunStarted{Mode: "loop"}))
		before()
		require.NoError(t, w.AppendAt(noon, TaskSelected{TaskID: "T1"}))
		require.NoError(t, w.Close())
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		sum, err := os.ReadFile(filepath.Join(dir, SumName))
		require.NoError(t, err)
		return string(sum) == fmt.Sprintf("%x  events.jsonl\n", sha256.Sum256(text))
	}
	assert.True(t, write(func() {}))
	assert.True(t, write(func() {}), "and of what a later process adds")

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(string(text)+`{"type":"run_st`), 0o600))
	assert.True(t, write(func() {}), "a torn line was never written")

	require.NoError(t, os.WriteFile(path, bytes.Replace(text, []byte("T1"), []byte("T2"), 1), 0o600))
	assert.False(t, write(func() {}), "changed between two processes")

	dir = filepath.Join(t.TempDir(), id)
	path = filepath.Join(dir, FileName)
	assert.False(t, write(func() {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, bytes.ToUpper(text), 0o600))
	}), "changed under the process")

	dir = filepath.Join(t.TempDir(), id)
	w, err := Open(dir, id)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, w.Close(), "retention may have taken the bundle")
	assert.NoDirExists(t, dir)
}

func TestA67MalformedLineIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	none, err := Read(path)
	require.NoError(t, err)
	assert.Empty(t, none, "a missing file is an empty journal")
	good := `{"type":"run_started","seq":1,"runId":"r","timestamp":"t"}` + "\n"
	for bad, want := range map[string]string{
		"nonsense":                         "line 1, column 1: expected a value",
		"[]":                               "expected an object, found an array",
		`{"seq":2}`:                        `"type" has to be a string`,
		`{"type":"run_started"}`:           `"seq" has to be a whole number from 1 on`,
		`{"type":"run_started","seq":0}`:   `"seq" has to be a whole number`,
		`{"type":"task_selected","seq":2}`: `task_selected needs "taskId", a string`,
		`{"Type":"run_started","seq":2}`:   `"type" has to be a string`,
		`{"type":"run_started","seq":1.5}`: `"seq" has to be`,
		`{"type":"remediation_applied","seq":2,"action":"a"}`: `needs "applied", a bool`,
	} {
		require.NoError(t, os.WriteFile(path, []byte(good+"\n"+bad+"\n"+good), 0o600))
		_, err := Read(path)
		var line *LineError
		require.ErrorAs(t, err, &line, bad)
		assert.Equal(t, 3, line.Line)
		assert.ErrorContains(t, err, want)

		w, err := Open(filepath.Dir(path), id)
		require.NoError(t, err, "a run is recorded all the same")
		require.NoError(t, w.Close())
	}
	require.NoError(t, os.WriteFile(path, []byte(`{"type":"run_completed","seq":2}`+"\n"+strings.TrimSuffix(good, "\n")), 0o600))
	all, err := Read(path)
	require.NoError(t, err)
	require.Len(t, all, 2, "a whole last line counts without its newline")
	assert.Equal(t, RunStarted{}, all[0].Body, "sorted by seq")
}

// Every type comes back as it was written, with all fields and with none that may be left out.
func TestRoundTripOfEachType(t *testing.T) {
	for _, b := range bodies {
		full := reflect.New(reflect.TypeOf(b)).Elem()
		for i := range full.NumField() {
			switch f := full.Field(i); f.Interface().(type) {
			case string:
				f.SetString("x")
			case bool:
				f.SetBool(true)
			case *bool:
				f.Set(reflect.ValueOf(ptr(false)))
			case *int:
				f.Set(reflect.ValueOf(ptr(0)))
			case []string:
				f.Set(reflect.ValueOf([]string{"a", "b"}))
			}
		}
		for _, body := range []Body{b, full.Interface().(Body)} {
			e := Event{RunID: id, Seq: 3, Timestamp: "t", Body: body}
			again, err := decode(e.line())
			require.NoError(t, err)
			assert.Equal(t, e, again)
		}
	}
	e, err := decode([]byte(`{"type":"task_selected","taskId":"T","title":7,"iteration":"x","extra":[],"seq":1}`))
	require.NoError(t, err)
	assert.Equal(t, TaskSelected{TaskID: "T"}, e.Body, "what may be missing may be wrong")
}

func TestConcurrentAppends(t *testing.T) {
	dir := t.TempDir()
	w, err := Open(dir, id)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				assert.NoError(t, w.Append(SCMAction{Action: "a", Status: "succeeded"}, RecoveryApplied{Action: "b"}))
			}
		})
	}
	wg.Wait()
	require.NoError(t, w.Close())
	all, err := Read(filepath.Join(dir, FileName))
	require.NoError(t, err)
	require.Len(t, all, 400)
	for i, e := range all {
		require.Equal(t, i+1, e.Seq)
	}
}

// facts is a run as the bus tells it.
func facts(root string) []event.Event {
	data := []struct {
		task int
		d    event.Data
	}{
		{0, event.RunStart{Mode: "full", Tasks: 2, Done: []string{"1"}}},
		{0, event.Branch{Name: "f", Created: true}},
		{0, event.PhaseStart{Name: event.PhaseTask}},
		{2, event.TaskStart{ID: "2", Title: "second", Attempt: 1}},
		{2, event.SessionStart{N: 1, Executor: "x"}},
		{2, event.Output{Text: "words"}},
		{2, event.Claimed{Signal: "ALL_TASKS_DONE"}},
		{2, event.Claimed{Signal: "REVIEW_DONE"}},
		{2, event.SessionEnd{N: 1, Exit: "exit 0", Transcript: filepath.Join(root, ".ralph", "runs", "t.md")}},
		{2, event.GateStart{Commands: 1}},
		{2, event.GateCommand{Command: "make", OutputFile: filepath.Join(root, "..", "elsewhere")}},
		{2, event.GateEnd{Commands: 1}},
		{2, event.TaskStart{ID: "2", Title: "second", Attempt: 2}},
		{2, event.SessionStart{N: 2, Executor: "x"}},
		{2, event.SessionEnd{N: 2, Exit: "signal: killed", Cause: "idle"}},
		{2, event.GateEnd{Commands: 1, Green: true}},
		{2, event.Commit{Rev: "r", By: "agent"}},
		{2, event.Commit{Rev: "s", By: "ralphex"}},
		{2, event.TaskEnd{ID: "2", Outcome: event.Done}},
		{0, event.Survivor{PID: 1, Action: "killed"}},
		{0, event.PhaseEnd{Name: event.PhaseTask}},
		{0, event.PhaseEnd{Name: event.PhaseReview, Skipped: "not in this build"}},
		{0, event.Archived{From: "docs/plans/p.md", To: "docs/plans/completed/p.md"}},
		{0, event.Note{Text: "hello"}},
		{0, event.RunEnd{Outcome: event.Done}},
	}
	all := make([]event.Event, len(data))
	for i, d := range data {
		all[i] = event.Event{Seq: int64(i + 1), Time: noon, Task: d.task, Data: d.d}
	}
	return all
}

func TestMapper(t *testing.T) {
	root := t.TempDir()
	want := []Body{
		RunStarted{Mode: "full", BacklogRemaining: ptr(1)},
		SCMAction{Action: "create_branch", Status: "succeeded"},
		TaskSelected{TaskID: "P.2", Title: "second", Iteration: ptr(1)},
		TaskStateChanged{TaskID: "P.2", From: "todo", To: "in_progress"},
		ProviderInvoked{TaskID: "P.2", Provider: "x", Iteration: ptr(1)},
		CompletionReportParsed{TaskID: "P.2", RequestedStatus: "done", Parsed: true},
		ProviderCompleted{TaskID: "P.2", Provider: "x", Iteration: ptr(1), Status: "succeeded"},
		ArtifactWritten{ArtifactType: "transcript", RelativePath: ".ralph/runs/t.md", Iteration: ptr(1)},
		VerifierResult{TaskID: "P.2", Verifier: "validationCommand", Status: "failed"},
		TaskSelected{TaskID: "P.2", Title: "second", Iteration: ptr(2)},
		ProviderInvoked{TaskID: "P.2", Provider: "x", Iteration: ptr(2)},
		ProviderCompleted{TaskID: "P.2", Provider: "x", Iteration: ptr(2), Status: "failed"},
		VerifierResult{TaskID: "P.2", Verifier: "validationCommand", Status: "passed"},
		SCMAction{TaskID: "P.2", Action: "agent_commit", Status: "succeeded"},
		SCMAction{TaskID: "P.2", Action: "commit", Status: "succeeded"},
		TaskStateChanged{TaskID: "P.2", From: "in_progress", To: "done"},
		RecoveryApplied{Action: "survivor_killed", Severity: "warning"},
		WorkflowPhaseCompleted{Phase: "task", Status: "succeeded"},
		WorkflowPhaseCompleted{Phase: "review", Status: "skipped"},
		ArtifactWritten{ArtifactType: "archived-plan", RelativePath: "docs/plans/completed/p.md"},
		RunCompleted{StopReason: "done", Iterations: ptr(2), BacklogRemaining: ptr(0)},
	}
	projected := Project(NewMapper(root, func(_ int, id string) string { return "P." + id }), id, facts(root))
	var got []Body
	for _, e := range projected {
		got = append(got, e.Body)
	}
	assert.Equal(t, want, got)

	// The sink of a bus writes the same journal that can be made from the run's own one.
	dir := t.TempDir()
	w, err := Open(dir, id)
	require.NoError(t, err)
	sink := Sink(NewMapper(root, func(_ int, id string) string { return "P." + id }), w)
	for _, e := range facts(root) {
		require.NoError(t, sink.Handle(e))
	}
	require.NoError(t, w.Close())
	written, err := Read(filepath.Join(dir, FileName))
	require.NoError(t, err)
	assert.Equal(t, projected, written)
}

// Numbers that the store gave out stand in the journal; a start that is told once more opens no second run.
func TestMapperTellsTheStoresNumbers(t *testing.T) {
	var facts []event.Event
	for _, d := range []event.Data{
		event.RunStart{Mode: "full", Tasks: 1}, event.RunStart{Mode: "full", Tasks: 1, Provenance: id},
		event.TaskStart{ID: "1", Title: "one", Attempt: 2, Iteration: 41},
		event.SessionStart{N: 1, Executor: "x"}, event.SessionEnd{N: 1, Exit: "exit 0"},
		event.SessionStart{N: 2, Executor: "x"}, event.SessionEnd{N: 2, Exit: "exit 0", Transcript: "t.md"},
	} {
		facts = append(facts, event.Event{Time: noon, Task: 1, Data: d})
	}
	var got []Body
	for _, e := range Project(NewMapper(t.TempDir(), nil), id, facts) {
		got = append(got, e.Body)
	}
	n := ptr(41)
	assert.Equal(t, []Body{
		RunStarted{Mode: "full", BacklogRemaining: ptr(1)},
		TaskSelected{TaskID: "1", Title: "one", Iteration: n},
		ProviderInvoked{TaskID: "1", Provider: "x", Iteration: n}, ProviderCompleted{TaskID: "1", Provider: "x", Iteration: n, Status: "succeeded"},
		ProviderInvoked{TaskID: "1", Provider: "x", Iteration: n}, ProviderCompleted{TaskID: "1", Provider: "x", Iteration: n, Status: "succeeded"},
		ArtifactWritten{ArtifactType: "transcript", RelativePath: "t.md", Iteration: n},
	}, got)
}

func TestA67FoldIsPure(t *testing.T) {
	root := t.TempDir()
	all := Project(NewMapper(root, nil), id, facts(root))
	all = append(all, Event{RunID: id, Seq: 90, Timestamp: "t", Body: RemediationApplied{TaskID: "2", Action: "decompose_task"}},
		Event{RunID: id, Seq: 91, Timestamp: "t", Body: RemediationApplied{TaskID: "2", Action: "mark_blocked", Applied: true}})
	first := Fold(all)
	assert.Equal(t, first, Fold(all))
	assert.Equal(t, Totals{TaskStateChanges: 2, ProviderInvocations: 2, RemediationsApplied: 1, RecoveryActionsApplied: 1, ArtifactsWritten: 2, SCMActions: 3}, first.Totals)
	assert.Equal(t, []string{".ralph/runs/t.md", "docs/plans/completed/p.md"}, first.ArtifactsWritten)
	assert.Len(t, first.Entries, len(all))
	assert.Equal(t, Entry{3, "2026-03-17T12:00:00.123Z", "task_selected", "selected 2: second", "2"}, first.Entries[2])
	assert.Equal(t, []Audit{{90, "t", "2", "decompose_task", false}, {91, "t", "2", "mark_blocked", true}}, first.RemediationAudit)
	assert.Equal(t, []string{id, "done", first.StartedAt}, []string{first.RunID, first.StopReason, first.CompletedAt})
	o := first.Stable().(*stable.Object)
	assert.Equal(t, []string{"runId", "startedAt", "completedAt", "stopReason", "entries", "remediationAudit", "artifactsWritten", "fileChanges", "totals"}, o.Keys())
	assert.Equal(t, `{"runId":null,"startedAt":null,"completedAt":null,"stopReason":null,"entries":[],"remediationAudit":[],"artifactsWritten":[],"fileChanges":[],`+
		`"totals":{"taskStateChanges":0,"providerInvocations":0,"remediationsApplied":0,"recoveryActionsApplied":0,"artifactsWritten":0,"scmActions":0}}`,
		string(stable.Compact(Fold(nil))))
	again := append(all, Event{RunID: id, Seq: 99, Timestamp: "later", Body: RunStarted{}})
	assert.Empty(t, Fold(again).CompletedAt, "a run that was taken up again isn't over")
	for _, b := range bodies {
		summary := Fold([]Event{{Body: b}}).Entries[0].Summary
		assert.NotContains(t, summary, "{", "%s is told in words", b.Type())
	}
}
