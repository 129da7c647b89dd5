package term

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

var start = time.Date(2026, 1, 29, 15, 30, 12, 0, time.Local)

// show gives a Screen the facts, a second after each other.
func show(t *testing.T, s *Screen, task int, facts ...event.Data) {
	t.Helper()
	for i, d := range facts {
		require.NoError(t, s.Handle(event.Event{Time: start.Add(time.Duration(i) * time.Second), Phase: event.PhaseTask, Task: task, Data: d}))
	}
}

var wholeRun = []event.Data{
	event.RunStart{Plan: "/repo/docs/plans/feature.md", Mode: "tasks-only", Branch: "master", Tasks: 2},
	event.Branch{Name: "feature", Created: true},
	event.PhaseStart{Name: event.PhaseTask},
	event.NewTaskIterationSection(1),
	event.TaskStart{ID: "1", Title: "Parser", Open: 2, Total: 2},
	event.Output{Text: "I read the \x1b[31mplan\x1b[0m.\n\n- first\n" + strings.Repeat("long ", 40) + "\n<<<RALPHEX:ALL_TASKS_DONE>>>\nI said <<<RALPHEX:ALL_TASKS_DONE>>>"},
	event.Output{Text: "Bash: go test ./...", Source: event.FromTool},
	event.Output{Text: "half a ", Partial: true},
	event.Tick{Box: 1, Text: "write tests", Checked: true, By: "agent"},
	event.Output{Text: "line"},
	event.SessionEnd{N: 1, Usage: event.Usage{InputTokens: 12_345, OutputTokens: 678, CostUSD: 0.421}},
	event.GateEnd{Commands: 1, Elapsed: time.Second},
	event.Note{Level: event.Warn, Text: "box is for a person", Hint: "ralphex tick PLAN 2"},
	event.Note{Level: event.Error, Text: "it broke\rok"},
	event.Archived{To: "/repo/docs/plans/completed/feature.md"},
	event.RunEnd{Outcome: event.Done, Elapsed: 330 * time.Second, Files: 2, Additions: 10, Deletions: 3, Usage: event.Usage{InputTokens: 12_345, OutputTokens: 678, CostUSD: 0.421}},
}

var options = Options{MaxIterations: 50, Dir: "/repo", ProgressLog: "/repo/.ralphex/progress/progress-feature.txt"}

func TestPlainRun(t *testing.T) {
	tio, _, out, errOut := Test()
	s := New(tio, options)
	show(t, s, 1, wholeRun...)
	require.NoError(t, s.Close())
	golden(t, "plain.out", out.String())
	golden(t, "plain.err", errOut.String())
	assert.NotContains(t, out.String(), "\x1b")
}

// What comes in one piece is shown as what comes one by one, and both outputs keep their order to each other.
func TestEventsAtOnce(t *testing.T) {
	var one, all bytes.Buffer
	show(t, New(&IO{Out: &one, Err: &one, Width: func() int { return 80 }}, Options{Dir: "/repo"}), 1, wholeRun...)
	var events []event.Event
	for i, d := range wholeRun {
		events = append(events, event.Event{Time: start.Add(time.Duration(i) * time.Second), Phase: event.PhaseTask, Task: 1, Data: d})
	}
	require.NoError(t, New(&IO{Out: &all, Err: &all, Width: func() int { return 80 }}, Options{Dir: "/repo"}).HandleAll(events))
	assert.NotEmpty(t, all.String())
	assert.Equal(t, one.String(), all.String())
}

func TestColouredRun(t *testing.T) {
	tio, _, out, errOut := Test()
	tio.Color, tio.ErrColor = true, true
	s := New(tio, Options{Colors: Colors{Task: "#010203", Warn: "none"}})
	show(t, s, 1, event.NewTaskIterationSection(1), event.Output{Text: "text"}, event.Output{Text: "<<<RALPHEX:TASK_FAILED>>>"},
		event.Note{Level: event.Warn, Text: "w"}, event.Note{Level: event.Error, Text: "e"})
	require.NoError(t, s.Close())
	assert.Equal(t, "\n--- task iteration 1 ---\n"+
		"\x1b[38;2;112;112;112m[26-01-29 15:30:13] \x1b[m\x1b[38;2;1;2;3mtext\x1b[m\n"+
		"\x1b[38;2;112;112;112m[26-01-29 15:30:14] \x1b[m\x1b[38;2;210;82;82mTASK_FAILED\x1b[m\n", out.String())
	assert.Equal(t, "warning: w\n\x1b[38;2;204;0;0merror: e\x1b[m\n", errOut.String())
}

