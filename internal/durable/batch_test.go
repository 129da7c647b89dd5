package durable

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
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

// What could not be synced is tried again, and what is gone meanwhile is not.
func TestBatchSyncsAgainWhatFailed(t *testing.T) {
	d, err := OpenDir(t.TempDir())
	require.NoError(t, err)
	defer d.Close()
	b := d.Batch()
	require.NoError(t, b.WriteFile("a/one", []byte("1"), 0o600))
	require.NoError(t, b.WriteFile("b/two", []byte("2"), 0o600))
	one := filepath.Join(d.Path(), "a", "one")
	require.NoError(t, os.Remove(one))
	require.NoError(t, os.Mkdir(one, 0o755)) // somebody is in the way
	require.ErrorContains(t, b.Sync(), "sync "+one)
	assert.Equal(t, map[string]bool{"a/one": true}, b.pending)
	require.ErrorContains(t, b.Sync(), "sync "+one)
	require.NoError(t, os.RemoveAll(filepath.Dir(one)))
	require.NoError(t, b.Sync())
	assert.Empty(t, b.pending)
	assert.Empty(t, b.open)
}

// Files are written and synced by several goroutines at once.
func TestBatchAtOnce(t *testing.T) {
	d, err := OpenDir(t.TempDir())
	require.NoError(t, err)
	defer d.Close()
	b := d.Batch()
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 30 {
				assert.NoError(t, b.WriteFile(fmt.Sprintf("%d/%d", i%3, g*100+i), []byte{byte(i)}, 0o600))
				if i%7 == g {
					assert.NoError(t, b.Sync())
				}
			}
		})
	}
	all.Wait()
	require.NoError(t, b.Sync())
	assert.Empty(t, b.pending)
	for _, folder := range []string{"0", "1", "2"} {
		entries, err := os.ReadDir(filepath.Join(d.Path(), folder))
		require.NoError(t, err)
		assert.Len(t, entries, 40)
	}
}
