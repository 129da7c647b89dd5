package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/journal"
	"ralphex/internal/price"
	"ralphex/internal/web"
	runview "ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// looked is a repository in which `ralphex demo` has run, and what the page can know of that run.
type looked struct {
	*pageFacts
	t   *testing.T
	dir string
	run runview.Run
}

func lookAtDemo(t *testing.T) looked {
	t.Helper()
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "demo")
	p := Proc{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Dir: home, Env: append(os.Environ(), "HOME="+home, "RALPHEX_CONFIG_DIR="+home)}
	require.Equal(t, 0, Main([]string{"demo", "--dir", dir}, p), fmt.Sprint(p.Err))
	dir, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	prices, err := price.Load()
	require.NoError(t, err)
	l := looked{pageFacts: newFacts(p.at(dir), prices), t: t, dir: dir}
	files, err := filepath.Glob(filepath.Join(dir, storeDir, "events", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	l.run = l.row(files[0], runview.Dead)
	return l
}

// row is the run of a journal as the list has it.
func (l looked) row(path string, alive runview.Alive) runview.Run {
	l.t.Helper()
	s := runview.NewState(runview.Meta{ID: "x", Source: runview.Journal, Root: l.dir, Path: path, Price: l.prices.Dollars})
	for e, err := range journal.Events(path) {
		require.NoError(l.t, err)
		s.Apply(e)
	}
	return s.Run(time.Now(), alive)
}

// says runs a verb in the repository.
func (l looked) says(args ...string) string {
	l.t.Helper()
	var out, stderr bytes.Buffer
	p := *l.p
	p.Out, p.Err = &out, &stderr
	require.Equal(l.t, 0, Main(args, p), stderr.String())
	return out.String()
}

func (l looked) write(name, text string) {
	l.t.Helper()
	path := filepath.Join(l.dir, filepath.FromSlash(name))
	require.NoError(l.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(l.t, os.WriteFile(path, []byte(text), 0o644))
}

// journalOf writes a journal of facts into the repository.
func (l looked) journalOf(name string, facts ...event.Data) string {
	l.t.Helper()
	var text []byte
	for i, d := range facts {
		line, err := event.AppendJSON(nil, event.Event{Seq: int64(i + 1), Time: time.Unix(int64(i), 0), Run: event.RunID(name), Data: d})
		require.NoError(l.t, err)
		text = append(append(text, line...), '\n')
	}
	l.write(storeDir+"/events/"+name+".jsonl", string(text))
	return filepath.Join(l.dir, storeDir, "events", name+".jsonl")
}

// toldNo is the answer that something is not to be had, and nothing worse.
func toldNo(t *testing.T, err error) string {
	t.Helper()
	var r *web.Refusal
	require.ErrorAs(t, err, &r)
	assert.Equal(t, 404, r.Status)
	return r.Message
}

func paths(d web.Diff) (got []string) {
	for _, f := range d.Files {
		got = append(got, fmt.Sprintf("%s %s +%d -%d", f.Status, f.Path, f.Additions, f.Deletions))
	}
	return got
}

func TestFactsOfARun(t *testing.T) {
	l := lookAtDemo(t)
	ctx := t.Context()

	t.Run("plan", func(t *testing.T) {
		p, err := l.Plan(ctx, l.run)
		require.NoError(t, err)
		assert.Equal(t, "docs/plans/completed/word-counter.md", p.Path)
		assert.True(t, p.Archived)
		assert.Equal(t, "Word counter", p.Title)
		require.Len(t, p.Tasks, 3)
		assert.Equal(t, web.PlanBox{Text: "write count.sh", Checked: true}, p.Tasks[0].Checkboxes[0])
		assert.Equal(t, "done", p.Tasks[2].Status)
		assert.Equal(t, "sh test/run.sh", p.Commands[0].Text)

		working := l.run
		working.State, working.Task = runview.Active, 2
		p, err = l.Plan(ctx, working)
		require.NoError(t, err)
		assert.Equal(t, "active", p.Tasks[1].Status)
	})

	t.Run("diff", func(t *testing.T) {
		d, err := l.Diff(ctx, l.run, web.DiffOf{})
		require.NoError(t, err)
		assert.Contains(t, paths(d), "added count.sh +8 -0")
		assert.Empty(t, d.Note)
		task, err := l.Diff(ctx, l.run, web.DiffOf{Task: 3})
		require.NoError(t, err)
		assert.Equal(t, []string{"modified docs/plans/word-counter.md +4 -4", "added test/empty_test.sh +2 -0"}, paths(task))
		commit, err := l.Diff(ctx, l.run, web.DiffOf{Commit: task.Head[:8]})
		require.NoError(t, err)
		assert.Equal(t, task, commit, "the task has one commit")

		_, err = l.Diff(ctx, l.run, web.DiffOf{Task: 9})
		assert.Equal(t, "task 9 has no commits", toldNo(t, err))
		for _, rev := range []string{"HEAD", "main", "--output=x", "", "..", task.Base[:3], "0123456789"} {
			if rev != "" {
				_, err = l.Diff(ctx, l.run, web.DiffOf{Commit: rev})
				assert.Contains(t, toldNo(t, err), "is no commit of this run")
			}
		}
	})

	t.Run("gate", func(t *testing.T) {
		d, err := fold(l.run)
		require.NoError(t, err)
		seq := d.Gates[1].Seq
		for command, want := range map[int]string{1: "ok   test/count_test.sh\n1 tests\n", 0: "$ sh test/run.sh\nok   test/count_test.sh\n1 tests\n"} {
			r, err := l.Gate(ctx, l.run, seq, command)
			require.NoError(t, err)
			text, err := io.ReadAll(r)
			require.NoError(t, err)
			assert.Equal(t, want, string(text))
			require.NoError(t, r.Close())
		}
		kept := d.Gates[1].Commands[0].OutputFile
		require.NoError(t, os.WriteFile(kept, []byte("all is well\n"), 0o600))
		r, err := l.Gate(ctx, l.run, seq, 1)
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.Equal(t, "[this is not the output that was judged: the file was changed since]\nall is well\n", string(text))
		_, err = l.Gate(ctx, l.run, seq, 2)
		assert.Equal(t, "that gate has run 1 command", toldNo(t, err))
		for _, seq := range []int64{seq + 1, 1 << 40} {
			_, err = l.Gate(ctx, l.run, seq, 1)
			assert.Contains(t, toldNo(t, err), "no gate of this run began")
		}
	})

	t.Run("receipts", func(t *testing.T) {
		got, err := l.Receipts(ctx, l.run)
		require.NoError(t, err)
		assert.JSONEq(t, l.says("receipt", "--all", "--json", "--run", string(l.run.Run)), string(got))
	})

	t.Run("trust", func(t *testing.T) {
		got, err := l.Trust(ctx, l.run)
		require.NoError(t, err)
		assert.JSONEq(t, l.says("timeline"), string(got.Timeline))
		assert.Nil(t, got.Intent)
		assert.Contains(t, got.Note, "no .ralph workspace")
		assert.JSONEq(t, "[]", string(got.Remediations))
		_, err = json.Marshal(got)
		require.NoError(t, err)

		l.says("workspace", "init")
		got, err = l.Trust(ctx, l.run)
		require.NoError(t, err)
		assert.JSONEq(t, l.says("timeline", "--intent"), string(got.Intent))
		assert.Empty(t, got.Note)

		l.write(".ralphex/config", "vcs_backend = none\n")
		broken, err := l.Trust(ctx, l.run)
		require.NoError(t, err)
		assert.NotEmpty(t, broken.Timeline)
		assert.Contains(t, broken.Note, "what is planned ahead can't be told")
		require.NoError(t, os.Remove(filepath.Join(l.dir, ".ralphex", "config")))
	})

	t.Run("a text log", func(t *testing.T) {
		run := l.run
		run.Source = runview.Progress
		_, err := l.Receipts(ctx, run)
		assert.Contains(t, toldNo(t, err), "text log")
		_, err = l.Gate(ctx, run, 1, 1)
		assert.Contains(t, toldNo(t, err), "text log")
		_, err = l.Trust(ctx, run)
		assert.Contains(t, toldNo(t, err), "text log")
		d, err := l.Diff(ctx, run, web.DiffOf{})
		require.NoError(t, err)
		assert.Contains(t, paths(d), "added count.sh +8 -0")
		assert.Contains(t, d.Note, "a text log tells no commits")
		_, err = l.Diff(ctx, run, web.DiffOf{Task: 1})
		assert.Equal(t, "task 1 has no commits", toldNo(t, err))
	})

	t.Run("a run that goes on", func(t *testing.T) {
		l.write("count.sh", "new\n")
		l.write("fresh.txt", "a\nb\n")
		l.write("mine.txt", "mine\n")
		l.write("picture.bin", "\x00\x01")
		path := l.journalOf("20300101-000000-abcdef", event.RunStart{StartHead: l.git("rev-parse", "HEAD"), Branch: "word-counter", Dirty: []string{"mine.txt"}}, event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks})
		d, err := l.Diff(ctx, l.row(path, runview.Running), web.DiffOf{})
		require.NoError(t, err)
		assert.Contains(t, paths(d), "modified count.sh +1 -8")
		assert.Contains(t, paths(d), "added fresh.txt +2 -0")
		assert.NotContains(t, paths(d), "added mine.txt +1 -0")
		assert.Contains(t, d.Note, "1 file is not shown: changed before the run began")
		for _, f := range d.Files {
			assert.Equal(t, f.Path == "picture.bin", f.Binary, f.Path)
		}
		assert.Empty(t, d.Head)

		killed, err := l.Diff(ctx, l.row(path, runview.Dead), web.DiffOf{})
		require.NoError(t, err)
		assert.Equal(t, d, killed, "nobody went on from there")
		l.git("commit", "-qam", "somebody else")
		killed, err = l.Diff(ctx, l.row(path, runview.Dead), web.DiffOf{})
		require.NoError(t, err)
		assert.Empty(t, killed.Files)
	})

	t.Run("the plan of a run whose branch is not checked out", func(t *testing.T) {
		l.git("stash", "-q", "-u")
		l.git("checkout", "-q", "main")
		p, err := l.Plan(ctx, l.run)
		require.NoError(t, err)
		assert.Equal(t, "docs/plans/completed/word-counter.md", p.Path)
		assert.Equal(t, "done", p.Tasks[2].Status)
		working := l.run
		working.State = runview.Active
		_, err = l.Plan(ctx, working)
		assert.Contains(t, toldNo(t, err), "is not there", "what lies there now counts for a run that goes on")
		assert.Contains(t, hintOf(err), "word-counter")
	})

	t.Run("commits that are gone", func(t *testing.T) {
		path := l.journalOf("20300101-000001-abcdef", event.RunStart{StartHead: strings.Repeat("0", 40)}, event.Commit{Rev: strings.Repeat("1", 40)}, event.RunEnd{Outcome: event.Done})
		_, err := l.Diff(ctx, l.row(path, runview.Dead), web.DiffOf{})
		assert.Contains(t, toldNo(t, err), "the change can't be told")
		path = l.journalOf("20300101-000002-abcdef", event.RunStart{})
		_, err = l.Diff(ctx, l.row(path, runview.Running), web.DiffOf{})
		assert.Contains(t, toldNo(t, err), "had no commit then")
	})

	t.Run("nobody waits for ever", func(t *testing.T) {
		for range factsAt {
			l.busy <- struct{}{}
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		_, err := l.Diff(gone, l.run, web.DiffOf{})
		require.ErrorIs(t, err, context.Canceled)
		for range factsAt {
			<-l.busy
		}
	})

	t.Run("a repository that is gone", func(t *testing.T) {
		require.NoError(t, os.RemoveAll(filepath.Join(l.dir, ".git")))
		_, err := l.Diff(ctx, l.run, web.DiffOf{})
		assert.Contains(t, toldNo(t, err), "is no repository any more")
	})
}

func (l looked) git(args ...string) string {
	l.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", l.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Env = l.p.Env
	out, err := cmd.Output()
	require.NoError(l.t, err, args)
	return strings.TrimSpace(string(out))
}

func TestBelowStore(t *testing.T) {
	for name, want := range map[string]string{
		"/r/.ralph/artifacts/x.log": "artifacts/x.log", ".ralph/x": "x", "/a/.ralph/b/.ralph/x": "x", "/r/.ralph/a/../x": "x",
		"x": "", "/x": "", ".ralph": "", "/r/.ralphex/x": "", "/r/.ralph/../x": "", ".ralph/../../x": "",
	} {
		got, ok := belowStore(name)
		assert.Equal(t, want != "", ok, name)
		if ok {
			assert.Equal(t, want, filepath.ToSlash(got))
		}
	}
}

// What a journal names is read only where it may lie.
func TestOutputsOfHostileJournals(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o644))
	l := looked{pageFacts: newFacts(&Proc{Dir: dir, Env: os.Environ()}, price.List{}), t: t, dir: dir}
	l.write(".ralph/artifacts/r/gate-001/command-01.log", "fine")
	l.write("inside.txt", "not an output")
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, ".ralph", "artifacts", "link")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(dir, ".ralph", "artifacts", "folder")))
	for file, want := range map[string]string{
		"": "the tail",
		filepath.Join(dir, ".ralph/artifacts/r/gate-001/command-01.log"): "fine",
		".ralph/artifacts/r/gate-001/command-01.log":                     "fine",
		"/moved/since/.ralph/artifacts/r/gate-001/command-01.log":        "fine",
		outside:                            "!",
		"/etc/passwd":                      "!",
		"inside.txt":                       "!",
		".ralph/../inside.txt":             "!",
		".ralph/../../../../etc/passwd":    "!",
		"/x/.ralph/../../etc/passwd":       "!",
		"/x/.ralph//etc/passwd":            "!",
		".ralph/artifacts/link":            "!",
		".ralph/artifacts/folder/secret":   "!",
		".ralph/artifacts":                 "!",
		".ralph":                           "!",
		".ralph/artifacts/gone.log":        "!",
		".ralph/artifacts/a\x00b":          "!",
		`C:\Windows\.ralph\..\..\system32`: "!",
	} {
		path := l.journalOf("20300101-000000-abcdef", event.RunStart{}, event.GateStart{Commands: 1}, event.GateCommand{Command: "make", Exit: 1, OutputFile: file, Tail: "the tail"})
		r, err := l.Gate(t.Context(), runview.Run{Source: runview.Journal, Root: dir, Path: path}, 2, 1)
		if want == "!" {
			require.Error(t, err, file)
			toldNo(t, err)
			continue
		}
		require.NoError(t, err, file)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.Equal(t, want, string(text), file)
		require.NoError(t, r.Close())
	}
}

