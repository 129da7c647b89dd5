package source

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/progress"
	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

var update = flag.Bool("update", false, "write the golden files")

// eventsOf reads the events of a file from a place on, to its end.
func eventsOf(t *testing.T, path string, source view.Source, from Checkpoint) ([]event.Event, Checkpoint) {
	t.Helper()
	r, err := newReader(path, source, time.UTC, from)
	require.NoError(t, err)
	defer r.Close()
	var all []event.Event
	for {
		e, err := r.Next()
		if err != nil {
			return all, r.Checkpoint()
		}
		all = append(all, e)
	}
}

// TestProgressFiles compares the events of progress files with golden ones: testdata/progress/NAME.txt and NAME.jsonl.
func TestProgressFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/progress/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var got bytes.Buffer
			all, _ := eventsOf(t, path, view.Progress, Checkpoint{})
			for _, e := range all {
				line, err := event.AppendJSON(nil, e)
				require.NoError(t, err)
				got.Write(append(line, '\n'))
			}
			golden := strings.TrimSuffix(path, ".txt") + ".jsonl"
			if *update {
				require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got.String())
		})
	}
}

// TestProgressOfOurs writes events through the sink of this ralphex, and reads them back from the text: what is a fact there comes back as one, and
// the words of all others as text.
func TestProgressOfOurs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress-feature.txt")
	at := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	clock := func() time.Time { return at }
	f, err := progress.Open(path, progress.Header{Plan: "/repo/docs/plans/feature.md", Branch: "feature", Mode: "full"}, clock)
	require.NoError(t, err)
	facts := []event.Data{
		event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks},
		event.NewTaskIterationSection(2),
		event.TaskStart{ID: "2.5", Title: "Parser", Open: 2, Total: 3, Attempt: 1},
		event.Output{Text: "I read it\n- and list\n  what I see"},
		event.Claimed{Signal: "ALL_TASKS_DONE"},
		event.Note{Level: event.Warn, Text: "careful", Hint: "look twice"},
		event.TaskEnd{ID: "2.5", Title: "Parser", Outcome: event.Failed, Reason: "red"},
		event.PhaseEnd{Name: event.PhaseTask, Stage: event.StageTasks},
		event.NewReviewSection("", 0),
		event.RunEnd{Outcome: event.Failed, Exit: 1, Reason: "red", Elapsed: 90 * time.Second, Files: 2, Additions: 3, Deletions: 4},
	}
	for i, d := range facts {
		at = at.Add(time.Second)
		require.NoError(t, f.Handle(event.Event{Seq: int64(i + 1), Time: at, Data: d}))
	}
	require.NoError(t, f.Close())
	all, _ := eventsOf(t, path, view.Progress, Checkpoint{})
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprintf("%s %+v", e.Data.Kind(), e.Data))
	}
	kinds := make([]string, len(all))
	for i, e := range all {
		kinds[i] = string(e.Data.Kind())
	}
	assert.Equal(t, []string{"run_start", "phase_start", "section", "output", "output", "output", "output", "note", "output", "note", "phase_end", "phase_start", "section", "run_end"}, kinds,
		strings.Join(got, "\n"))
	assert.Equal(t, facts[len(facts)-1], all[len(all)-1].Data)
	assert.Equal(t, event.Output{Text: "task 0: Parser, 2 of 3 boxes open"}, all[3].Data, "a line that has a time is text: an agent could have written it")
	assert.Equal(t, 2, all[3].Task)
}
