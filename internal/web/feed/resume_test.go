package feed

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/source"
	"ralphex/pkg/event"
)

// got is a message or a row, and the id that goes with it. Rows of one message have ids of their own.
type got struct {
	id   int64
	text string
}

// parse takes a stream apart.
func parse(t *testing.T, format Format, text string) (all []got) {
	t.Helper()
	for m := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		if m == "" || m == strings.TrimSuffix(CaughtUp, "\n\n") {
			continue
		}
		id, data, ok := strings.Cut(m, "\ndata: ")
		n, err := strconv.ParseInt(strings.TrimPrefix(id, "id: "), 10, 64)
		require.True(t, ok && err == nil, "no message: %q", m)
		if format == Public {
			all = append(all, got{n, data})
			continue
		}
		rows := strings.Split(strings.TrimSuffix(strings.TrimPrefix(data, `[{"seq":`), "]"), `,{"seq":`)
		var last int64
		for _, row := range rows {
			digits, _, _ := strings.Cut(row, ",")
			last, err = strconv.ParseInt(digits, 10, 64)
			require.NoError(t, err)
			all = append(all, got{last, row})
		}
		assert.Equal(t, last, n, "the id of a message is that of its last row")
	}
	return all
}

// story is what a file may hold: a progress file, or a journal with holes in its numbers and torn lines mended.
func story(t *testing.T, journal bool, lines int) (name string, text []byte) {
	t.Helper()
	if !journal {
		b := strings.Builder{}
		b.WriteString(logHead)
		for i := range lines {
			if i%40 == 0 {
				fmt.Fprintf(&b, "\n--- task iteration %d ---\n", 1+i/40)
			}
			fmt.Fprintf(&b, "[26-01-29 15:%02d:%02d] line %d of the agent\n", 30+i/60%30, i%60, i)
		}
		return "progress-a.txt", []byte(b.String())
	}
	at := time.Date(2026, 1, 29, 15, 30, 12, 0, time.UTC)
	seq := int64(1)
	add := func(d event.Data) {
		line, err := event.AppendJSON(text, event.Event{Seq: seq, Time: at.Add(time.Duration(seq) * time.Second), Run: "20260129-153012-4f2a9c", Phase: event.PhaseTask, Data: d})
		require.NoError(t, err)
		text = append(line, '\n')
		if seq++; seq%17 == 0 {
			seq += 3
		}
	}
	add(event.RunStart{Plan: "/repo/docs/plans/a.md", Mode: "full"})
	for i := range lines {
		switch {
		case i%40 == 0:
			add(event.NewTaskIterationSection(1 + i/40))
		case i%7 == 0:
			add(event.Note{Level: event.Warn, Text: "careful", Hint: "look"})
		default:
			add(event.Output{Text: fmt.Sprintf("line %d of the agent", i), Partial: i%5 == 0})
		}
	}
	return ".ralph/events/20260129-153012-4f2a9c.jsonl", text
}

// reader is a client that goes away and comes back.
type reader struct {
	t      *testing.T
	path   string
	format Format
	limits limits
	cursor *Cursor
	after  int64
	have   []got
}

// connect begins where it was; anew = at a server that was started a moment ago.
func (r *reader) connect(s *source.Session) {
	if r.cursor != nil {
		r.cursor.Close()
	}
	f := Of(s)
	t := &f.tables[r.format]
	t.mu.Lock()
	t.limits = r.limits
	t.mu.Unlock()
	r.cursor = f.Cursor(r.after, r.format)
}

// read takes at most n messages.
func (r *reader) read(n int) {
	for range n {
		text, err := r.cursor.Next()
		require.NoError(r.t, err)
		if len(text) == 0 {
			return
		}
		for _, g := range parse(r.t, r.format, string(text)) {
			r.have = append(r.have, g)
			r.after = g.id
		}
	}
}

