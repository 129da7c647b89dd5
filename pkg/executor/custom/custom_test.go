//go:build unix

package custom

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/executor/session"
	"ralphex/pkg/executor/session/sessiontest"
)

func script(t *testing.T, body string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "review.sh")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
	return file
}

func TestScript(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var log sessiontest.Recorder
	e := New(Options{Script: script(t, `echo "args $#: $(cat "$1")"; cat; env | grep -c -e CLAUDECODE -e ANTHROPIC_API_KEY; echo warn >&2; echo '<<<RALPHEX:CODEX_REVIEW_DONE>>>'`)})
	require.NoError(t, e.Check(t.Context()))
	r, err := e.Run(t.Context(), executor.Request{
		Prompt: "look at it", Dir: dir, Emit: log.Emit,
		Env: append(os.Environ(), "CLAUDECODE=1", "ANTHROPIC_API_KEY=k"),
	})
	require.NoError(t, err)
	assert.Equal(t, "args 1: look at it\n0\n<<<RALPHEX:CODEX_REVIEW_DONE>>>\n", r.Text)
	require.Len(t, r.Signals, 1)
	assert.Nil(t, r.Failure)
	assert.Contains(t, log.String(), "stderr  warn\n")
	assert.Contains(t, log.String(), "claimed CODEX_REVIEW_DONE")
	left, err := filepath.Glob(filepath.Join(dir, "ralphex-custom-prompt-*"))
	require.NoError(t, err)
	assert.Empty(t, left, "the prompt file is gone")
}

func TestFailures(t *testing.T) {
	words := session.Patterns{Limit: []string{"rate limit"}}
	for _, tt := range []struct {
		body  string
		class executor.Class
		text  string
	}{
		{"echo rate limit reached; exit 0", "", ""},
		{"echo rate limit reached; exit 3", executor.ClassLimit, "exit 3"},
		{"echo no key >&2; exit 2", executor.ClassCrash, "no key"},
		{"echo '<<<RALPHEX:TASK_FAILED>>>'; exit 1", "", ""},
		{":", "", ""},
	} {
		r, err := New(Options{Script: script(t, tt.body), Patterns: words}).Run(t.Context(), executor.Request{Dir: t.TempDir()})
		require.NoError(t, err)
		if tt.class == "" {
			assert.Nil(t, r.Failure, tt.body)
			continue
		}
		require.NotNil(t, r.Failure, tt.body)
		assert.Equal(t, tt.class, r.Failure.Class, tt.body)
		assert.Contains(t, r.Failure.Message, tt.text)
	}
}

// What a script prints counts whole, however it comes.
func TestTextInPieces(t *testing.T) {
	text := "a\n<<<RALPHEX:ALL_TASKS_DONE>>>\n{\"type\":\"result\"}\né"
	for piece := 1; piece < 9; piece++ {
		s := session.NewStream(nil, nil, Dialect)
		for p := text; p != ""; p = p[min(piece, len(p)):] {
			_, _ = s.Write([]byte(p[:min(piece, len(p))]))
		}
		said := s.Close()
		assert.Equal(t, text+"\n", said.Text)
		assert.Len(t, said.Signals, 1)
	}
}

func TestCheck(t *testing.T) {
	assert.Equal(t, error(ErrNoScript), New(Options{}).Check(t.Context()))
	err := New(Options{Script: "/no/such/script"}).Check(t.Context())
	require.Error(t, err)
	assert.Contains(t, err.(*session.NotFoundError).Hint(), "chmod +x")
	_, err = New(Options{}).Run(t.Context(), executor.Request{})
	assert.Error(t, err)
}

func TestTimeOut(t *testing.T) {
	r, err := New(Options{Script: script(t, "echo x; sleep 60")}).Run(context.Background(),
		executor.Request{Dir: t.TempDir(), SessionTimeout: 300 * time.Millisecond, Grace: time.Second})
	require.NoError(t, err)
	assert.Equal(t, executor.ErrSessionTimeout, r.Cause)
	assert.True(t, strings.HasPrefix(r.Text, "x"))
}
