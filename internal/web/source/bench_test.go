package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
)

// benchLog is a progress file of about so many bytes.
func benchLog(bytes int) string {
	var b strings.Builder
	b.WriteString(logOf("a"))
	for i := 0; b.Len() < bytes; i++ {
		if i%500 == 0 {
			fmt.Fprintf(&b, "\n--- task iteration %d ---\n", 1+i/500)
		}
		fmt.Fprintf(&b, "[26-01-29 15:%02d:%02d] L%06d edit the file so that the parser accepts nested lists and add a test\n", i/3000%60, i/50%60, i)
	}
	return b.String() + endedAt
}

// BenchmarkOpen lists 100 files of 10 MB each: they are sparse on disk, and no more than their ends is read.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		path := put(b, filepath.Join(dir, fmt.Sprintf("progress-%03d.txt", i)), benchLog(64<<10))
		require.NoError(b, os.Truncate(path, 10<<20))
		grow(b, path, "\n"+benchLog(64<<10))
	}
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		l, err := Open(ctx, []string{dir}, Options{})
		require.NoError(b, err)
		require.Len(b, l.Runs(), 100)
		cancel()
		l.Wait()
	}
}

// BenchmarkReplay reads all events of a session of 10 MB.
func BenchmarkReplay(b *testing.B) {
	progress := put(b, filepath.Join(b.TempDir(), "progress-a.txt"), benchLog(10<<20))
	journal := put(b, filepath.Join(b.TempDir(), "one.jsonl"), string(journalText(b, 50_000)))
	for path, source := range map[string]view.Source{progress: view.Progress, journal: view.Journal} {
		b.Run(string(source), func(b *testing.B) {
			fi, err := os.Stat(path)
			require.NoError(b, err)
			b.SetBytes(fi.Size())
			for b.Loop() {
				r, err := newReader(path, source, time.UTC, Checkpoint{})
				require.NoError(b, err)
				for err == nil {
					_, err = r.Next()
				}
				r.Close()
			}
		})
	}
}

// BenchmarkAppend is what a line that is appended costs: to hear of it, and to bring the row up to date.
func BenchmarkAppend(b *testing.B) {
	for _, files := range []int{1, 1000} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			dir := b.TempDir()
			for i := range files {
				put(b, filepath.Join(dir, fmt.Sprintf("progress-%04d.txt", i)), logOf("a", endedAt))
			}
			path := put(b, filepath.Join(dir, "progress-live.txt"), logOf("a"))
			l, _ := open(b, Options{}, dir)
			s, ok := l.Session(idOf(b, path))
			require.True(b, ok)
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			require.NoError(b, err)
			defer f.Close()
			for b.Loop() {
				changed := s.Changed()
				_, err := f.WriteString("[26-01-29 15:30:14] one more line of the agent\n")
				require.NoError(b, err)
				<-changed
				s.Run()
			}
		})
	}
}
