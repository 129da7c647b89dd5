package durable

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteFile(t *testing.T) {
	tests := []struct {
		name    string
		before  func(t *testing.T, dir string)
		path    string
		perm    os.FileMode
		want    os.FileMode
		written string // where the bytes are to be found; empty = path
	}{
		{name: "new", path: "a.md", perm: 0o600, want: 0o600},
		{name: "old bytes are gone", path: "a.md", perm: 0o600, want: 0o644, before: func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "a.md"), 0o644)
		}},
		{name: "keeps the mode", path: "a.sh", perm: 0o600, want: 0o755, before: func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "a.sh"), 0o755)
		}},
		{name: "keeps a tight mode", path: "a.md", perm: 0o644, want: 0o400, before: func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "a.md"), 0o400)
		}},
		{name: "symlink", path: "link", perm: 0o600, want: 0o640, written: "sub/real.md", before: func(t *testing.T, dir string) {
			require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
			put(t, filepath.Join(dir, "sub/real.md"), 0o640)
			require.NoError(t, os.Symlink("sub/real.md", filepath.Join(dir, "middle")))
			require.NoError(t, os.Symlink(filepath.Join(dir, "middle"), filepath.Join(dir, "link")))
		}},
		{name: "symlink to nothing", path: "link", perm: 0o600, want: 0o600, written: "new.md", before: func(t *testing.T, dir string) {
			require.NoError(t, os.Symlink("new.md", filepath.Join(dir, "link")))
		}},
		{name: "name with blanks and letters", path: "план и ещё.md", perm: 0o600, want: 0o600},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.before != nil {
				tt.before(t, dir)
			}
			path, written := filepath.Join(dir, tt.path), filepath.Join(dir, tt.path)
			if tt.written != "" {
				written = filepath.Join(dir, tt.written)
			}
			require.NoError(t, WriteFile(path, []byte("new"), tt.perm))
			info, err := os.Lstat(written)
			require.NoError(t, err)
			assert.Equal(t, tt.want, info.Mode(), "a regular file with this mode")
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, "new", string(got))
			noTemp(t, filepath.Dir(written))
		})
	}
}

func TestWriteFileFails(t *testing.T) {
	dir := t.TempDir()
	assert.ErrorIs(t, WriteFile(filepath.Join(dir, "no/such/folder/a"), nil, 0o600), os.ErrNotExist)
	assert.ErrorContains(t, WriteFile(dir, nil, 0o600), dir+" is a folder, expected a file")
	require.NoError(t, os.Symlink("b", filepath.Join(dir, "a")))
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "b")))
	assert.ErrorContains(t, WriteFile(filepath.Join(dir, "a"), nil, 0o600), "too many symlinks")
	noTemp(t, dir)
}

func TestWriteIfDifferent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, want := range []bool{true, false} {
		wrote, err := WriteIfDifferent(path, []byte("x\n"), 0o644)
		require.NoError(t, err)
		assert.Equal(t, want, wrote)
	}
	wrote, err := WriteIfDifferent(path, []byte("y\n"), 0o644)
	require.NoError(t, err)
	assert.True(t, wrote)
}

// Readers beside a writer see whole files only.
func TestWriteFileIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	texts := [][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 1<<17)}
	require.NoError(t, WriteFile(path, texts[0], 0o600))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			got, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
				t.Errorf("read %d bytes, %v", len(got), err)
				return
			}
		}
	})
	for i := range 50 {
		require.NoError(t, WriteFile(path, texts[i%2], 0o600))
	}
	close(stop)
	wg.Wait()
}

func TestDirCantBeLeft(t *testing.T) {
	outside := t.TempDir()
	d, err := OpenDir(filepath.Join(t.TempDir(), "made/with/parents"))
	require.NoError(t, err)
	defer d.Close()
	require.NoError(t, d.WriteFile("a", []byte("x"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(d.Path(), "out")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "victim"), filepath.Join(d.Path(), "link")))
	put(t, filepath.Join(outside, "victim"), 0o600)

	for _, name := range []string{"../b", "out/b", filepath.Join(outside, "b")} {
		assert.Error(t, d.WriteFile(name, nil, 0o600), name)
		_, err := d.OpenLog(name, 0o600)
		assert.Error(t, err, name)
	}
	_, err = d.OpenLog("link", 0o600)
	assert.Error(t, err)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
	got, err := os.ReadFile(filepath.Join(outside, "victim"))
	require.NoError(t, err)
	assert.Equal(t, "old", string(got))
}

func put(t *testing.T, path string, perm os.FileMode) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte("old"), perm))
	require.NoError(t, os.Chmod(path, perm))
}

func noTemp(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, ".*tmp-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "a.json"), link))
	for _, name := range []string{".a.json.tmp-X", ".a.json.tmp-Y", ".b.json.tmp-X", "a.json", "x.a.json.tmp-X"} {
		put(t, filepath.Join(dir, name), 0o600)
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".a.json.tmp-Z"), 0o700))
	Sweep(link)
	Sweep(filepath.Join(dir, "no/such"))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.Equal(t, []string{".a.json.tmp-Z", ".b.json.tmp-X", "a.json", "x.a.json.tmp-X"}, names)
}