func TestPlansOfHostileJournals(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	l := looked{pageFacts: newFacts(&Proc{Dir: dir, Env: os.Environ()}, price.List{}), t: t, dir: dir}
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret.md"), []byte("# Secret\n"), 0o644))
	l.write("docs/plans/20260129-feature.md", "# Dated\n")
	l.write("docs/plans/completed/done.md", "# Done\n")
	l.write("docs/plans/\xff.md", "# Odd \xff\n")
	l.write("docs/plans/completed/2026-01-30-both.md", "# Both\n")
	l.write("docs/plans/back.md", "# Back\n")
	l.write("docs/plans/huge.md", strings.Repeat("x", 17<<20))
	l.write(".env", "KEY=1\n")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "folder.md"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "docs", "plans", "link.md")))
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for name, want := range map[string]string{
		in("docs/plans/20260129-feature.md"):            "Dated",
		in("docs/plans/2026-01-29-feature.md"):          "Dated",
		in("docs/plans/done.md"):                        "Done",
		in("docs/plans/20260130-both.md"):               "Both",
		in("docs/plans/completed/back.md"):              "Back",
		in("docs/plans/\xff.md"):                        "Odd \xff",
		in("docs/plans/gone.md"):                        "!is not there",
		in("docs/plans/link.md"):                        "!",
		in("docs/plans/huge.md"):                        "!",
		in("folder.md"):                                 "!",
		in(".env"):                                      "!plans are .md files",
		filepath.Join(outside, "secret.md"):             "!outside",
		in("../" + filepath.Base(outside) + "/x.md"):    "!",
		"/etc/passwd":                                   "!",
		"":                                              "!has no plan",
		filepath.Join(dir, "docs", "plans", "a\x00.md"): "!",
	} {
		p, err := l.Plan(t.Context(), runview.Run{Root: dir, PlanPath: name})
		if why, no := strings.CutPrefix(want, "!"); no {
			require.Error(t, err, name)
			assert.Contains(t, err.Error(), why)
			assert.NotErrorIs(t, err, errors.ErrUnsupported)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, want, p.Title)
	}
}

