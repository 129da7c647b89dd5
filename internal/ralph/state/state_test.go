package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

func open(t testing.TB, text string) *Store {
	t.Helper()
	dir := t.TempDir()
	s := New(filepath.Join(dir, "state.json"), Options{Artifacts: filepath.Join(dir, "artifacts")})
	if text != "" {
		require.NoError(t, os.WriteFile(s.path, []byte(text), 0o600))
	}
	return s
}

func text(t testing.TB, s *Store) string {
	t.Helper()
	b, err := os.ReadFile(s.path)
	require.NoError(t, err)
	return string(b)
}

func load(t testing.TB, s *Store) Loaded {
	t.Helper()
	l, err := s.Load(t.Context())
	require.NoError(t, err)
	return l
}

func run(n int) Run {
	return Run{AgentID: "a", Iteration: n, Mode: "loop", PromptKind: "iteration", StartedAt: "s", FinishedAt: "f", Status: "succeeded", PromptPath: "/p/x.md"}
}

func iteration(n int) Iteration {
	return Iteration{
		AgentID: "a", Number: n, PromptKind: "iteration", PromptPath: "p", ArtifactDir: "d", AdapterUsed: "cliExec", ExecutionStatus: "succeeded",
		VerificationStatus: "passed", Classification: "complete", FollowUp: "stop", StartedAt: "s", FinishedAt: "f",
	}
}

func TestFreshWorkspace(t *testing.T) {
	s := open(t, "")
	l := load(t, s)
	assert.Equal(t, Loaded{State: State{NextIteration: 1}, From: FromDefaults}, l)
	assert.NoFileExists(t, s.path, "reading writes nothing")
	require.NoError(t, s.Refresh(t.Context()))
	assert.Equal(t, `{
  "version": 2,
  "objectivePreview": null,
  "nextIteration": 1,
  "lastPromptKind": null,
  "lastPromptPath": null,
  "lastRun": null,
  "runHistory": [],
  "lastIteration": null,
  "iterationHistory": [],
  "updatedAt": "`+load(t, s).UpdatedAt+"\"\n}\n", text(t, s))
	assert.NoFileExists(t, s.LockPath())
}

// A36: fifty allocations at once are fifty numbers, with the budget that the seed names.
func TestA36ConcurrentAllocations(t *testing.T) {
	s := open(t, `{"version":2,"nextIteration":5,"mine":{"b":1,"a":[]}}`)
	synctest.Test(t, func(t *testing.T) {
		got := map[int]bool{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				n, err := s.Allocate(context.Background())
				assert.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				assert.False(t, got[n], "%d came twice", n)
				got[n] = true
			})
		}
		wg.Wait()
		assert.Len(t, got, 50)
	})
	o, err := stable.ParseObject([]byte(text(t, s)))
	require.NoError(t, err)
	next, _ := o.Get("nextIteration")
	assert.Equal(t, 55.0, next)
	assert.Equal(t, []string{"version", "nextIteration", "mine", "updatedAt"}, o.Keys(), "only nextIteration and updatedAt change")
	mine, _ := o.Get("mine")
	assert.Equal(t, `{"b":1,"a":[]}`, string(stable.Compact(mine)))
}