func TestSummary(t *testing.T) {
	tests := []struct {
		end  event.RunEnd
		want string
	}{
		{event.RunEnd{Outcome: event.Done, Elapsed: 90 * time.Minute}, "\ncompleted in 1h30m\n"},
		{event.RunEnd{Outcome: event.Done, Files: 1, Additions: 2}, "\ncompleted in 0s (1 files, +2/-0 lines)\n"},
		{event.RunEnd{Outcome: event.Failed, Reason: "said elsewhere"}, "\nfailed after 0s\n"},
		{event.RunEnd{Outcome: event.Interrupted}, "\ninterrupted after 0s\n"},
		{event.RunEnd{Outcome: event.Unproven}, "\ncompleted in 0s\n  unproven: no green validation stands behind it\n"},
		{event.RunEnd{Outcome: event.Interrupted, Exit: 4}, "\nstopped after 0s\n"},
		{event.RunEnd{Outcome: event.LeftHuman, Reason: "1 item left for a person"}, "\ncompleted in 0s\n  a person has to look: 1 item left for a person\n"},
		{event.RunEnd{Outcome: event.Done, Usage: event.Usage{CacheReadTokens: 2_000_000}}, "\ncompleted in 0s\n  usage: 2.0M in 0 out\n"},
		{event.RunEnd{Outcome: event.Done, Usage: event.Usage{InputTokens: 5, CostUSD: 1}, ListUSD: 0.0023, Unpriced: 2},
			"\ncompleted in 0s\n  usage: 5 in 0 out, $1.00, $0.0023 at API list price, no price known for 2 session(s): ralphex cost --prices\n"},
		{event.RunEnd{Outcome: event.Done, ListUSD: 3}, "\ncompleted in 0s\n  usage: $3.00 at API list price\n"},
	}
	for _, tt := range tests {
		tio, _, out, _ := Test()
		s := New(tio, Options{})
		show(t, s, 0, tt.end)
		require.NoError(t, s.Close())
		assert.Equal(t, tt.want, out.String())
	}
}

func TestResumedRun(t *testing.T) {
	tio, _, out, _ := Test()
	s := New(tio, Options{Start: event.RunStart{Plan: "/p/a.md", Branch: "a", Tasks: 3}})
	show(t, s, 0, event.RunRestart{})
	require.NoError(t, s.Close())
	assert.Equal(t, "starting ralphex loop\nplan: /p/a.md\nbranch: a\n\n", out.String())
	assert.Equal(t, 3, s.status.tasks)
}

// live returns the IO of a terminal that is drawn into the returned emulator.
func live(width int) (*IO, *emulator) {
	e := &emulator{width: width, lines: [][]rune{nil}}
	return &IO{Out: e, Err: e, Live: true, Width: e.columns}, e
}

func TestStatusLineStaysLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tio, screen := live(100)
		s := New(tio, options)
		start := time.Now()
		at := func(d event.Data) {
			require.NoError(t, s.Handle(event.Event{Time: time.Now(), Phase: event.PhaseTask, Task: 2, Data: d}))
		}
		at(event.RunStart{Tasks: 5})
		at(event.TaskStart{Title: "Add the parser", Open: 2, Total: 3})
		at(event.Output{Text: "one"})
		<-time.After(redraw)
		synctest.Wait()
		assert.Equal(t, "task 2/5 Add the parser · boxes 1/3 · 0s", screen.last())

		drawings := screen.drawn()
		for range 50 {
			at(event.Output{Text: "more"})
		}
		assert.LessOrEqual(t, screen.drawn(), drawings+1, "it is not redrawn for each line")
		at(event.Note{Level: event.Warn, Text: "look out"})
		assert.Equal(t, "warning: look out", screen.last())
		<-time.After(redraw)
		synctest.Wait()
		assert.Contains(t, screen.last(), "task 2/5")

		at(event.Tick{Checked: true, Text: "box"})
		at(event.SessionEnd{Usage: event.Usage{InputTokens: 12_345, OutputTokens: 678, CostUSD: 0.421}})
		at(event.Output{Text: "x\nBash: go test", Source: event.FromTool})
		<-time.After(time.Second)
		synctest.Wait()
		assert.Equal(t, "task 2/5 Add the parser · boxes 2/3 · 1s · 12.3k in 678 out · $0.42 · Bash: go test", screen.last())
		<-time.After(time.Until(start.Add(72 * time.Second)))
		synctest.Wait()
		assert.Contains(t, screen.last(), " · 1m12s · ", "the clock goes on by itself")

		at(event.RunEnd{Outcome: event.Done})
		require.NoError(t, s.Close())
		assert.NotContains(t, screen.String(), "task 2/5", "erased at the end, and nowhere left behind")
		assert.Equal(t, 50, strings.Count(screen.String(), "more"))
	})
}

func TestStatusLineFitsAnyWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tio, screen := live(120)
		s := New(tio, Options{})
		at := func(d event.Data) {
			require.NoError(t, s.Handle(event.Event{Time: time.Now(), Task: 1, Data: d}))
		}
		at(event.RunStart{Tasks: 2})
		at(event.TaskStart{Title: strings.Repeat("Великий парсер 世界 ", 20), Open: 1, Total: 1})
		<-time.After(time.Second)
		synctest.Wait()
		rows, _ := screen.bottom()
		for _, width := range []int{120, 80, 41, 20, 3, 1, 90} {
			screen.resize(width)
			<-time.After(time.Second)
			synctest.Wait()
			got, used := screen.bottom()
			assert.Equal(t, rows, got, "one row, and nothing of it left in another, width %d:\n%s", width, screen)
			assert.Positive(t, used)
			assert.LessOrEqual(t, used, width)
		}
		require.NoError(t, s.Close())
		_, used := screen.bottom()
		assert.Zero(t, used)
	})
}

func TestWrapOnScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tio, screen := live(70)
		s := New(tio, Options{})
		require.NoError(t, s.Handle(event.Event{Time: start, Data: event.Output{Text: "слово " + strings.Repeat("word ", 20) + "end"}}))
		require.NoError(t, s.Close())
		rows := strings.Split(strings.TrimRight(screen.String(), "\n"), "\n")
		require.Len(t, rows, 3)
		assert.True(t, strings.HasPrefix(rows[0], "[26-01-29 15:30:12] слово word"))
		assert.True(t, strings.HasPrefix(rows[1], strings.Repeat(" ", 20)+"word"))
	})
}

func TestAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tio, screen := live(80)
		s := New(tio, Options{})
		require.NoError(t, s.Handle(event.Event{Time: time.Now(), Data: event.RunStart{Tasks: 1}}))
		<-time.After(time.Second)
		synctest.Wait()
		require.NoError(t, s.Aside(func() error {
			_, err := io.WriteString(screen, "continue? ")
			<-time.After(5 * time.Second)
			assert.Equal(t, "continue? ", screen.last(), "nothing is drawn over a question")
			return err
		}))
		require.NoError(t, s.Close())
	})
}

// A terminal that takes nothing must not hold the exit up.
func TestCloseOfBlockedTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pr, pw := io.Pipe()
		s := New(&IO{Out: pw, Err: io.Discard, Live: true, Width: func() int { return 80 }}, Options{})
		go func() { _ = s.Handle(event.Event{Time: time.Now(), Data: event.Output{Text: "x"}}) }()
		synctest.Wait()
		begin := time.Now()
		require.ErrorIs(t, s.Close(), os.ErrDeadlineExceeded)
		assert.Equal(t, time.Second, time.Since(begin))
		go func() { _, _ = io.Copy(io.Discard, pr) }() // lets the goroutines end
		synctest.Wait()
		pw.Close()
	})
}

func TestOf(t *testing.T) {
	var out bytes.Buffer
	tio := Of(nil, &out, &out, []string{"COLUMNS=33", "TERM=xterm"}, false)
	assert.False(t, tio.IsTerminal || tio.Live || tio.Color || tio.ErrColor)
	assert.Equal(t, 33, tio.Width())
	assert.Equal(t, 80, Of(nil, &out, &out, []string{"COLUMNS=wide"}, false).Width())
}

// 35 MB of text in a million lines.
func BenchmarkScreenPlain(b *testing.B) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(b, err)
	defer null.Close()
	s := New(&IO{Out: null, Err: null, Width: func() int { return 80 }}, Options{})
	text := strings.Repeat("Reading the file pkg/x/y.go, and so on\n", 820) // 32 KiB
	e := event.Event{Time: time.Now(), Phase: event.PhaseTask, Data: event.Output{Text: text}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := s.Handle(e); err != nil {
			b.Fatal(err)
		}
	}
}