// A worktree is believed only if the repository has it.
func TestPlanOfAWorktree(t *testing.T) {
	l := lookAtDemo(t)
	tree := filepath.Join(t.TempDir(), "tree")
	l.git("worktree", "add", "-q", "-b", "other", tree)
	require.NoError(t, os.WriteFile(filepath.Join(tree, "docs", "plans", "completed", "word-counter.md"), []byte("# In the tree\n"), 0o644))
	run := l.run
	run.Worktree = tree
	p, err := l.Plan(t.Context(), run)
	require.NoError(t, err)
	assert.Equal(t, "In the tree", p.Title)

	stranger := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(stranger, "docs", "plans", "completed"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(stranger, "docs", "plans", "completed", "word-counter.md"), []byte("# Secret\n"), 0o644))
	for _, gone := range []string{stranger, filepath.Join(stranger, "gone"), "/", "relative"} {
		run.Worktree = gone
		p, err = l.Plan(t.Context(), run)
		require.NoError(t, err, gone)
		assert.Equal(t, "Word counter", p.Title, gone)
	}
	run.Worktree = tree
	require.NoError(t, os.RemoveAll(tree))
	p, err = l.Plan(t.Context(), run)
	require.NoError(t, err)
	assert.Equal(t, "Word counter", p.Title, "the worktree is gone")
}

