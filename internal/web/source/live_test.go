package source

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// TestLiveIsReplay holds that a run that is looked at while its file grows, in whatever parts, stands as one that is read at once by a server that
// was started a moment ago.
func TestLiveIsReplay(t *testing.T) {
	texts := map[string][]byte{"one.jsonl": []byte(journalOf("one", time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC),
		event.RunStart{Plan: "/x/a.md", Tasks: 2, Commands: []event.Command{{Text: "make test"}}},
		event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks}, event.NewTaskIterationSection(1), event.TaskStart{ID: "1", Title: "one", Open: 2, Total: 2, Attempt: 1},
		event.SessionStart{N: 1, Executor: "claude", Model: "opus"}, event.Output{Text: "hello", Partial: true}, event.Spent{Usage: event.Usage{OutputTokens: 5}}, event.Output{Text: " there"},
		event.Claimed{Signal: "ALL_TASKS_DONE"}, event.SessionEnd{N: 1, Exit: "exit 0", Usage: event.Usage{OutputTokens: 9}}, event.GateStart{Commands: 1},
		event.GateCommand{Command: "make test", Exit: 1}, event.GateEnd{Commands: 1}, event.RunRestart{PID: 3, LastSeq: 13}, event.Wait{For: time.Hour, Reason: "limit"},
		event.Commit{Rev: "abc", Message: "one", By: "agent"}, event.TaskEnd{ID: "1", Title: "one", Outcome: event.Done}, event.RunEnd{Outcome: event.Failed, Exit: 1}))}
	files, err := filepath.Glob("testdata/progress/*.txt")
	require.NoError(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts["progress-"+filepath.Base(path)] = text
	}
	for name, text := range texts {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) { liveIsReplay(t, rand.New(rand.NewPCG(seed, 1)), name, text) })
		}
	}
}

func liveIsReplay(t *testing.T, chance *rand.Rand, name string, text []byte) {
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if filepath.Ext(name) == ".jsonl" {
		path = filepath.Join(dir, ".ralph/events", name)
	}
	opt := Options{Now: func() time.Time { return time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC) }}
	watching, _ := open(t, opt, dir)
	put(t, path, "")
	for at := 0; at < len(text); {
		n := min(len(text)-at, 1+chance.IntN(len(text)/4))
		grow(t, path, string(text[at:at+n]))
		at += n
		watching.Wake(path)
		if s, ok := watching.Session(idOf(t, path)); ok && chance.IntN(2) == 0 {
			_, err := s.Detail(t.Context())
			require.NoError(t, err)
		}
	}
	watching.Wake(path)
	again, _ := open(t, opt, dir)
	want, ok := again.Session(idOf(t, path))
	if !ok {
		require.Contains(t, name, "no_header")
		return
	}
	got, ok := watching.Session(idOf(t, path))
	require.True(t, ok)
	live, err := got.Detail(t.Context())
	require.NoError(t, err)
	replayed, err := want.Detail(t.Context())
	require.NoError(t, err)
	assert.Equal(t, replayed, live)
	assert.Equal(t, replayed.Run, live.Run)
	assert.NotEqual(t, view.RunState(""), live.State)
}
