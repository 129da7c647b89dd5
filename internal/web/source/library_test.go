package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

const (
	dashes  = "------------------------------------------------------------\n"
	header  = title + "\nPlan: /repo/docs/plans/%s.md\nBranch: %s\nMode: full\nStarted: 2026-01-29 15:30:12\n" + dashes + "\n"
	endedAt = "\n" + dashes + "Completed: 2026-01-29 15:35:42 (5m30s)\n"
)

// logOf is a progress file of a plan.
func logOf(plan string, more ...string) string {
	return fmt.Sprintf(header, plan, plan) + "\n--- task iteration 1 ---\n[26-01-29 15:30:13] one\n" + strings.Join(more, "")
}

// put writes a file, and makes its folder.
func put(t testing.TB, path, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// events writes facts as a journal: the line ends of one that goes on.
func journalOf(run string, begun time.Time, facts ...event.Data) string {
	var text []byte
	for i, d := range facts {
		text, _ = event.AppendJSON(text, event.Event{Seq: int64(i + 1), Time: begun.Add(time.Duration(i) * time.Second), Run: event.RunID(run), Data: d})
		text = append(text, '\n')
	}
	return string(text)
}

// open opens a Library whose notes are kept, until the test is over.
func open(t testing.TB, opt Options, dirs ...string) (l *Library, notes func() []string) {
	t.Helper()
	var mu sync.Mutex
	var told []string
	opt.Location = time.UTC
	opt.Note = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, text)
	}
	ctx, cancel := context.WithCancel(context.Background())
	l, err := Open(ctx, dirs, opt)
	require.NoError(t, err)
	t.Cleanup(func() {
		cancel()
		l.Wait()
	})
	return l, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(told)
	}
}

// await waits until the library is as wanted, looking whenever it tells of a change.
func await(t testing.TB, l *Library, what string, is func(runs []view.Run) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	changes := l.Changes(ctx)
	for !is(l.Runs()) {
		if _, ok := <-changes; !ok {
			require.Fail(t, "waited in vain", "%s: %v", what, names(l.Runs()))
		}
	}
}

// names are the files of rows, sorted.
func names(runs []view.Run) []string {
	list := []string{}
	for _, r := range runs {
		list = append(list, filepath.Base(r.Path))
	}
	slices.Sort(list)
	return list
}

func TestFindsRuns(t *testing.T) {
	dir := t.TempDir()
	begun := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	done := []event.Data{event.RunStart{Plan: "/x/a.md", Mode: "full"}, event.RunEnd{Outcome: event.Done}}
	put(t, filepath.Join(dir, "repo/.ralph/events/20260129-153012-4f2a9c.jsonl"), journalOf("20260129-153012-4f2a9c", begun, done...))
	put(t, filepath.Join(dir, "repo/.ralphex/progress/progress-old.txt"), logOf("old"))
	put(t, filepath.Join(dir, "repo/.ralphex/progress/progress.txt"), logOf("none"))
	put(t, filepath.Join(dir, "repo/.ralphex/worktrees/feature/.ralphex/progress/progress-feature.txt"), logOf("feature"))
	put(t, filepath.Join(dir, "repo/deep/down/progress-deep.txt"), logOf("deep"))
	for _, no := range []string{"node_modules/x/progress-no.txt", ".git/progress-no.txt", "vendor/progress-no.txt", ".ralph/artifacts/progress-no.txt", ".ralph/runs/events/no.jsonl",
		"progress-no.md", "my-progress-no.txt", "events/20260129-153012-4f2a9c.jsonl", ".ralph/events/no_run.jsonl"} {
		put(t, filepath.Join(dir, "repo", no), logOf("no"))
	}
	put(t, filepath.Join(dir, "repo/progress-notes.txt"), "my notes\n")
	put(t, filepath.Join(dir, "repo/progress-empty.txt"), "")
	put(t, filepath.Join(dir, "linked/.git"), "gitdir: "+filepath.Join(dir, "repo/.git/worktrees/linked")+"\n")
	put(t, filepath.Join(dir, "linked/.ralph/events/20260129-153012-aaaaaa.jsonl"), journalOf("20260129-153012-aaaaaa", begun, done...))
	l, notes := open(t, Options{}, dir)
	await(t, l, "all", func(runs []view.Run) bool { return len(runs) == 6 })
	runs := l.Runs()
	assert.Equal(t, []string{"20260129-153012-4f2a9c.jsonl", "20260129-153012-aaaaaa.jsonl", "progress-deep.txt", "progress-feature.txt", "progress-old.txt", "progress.txt"}, names(runs))
	for _, r := range runs {
		assert.Equal(t, "repo", r.Project, r.Path)
		root := "repo"
		if r.ID == "20260129-153012-aaaaaa" {
			root = "linked" // its store and its plan are there
		}
		assert.Equal(t, filepath.Join(dir, root), r.Root, r.Path)
	}
	assert.Empty(t, notes())
}

