package progress

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

var update = flag.Bool("update", false, "write the golden files")

// clock is the time of the tests; events come a second after each other.
type clock struct{ t time.Time }

func newClock() *clock { return &clock{time.Date(2026, 1, 29, 15, 30, 12, 0, time.Local)} }

func (c *clock) now() time.Time { return c.t }

func (c *clock) events(task int, facts ...event.Data) (events []event.Event) {
	for _, d := range facts {
		c.t = c.t.Add(time.Second)
		events = append(events, event.Event{Time: c.t, Phase: event.PhaseTask, Task: task, Data: d})
	}
	return events
}

func handle(t *testing.T, f *File, events []event.Event) {
	t.Helper()
	for _, e := range events {
		require.NoError(t, f.Handle(e))
	}
}

// golden compares with testdata/name, or writes it.
func golden(t *testing.T, name, path string) {
	t.Helper()
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

var header = Header{Plan: "/repo/docs/plans/feature.md", Branch: "feature", Mode: "full"}

func TestWholeRun(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), ".ralphex/progress/progress-feature.txt")
	f, err := Open(path, header, c.now)
	require.NoError(t, err)
	handle(t, f, c.events(0,
		event.RunStart{Plan: header.Plan, Tasks: 2},
		event.Branch{Name: "feature", Created: true},
		event.PhaseStart{Name: event.PhaseTask}))
	handle(t, f, c.events(1,
		event.NewTaskIterationSection(1),
		event.TaskStart{ID: "1", Title: "Parser", Open: 2, Total: 2, Attempt: 1},
		event.SessionStart{N: 1},
		event.Output{Text: "I read the plan.\n\n- first\n* second\n12. third\n  - set in\n-no item\r\n" + strings.Repeat("long ", 60)},
		event.Output{Text: "Bash: go test ./...", Source: event.FromTool},
		event.Output{Text: "half a ", Partial: true},
		event.Tick{Box: 1, Text: "write tests", Checked: true, By: "agent"},
		event.Output{Text: "line\n<<<RALPHEX:ALL_TASKS_DONE>>>"},
		event.Output{Text: "never ended", Partial: true},
		event.SessionEnd{N: 1},
		event.GateStart{Commands: 1},
		event.Output{Text: "ok  \tpkg/x", Source: event.FromCommand},
		event.GateCommand{Command: "go test ./...", Elapsed: 1500 * time.Millisecond},
		event.GateEnd{Green: true, Commands: 1, Elapsed: 1500 * time.Millisecond},
		event.Commit{Rev: "0123456789ab", Message: "feat: parser", By: "ralphex"},
		event.TaskEnd{Title: "Parser", Outcome: event.Done, Elapsed: 90 * time.Second},
		event.Note{Level: event.Warn, Text: "box is for a person", Hint: "ralphex tick PLAN 2"},
		event.Asked{Question: "Which?", Options: []string{"a", "b"}},
		event.Asked{Question: "Which?", Answer: "a"}))
	handle(t, f, c.events(0,
		event.PhaseEnd{Name: event.PhaseTask},
		event.Archived{From: "a", To: "/repo/docs/plans/completed/feature.md"},
		event.RunEnd{Outcome: event.Done, Elapsed: 330 * time.Second, Files: 2, Additions: 10, Deletions: 3},
		event.Note{Level: event.Warn, Text: "nothing stands behind the footer"}))
	require.NoError(t, f.Close())
	golden(t, "run.txt", path)

	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(filepath.Dir(path))
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&^0o750, "%v: more than the group may look", info.Mode()) // less where the umask says so
}

func TestHeaders(t *testing.T) {
	tests := map[string]Header{
		"header-plan.txt": {Mode: "plan", Branch: "master", PlanModel: "opus:high"},
		"header-all.txt": {Plan: "/repo/a.md", WorktreePlan: "/repo/.ralphex/worktrees/a/a.md", Branch: "a", Mode: "tasks-only",
			Executor: "codex", TaskModel: "opus\nStarted: never", ReviewModel: "sonnet"},
	}
	for name, h := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.txt")
			f, err := Open(path, h, newClock().now)
			require.NoError(t, err)
			golden(t, name, path)
			require.NoError(t, f.Close())
		})
	}
}

func TestFooter(t *testing.T) {
	at := newClock().t
	tests := []struct {
		end  event.RunEnd
		want string
	}{
		{event.RunEnd{Outcome: event.Done, Elapsed: 83 * time.Minute}, "Completed: 2026-01-29 15:30:12 (1h23m)"},
		{event.RunEnd{Outcome: event.LeftHuman}, "Completed: 2026-01-29 15:30:12 (0s)"},
		{event.RunEnd{Outcome: event.Unproven}, "Completed: 2026-01-29 15:30:12 (0s)"},
		{event.RunEnd{Outcome: event.Failed, Reason: " gate\tis\n\nred\x1b[31m "}, "Failed: 2026-01-29 15:30:12 (0s) - gate is red [31m"},
		{event.RunEnd{Outcome: event.Failed}, "Failed: 2026-01-29 15:30:12 (0s) - unknown error"},
		{event.RunEnd{Outcome: event.Interrupted}, "Failed: 2026-01-29 15:30:12 (0s) - user aborted"},
		{event.RunEnd{Outcome: event.Failed, Reason: strings.Repeat("ж", 201)}, "Failed: 2026-01-29 15:30:12 (0s) - " + strings.Repeat("ж", 200) + "..."},
	}
	for _, tt := range tests {
		assert.Equal(t, "\n"+strings.Repeat("-", 60)+"\n"+tt.want+"\n", footer(at, tt.end))
	}
}