// TestCostIsTheVerbs: the page and `ralphex cost` add up the same.
func TestCostIsTheVerbs(t *testing.T) {
	prices, err := price.Load()
	require.NoError(t, err)
	dir := t.TempDir()
	l := looked{pageFacts: newFacts(&Proc{Dir: dir}, prices), t: t, dir: dir}
	session := func(n int, model string, u event.Usage, shares map[string]event.Usage) []event.Data {
		return []event.Data{event.SessionStart{N: n, Executor: "claude", Argv: []string{"claude", "--model", model}}, event.Spent{Usage: event.Usage{InputTokens: 1}},
			event.SessionEnd{N: n, Usage: u, Models: shares, Elapsed: time.Duration(n) * time.Second}}
	}
	known := "claude-opus-4-5-20251101"
	facts := []event.Data{event.RunStart{}, event.TaskStart{ID: "1", Title: "One"}}
	facts = append(facts, session(1, "", event.Usage{InputTokens: 10, CostUSD: 0.5, Turns: 2}, nil)...)
	facts = append(facts, session(2, known, event.Usage{InputTokens: 1000, OutputTokens: 50, CacheReadTokens: 7}, nil)...)
	facts = append(facts, session(3, "", event.Usage{InputTokens: 1000, OutputTokens: 5}, map[string]event.Usage{known: {InputTokens: 900}, "claude-haiku-4-5": {InputTokens: 100, OutputTokens: 5}})...)
	facts = append(facts, session(4, "nobody-knows-1", event.Usage{InputTokens: 3}, nil)...)
	facts = append(facts, session(5, "", event.Usage{InputTokens: 3, CostUSD: 2}, map[string]event.Usage{known: {InputTokens: 3}})...)
	facts = append(facts, session(6, "x", event.Usage{}, nil)...)
	facts = append(facts, event.SessionStart{N: 7, Executor: "claude", Model: known}, event.Spent{Usage: event.Usage{OutputTokens: 9}}, event.RunRestart{},
		event.SessionStart{N: 8, Executor: "codex"}, event.Spent{Usage: event.Usage{OutputTokens: 11}, Models: map[string]event.Usage{known: {OutputTokens: 11}}})
	journals := map[string]string{"made up": l.journalOf("20300101-000000-abcdef", facts...)}
	for _, name := range []string{"demo", "review"} {
		text, err := os.ReadFile(filepath.Join("..", "web", "view", "testdata", name+".jsonl"))
		require.NoError(t, err)
		l.write(name+".jsonl", string(text))
		journals[name] = filepath.Join(dir, name+".jsonl")
	}
	for name, path := range journals {
		t.Run(name, func(t *testing.T) {
			ledger, err := journal.ReadLedger(path)
			require.NoError(t, err)
			want := newCostReport(dir, []journal.Ledger{ledger}, prices)
			s := runview.NewState(runview.Meta{Source: runview.Journal, Price: prices.Dollars})
			for e, err := range journal.Events(path) {
				require.NoError(t, err)
				s.Apply(e)
			}
			got, err := l.Cost(t.Context(), s.Detail(time.Now(), runview.Running))
			require.NoError(t, err)
			same := func(want costRow, got runview.CostRow, timed bool) {
				t.Helper()
				assert.Equal(t, want.Sessions, got.Sessions)
				assert.Equal(t, want.Tokens, got.Usage.Tokens())
				assert.InDelta(t, want.Usage.CostUSD, got.Usage.CostUSD, 1e-9)
				assert.InDelta(t, want.ListUSD, got.ListUSD, 1e-9)
				assert.Equal(t, want.Unpriced, got.Unpriced)
				if timed {
					assert.Equal(t, want.Elapsed, got.Elapsed)
				}
			}
			same(want.Total, got.Total, false) // the verb's is that of the processes
			require.Len(t, got.Tasks, len(want.Tasks))
			for i, task := range got.Tasks {
				same(want.Tasks[i], task.CostRow, true)
				assert.Equal(t, want.Tasks[i].Title, task.Name)
			}
			require.Len(t, got.Phases, len(want.Phases))
			for i, row := range got.Phases {
				same(want.Phases[i], row, true)
				assert.Equal(t, want.Phases[i].Name, row.Name)
			}
			rows := map[string]runview.CostRow{}
			for _, row := range got.Models {
				rows[row.Name] = row
			}
			require.Len(t, rows, len(want.Models))
			for _, row := range want.Models {
				same(row, rows[row.Name], true)
			}
			if n := len(got.Points); n > 0 {
				last := got.Points[n-1]
				assert.Equal(t, got.Total.Usage.Tokens(), last.Tokens)
				assert.InDelta(t, got.Total.Usage.CostUSD+got.Total.ListUSD, last.USD, 1e-9)
			}
		})
	}
}

