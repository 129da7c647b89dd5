package durable

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCreateFile(t *testing.T) {
	dir, err := OpenDir(t.TempDir())
	require.NoError(t, err)
	defer dir.Close()

	created, err := dir.CreateFile("a.md", []byte("first"), 0o644)
	require.NoError(t, err)
	assert.True(t, created)
	created, err = dir.CreateFile("a.md", []byte("second"), 0o644)
	require.NoError(t, err)
	assert.False(t, created)
	data, err := os.ReadFile(filepath.Join(dir.Path(), "a.md"))
	require.NoError(t, err)
	assert.Equal(t, "first", string(data))

	_, err = dir.CreateFile("../out.md", nil, 0o644)
	assert.Error(t, err, "no name leads out")
	_, err = dir.CreateFile("no/folder.md", nil, 0o644)
	assert.Error(t, err)
	entries, err := os.ReadDir(dir.Path())
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no temporary file is left")
}

func TestCreateFileHasOneWinner(t *testing.T) {
	dir, err := OpenDir(t.TempDir())
	require.NoError(t, err)
	defer dir.Close()
	var winners atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			created, err := dir.CreateFile("one", []byte("x"), 0o644)
			assert.NoError(t, err)
			if created {
				winners.Add(1)
			}
		})
	}
	all.Wait()
	assert.EqualValues(t, 1, winners.Load())
}

func TestCreateFileWithoutLinks(t *testing.T) {
	dir, err := OpenDir(t.TempDir())
	require.NoError(t, err)
	defer dir.Close()
	for _, want := range []bool{true, false} {
		created, err := createPlain(dir.root, "a", []byte("x"), 0o644)
		require.NoError(t, err)
		assert.Equal(t, want, created)
	}
}
