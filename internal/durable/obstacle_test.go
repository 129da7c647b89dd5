package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever stands in the way of a file is named, with what was expected; it stays as it is, and nothing is left beside it.
func TestWhatStandsInTheWayIsNamed(t *testing.T) {
	outside := t.TempDir()
	for what, stand := range map[string]struct {
		make func(dir string) error
		name string // that is written
		says string // after the folder
	}{
		"a folder":                 {func(d string) error { return os.MkdirAll(filepath.Join(d, "one", "mine"), 0o750) }, "one", "one is a folder, expected a file"},
		"an empty folder":          {func(d string) error { return os.Mkdir(filepath.Join(d, "one"), 0o750) }, "one", "one is a folder, expected a file"},
		"a file above it":          {func(d string) error { return os.WriteFile(filepath.Join(d, "a"), []byte("mine"), 0o600) }, "a/b/one", "a is a file, expected a folder"},
		"a link out above it":      {func(d string) error { return os.Symlink(outside, filepath.Join(d, "a")) }, "a/one", "a is a link that leads out, or to no folder, expected a folder"},
		"a link to nothing":        {func(d string) error { return os.Symlink("nothing", filepath.Join(d, "a")) }, "a/one", "a is a link that leads out, or to no folder, expected a folder"},
		"a link that goes round":   {func(d string) error { return os.Symlink("a", filepath.Join(d, "a")) }, "a/one", "a is a link that leads out, or to no folder, expected a folder"},
		"a link to a file of ours": {func(d string) error { return os.Symlink("plain", filepath.Join(d, "a")) }, "a/one", "a is a link that leads out, or to no folder, expected a folder"},
	} {
		t.Run(what, func(t *testing.T) {
			d, err := OpenDir(t.TempDir())
			require.NoError(t, err)
			defer d.Close()
			put(t, filepath.Join(d.Path(), "plain"), 0o600)
			if err := stand.make(d.Path()); err != nil {
				t.Skip("no links here:", err)
			}
			for way, write := range map[string]func() error{
				"batch":  func() error { return d.Batch().WriteFile(stand.name, []byte("x"), 0o600) },
				"single": func() error { return d.WriteFile(stand.name, []byte("x"), 0o600) },
			} {
				err := write()
				require.ErrorContains(t, err, filepath.Join(d.Path(), filepath.FromSlash(stand.says)), way)
				hint, ok := errors.AsType[interface {
					error
					Hint() string
				}](err)
				require.True(t, ok, way)
				assert.NotEmpty(t, hint.Hint())
			}
			noTemp(t, d.Path())
			noTemp(t, outside)
		})
	}
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// An error of the system names a path that a person can look at, also where the file was named below an open folder.
func TestErrorsHaveWholePaths(t *testing.T) {
	dir := t.TempDir()
	err := told("write", dir, filepath.Join("a", "b", "one"), &fs.PathError{Op: "openat", Path: ".one.tmp-X", Err: fs.ErrPermission})
	require.ErrorIs(t, err, fs.ErrPermission)
	assert.EqualError(t, err, "write "+filepath.Join(dir, "a", "b", "one")+": openat "+filepath.Join(dir, "a")+": permission denied")
}