// TestPublicIDs holds that a progress file has the id that the public ralphex gives it, and that of a journal is its run.
func TestPublicIDs(t *testing.T) {
	for path, want := range map[string]string{
		"/repo/.ralphex/progress/progress-feature.txt":     "feature-386264f04917d952",
		"/repo/.ralphex/progress/progress.txt":             "progress-a18e9d133fe9c1cd",
		"/repo/.ralph/events/20260129-153012-4f2a9c.jsonl": "20260129-153012-4f2a9c",
	} {
		f, ok := match(filepath.Clean(path))
		require.True(t, ok, path)
		assert.Equal(t, want, f.id())
	}
}

// TestOneRunOneRow shows a run that has a journal and a progress file once, and a log of another tool on the same plan beside it.
func TestOneRunOneRow(t *testing.T) {
	dir := t.TempDir()
	begun := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	put(t, filepath.Join(dir, ".ralph/events/20260129-153012-4f2a9c.jsonl"), journalOf("20260129-153012-4f2a9c", begun,
		event.RunStart{Plan: "/repo/docs/plans/a.md", Mode: "full"}, event.Output{Text: "one"}, event.RunEnd{Outcome: event.Done}))
	put(t, filepath.Join(dir, ".ralphex/progress/progress-a.txt"), logOf("a"))
	put(t, filepath.Join(dir, ".ralphex/progress/progress-b.txt"), logOf("b"))
	put(t, filepath.Join(dir, ".ralphex/progress/progress-ab.txt"), strings.ReplaceAll(logOf("a"), "26-01-29 15:30:13", "26-02-01 10:00:00"))
	l, _ := open(t, Options{}, dir)
	assert.Equal(t, []string{"20260129-153012-4f2a9c.jsonl", "progress-ab.txt", "progress-b.txt"}, names(l.Runs()))
	s, ok := l.Session(idOf(t, filepath.Join(dir, ".ralphex/progress/progress-a.txt")))
	require.True(t, ok, "it can be opened all the same")
	runs, gone := l.Rows([]string{s.ID(), "20260129-153012-4f2a9c", "nobody"})
	assert.Len(t, runs, 1)
	assert.Equal(t, []string{"nobody", s.ID()}, gone)
}

func idOf(t testing.TB, path string) string {
	t.Helper()
	f, ok := match(path)
	require.True(t, ok)
	return f.id()
}

// TestSameRunTwice keeps the journals of a repository and of its copy apart.
func TestSameRunTwice(t *testing.T) {
	dir := t.TempDir()
	text := journalOf("20260129-153012-4f2a9c", time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC), event.RunStart{Plan: "/x/a.md"}, event.RunEnd{Outcome: event.Done})
	for _, repo := range []string{"a", "b"} {
		put(t, filepath.Join(dir, repo, ".ralph/events/20260129-153012-4f2a9c.jsonl"), text)
	}
	l, _ := open(t, Options{}, filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "a"))
	runs := l.Runs()
	require.Len(t, runs, 2)
	ids := []string{runs[0].ID, runs[1].ID}
	slices.Sort(ids)
	assert.Equal(t, "20260129-153012-4f2a9c", ids[0])
	assert.Regexp(t, `^20260129-153012-4f2a9c-[0-9a-f]{8}$`, ids[1])
}

// TestTellsOfChanges follows files that come, grow and go.
func TestTellsOfChanges(t *testing.T) {
	dir := t.TempDir()
	l, _ := open(t, Options{}, dir)
	assert.Empty(t, l.Runs())
	path := filepath.Join(dir, ".ralphex/progress/progress-a.txt")
	put(t, path, logOf("a"))
	await(t, l, "found", func(runs []view.Run) bool { return len(runs) == 1 && runs[0].State != view.Completed })
	grow(t, path, endedAt)
	await(t, l, "ended", func(runs []view.Run) bool { return len(runs) == 1 && runs[0].State == view.Completed })
	put(t, path, logOf("b"))
	await(t, l, "begun anew", func(runs []view.Run) bool {
		return len(runs) == 1 && runs[0].Branch == "b" && runs[0].State == view.Killed
	})
	require.NoError(t, os.Rename(path, path+".old"))
	await(t, l, "gone", func(runs []view.Run) bool { return len(runs) == 0 })
	require.NoError(t, os.Rename(path+".old", path))
	await(t, l, "back", func(runs []view.Run) bool { return len(runs) == 1 })
	require.NoError(t, os.RemoveAll(filepath.Join(dir, ".ralphex")))
	await(t, l, "folder gone", func(runs []view.Run) bool { return len(runs) == 0 })
	put(t, path, logOf("c"))
	await(t, l, "folder back", func(runs []view.Run) bool { return len(runs) == 1 && runs[0].Branch == "c" })
}

