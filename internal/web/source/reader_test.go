package source

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// rest reads what a reader has, to the end or the error that is no end.
func rest(r *Reader) (all []event.Event, err error) {
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
}

// grow appends to a file.
func grow(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, errors.Join(err, f.Close()))
}

// memory is a file that grows: of its text, so much is there.
type memory struct {
	text []byte
	n    int
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(m.n) {
		return 0, io.EOF
	}
	n := copy(p, m.text[off:m.n])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *memory) Close() error { return nil }

// grown reads a file that gets its text in parts: by one reader that stays, and by one that is made anew for each part.
func grown(t testing.TB, source view.Source, text []byte, ends []int) (stays, anew []event.Event) {
	f := &memory{text: text}
	r, err := readerOf(f, "", source, time.UTC, Checkpoint{}, minRead)
	require.NoError(t, err)
	var at Checkpoint
	for _, end := range append(ends, len(text)) {
		f.n = max(f.n, end)
		more, err := rest(r)
		require.NoError(t, err)
		stays = append(stays, more...)
		again, err := readerOf(f, "", source, time.UTC, at, readSize)
		require.NoError(t, err)
		more, err = rest(again)
		require.NoError(t, err)
		if again.AtLine() {
			at = again.Checkpoint()
			anew = append(anew, more...)
		}
	}
	return stays, anew
}

// FuzzProgress holds that a progress file never breaks its reader, and that in whatever parts it comes, it gives the same events.
func FuzzProgress(f *testing.F) {
	files, err := filepath.Glob("testdata/progress/*.txt")
	require.NoError(f, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(text, uint64(1))
	}
	f.Add([]byte(title+"\n"+strings.Repeat("x", maxText-1)+"ü"+strings.Repeat("y", maxText)+"\n"), uint64(2))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		at := rand.New(rand.NewPCG(seed, 0))
		var ends []int
		for range 6 {
			ends = append(ends, at.IntN(len(text)+1))
		}
		whole, _ := grown(t, view.Progress, text, nil)
		stays, anew := grown(t, view.Progress, text, ends)
		require.Equal(t, whole, stays)
		require.Equal(t, whole, anew)
		for i, e := range whole {
			require.Equal(t, int64(i+1), e.Seq)
		}
	})
}

// FuzzJournal holds the same of a journal, and that ids only grow.
func FuzzJournal(f *testing.F) {
	f.Add(journalText(f, 5), uint64(1))
	f.Add([]byte(`{"v":1,"seq":3,"time":"2026-01-29T15:30:12Z","run":"r","type":"teleport","data":[1]}`+"\n\n{\n"+`{"v":2}`+"\n"+`{"v":1,"seq":2,"type":"tick","data":{}}`+"\n"), uint64(2))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		at := rand.New(rand.NewPCG(seed, 0))
		var ends []int
		for range 6 {
			ends = append(ends, at.IntN(len(text)+1))
		}
		whole, _ := grown(t, view.Journal, text, nil)
		stays, anew := grown(t, view.Journal, text, ends)
		require.Equal(t, whole, stays)
		require.Equal(t, whole, anew)
		for i := 1; i < len(whole); i++ {
			require.Greater(t, whole[i].Seq, whole[i-1].Seq)
		}
	})
}

// journalText is a journal of n lines of output between a start and an end.
func journalText(t testing.TB, n int) []byte {
	t.Helper()
	at := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	var text []byte
	seq := int64(0)
	add := func(task int, d event.Data) {
		seq++
		at = at.Add(time.Second)
		line, err := event.AppendJSON(text, event.Event{Seq: seq, Time: at, Run: "20260129-153012-4f2a9c", Phase: event.PhaseTask, Task: task, Data: d})
		require.NoError(t, err)
		text = append(line, '\n')
	}
	add(0, event.RunStart{Plan: "/repo/docs/plans/a.md", Mode: "full", Tasks: 1, PID: 1})
	for i := range n {
		add(1, event.Output{Text: fmt.Sprintf("line %d: edit the file so that the parser accepts nested lists and add a table test for it", i)})
	}
	add(0, event.RunEnd{Outcome: event.Done})
	return text
}

