package feed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stuck is a client that takes one message, and then no more until it is cut off.
type stuck struct {
	begun, cut chan struct{}
	have       strings.Builder
	err        error
}

func (s *stuck) Write(text []byte) (int, error) {
	if s.have.Len() == 0 {
		s.have.Write(text)
		close(s.begun)
		return len(text), nil
	}
	<-s.cut
	return 0, s.err
}

// until is a client that reads up to a text.
type until struct {
	text string
	done context.CancelFunc
	have strings.Builder
}

func (u *until) Write(text []byte) (int, error) {
	u.have.Write(text)
	if strings.Contains(string(text), u.text) {
		u.done()
	}
	return len(text), nil
}

// TestStandstill holds that a client which reads nothing holds up neither the others nor the file, and reads on by its last id when it was cut off.
func TestStandstill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress-a.txt")
	require.NoError(t, os.WriteFile(path, []byte(logHead+"[26-01-29 15:30:13] first\n"), 0o600))
	s := sessionAt(t, path)
	slow := &stuck{begun: make(chan struct{}), cut: make(chan struct{}), err: errors.New("the client reads too slowly")}
	ended := make(chan error, 1)
	go func() { ended <- Of(s).Stream(t.Context(), 0, V1, slow) }()
	<-slow.begun
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	for i := range 20_000 {
		fmt.Fprintf(f, "[26-01-29 15:30:14] line %d\n", i)
	}
	for _, format := range []Format{V1, Public} {
		ctx, cancel := context.WithCancel(t.Context())
		quick := &until{text: "line 19999", done: cancel}
		require.ErrorIs(t, Of(s).Stream(ctx, 0, format, quick), context.Canceled)
		assert.Equal(t, 20_001, strings.Count(quick.have.String(), `"output"`))
	}
	close(slow.cut)
	require.ErrorIs(t, <-ended, slow.err)
	have := parse(t, V1, slow.have.String())
	ctx, cancel := context.WithCancel(t.Context())
	again := &until{text: "line 19999", done: cancel}
	require.ErrorIs(t, Of(s).Stream(ctx, have[len(have)-1].id, V1, again), context.Canceled)
	have = append(have, parse(t, V1, again.have.String())...)
	require.Len(t, have, 20_002)
	for i, g := range have {
		require.Equal(t, int64(i+1), g.id)
	}
}

// TestEachEventOnce gives each event once, though the folder is watched in several ways and the run itself says that it wrote.
func TestEachEventOnce(t *testing.T) {
	name, text := story(t, true, 40)
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.Symlink(dir, filepath.Join(dir, "again")))
	half := strings.Index(string(text[len(text)/2:]), "\n") + len(text)/2
	require.NoError(t, os.WriteFile(path, text[:half], 0o600))
	l := library(t, dir, filepath.Join(dir, "again"), filepath.Dir(path))
	runs := l.Runs()
	require.Len(t, runs, 1)
	s, ok := l.Session(runs[0].ID)
	require.True(t, ok)
	ctx, cancel := context.WithCancel(t.Context())
	client := &until{text: "line 39", done: cancel}
	ended := make(chan error, 1)
	go func() { ended <- Of(s).Stream(ctx, 0, V1, client) }()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	for line := range strings.SplitAfterSeq(string(text[half:]), "\n") {
		_, err := f.WriteString(line)
		require.NoError(t, err)
		l.Wake(path)
	}
	require.ErrorIs(t, <-ended, context.Canceled)
	have := parse(t, V1, client.have.String())
	assert.Len(t, have, 41)
	assert.Equal(t, int64(1), have[0].id)
	for i := 1; i < len(have); i++ {
		assert.Greater(t, have[i].id, have[i-1].id)
	}
}
