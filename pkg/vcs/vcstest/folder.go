package vcstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Folder is the working tree of a repository, as files.
type Folder struct {
	Dir string   // the top folder, symbolic links resolved
	Env []string // of every command: no configuration but the repository's own

	tb testing.TB
}

// NewFolder makes an empty temporary folder.
func NewFolder(tb testing.TB) *Folder {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	require.NoError(tb, err)
	f := &Folder{Dir: filepath.Join(dir, "repo"), Env: Env(tb), tb: tb}
	require.NoError(tb, os.Mkdir(f.Dir, 0o755))
	return f
}

// Env is an environment that hides the user's configuration from git.
func Env(tb testing.TB) []string {
	tb.Helper()
	home := tb.TempDir()
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "xdg"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	for _, name := range []string{"PATH", "TMPDIR", "SYSTEMROOT", "TEMP", "TMP"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// Path is the absolute path of a name in the repository.
func (f *Folder) Path(name string) string { return filepath.Join(f.Dir, filepath.FromSlash(name)) }

// Write puts text into a file, folders included.
func (f *Folder) Write(name, text string) {
	f.tb.Helper()
	require.NoError(f.tb, os.MkdirAll(filepath.Dir(f.Path(name)), 0o755))
	require.NoError(f.tb, os.WriteFile(f.Path(name), []byte(text), 0o644))
}

// Read returns a file's text.
func (f *Folder) Read(name string) string {
	f.tb.Helper()
	b, err := os.ReadFile(f.Path(name))
	require.NoError(f.tb, err)
	return string(b)
}

// Remove removes a file.
func (f *Folder) Remove(name string) {
	f.tb.Helper()
	require.NoError(f.tb, os.RemoveAll(f.Path(name)))
}