// TestCutToNothing lets the row go of a file that was cut to nothing, and shows what comes into it then: as a server would that was started a moment ago.
func TestCutToNothing(t *testing.T) {
	dir := t.TempDir()
	begun := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	journal := put(t, filepath.Join(dir, ".ralph/events/one.jsonl"), journalOf("one", begun, event.RunStart{Plan: "/x/a.md"}, event.RunEnd{Outcome: event.Done}))
	log := put(t, filepath.Join(dir, "progress-b.txt"), logOf("b"))
	large := put(t, filepath.Join(dir, "progress-c.txt"), logOf("c", strings.Repeat("[26-01-29 15:30:13] a line\n", 20_000)))
	for _, read := range []bool{false, true} {
		l, _ := open(t, Options{}, dir)
		await(t, l, "there", func(runs []view.Run) bool { return len(runs) == 3 })
		for _, path := range []string{journal, log, large} {
			was, err := os.ReadFile(path)
			require.NoError(t, err)
			s, ok := l.Session(idOf(t, path))
			require.True(t, ok)
			if read {
				_, err := s.Detail(t.Context())
				require.NoError(t, err)
			}
			require.NoError(t, os.Truncate(path, 0))
			await(t, l, "gone", func(runs []view.Run) bool { return len(runs) == 2 })
			_, none := l.Rows([]string{s.ID()})
			assert.Equal(t, []string{s.ID()}, none)
			_, err = s.Detail(t.Context())
			require.ErrorIs(t, err, os.ErrNotExist)
			grow(t, path, string(was))
			await(t, l, "back", func(runs []view.Run) bool { return len(runs) == 3 })
			_, err = s.Detail(t.Context())
			require.NoError(t, err)
		}
	}
}

// TestNumberThatCantBe passes over a line whose number would make all lines behind it old ones.
func TestNumberThatCantBe(t *testing.T) {
	dir := t.TempDir()
	begun := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	lines := strings.SplitAfter(journalOf("one", begun, event.RunStart{Plan: "/x/a.md"}, event.Note{Text: "one"}, event.Note{Text: "two"}, event.RunEnd{Outcome: event.Done}), "\n")
	for _, number := range []string{"9223372036854775807", "9007199254740993", "5000"} {
		lie := strings.Replace(lines[1], `"seq":2`, `"seq":`+number, 1)
		path := put(t, filepath.Join(dir, ".ralph/events/one.jsonl"), lines[0]+lie+strings.Join(lines[1:], ""))
		l, _ := open(t, Options{}, dir)
		run := l.Runs()[0]
		assert.Equal(t, view.Completed, run.State, number)
		assert.EqualValues(t, 4, run.Seq)
		s, ok := l.Session(idOf(t, path))
		require.True(t, ok)
		d, err := s.Detail(t.Context())
		require.NoError(t, err)
		assert.Len(t, d.Notes, 2)
	}
}

// TestRootComesBack watches a folder that is removed and made again.
func TestRootComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share")
	path := put(t, filepath.Join(dir, "progress-a.txt"), logOf("a"))
	l, _ := open(t, Options{}, dir)
	require.Len(t, l.Runs(), 1)
	require.NoError(t, os.RemoveAll(dir))
	await(t, l, "gone", func(runs []view.Run) bool { return len(runs) == 0 })
	put(t, path+".new", logOf("b"))
	require.NoError(t, os.Rename(path+".new", path))
	await(t, l, "back", func(runs []view.Run) bool { return len(runs) == 1 && runs[0].Branch == "b" })
}

// TestRepositoryComesBack moves a repository away, out of a folder in which nothing else is, and back.
func TestRepositoryComesBack(t *testing.T) {
	dir, away := t.TempDir(), filepath.Join(t.TempDir(), "away")
	repo := filepath.Join(dir, "work", "api")
	put(t, filepath.Join(repo, ".ralphex/progress/progress-a.txt"), logOf("a"))
	l, _ := open(t, Options{}, dir)
	await(t, l, "there", func(runs []view.Run) bool { return len(runs) == 1 })
	for range 2 {
		require.NoError(t, os.Rename(repo, away))
		await(t, l, "gone", func(runs []view.Run) bool { return len(runs) == 0 })
		require.NoError(t, os.Rename(away, repo))
		await(t, l, "back", func(runs []view.Run) bool { return len(runs) == 1 })
	}
}

