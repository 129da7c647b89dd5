package sessiontest

import (
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor/session"
)

var update = flag.Bool("update", false, "write the golden files")

// Open makes a dialect for a test.
type Open func(*session.Talk) session.Dialect

// Recorded checks every stream in DIR/streams (NAME.stdout and NAME.stderr, also gzipped) against the page
// DIR/golden/NAME.txt. exits says how the sessions ended that did not end with 0. Each stream is read in one piece and in
// pieces of 7 bytes.
func Recorded(t *testing.T, dir string, exits map[string]proc.Exit, open Open) {
	t.Helper()
	names := map[string]bool{}
	files, err := filepath.Glob(dir + "/streams/*.std*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".std")
		names[name] = true
	}
	for name := range exits {
		assert.True(t, names[name], "no stream is called %s", name)
	}
	for name := range names {
		t.Run(name, func(t *testing.T) {
			stdout, stderr := Stream(t, dir+"/streams/"+name+".stdout"), strings.TrimSpace(string(Stream(t, dir+"/streams/"+name+".stderr")))
			golden := dir + "/golden/" + name + ".txt"
			got := Understood(stdout, stderr, exits[name], len(stdout), open)
			if *update {
				require.NoError(t, os.MkdirAll(dir+"/golden", 0o755))
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err, "run with -update")
			assert.Equal(t, string(want), got)
			if len(stdout) < 100_000 { // in small pieces, long lines are only slow
				assert.Equal(t, got, Understood(stdout, stderr, exits[name], 7, open), "in pieces of 7 bytes")
			}
		})
	}
}

// Stream reads a file, or the file with .gz behind its name. It is empty where there is none.
func Stream(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil {
		return b
	}
	f, err := os.Open(name + ".gz")
	if err != nil {
		return nil
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	b, err = io.ReadAll(z)
	require.NoError(t, err)
	return b
}

// Understood renders everything that comes out of a stream.
func Understood(stdout []byte, stderr string, exit proc.Exit, piece int, open Open) string {
	var log Recorder
	s := session.NewStream(log.Emit, nil, open)
	s.Now = func() time.Time { return time.Date(2026, 11, 30, 12, 6, 49, 0, time.UTC) } // when most were recorded
	for len(stdout) > 0 {
		n := min(max(piece, 1), len(stdout))
		_, _ = s.Write(stdout[:n])
		stdout = stdout[n:]
	}
	said := s.Close()
	return log.String() + summary(said, s.Outcome(exit, stderr))
}

func summary(said session.Said, o session.Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--\nsession %s\n", o.SessionID)
	u := o.Usage
	fmt.Fprintf(&b, "usage   in %d out %d cache %d/%d cost %.6f turns %d\n", u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.CostUSD, u.Turns)
	for _, s := range said.Signals {
		fmt.Fprintf(&b, "signal  %s\n", s.Kind)
	}
	if said.Mentions > 0 {
		fmt.Fprintf(&b, "mentions %d\n", said.Mentions)
	}
	for _, p := range said.Pending {
		fmt.Fprintf(&b, "pending %s\n", p)
	}
	if f := o.Failure; f != nil {
		fmt.Fprintf(&b, "failure %s", f)
		if f.Status != 0 {
			fmt.Fprintf(&b, " (HTTP %d)", f.Status)
		}
		if !f.ResetAt.IsZero() {
			fmt.Fprintf(&b, " until %s", f.ResetAt.UTC().Format("2006-01-02T15:04:05Z07:00"))
		}
		if f.Help != "" {
			fmt.Fprintf(&b, "\nhelp    %s", f.Help)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Recorder writes events as lines; Outputs of the agent are joined as their contract says.
type Recorder struct {
	b    strings.Builder
	line strings.Builder
	open bool
}

// Emit takes an event.
func (r *Recorder) Emit(d event.Data) {
	if o, ok := d.(event.Output); ok && o.Source == event.FromAgent {
		for i, line := range strings.Split(o.Text, "\n") {
			if i > 0 {
				r.endLine("\n")
			}
			r.line.WriteString(line)
			r.open = true
		}
		if !o.Partial {
			r.endLine("\n")
		}
		return
	}
	if r.open {
		r.endLine("⏎?\n")
	}
	switch d := d.(type) {
	case event.Output:
		fmt.Fprintf(&r.b, "%-7s %s\n", d.Source, d.Text)
	case event.Claimed:
		fmt.Fprintf(&r.b, "claimed %s %s %s\n", d.Signal, d.Payload, d.Problem)
	case event.Note:
		fmt.Fprintf(&r.b, "%-7s %s\n", d.Level, d.Text)
	default:
		fmt.Fprintf(&r.b, "%s %+v\n", d.Kind(), d)
	}
}

// endLine writes the line at hand; of a very long one beginning, end and length.
func (r *Recorder) endLine(end string) {
	text := r.line.String()
	if n := len(text); n > 2000 {
		text = fmt.Sprintf("%s … (%d bytes) … %s", text[:100], n, text[n-100:])
	}
	r.b.WriteString("text    " + text + end)
	r.line.Reset()
	r.open = false
}

// String is everything so far.
func (r *Recorder) String() string {
	if r.open {
		return r.b.String() + "text    " + r.line.String() + "⏎?\n"
	}
	return r.b.String()
}
