package iteration

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

func TestDiagnose(t *testing.T) {
	clear := &task.Task{ID: "T1", Acceptance: []string{"a"}}
	for _, row := range []struct {
		name string
		s    Symptoms
		want Cause
	}{
		{"a busy server", Symptoms{Crashed: true, Passing: true}, CauseTransient},
		{"not logged in", Symptoms{Crashed: true}, CauseEnvironment},
		{"too slow", Symptoms{Signature: "timeout:x", TimedOut: true}, CauseEnvironment},
		{"no such module", Symptoms{Signature: "s", Output: "main.go:3: no required module provides package x"}, CauseDependency},
		{"no such command", Symptoms{Signature: "s", Output: "sh: 1: frob: not found"}, CauseEnvironment},
		{"reported as done", Symptoms{Signature: "s", Claimed: true}, CauseMismatch},
		{"red", Symptoms{Signature: "s"}, CauseWork},
		{"nothing done, and nothing says what", Symptoms{Task: &task.Task{ID: "T1"}, Class: NoProgress}, CauseAmbiguity},
		{"nothing done", Symptoms{Class: NoProgress}, CauseWork},
	} {
		if row.s.Task == nil {
			row.s.Task = clear
		}
		d := Diagnose(row.s)
		require.NotNil(t, d, row.name)
		assert.Equal(t, row.want, d.Cause, row.name)
		o := d.Record("T1", time.Unix(1, 0))
		assert.Equal(t, "failureAnalysis", o.Text("kind"), row.name)
		assert.NotEmpty(t, o.Text("suggestedAction"), row.name)
	}
	assert.Nil(t, Diagnose(Symptoms{Task: clear, Class: PartialProgress}), "nothing failed")
}

func TestAcceptedContract(t *testing.T) {
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	now := time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)
	assert.Empty(t, AcceptedContract(l, "build", "T1", now))
	require.NoError(t, os.MkdirAll(l.Handoffs, 0o750))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(l.Handoffs, name), []byte(text), 0o600))
	}
	write("a.json", `{"status":"accepted","toRole":"build","taskId":"T2","createdAt":"2026-03-02T00:00:00.000Z"}`)
	write("b.json", `{"status":"accepted","toRole":"build","taskId":"T3","createdAt":"2026-03-01T00:00:00.000Z","expiresAt":"2026-03-17T12:00:01.000Z"}`)
	write("c.json", `{"status":"accepted","toRole":"build","taskId":"T4","createdAt":"2026-03-03T00:00:00.000Z","expiresAt":"2026-03-17T12:00:00.000Z"}`)
	write("d.json", `{"status":"proposed","toRole":"build","taskId":"T5","createdAt":"2026-03-04T00:00:00.000Z"}`)
	write("e.json", `{"status":"accepted","toRole":"review","taskId":"T6","createdAt":"2026-03-04T00:00:00.000Z"}`)
	write("f.json", `nothing`)
	assert.Equal(t, "T2", AcceptedContract(l, "build", "T1", now), "the newest that is accepted, ours, and not expired")
	assert.Equal(t, "T3", AcceptedContract(l, "build", "T3", now), "one for the task is the one that counts")
}

func TestAgentsRememberAtTheSameTime(t *testing.T) {
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	require.Error(t, Remember(t.Context(), l, "../evil", "", nil, time.Now()))
	begin := time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)
	require.NoError(t, Remember(t.Context(), l, "a", "", []string{"z.go"}, begin))
	var wg sync.WaitGroup
	for _, file := range []string{"b.go", "a.go", "b.go"} {
		wg.Go(func() { assert.NoError(t, Remember(t.Context(), l, "a", "T1", []string{file}, begin.Add(time.Hour))) })
	}
	wg.Wait()
	data, err := os.ReadFile(filepath.Join(l.Agents, "a.json"))
	require.NoError(t, err)
	assert.JSONEq(t, `{"agentId":"a","firstSeenAt":"2026-03-17T12:00:00.000Z","completedTaskIds":["T1"],"touchedFiles":["a.go","b.go","z.go"]}`, string(data))
	assert.NoFileExists(t, l.AgentsLock())
	o, err := stable.ParseObject(data)
	require.NoError(t, err)
	assert.Equal(t, []string{"agentId", "firstSeenAt", "completedTaskIds", "touchedFiles"}, o.Keys())
}