func TestA37SaveTrims(t *testing.T) {
	s := open(t, "")
	var st State
	for i := 1; i <= 45; i++ {
		st.RunHistory = append(st.RunHistory, run(i))
		st.IterationHistory = append(st.IterationHistory, iteration(i))
	}
	st.NextIteration = 46
	require.NoError(t, s.Save(t.Context(), st))
	l := load(t, s)
	require.Len(t, l.RunHistory, 20)
	require.Len(t, l.IterationHistory, 30)
	assert.Equal(t, []int{26, 45, 45, 16, 45, 45, 46}, []int{
		l.RunHistory[0].Iteration, l.RunHistory[19].Iteration, l.LastRun.Iteration,
		l.IterationHistory[0].Number, l.IterationHistory[29].Number, l.LastIteration.Number, l.NextIteration,
	})
	assert.Len(t, st.RunHistory, 45, "the caller's state is its own")
	before := text(t, s)
	require.NoError(t, s.Refresh(t.Context()))
	normal := func(s string) string { return s[:strings.Index(s, `"updatedAt"`)] }
	assert.Equal(t, normal(before), normal(text(t, s)), "saving what was loaded changes nothing")

	require.NoError(t, os.WriteFile(s.LockPath(), nil, 0o600))
	before = text(t, s)
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := s.Save(t.Context(), st)
		var timeout *lock.TimeoutError
		require.ErrorAs(t, err, &timeout)
		assert.Equal(t, 121, timeout.Result.Attempts)
		assert.Equal(t, 30*time.Second, time.Since(start))
		_, err = s.Allocate(t.Context())
		assert.ErrorAs(t, err, &timeout)
	})
	assert.Equal(t, before, text(t, s))
}

func TestA38RealFile(t *testing.T) {
	real, err := os.ReadFile("testdata/real.json")
	require.NoError(t, err)
	s := open(t, string(real))
	l := load(t, s)
	assert.Equal(t, FromFile, l.From)
	assert.NoError(t, l.Warning)
	assert.Equal(t, 7, l.NextIteration)
	assert.Equal(t, "", l.LastPromptKind, "outside the set")
	require.Len(t, l.RunHistory, 2, "one by one, the bad ones are dropped")
	assert.Equal(t, "default", l.RunHistory[0].AgentID)
	assert.Equal(t, 0, *l.RunHistory[0].ExitCode)
	assert.Nil(t, l.LastRun.ExitCode)
	assert.Equal(t, "a", l.LastRun.AgentID, "a lastRun that is none is the last of the history")
	require.Len(t, l.IterationHistory, 1)
	it := l.IterationHistory[0]
	assert.Equal(t, 5, it.Number)
	assert.Equal(t, "make test", it.Verification.EffectiveValidationCommand, "by its older name")
	assert.Equal(t, []string{"w"}, it.Warnings)
	assert.Len(t, it.Verification.Verifiers, 1)

	require.NoError(t, s.Refresh(t.Context()))
	again := load(t, s)
	assert.Equal(t, "m", again.IterationHistory[0].SelectedModel)
	phases := again.IterationHistory[0].Phases
	assert.Equal(t, "S", phases["promptGeneratedAt"])
	assert.Equal(t, "F", phases["classifiedAt"])
	assert.NotContains(t, phases, "persistedAt")
	assert.NotContains(t, text(t, s), "somethingNew")
}

// A38: a file from before iterationHistory gets its iterations from the runs.
func TestA38NoHistory(t *testing.T) {
	s := open(t, "")
	st := State{RunHistory: []Run{run(1), run(2)}}
	st.RunHistory[0].Mode, st.RunHistory[1].Status = "handoff", "failed"
	o := st.Stable().(*stable.Object)
	o.Delete("iterationHistory")
	require.NoError(t, os.WriteFile(s.path, stable.Marshal(o), 0o600))
	l := load(t, s)
	require.Len(t, l.IterationHistory, 2)
	one, two := l.IterationHistory[0], l.IterationHistory[1]
	assert.Equal(t, []string{"clipboard", "partial_progress", "continue_same_task", "skipped", "", filepath.Dir("/p/x.md")},
		[]string{one.AdapterUsed, one.Classification, one.FollowUp, one.VerificationStatus, one.TaskID, one.ArtifactDir})
	assert.Equal(t, []string{"cliExec", "failed", "retry_same_task"}, []string{two.AdapterUsed, two.Classification, two.FollowUp})
	assert.Equal(t, 2, l.LastIteration.Number)
}