// Each row is what is in the file before a run opens it.
func TestReuse(t *testing.T) {
	old := "# Ralphex Progress Log\nStarted: 2025-01-01 00:00:00\n" + ruler + "\n\n[25-01-01 00:00:00] text\n"
	done := footer(time.Date(2025, 1, 1, 0, 0, 1, 0, time.Local), event.RunEnd{Outcome: event.Done})
	failed := footer(time.Date(2025, 1, 1, 0, 0, 1, 0, time.Local), event.RunEnd{Outcome: event.Failed})
	anew := header.text(newClock().t)
	again := "\n\n--- restarted at 2026-01-29 15:30:12 ---\n\nPlan: /repo/docs/plans/feature.md\nBranch: feature\nMode: full\nStarted: 2026-01-29 15:30:12\n\n"
	tests := []struct{ name, before, want string }{
		{"empty", "", anew},
		{"killed", old, old + again},
		{"failed", old + failed, old + failed + again},
		{"completed", old + done, anew},
		{"completed, long ago in the file", old + done + strings.Repeat("x", 300), old + done + strings.Repeat("x", 300) + again},
		{"text that says so", old + "[25-01-01 00:00:00] Completed: 2025", old + "[25-01-01 00:00:00] Completed: 2025" + again},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "p.txt")
			require.NoError(t, os.WriteFile(path, []byte(tt.before), 0o600))
			f, err := Open(path, header, newClock().now)
			require.NoError(t, err)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(got))
			require.NoError(t, f.Close())
		})
	}
}

func TestOneRunAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.txt")
	first, err := Open(path, header, newClock().now)
	require.NoError(t, err)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = Open(path, header, newClock().now)
	require.ErrorIs(t, err, durable.ErrHeld)
	assert.Contains(t, err.Error(), path)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
	require.NoError(t, first.Close())
	second, err := Open(path, header, newClock().now)
	require.NoError(t, err)
	require.NoError(t, second.Close())
}

func TestCloseWithoutEnd(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "p.txt")
	f, err := Open(path, header, c.now)
	require.NoError(t, err)
	handle(t, f, c.events(1, event.Output{Text: "held", Partial: true}))
	require.NoError(t, f.Close())
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, header.text(newClock().t)+"[26-01-29 15:30:13] held\n\n"+ruler+"\nFailed: 2026-01-29 15:30:13 (1s) - unknown error\n", string(got))
}

// A line is one line in the file, however long.
func TestLongLine(t *testing.T) {
	c := newClock()
	path := filepath.Join(t.TempDir(), "p.txt")
	f, err := Open(path, Header{}, c.now)
	require.NoError(t, err)
	part := strings.Repeat("x", 32<<10)
	handle(t, f, c.events(1, event.Output{Text: part, Partial: true}, event.Output{Text: part, Partial: true}, event.Output{Text: "end\nnext"}))
	require.NoError(t, f.Close())
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	_, body, _ := strings.Cut(string(got), ruler+"\n\n")
	body, _, _ = strings.Cut(body, "\n"+ruler)
	assert.Equal(t, "[26-01-29 15:30:13] "+part+part+"end\n[26-01-29 15:30:15] next\n", body)
}

// Many outputs in a moment are one write, which a timer does where nothing follows; what is no output is written at once, behind them.
func TestOutputIsGatheredForAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		path := filepath.Join(t.TempDir(), "p.txt")
		f, err := Open(path, Header{}, c.now)
		require.NoError(t, err)
		body := func() string {
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			_, body, _ := strings.Cut(string(got), ruler+"\n\n")
			return body
		}
		handle(t, f, c.events(1, event.Output{Text: "one"}, event.Output{Text: "two"}, event.Output{Text: "three"}))
		first := "[26-01-29 15:30:13] one\n"
		assert.Equal(t, first, body(), "the first one waits for nothing")
		all := first + "[26-01-29 15:30:14] two\n[26-01-29 15:30:15] three\n"
		time.Sleep(2 * gatherFor)
		assert.Equal(t, all, body())

		handle(t, f, c.events(1, event.Output{Text: "four"}, event.Output{Text: "five"}, event.Note{Text: "six"}))
		all += "[26-01-29 15:30:16] four\n[26-01-29 15:30:17] five\n[26-01-29 15:30:18] six\n"
		assert.Equal(t, all, body())

		require.NoError(t, f.f.Close(), "as if the disk were gone")
		require.NoError(t, f.Handle(c.events(1, event.Output{Text: "seven"})[0]))
		time.Sleep(2 * gatherFor)
		assert.ErrorIs(t, f.Handle(c.events(1, event.Output{Text: ""})[0]), os.ErrClosed, "what the timer met is told")
	})
}

func BenchmarkFileOutput(b *testing.B) {
	text := strings.Repeat("Reading the file pkg/x/y.go, and so on\n", 820) // 32 KiB
	f, err := Open(filepath.Join(b.TempDir(), "p.txt"), header, nil)
	require.NoError(b, err)
	defer f.Close()
	b.SetBytes(int64(len(text)))
	e := event.Event{Time: time.Now(), Data: event.Output{Text: text}}
	for b.Loop() {
		if err := f.Handle(e); err != nil {
			b.Fatal(err)
		}
	}
}