// TestJournalInParts reads a journal that is cut anywhere, also in the middle of a line.
func TestJournalInParts(t *testing.T) {
	text := journalText(t, 50)
	whole, _ := grown(t, view.Journal, text, nil)
	require.Len(t, whole, 52)
	at := rand.New(rand.NewPCG(7, 7))
	for range 30 {
		var ends []int
		for range 8 {
			ends = append(ends, at.IntN(len(text)))
		}
		stays, anew := grown(t, view.Journal, text, ends)
		require.Equal(t, whole, stays)
		require.Equal(t, whole, anew)
	}
}

// TestJournalWithBrokenLines passes over what can't be read, and over what came before.
func TestJournalWithBrokenLines(t *testing.T) {
	line := func(seq int, text string) string {
		return fmt.Sprintf(`{"v":1,"seq":%d,"time":"2026-01-29T15:30:12Z","run":"r","type":"output","data":{"text":%q}}`+"\n", seq, text)
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	grow(t, path, line(1, "one")+"{\"v\":1,\"seq\":2,\x00\n"+`{"v":99,"seq":3}`+"\n\n"+line(2, "two")+line(2, "two again")+line(1, "one again")+
		strings.Repeat("x", maxFact+100)+"\n"+line(7, "seven")+`{"v":1,"seq":8,"ti`)
	all, at := eventsOf(t, path, view.Journal, Checkpoint{})
	var texts []string
	for _, e := range all {
		texts = append(texts, e.Data.(event.Output).Text)
	}
	assert.Equal(t, []string{"one", "two", "seven"}, texts)
	assert.Equal(t, int64(7), at.Seq())

	// Whoever goes on with the file cuts the torn line off.
	require.NoError(t, os.Truncate(path, at.Offset()))
	grow(t, path, line(8, "eight"))
	more, _ := eventsOf(t, path, view.Journal, at)
	require.Len(t, more, 1)
	assert.Equal(t, event.Output{Text: "eight"}, more[0].Data)
}

// TestReplaced notices that a file is another one, however it became so.
func TestReplaced(t *testing.T) {
	const first = title + "\nMode: full\nStarted: 2026-01-29 15:30:12\n------------------------------------------------------------\n\n"
	other := strings.Replace(first, "29 15", "30 09", 1)
	line := "[26-01-29 15:30:13] one\n"
	tests := []struct {
		name   string
		change func(t *testing.T, path string)
		want   error
	}{
		{"gone", func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }, ErrReplaced},
		{"cut", func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 10)) }, ErrReplaced},
		{"begun anew, of the same size", func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte(other+line), 0o600)) }, ErrReplaced},
		{"begun anew, and longer", func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte(other+line+line+line), 0o600))
		}, ErrReplaced},
		{"another one of its name", func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path+".new", []byte(other+line+line), 0o600))
			require.NoError(t, os.Rename(path+".new", path))
		}, ErrReplaced},
		{"a copy that goes on", func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path+".new", []byte(first+line+"[26-01-29 15:30:14] two\n"), 0o600))
			require.NoError(t, os.Rename(path+".new", path))
		}, nil},
		{"a folder in its place", func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o700))
		}, ErrReplaced},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "progress-a.txt")
			grow(t, path, first+line)
			r, err := newReader(path, view.Progress, time.UTC, Checkpoint{})
			require.NoError(t, err)
			defer r.Close()
			all, err := rest(r)
			require.NoError(t, err)
			require.Len(t, all, 2)
			at := r.Checkpoint()
			tt.change(t, path)
			more, err := rest(r)
			require.ErrorIs(t, err, tt.want)
			if tt.want == nil {
				require.Len(t, more, 1)
				assert.Equal(t, event.Output{Text: "two"}, more[0].Data)
			}
			if again, err := newReader(path, view.Progress, time.UTC, at); err == nil {
				assert.NoError(t, tt.want)
				again.Close()
			}
		})
	}
}