func TestBrokenFile(t *testing.T) {
	for _, broken := range []string{"{\"version\": 2,", "[]", "null", "", "\xff"} {
		s := open(t, "x")
		require.NoError(t, os.WriteFile(s.path, []byte(broken), 0o600))
		require.NoError(t, os.MkdirAll(filepath.Join(s.Artifacts, "iteration-041"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(s.Artifacts, "iteration-099"), nil, 0o600))
		var warned error
		s.Warn = func(err error) { warned = err }
		l := load(t, s)
		assert.Equal(t, 42, l.NextIteration, "behind the last folder, not again from 1")
		var b *BrokenError
		require.ErrorAs(t, l.Warning, &b)
		assert.Empty(t, b.Kept)
		assert.Equal(t, broken, text(t, s), "reading writes nothing")

		n, err := s.Allocate(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 42, n)
		require.ErrorAs(t, warned, &b)
		kept, err := os.ReadFile(b.Kept)
		require.NoError(t, err)
		assert.Equal(t, broken, string(kept))
		assert.Contains(t, b.Error(), "state.json.corrupt-")
		assert.NotEmpty(t, b.Hint())
		l = load(t, s)
		assert.Equal(t, 43, l.NextIteration)
		assert.NoError(t, l.Warning)
	}
}

func TestNewerFileIsLeftAlone(t *testing.T) {
	s := open(t, `{"version":3,"nextIteration":9}`)
	var newer *NewerError
	_, err := s.Load(t.Context())
	require.ErrorAs(t, err, &newer)
	assert.NotEmpty(t, newer.Hint())
	_, err = s.Allocate(t.Context())
	assert.ErrorAs(t, err, &newer)
	assert.ErrorAs(t, s.Save(t.Context(), State{}), &newer)
	assert.Equal(t, `{"version":3,"nextIteration":9}`, text(t, s))
}

// memory is a mirror that remembers, and looks at what the file held when it was written.
type memory struct {
	text []byte
	seen func()
	err  error
}

func (m *memory) Load(context.Context) ([]byte, bool, error) { return m.text, m.text != nil, m.err }

func (m *memory) Save(_ context.Context, text []byte) error {
	m.seen()
	m.text = text
	return m.err
}

func TestMirror(t *testing.T) {
	m := &memory{}
	s := open(t, "")
	s.Mirror = m
	m.seen = func() {
		assert.FileExists(t, s.LockPath(), "under the same lock")
		assert.FileExists(t, s.path, "after the file")
	}
	require.NoError(t, s.Save(t.Context(), State{NextIteration: 7, ObjectivePreview: "x"}))
	assert.Equal(t, text(t, s), string(m.text))

	require.NoError(t, os.WriteFile(s.path, []byte(`{"version":2,"nextIteration":3}`), 0o600))
	assert.Equal(t, 3, load(t, s).NextIteration, "the file is the truth where there is one")
	for _, broken := range []string{"", "{"} {
		if broken == "" {
			require.NoError(t, os.Remove(s.path))
		} else {
			require.NoError(t, os.WriteFile(s.path, []byte(broken), 0o600))
		}
		l := load(t, s)
		assert.Equal(t, FromMirror, l.From)
		assert.Equal(t, 7, l.NextIteration)
		assert.Equal(t, "x", l.ObjectivePreview)
	}
	n, err := s.Allocate(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 7, n)
	assert.Equal(t, "x", load(t, s).ObjectivePreview)

	m.err = errors.New("gone")
	_, err = s.Allocate(t.Context())
	assert.ErrorContains(t, err, "the file is written, its mirror is not: gone")
	assert.NoFileExists(t, s.LockPath())
}

func TestRecord(t *testing.T) {
	s := open(t, "")
	n, err := s.Allocate(t.Context())
	require.NoError(t, err)
	other, err := s.Allocate(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{n, other})
	require.NoError(t, s.Record(t.Context(), iteration(other), nil, Prompt{Kind: "bootstrap"}))
	r := run(n)
	require.NoError(t, s.Record(t.Context(), iteration(n), &r, Prompt{ObjectivePreview: "o", Kind: "iteration", Path: "/p"}))
	l := load(t, s)
	assert.Equal(t, 3, l.NextIteration, "an earlier iteration that ends later takes nothing back")
	assert.Equal(t, []int{2, 1}, []int{l.IterationHistory[0].Number, l.IterationHistory[1].Number}, "the live histories grow")
	assert.Len(t, l.RunHistory, 1)
	assert.Equal(t, []string{"o", "iteration", "/p"}, []string{l.ObjectivePreview, l.LastPromptKind, l.LastPromptPath})
	require.NoError(t, s.Record(t.Context(), iteration(9), nil, Prompt{}))
	assert.Equal(t, 10, load(t, s).NextIteration)

	require.NoError(t, s.RecordPrompt(t.Context(), Prompt{Kind: "fix-failure", Path: "/q"}))
	l = load(t, s)
	assert.Equal(t, "fix-failure", l.LastPromptKind)
	assert.Len(t, l.IterationHistory, 3)
}

// What an older or newer program left in an iteration comes through a save unharmed, as far as the shape goes.
func TestIterationRoundTrip(t *testing.T) {
	code := 3
	it := iteration(4)
	it.ProvenanceID, it.TaskID, it.TaskTitle, it.StopReason = "run-i004-cli-x", "T1", "title", "execution_failed"
	it.ExecutionIntegrity, it.DiffSummary, it.Remediation = &stable.Object{}, &stable.Object{}, &stable.Object{}
	it.Remediation.Set("z", nil)
	it.Execution = Execution{ExitCode: &code, Message: "m", TranscriptPath: "t", LastMessagePath: "l", StdoutPath: "o", StderrPath: "e"}
	it.Verification = Verification{TaskValidationHint: "h", ValidationFailureSignature: "sig", Verifiers: []*stable.Object{it.Remediation}}
	it.Backlog = Backlog{3, true}
	it.NoProgressSignals, it.ReconciliationWarnings = []string{"same_task_selected_repeatedly"}, []string{}
	it.CompletionReportStatus, it.EffectiveTier = "applied", "simple"
	it.Phases = Phases{"executionStartedAt": "x"}
	first := stable.Marshal(it)
	v, err := stable.Parse(first)
	require.NoError(t, err)
	again, ok := ReadIteration(v)
	require.True(t, ok)
	assert.Equal(t, string(first), string(stable.Marshal(again)))
	assert.Equal(t, []string{
		"schemaVersion", "agentId", "provenanceId", "iteration", "selectedTaskId", "selectedTaskTitle", "promptKind", "promptPath", "artifactDir",
		"adapterUsed", "executionIntegrity", "executionStatus", "verificationStatus", "completionClassification", "followUpAction", "startedAt",
		"finishedAt", "phaseTimestamps", "summary", "warnings", "errors", "execution", "verification", "backlog", "diffSummary",
		"noProgressSignals", "remediation", "completionReportStatus", "reconciliationWarnings", "stopReason", "effectiveTier",
	}, v.(*stable.Object).Keys())
}

func TestObjectivePreview(t *testing.T) {
	for prd, want := range map[string]string{
		"":                               "",
		"# Title\n\n- item\n":            "",
		"# Title\r\n\r\n  Ship it. \r\n": "Ship it.",
		strings.Repeat("😀", 100):         strings.Repeat("😀", 80),
		"* star\nnext":                   "* star",
	} {
		assert.Equal(t, want, ObjectivePreview(prd))
	}
}

func TestNumbers(t *testing.T) {
	for in, want := range map[string]int{"0": 1, "-4": 1, "2.9": 2, `"7"`: 1, "null": 1, "1e400": 1<<53 - 1, "12": 12} {
		s := open(t, fmt.Sprintf(`{"version":2,"nextIteration":%s}`, in))
		assert.Equal(t, want, load(t, s).NextIteration, in)
	}
}
