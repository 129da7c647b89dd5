package term

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/internal/journal"
	"ralphex/internal/progress"
	"ralphex/pkg/event"
)

// BenchmarkAllSinks is what the text of a long session costs on its way to the journal, the progress file and a plain
// terminal: a million lines in pieces of 32 KiB an operation. The aim is under half a second.
func BenchmarkAllSinks(b *testing.B) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(b, err)
	defer null.Close()
	text := strings.TrimSuffix(strings.Repeat("Reading the file pkg/x/y.go, so on\n", 936), "\n")
	const pieces = 1_000_000 / 936
	b.SetBytes(int64(len(text) * pieces))
	for b.Loop() {
		dir := b.TempDir()
		run := journal.NewRunID(time.Now())
		j, err := journal.Open(filepath.Join(dir, "events"), run)
		require.NoError(b, err)
		p, err := progress.Open(filepath.Join(dir, "progress.txt"), progress.Header{}, nil)
		require.NoError(b, err)
		screen := New(&IO{Out: null, Err: null, Width: func() int { return 80 }}, Options{})
		async := event.NewAsync(screen, event.AsyncOptions{})
		bus := event.NewBus(run, 0, nil)
		bus.Attach("journal", j)
		bus.Attach("progress file", p)
		bus.Attach("terminal", async)
		for range pieces {
			bus.Emit(event.PhaseTask, 1, event.Output{Text: text})
		}
		require.NoError(b, async.Close(b.Context()))
		require.NoError(b, screen.Close())
		require.NoError(b, p.Close())
		require.NoError(b, j.Close())
	}
}
