package claude

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/session"
)

// BenchmarkSession is a whole session: a process that prints the stream, the pipe, the transcript without secrets, the events.
// floors/op is how often a process and a pipe alone would have done it in that time.
func BenchmarkSession(b *testing.B) {
	if _, err := exec.LookPath("cat"); err != nil {
		b.Skip("no cat")
	}
	for _, bb := range []struct {
		name string
		make func() []byte
	}{
		{"dense-1M-lines", func() []byte { return dense(1_000_000) }},
		{"mixed-100MB", func() []byte { return mixed(100 << 20) }},
		{"one-line-64MB", func() []byte { return oneLine(64 << 20) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			dir := b.TempDir()
			file := filepath.Join(dir, "stream")
			require.NoError(b, os.WriteFile(file, bb.make(), 0o600))
			runtime.GC()
			fi, err := os.Stat(file)
			require.NoError(b, err)
			floor := catOnce(b, file)
			env := append(os.Environ(), "BENCH_TOKEN=0123456789abcdef", "OTHER_KEY=zyxwvutsrqponml")
			b.SetBytes(fi.Size())
			for b.Loop() {
				r, err := session.Run(b.Context(), executor.Request{Dir: dir, Env: env, Transcript: filepath.Join(dir, "kept"), Emit: func(event.Data) {}},
					session.Agent{Argv: []string{"cat", file}, Env: env, Open: Dialect})
				require.NoError(b, err)
				require.Equal(b, 0, r.Exit.Code)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(floor), "floors/op")
		})
	}
}

// catOnce is how long a process and a pipe alone take.
func catOnce(b *testing.B, file string) time.Duration {
	b.Helper()
	cmd := exec.Command("cat", file)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	began := time.Now()
	require.NoError(b, cmd.Start())
	_, err = io.Copy(io.Discard, out)
	require.NoError(b, err)
	require.NoError(b, cmd.Wait())
	return time.Since(began)
}
