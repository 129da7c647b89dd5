package task

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWrittenSince(t *testing.T) {
	dir := t.TempDir()
	s := Store{Path: filepath.Join(dir, "tasks.json"), Log: filepath.Join(dir, "logs", WrittenName)}
	require.NoError(t, os.WriteFile(s.Path, []byte(`{"version":2,"tasks":[{"id":"A","title":"a","status":"todo"},{"id":"B","title":"b","status":"todo"}]}`), 0o600))
	assert.Empty(t, s.WrittenSince(s.Mark()))
	_, err := s.Done(t.Context(), "A")
	require.NoError(t, err)
	mark := s.Mark()
	assert.Positive(t, mark)
	assert.Equal(t, map[string]bool{"A": true}, s.WrittenSince(0))
	_, err = s.Block(t.Context(), "B", "no key")
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"B": true}, s.WrittenSince(mark), "only what came later")
	_, err = s.Block(t.Context(), "B", "no key")
	require.NoError(t, err)
	full, err := os.ReadFile(s.Log)
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(s.Log, append(full, make([]byte, maxWritten)...), 0o600))
	mark = s.Mark()
	_, err = s.Set(t.Context(), "B", "status", "todo")
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"B": true}, s.WrittenSince(mark), "over the beginning of a new log")
	require.NoError(t, os.RemoveAll(filepath.Dir(s.Log)))
	assert.Empty(t, s.WrittenSince(mark), "a log that is gone tells of nobody")
}

func TestUnproven(t *testing.T) {
	s := At(filepath.Join(t.TempDir(), "tasks.json"))
	require.NoError(t, os.WriteFile(s.Path, []byte(`{"version":2,"tasks":[{"id":"A","title":"a","status":"done"},{"id":"B","title":"b","status":"todo"}]}`), 0o600))
	require.NoError(t, s.Doubt(t.Context(), []string{"A", "B", "gone"}, "by a session"))
	unproven := func() []string {
		in, err := s.Read(t.Context())
		require.NoError(t, err)
		return NewGraph(in.File.Tasks).Unproven()
	}
	assert.Equal(t, []string{"A"}, unproven())
	_, err := s.Done(t.Context(), "A")
	require.NoError(t, err)
	assert.Empty(t, unproven(), "a person said that it is done")
	require.NoError(t, s.Doubt(t.Context(), []string{"A"}, "by a session"))
	_, err = s.Set(t.Context(), "A", "status", "in_progress")
	require.NoError(t, err)
	assert.Empty(t, unproven(), "a person opened it again")
}
