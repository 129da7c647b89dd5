package journal

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

const run = event.RunID("20260129-153012-4f2a9c")

var start = time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)

// numbered makes events of facts, as a bus does.
func numbered(task int, facts ...event.Data) (events []event.Event) {
	for i, d := range facts {
		events = append(events, event.Event{Seq: int64(i + 1), Time: start.Add(time.Duration(i) * time.Second), Run: run, Phase: event.PhaseTask, Task: task, Data: d})
	}
	return events
}

// write makes a journal of facts and returns its path.
func write(t *testing.T, dir string, id event.RunID, events ...event.Event) string {
	t.Helper()
	w, err := Open(dir, id)
	require.NoError(t, err)
	for _, e := range events {
		e.Run = id
		require.NoError(t, w.Handle(e))
	}
	require.NoError(t, w.Close())
	return w.Path()
}

func all(t *testing.T, path string) (events []event.Event) {
	t.Helper()
	for e, err := range Events(path) {
		require.NoError(t, err)
		events = append(events, e)
	}
	return events
}

func TestNewRunID(t *testing.T) {
	a := NewRunID(start.In(time.FixedZone("", 7200)))
	assert.Regexp(t, `^20260129-153012-[0-9a-f]{6}$`, a)
	assert.NotEqual(t, a, NewRunID(start))
	assert.Less(t, a, NewRunID(start.Add(time.Second)))
	last := NewRunID(start.Truncate(time.Second))
	for n := range 199 { // in one second
		next := NewRunID(start.Truncate(time.Second).Add(time.Duration(n+1) * 5 * time.Millisecond))
		assert.Less(t, last, next)
		last = next
	}
}

func TestWriterKeepsEvents(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".ralph", "events")
	events := numbered(2, event.RunStart{Plan: "/p"}, event.Output{Text: "x\ny"}, event.Tick{Box: 1}, event.Output{Text: "z"}, event.RunEnd{})
	path := write(t, dir, run, events...)
	assert.Equal(t, filepath.Join(dir, string(run)+".jsonl"), path)
	assert.Equal(t, events, all(t, path))

	ignore, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	require.NoError(t, err)
	assert.Equal(t, "*\n", string(ignore))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestWriterGoesOnBehindTornLine(t *testing.T) {
	dir := t.TempDir()
	events := numbered(0, event.RunStart{}, event.RunRestart{})
	path := write(t, dir, run, events[0])
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, `{"v":1,"seq":2,"ti`...), 0o600))
	write(t, dir, run, events[1])
	assert.Equal(t, events, all(t, path))
}

func TestOpenRefusesIDsThatArePaths(t *testing.T) {
	for _, id := range []event.RunID{"", "..", "../a", "a/b", "a.b"} {
		_, err := Open(t.TempDir(), id)
		assert.Error(t, err, id)
	}
}

// An event that is no Output is in the file when Handle returns; Output is there a little later.
func TestWriterWritesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := Open(t.TempDir(), run)
		require.NoError(t, err)
		events := numbered(1, event.Output{Text: "a"}, event.Tick{Box: 1}, event.Output{Text: "b"})
		require.NoError(t, w.Handle(events[0]))
		require.NoError(t, w.Handle(events[1]))
		require.NoError(t, w.Handle(events[2]))
		assert.Equal(t, events[:2], all(t, w.Path()))
		<-time.After(idle)
		synctest.Wait()
		assert.Equal(t, events, all(t, w.Path()))
		require.NoError(t, w.Close())
		require.NoError(t, w.Close(), "twice")
		assert.ErrorIs(t, w.Handle(events[0]), event.ErrClosed)
	})
}

func TestWriterRefusesWhatIsNoJSON(t *testing.T) {
	w, err := Open(t.TempDir(), run)
	require.NoError(t, err)
	require.Error(t, w.Handle(event.Event{Seq: 1}))
	require.NoError(t, w.Handle(numbered(0, event.RunStart{})[0]))
	require.NoError(t, w.Close())
	assert.Len(t, all(t, w.Path()), 1)
}

// TestMain lets the test binary be a run that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("JOURNAL_TEST_RUN"); dir != "" {
		w, err := Open(dir, run)
		if err != nil {
			panic(err)
		}
		for i := int64(1); ; i++ {
			e := event.Event{Seq: 2*i - 1, Time: start, Run: run, Data: event.Output{Text: strings.Repeat("x", 1000)}}
			_ = w.Handle(e)
			e.Seq, e.Data = 2*i, event.Commit{Rev: fmt.Sprint(i)}
			_ = w.Handle(e)
			fmt.Println(e.Seq) // told to the world: it must not be lost
		}
	}
	os.Exit(m.Run())
}

func TestKilledWriterLosesNothingItHasTold(t *testing.T) {
	dir := t.TempDir()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_RUN="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	told := int64(0)
	for range 200 {
		require.True(t, lines.Scan())
		_, err := fmt.Sscan(lines.Text(), &told)
		require.NoError(t, err)
	}
	require.NoError(t, cmd.Process.Kill())
	for lines.Scan() {
		_, _ = fmt.Sscan(lines.Text(), &told)
	}
	_ = cmd.Wait()

	events := all(t, filepath.Join(dir, string(run)+".jsonl"))
	require.GreaterOrEqual(t, events[len(events)-1].Seq, told)
	for i, e := range events {
		require.EqualValues(t, i+1, e.Seq)
	}
}

// 35 MB of text in a million lines.
func BenchmarkWriterOutput(b *testing.B) {
	text := string(bytes.Repeat([]byte("Reading the file pkg/x/y.go, and so on\n"), 820)) // 32 KiB
	w, err := Open(b.TempDir(), run)
	require.NoError(b, err)
	defer w.Close()
	b.SetBytes(int64(len(text)))
	seq := int64(0)
	for b.Loop() {
		seq++
		if err := w.Handle(event.Event{Seq: seq, Time: start, Run: run, Data: event.Output{Text: text}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriterTick(b *testing.B) {
	w, err := Open(b.TempDir(), run)
	require.NoError(b, err)
	defer w.Close()
	for b.Loop() {
		if err := w.Handle(event.Event{Seq: 1, Time: start, Run: run, Data: event.Tick{Box: 1, Text: "write tests"}}); err != nil {
			b.Fatal(err)
		}
	}
}
