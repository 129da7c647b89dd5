package claude

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

var update = flag.Bool("update", false, "write the golden files")

// exits are how the recorded sessions ended; all others ended with 0.
var exits = map[string]proc.Exit{
	"killed-sigterm":         {Code: 143},
	"killed-sigkill-in-tool": {Code: -1, Signal: "killed"},
	"unknown-flag":           {Code: 1}, "no-verbose": {Code: 1}, "root-without-sandbox": {Code: 1}, "empty-prompt": {Code: 1}, "big-prompt-stdin-15mb": {Code: 1},
	"drop-before": {Code: 1}, "drop-mid": {Code: 1}, "no-key": {Code: 1}, "no-server": {Code: 1}, "api-limit-hit": {Code: 1},
	"sub-429-noretry": {Code: 1}, "sub-limit-hit": {Code: 1}, "sub-limit-hit-opus": {Code: 1}, "sub-limit-hit-overage": {Code: 1},
	"api-400-credit": {Code: 1}, "api-400-too-long": {Code: 1}, "api-401-retries2": {Code: 1}, "api-404-model": {Code: 1},
	"api-429-retries2": {Code: 1}, "api-500-noretry": {Code: 1}, "api-529-retries0": {Code: 1},
}

// TestRecorded says what we understand of streams that the real CLI printed. Each golden file is a page to be read.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/streams/*.std*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		t.Run(name, func(t *testing.T) {
			stdout, _ := os.ReadFile("testdata/streams/" + name + ".stdout")
			stderr, _ := os.ReadFile("testdata/streams/" + name + ".stderr")
			golden := "testdata/golden/" + name + ".txt"
			got := understood(stdout, strings.TrimSpace(string(stderr)), exits[name], len(stdout))
			if *update {
				require.NoError(t, os.MkdirAll("testdata/golden", 0o755))
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err, "run with -update")
			assert.Equal(t, string(want), got)
			assert.Equal(t, got, understood(stdout, strings.TrimSpace(string(stderr)), exits[name], 7), "in pieces of 7 bytes")
		})
	}
}

// understood renders everything that comes out of a stream.
func understood(stdout []byte, stderr string, exit proc.Exit, piece int) string {
	var log recorder
	s := newStream(log.emit, nil)
	s.now = func() time.Time { return time.Date(2026, 11, 30, 12, 6, 49, 0, time.UTC) }
	for len(stdout) > 0 {
		n := min(max(piece, 1), len(stdout))
		_, _ = s.Write(stdout[:n])
		stdout = stdout[n:]
	}
	f := s.close()
	return log.String() + summary(f, classify(exit, f, stderr))
}

func summary(f facts, failure *executor.Failure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--\nsession %s\n", f.sessionID)
	u := f.usage()
	fmt.Fprintf(&b, "usage   in %d out %d cache %d/%d cost %.6f turns %d\n", u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.CostUSD, u.Turns)
	for _, s := range f.signals {
		fmt.Fprintf(&b, "signal  %s\n", s.Kind)
	}
	if f.mentions > 0 {
		fmt.Fprintf(&b, "mentions %d\n", f.mentions)
	}
	for _, p := range f.pending {
		fmt.Fprintf(&b, "pending %s\n", p)
	}
	if failure != nil {
		fmt.Fprintf(&b, "failure %s", failure)
		if failure.Status != 0 {
			fmt.Fprintf(&b, " (HTTP %d)", failure.Status)
		}
		if !failure.ResetAt.IsZero() {
			fmt.Fprintf(&b, " until %s", failure.ResetAt.UTC().Format(time.RFC3339))
		}
		if failure.Help != "" {
			fmt.Fprintf(&b, "\nhelp    %s", failure.Help)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// recorder writes events as lines; Outputs of the agent are joined as their contract says.
type recorder struct {
	b    strings.Builder
	open bool
}

func (r *recorder) emit(d event.Data) {
	if o, ok := d.(event.Output); ok && o.Source == event.FromAgent {
		for i, line := range strings.Split(o.Text, "\n") {
			if i > 0 {
				r.b.WriteByte('\n')
			}
			if i > 0 || !r.open {
				r.b.WriteString("text    ")
			}
			r.b.WriteString(line)
			r.open = true
		}
		if r.open = o.Partial; !o.Partial {
			r.b.WriteByte('\n')
		}
		return
	}
	if r.open {
		r.b.WriteString("⏎?\n")
		r.open = false
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

func (r *recorder) String() string {
	if r.open {
		return r.b.String() + "⏎?\n"
	}
	return r.b.String()
}
