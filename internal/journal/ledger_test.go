package journal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

// A run with two tasks whose process is killed in a session, and that is gone on with.
func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "20260129-153012-4f2a9c.jsonl")
	now := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	bus := event.NewBus("20260129-153012-4f2a9c", 0, func() time.Time { now = now.Add(time.Second); return now })
	f, err := os.Create(path)
	require.NoError(t, err)
	bus.Attach("file", event.SinkFunc(func(e event.Event) error {
		line, err := event.AppendJSON(nil, e)
		require.NoError(t, err)
		_, err = f.Write(append(line, '\n'))
		return err
	}))
	books, err := OpenBooks(path)
	require.NoError(t, err)
	bus.Attach("books", books)
	u := func(n int64) event.Usage { return event.Usage{InputTokens: n, CostUSD: float64(n)} }
	task := func(pos int, d event.Data) { bus.Emit(event.PhaseTask, pos, d) }
	task(0, event.RunStart{Plan: "/p.md"})
	task(0, event.Budget{Run: event.Limits{Sessions: 3}})
	task(1, event.TaskStart{Title: "One"})
	task(1, event.SessionStart{N: 1, Executor: "codex", Argv: []string{"codex", "exec", "-m", "gpt-5"}})
	task(1, event.Output{Text: "{\"type\":\"session_end\"}"})
	task(1, event.SessionEnd{N: 1, Usage: u(5), Models: map[string]event.Usage{"gpt-5": u(5)}, Elapsed: time.Minute})
	task(2, event.TaskStart{Title: "Two"})
	task(2, event.SessionStart{N: 2, Executor: "claude", Model: "opus"})
	task(2, event.Spent{Usage: u(2)})
	task(2, event.Spent{Usage: u(3)}) // killed here
	now = now.Add(time.Hour)
	killed := asJSON(t, books.Ledger())
	require.Equal(t, readAsJSON(t, path), killed, "of a session in flight")
	require.Equal(t, killed, asJSON(t, books.Ledger()), "asking changes nothing")
	later, err := OpenBooks(path)
	require.NoError(t, err)
	bus.Attach("books of the next process", later)
	task(0, event.RunRestart{})
	task(2, event.TaskStart{Title: "Two"})
	task(2, event.SessionStart{N: 3, Executor: "claude"})
	task(2, event.SessionEnd{N: 3, Usage: u(7)})
	task(2, event.Pause{By: "anna"})
	now = now.Add(time.Hour)
	task(2, event.Pause{By: "anna", Over: true})
	task(0, event.RunEnd{Outcome: event.Done})
	require.NoError(t, f.Close())
	require.Equal(t, readAsJSON(t, path), asJSON(t, books.Ledger()))
	require.Equal(t, readAsJSON(t, path), asJSON(t, later.Ledger()))

	l, err := ReadLedger(path)
	require.NoError(t, err)
	assert.Equal(t, event.RunID("20260129-153012-4f2a9c"), l.Run)
	assert.Equal(t, event.Done, l.End.Outcome)
	assert.Equal(t, 9*time.Second+6*time.Second+time.Hour, l.Elapsed, "the hour between the processes is nobody's")
	assert.Equal(t, time.Hour+time.Second, l.Paused)
	assert.Empty(t, l.Budget, "the newest process has none")
	require.Len(t, l.Sessions, 3)
	a, b, c := l.Sessions[0], l.Sessions[1], l.Sessions[2]
	assert.Equal(t, Spent{N: 1, Phase: event.PhaseTask, Task: 1, Title: "One", Executor: "codex", Model: "gpt-5", Started: a.Started,
		Elapsed: time.Minute, Usage: u(5), Models: map[string]event.Usage{"gpt-5": u(5)}}, a)
	assert.True(t, b.Open)
	assert.Equal(t, "opus", b.Model)
	assert.Equal(t, u(3), b.Usage, "as far as it was told")
	assert.Equal(t, 2*time.Second, b.Elapsed)
	assert.Equal(t, u(7), c.Usage)
	assert.False(t, c.Open)
}

func asJSON(t *testing.T, l Ledger) string {
	t.Helper()
	b, err := json.MarshalIndent(l, "", " ")
	require.NoError(t, err)
	return string(b)
}

func readAsJSON(t *testing.T, path string) string {
	t.Helper()
	l, err := ReadLedger(path)
	require.NoError(t, err)
	return asJSON(t, l)
}

// BenchmarkLedger is a journal as a long run leaves it: mostly output.
func BenchmarkLedger(b *testing.B) {
	path := filepath.Join(b.TempDir(), "20260129-153012-4f2a9c.jsonl")
	var text []byte
	bus := event.NewBus("20260129-153012-4f2a9c", 0, nil)
	bus.Attach("text", event.SinkFunc(func(e event.Event) (err error) {
		text, err = event.AppendJSON(text, e)
		text = append(text, '\n')
		return err
	}))
	bus.Emit("", 0, event.RunStart{Plan: "/p.md"})
	for n := range 20 {
		bus.Emit(event.PhaseTask, 1, event.SessionStart{N: n})
		for range 200 {
			bus.Emit(event.PhaseTask, 1, event.Output{Text: "some words of an agent that works on a task, a line of them"})
		}
		bus.Emit(event.PhaseTask, 1, event.SessionEnd{N: n, Usage: event.Usage{InputTokens: 7}})
	}
	require.NoError(b, os.WriteFile(path, text, 0o600))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l, err := ReadLedger(path)
		require.NoError(b, err)
		require.Len(b, l.Sessions, 20)
	}
}
