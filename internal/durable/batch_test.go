package durable

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBatch(t *testing.T) {
	d, err := OpenDir(t.TempDir())
	require.NoError(t, err)
	defer d.Close()
	b := d.Batch()
	outside := filepath.Join(t.TempDir(), "victim")
	put(t, outside, 0o600)
	require.NoError(t, os.Symlink(outside, filepath.Join(d.Path(), "link")))

	require.NoError(t, b.WriteFile("a/b/one", []byte("1"), 0o600))
	require.NoError(t, b.WriteFile("a/b/one", []byte("2"), 0o600))
	require.NoError(t, b.WriteFile("two", []byte("2"), 0o644))
	require.NoError(t, b.WriteFile("link", []byte("2"), 0o644), "a link is replaced, not followed")
	for _, name := range []string{"a/b/one", "two", "link"} {
		got, err := os.ReadFile(filepath.Join(d.Path(), name))
		require.NoError(t, err)
		assert.Equal(t, "2", string(got))
	}
	got, err := os.ReadFile(outside)
	require.NoError(t, err)
	assert.Equal(t, "old", string(got))

	assert.Error(t, b.WriteFile("../out", nil, 0o600))
	require.NoError(t, os.Remove(filepath.Join(d.Path(), "two")))
	require.NoError(t, b.Sync(), "what is gone needs no sync")
	assert.Empty(t, b.pending)
	noTemp(t, d.Path())
	noTemp(t, filepath.Join(d.Path(), "a/b"))

	require.NoError(t, os.Mkdir(filepath.Join(d.Path(), "folder"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(d.Path(), "folder/x"), nil, 0o600))
	assert.Error(t, b.WriteFile("folder", nil, 0o600))
	noTemp(t, d.Path())
}
