package source

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// TestAlive tells by the lock of a progress file whether its run lives, and takes none that the run would notice.
func TestAlive(t *testing.T) {
	dir := t.TempDir()
	if !locksTell(dir) {
		t.Skip("locks of other processes can't be seen in this folder")
	}
	path := put(t, filepath.Join(dir, "progress-a.txt"), logOf("a"))
	l, _ := open(t, Options{Now: func() time.Time { return time.Date(2026, 1, 29, 15, 31, 0, 0, time.UTC) }}, dir)
	assert.Equal(t, view.Killed, l.Runs()[0].State)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, durable.TryLock(f))
	grow(t, path, "\n\n--- restarted at 2026-01-29 15:30:30 ---\n\n")
	l.Wake(path)
	assert.Equal(t, view.Active, l.Runs()[0].State)
	again, _ := open(t, Options{Now: l.opt.Now}, dir)
	assert.Equal(t, view.Active, again.Runs()[0].State, "a second dashboard sees the same")
	require.NoError(t, f.Close())
	await(t, l, "its process died", func(runs []view.Run) bool { return runs[0].State == view.Killed })
}

// TestAliveByRunLock tells it by the run's lock in the repository, and of another host's journal not at all.
func TestAliveByRunLock(t *testing.T) {
	dir := t.TempDir()
	begun := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	host, err := os.Hostname()
	require.NoError(t, err)
	put(t, filepath.Join(dir, ".ralph/events/one.jsonl"), journalOf("one", begun, event.RunStart{Plan: "/x/a.md", Host: host}))
	put(t, filepath.Join(dir, ".ralph/events/two.jsonl"), journalOf("two", begun, event.RunStart{Plan: "/x/b.md", Host: host}))
	put(t, filepath.Join(dir, ".ralph/events/far.jsonl"), journalOf("far", begun, event.RunStart{Plan: "/x/c.md", Host: "another-host"}))
	tree := filepath.Join(dir, "tree")
	put(t, filepath.Join(dir, ".ralph/events/wt.jsonl"), journalOf("wt", begun, event.RunStart{Plan: "/x/d.md", Host: host, Worktree: tree}))
	lock, err := durable.Acquire(filepath.Join(dir, ".ralph/run.lock"), durable.Holder{Run: "one"})
	require.NoError(t, err)
	defer lock.Release()
	treeLock, err := durable.Acquire(filepath.Join(tree, ".ralph/run.lock"), durable.Holder{Run: "wt"})
	require.NoError(t, err)
	defer treeLock.Release()
	states := func(at time.Time) map[string]view.RunState {
		l, _ := open(t, Options{Now: func() time.Time { return at }}, dir)
		all := map[string]view.RunState{}
		for _, r := range l.Runs() {
			all[r.ID] = r.State
		}
		return all
	}
	want := map[string]view.RunState{"one": view.Active, "two": view.Killed, "far": view.Active, "wt": view.Active}
	assert.Equal(t, want, states(begun.Add(time.Minute)))
	want["one"], want["far"], want["wt"] = view.Stalled, view.Stalled, view.Stalled
	assert.Equal(t, want, states(begun.Add(time.Hour)))
}
