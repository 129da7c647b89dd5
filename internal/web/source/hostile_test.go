//go:build unix

package source

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// TestHostileFiles puts what should not be there beside a good file: it is in the list, alone, at once.
func TestHostileFiles(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, "progress-good.txt"), logOf("good"))
	put(t, filepath.Join(outside, "progress-secret.txt"), logOf("secret"))
	put(t, filepath.Join(outside, "r/.ralph/events/one.jsonl"), journalOf("one", time.Now(), event.RunStart{Plan: "/x/a.md"}))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "progress-pipe.txt"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "progress-folder.txt"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(outside, "progress-secret.txt"), filepath.Join(dir, "progress-link.txt")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "progress-zero.txt")))
	require.NoError(t, os.Symlink(dir, filepath.Join(dir, "round")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".ralph"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(outside, "r/.ralph/events"), filepath.Join(dir, ".ralph/events")))
	put(t, filepath.Join(dir, "progress-nul.txt"), strings.Repeat("\x00", 1<<20))
	l, _ := open(t, Options{}, dir)
	await(t, l, "the scan", func(runs []view.Run) bool { return len(runs) > 0 })
	l.lookAround(t.Context())
	assert.Equal(t, []string{"progress-good.txt"}, names(l.Runs()))

	// What is put in the place of a good file is not followed, either.
	s, ok := l.Session(l.Runs()[0].ID)
	require.True(t, ok)
	require.NoError(t, os.Remove(s.Path()))
	require.NoError(t, syscall.Mkfifo(s.Path(), 0o600))
	_, err := s.Reader(Checkpoint{})
	require.ErrorContains(t, err, "is a pipe")
	await(t, l, "the file is gone", func(runs []view.Run) bool { return len(runs) == 0 })
}

// TestHostileText reads what no ralphex writes in bounded parts, and makes text of it that is UTF-8.
func TestHostileText(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("ü", 32<<20)
	path := put(t, filepath.Join(dir, "progress-long.txt"), logOf("a")+long+"\n[26-01-29 15:30:14] \xff\xfe\x00 behind it\n")
	l, _ := open(t, Options{}, dir)
	require.Len(t, l.Runs(), 1)
	s, ok := l.Session(idOf(t, path))
	require.True(t, ok)
	r, err := s.Reader(Checkpoint{})
	require.NoError(t, err)
	defer r.Close()
	var text bytes.Buffer
	for {
		e, err := r.Next()
		if err != nil {
			break
		}
		if o, ok := e.Data.(event.Output); ok {
			require.LessOrEqual(t, len(o.Text), maxText)
			text.WriteString(o.Text)
		}
	}
	assert.Less(t, cap(r.buf), 8*readSize)
	assert.Equal(t, "one"+long+"\xff\xfe\x00 behind it", text.String())
}

// TestUnreadable leaves out what it may not read, and tells so.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(put(t, filepath.Join(dir, "progress-a.txt"), logOf("a")), 0))
	put(t, filepath.Join(dir, "progress-b.txt"), logOf("b"))
	l, notes := open(t, Options{}, dir)
	assert.Equal(t, []string{"progress-b.txt"}, names(l.Runs()))
	require.NotEmpty(t, notes())
	assert.Contains(t, notes()[0], "progress-a.txt")
}

// TestLargeFileByItsEnds shows a large file's row from its ends as if all of it was read.
func TestLargeFileByItsEnds(t *testing.T) {
	filler := strings.Repeat("[26-01-29 15:30:13] edit the file so that the parser accepts nested lists\n", 10_000)
	last := "\n--- task iteration 7 ---\n[26-01-29 15:34:00] last words\n"
	for name, end := range map[string]string{"ended": last + endedAt, "failed": last + strings.Replace(endedAt, "Completed: ", "Failed: ", 1), "killed": last,
		"restarted": last + "\n\n--- restarted at 2026-01-30 09:00:00 ---\n\nPlan: /repo/docs/plans/a.md\nBranch: other\nMode: full\nStarted: 2026-01-30 09:00:00\n\n" + last} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := put(t, filepath.Join(dir, "progress-a.txt"), logOf("a")+filler+end)
			l, _ := open(t, Options{}, dir)
			s, ok := l.Session(idOf(t, path))
			require.True(t, ok)
			require.False(t, s.whole)
			row := s.Run()
			whole, err := s.Detail(t.Context())
			require.NoError(t, err)
			assert.Zero(t, row.Seq, "nobody has counted")
			assert.Zero(t, row.Tasks)
			assert.NotZero(t, whole.Seq)
			row.Seq, row.Tasks = whole.Seq, whole.Tasks
			assert.Equal(t, whole.Run, row)
			grow(t, path, "[26-02-01 10:00:00] more\n")
			s.touch()
			again, err := s.Detail(t.Context())
			require.NoError(t, err)
			assert.Equal(t, whole.Seq+1, again.Seq)
		})
	}
}