// TestResume holds that a client gets each message once, whatever id it comes with, however the file grows, whatever is dropped and made again, and
// however often the server is started anew.
func TestResume(t *testing.T) {
	for _, journal := range []bool{false, true} {
		for _, format := range []Format{Public, V1} {
			t.Run(fmt.Sprintf("journal=%v format=%d", journal, format), func(t *testing.T) {
				name, text := story(t, journal, 300)
				whole := filepath.Join(t.TempDir(), name)
				require.NoError(t, os.MkdirAll(filepath.Dir(whole), 0o755))
				require.NoError(t, os.WriteFile(whole, text, 0o600))
				all := &reader{t: t, path: whole, format: format, limits: usual}
				all.connect(sessionAt(t, whole))
				all.read(1 << 20)
				require.Greater(t, len(all.have), 290)
				require.Equal(t, int64(1), all.have[0].id)
				for seed := range uint64(12) {
					resume(t, rand.New(rand.NewPCG(seed, 1)), name, text, all.have, format)
				}
			})
		}
	}
}

func resume(t *testing.T, chance *rand.Rand, name string, text []byte, want []got, format Format) {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	at := len(text) / 10
	require.NoError(t, os.WriteFile(path, text[:at], 0o600))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	s := sessionAt(t, path)
	small := limits{chunk: 200 + chance.IntN(2000), held: 3000, message: 100 + chance.IntN(2000)}
	begin := 0
	var clients []*reader
	for range 3 {
		c := &reader{t: t, path: path, format: format, limits: small}
		c.connect(s)
		clients = append(clients, c)
	}
	for at < len(text) {
		n := min(len(text)-at, 1+chance.IntN(len(text)/8))
		_, err := f.Write(text[at : at+n])
		require.NoError(t, err)
		at += n
		if chance.IntN(4) == 0 {
			s = sessionAt(t, path)
			for _, c := range clients {
				c.connect(s)
			}
		}
		for _, c := range clients {
			c.read(chance.IntN(4))
		}
		if c := clients[chance.IntN(3)]; chance.IntN(3) == 0 {
			c.connect(s)
		}
	}
	late := &reader{t: t, path: path, format: format, limits: small, after: want[chance.IntN(len(want))].id}
	for want[begin].id <= late.after {
		if begin++; begin == len(want) {
			break
		}
	}
	late.connect(s)
	late.read(1 << 20)
	assert.Equal(t, want[begin:], append([]got{}, late.have...))
	for _, c := range clients {
		c.read(1 << 20)
		require.Equal(t, want, c.have)
		c.cursor.Close()
	}
	table := &clients[0].cursor.f.tables[format]
	assert.LessOrEqual(t, table.held, small.held+2*small.chunk+1000)
	late.cursor.Close()
}

// TestReset tells a client that the file is another one, once, and begins at 1; also one that comes with an id that the file does not have.
func TestReset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress-a.txt")
	require.NoError(t, os.WriteFile(path, []byte(logHead+"[26-01-29 15:30:13] one\n[26-01-29 15:30:13] two\n"), 0o600))
	s := sessionAt(t, path)
	live, public := Of(s).Cursor(0, V1), Of(s).Cursor(0, Public)
	defer live.Close()
	defer public.Close()
	assert.Len(t, parse(t, V1, all(t, live)), 3)
	assert.Len(t, parse(t, Public, all(t, public)), 2)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(logHead, "29 15", "30 15", 1)+"[26-01-30 15:30:13] three\n"), 0o600))
	text, ok := strings.CutPrefix(all(t, live), Reset)
	assert.True(t, ok)
	assert.Len(t, parse(t, V1, text), 2)
	again := parse(t, Public, all(t, public))
	require.Len(t, again, 1)
	assert.Equal(t, int64(1), again[0].id)
	assert.Contains(t, again[0].text, "three")
	old := Of(s).Cursor(99, V1)
	defer old.Close()
	text, ok = strings.CutPrefix(all(t, old), Reset)
	assert.True(t, ok)
	assert.Len(t, parse(t, V1, text), 2)
	require.NoError(t, os.Remove(path))
	_, err := live.Next()
	if err == nil {
		_, err = live.Next()
	}
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestRows gives pieces that follow each other.
func TestRows(t *testing.T) {
	name, text := story(t, true, 50)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, text, 0o600))
	s := sessionAt(t, path)
	var after int64
	count := 0
	for {
		rows, next, err := Rows(t.Context(), s, after, 7)
		require.NoError(t, err)
		if len(rows) == 0 {
			assert.Equal(t, after, next)
			break
		}
		assert.LessOrEqual(t, len(rows), 7)
		assert.Contains(t, string(rows[len(rows)-1]), fmt.Sprintf(`{"seq":%d,`, next))
		count += len(rows)
		after = next
	}
	assert.Equal(t, strings.Count(string(text), "\n"), count)
}
