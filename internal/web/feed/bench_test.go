package feed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/internal/web/source"
)

// lines are so many of an agent, about 90 bytes each.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[26-01-29 15:%02d:%02d] L%06d edit the file so that the parser accepts nested lists and add a test\n", i/3000%60, i/50%60, i)
	}
	return b.String()
}

// BenchmarkReplay is the first reading of a session of 10 MB by one client.
func BenchmarkReplay(b *testing.B) {
	path := filepath.Join(b.TempDir(), "progress-a.txt")
	text := logHead + lines(110_000)
	require.NoError(b, os.WriteFile(path, []byte(text), 0o600))
	s := sessionAt(b, path)
	for format, name := range map[Format]string{Public: "public", V1: "v1"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				t := &table{s: s, format: format, limits: usual}
				drain(b, t, 0)
				t.forget()
			}
		})
	}
}

// drain reads a table to its end and returns the last id.
func drain(b *testing.B, t *table, after int64) int64 {
	for {
		p, _, err := t.next(t.generation, after)
		require.NoError(b, err)
		if p.last == 0 {
			return after
		}
		after = p.last
	}
}

// BenchmarkFan brings a burst of 20,000 lines to 100 clients that have read everything before.
func BenchmarkFan(b *testing.B) {
	const clients, burst = 100, 20_000
	path := filepath.Join(b.TempDir(), "progress-a.txt")
	require.NoError(b, os.WriteFile(path, []byte(logHead), 0o600))
	s := sessionAt(b, path)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(b, err)
	defer f.Close()
	text := lines(burst)
	for _, format := range []Format{Public, V1} {
		b.Run(map[Format]string{Public: "public", V1: "v1"}[format], func(b *testing.B) {
			feed := Of(s)
			last := drain(b, &feed.tables[format], 0)
			rounds := 0
			for b.Loop() {
				rounds++
				_, err := f.WriteString(text)
				require.NoError(b, err)
				var all sync.WaitGroup
				for range clients {
					all.Go(func() {
						c := feed.Cursor(last, format)
						defer c.Close()
						for c.Last() < last+burst {
							if text, err := c.Next(); err != nil || len(text) == 0 {
								b.Error("lines are missing", err)
								return
							}
						}
					})
				}
				all.Wait()
				last += burst
			}
			b.ReportMetric(float64(clients*burst*rounds)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}

// BenchmarkLine is one line on its way to one client, from the file to its hands.
func BenchmarkLine(b *testing.B) {
	path := filepath.Join(b.TempDir(), "progress-a.txt")
	require.NoError(b, os.WriteFile(path, []byte(logHead), 0o600))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(b, err)
	defer f.Close()
	heard := make(chan struct{}, 16)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	s := sessionAt(b, path)
	go stream(ctx, s, heard)
	<-heard // the header
	<-heard // caught up
	line := lines(1)
	for b.Loop() {
		_, err := f.WriteString(line)
		require.NoError(b, err)
		<-heard
	}
}

// stream tells each write.
func stream(ctx context.Context, s *source.Session, heard chan<- struct{}) {
	_ = Of(s).Stream(ctx, 0, V1, writer(func() { heard <- struct{}{} }))
}

type writer func()

func (w writer) Write(text []byte) (int, error) {
	w()
	return len(text), nil
}
