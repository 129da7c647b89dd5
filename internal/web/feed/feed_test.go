package feed

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/source"
)

const logHead = "# Ralphex Progress Log\nPlan: /repo/docs/plans/a.md\nMode: full\nStarted: 2026-01-29 15:30:12\n------------------------------------------------------------\n\n"

// sessionAt opens the session of a file, as a server does that was started a moment ago.
func sessionAt(t testing.TB, path string) *source.Session {
	t.Helper()
	l := library(t, filepath.Dir(path))
	runs := l.Runs()
	require.Len(t, runs, 1)
	s, ok := l.Session(runs[0].ID)
	require.True(t, ok)
	return s
}

// library watches folders until the test is over.
func library(t testing.TB, dirs ...string) *source.Library {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l, err := source.Open(ctx, dirs, source.Options{Location: time.UTC, Note: func(s string) { t.Log(s) }})
	require.NoError(t, err)
	t.Cleanup(func() {
		cancel()
		l.Wait()
	})
	return l
}

// all reads what there is.
func all(t *testing.T, c *Cursor) string {
	t.Helper()
	var b bytes.Buffer
	for {
		parts, err := c.Next()
		require.NoError(t, err)
		if len(parts) == 0 {
			return b.String()
		}
		b.Write(parts)
	}
}

// TestLiveLines follows a file that grows.
func TestLiveLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress-a.txt")
	require.NoError(t, os.WriteFile(path, []byte(logHead+"[26-01-29 15:30:13] one\n"), 0o600))
	c := Of(sessionAt(t, path)).Cursor(1, V1)
	defer c.Close()
	assert.Equal(t, "id: 2\ndata: [{\"seq\":2,\"time\":\"2026-01-29T15:30:13Z\",\"type\":\"output\",\"data\":{\"text\":\"one\"}}]\n\n", all(t, c))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	fmt.Fprintf(f, "[26-01-29 15:30:14] WARN: two\n")
	<-c.Ready()
	assert.Equal(t, "id: 3\ndata: [{\"seq\":3,\"time\":\"2026-01-29T15:30:14Z\",\"type\":\"note\",\"data\":{\"level\":\"warn\",\"text\":\"two\"},\"lines\":[{\"style\":\"warning\",\"text\":\"two\"}]}]\n\n", all(t, c))
}