// A commit that grows stands on what its first form stood on.
func TestBaseOfACommit(t *testing.T) {
	d := runview.Detail{StartHead: "start", SessionList: []runview.Session{{Seq: 3, Head: "plan"}, {Seq: 7, Head: "pulled"}, {Seq: 20}},
		Commits: []runview.Commit{{Seq: 2, Rev: "plan"}, {Seq: 5, Rev: "one"}, {Seq: 6, Rev: "one'", Replaced: "one"}, {Seq: 9, Rev: "two"}, {Seq: 10, Rev: "three"},
			{Seq: 21, Rev: "one''", Replaced: "one'"}, {Seq: 22, Rev: "x", Replaced: "a person's"}}}
	for i, want := range []string{"start", "plan", "plan", "pulled", "two", "plan", "start"} {
		assert.Equal(t, want, string(baseOf(&d, i)), d.Commits[i].Rev)
	}
	err := noChange(&d, "one", errors.New("unknown revision"))
	assert.Equal(t, "one was amended by a later commit of the run, and is not in the repository any more", toldNo(t, err))
	assert.Equal(t, "look at the change of the whole run", hintOf(err))
	assert.Contains(t, toldNo(t, noChange(&d, "two", errors.New("unknown revision"))), "unknown revision")
}

func TestCostHasTheBudgetWithWhatWasAdded(t *testing.T) {
	l := looked{pageFacts: newFacts(&Proc{}, price.List{}), t: t, dir: t.TempDir()}
	path := l.journalOf("20300101-000000-abcdef", event.RunStart{}, event.Budget{Run: event.Limits{CostUSD: 5}, Task: event.Limits{Sessions: 2}})
	l.write(storeDir+"/runs/20300101-000000-abcdef/"+budgetFile, `{"v":1,"cost_usd":2}`+"\n")
	d := runview.Detail{Run: l.row(path, runview.Running), Budget: &event.Budget{Run: event.Limits{CostUSD: 5}, Task: event.Limits{Sessions: 2}}}
	c, err := l.Cost(t.Context(), d)
	require.NoError(t, err)
	assert.Equal(t, &event.Budget{Run: event.Limits{CostUSD: 7}, Task: event.Limits{Sessions: 2}}, c.Budget)
	assert.Equal(t, 5.0, d.Budget.Run.CostUSD)
}