// TestDeaf finds the same where no folder can be watched, and says why it takes longer.
func TestDeaf(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, ".ralphex/progress/progress-a.txt"), logOf("a"))
	l, notes := open(t, Options{deaf: true}, dir)
	require.Len(t, l.Runs(), 1)
	grow(t, path, endedAt)
	put(t, filepath.Join(dir, ".ralphex/progress/progress-b.txt"), logOf("b"))
	await(t, l, "looked", func(runs []view.Run) bool {
		return len(runs) == 2 && slices.ContainsFunc(runs, func(r view.Run) bool { return r.State == view.Completed })
	})
	require.Len(t, notes(), 1)
	assert.Contains(t, notes()[0], "looked at every few seconds")
}

// TestReadsNothingUnasked holds that what is appended stays unread until somebody asks, and that then nothing else is read.
func TestReadsNothingUnasked(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "progress-a.txt"), logOf("a"))
	l, _ := open(t, Options{}, dir)
	run := l.Runs()[0]
	s, ok := l.Session(run.ID)
	require.True(t, ok)
	changed := s.Changed()
	grow(t, path, "[26-01-29 15:30:14] two\n")
	<-changed
	s.mu.Lock()
	at := s.at.Offset()
	s.mu.Unlock()
	assert.Equal(t, int64(len(logOf("a"))), at)
	assert.Equal(t, run.Seq+1, s.Run().Seq)
	assert.Equal(t, at+int64(len("[26-01-29 15:30:14] two\n")), s.at.Offset())
}

// TestChangesAreGathered tells many changes at once to who is slow, and ends with its context.
func TestChangesAreGathered(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		put(t, filepath.Join(dir, fmt.Sprintf("progress-%02d.txt", i)), logOf("a"))
	}
	l, _ := open(t, Options{}, dir)
	ctx, cancel := context.WithCancel(t.Context())
	changes := l.Changes(ctx)
	for round := range 3 {
		for i := range 20 {
			grow(t, filepath.Join(dir, fmt.Sprintf("progress-%02d.txt", i)), fmt.Sprintf("[26-01-29 15:30:14] %d\n", round))
		}
	}
	seen := map[string]bool{}
	for len(seen) < 20 {
		ids := <-changes
		assert.True(t, slices.IsSorted(ids))
		for _, id := range ids {
			seen[id] = true
		}
	}
	cancel()
	for range changes { // until it is closed
	}
}

func TestNoFolder(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := Open(t.Context(), []string{missing}, Options{})
	require.ErrorContains(t, err, missing)
	l, notes := open(t, Options{}, missing, t.TempDir())
	assert.Len(t, l.Roots(), 1)
	require.Len(t, notes(), 1)
	assert.Contains(t, notes()[0], missing)
}

// TestLargeJournal shows of a large journal what its ends tell, and all of it once it is read.
func TestLargeJournal(t *testing.T) {
	dir := t.TempDir()
	begun := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	used := event.Usage{InputTokens: 10, OutputTokens: 20, CostUSD: 0.5}
	facts := []event.Data{event.RunStart{Plan: "/x/a.md", Tasks: 3}, event.TaskStart{ID: "1", Title: "one"}, event.SessionStart{N: 1, Executor: "claude"}, event.SessionEnd{N: 1, Usage: used}}
	for i := range 5000 {
		facts = append(facts, event.Output{Text: fmt.Sprintf("line %d: %s", i, strings.Repeat("x", 60))})
	}
	facts = append(facts, event.RunEnd{Outcome: event.Failed, Exit: 1, Usage: used, ListUSD: 0.25, Unpriced: 1})
	path := put(t, filepath.Join(dir, ".ralph/events/one.jsonl"), journalOf("one", begun, facts...))
	l, _ := open(t, Options{}, t.TempDir())
	f, ok := match(path)
	require.True(t, ok)
	s := &Session{lib: l, file: f, id: "one", meta: view.Meta{ID: "one", Source: view.Journal}}
	var err error
	s.known, err = s.begin(t.Context())
	require.NoError(t, err)
	row := s.Run()
	assert.Equal(t, view.Failed, row.State)
	assert.Equal(t, used, row.Usage)
	assert.InDelta(t, 0.5, row.CostUSD, 1e-9)
	assert.InDelta(t, 0.25, row.ListUSD, 1e-9)
	assert.Equal(t, view.Tally{Total: 3}, row.Tasks)
	assert.Zero(t, row.Sessions)

	l, _ = open(t, Options{}, dir)
	await(t, l, "read", func(runs []view.Run) bool { return runs[0].Sessions == 1 })
	again, ok := l.Session("one")
	require.True(t, ok)
	whole, err := again.Detail(t.Context())
	require.NoError(t, err)
	assert.Equal(t, whole.Run, l.Runs()[0])
	assert.Equal(t, row.Seq, whole.Seq)
}
