package vcstest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// template is an empty repository as its tool makes it. It is made once a process and copied, which takes a fraction of the tool's time.
type template struct {
	folders []string
	files   map[string][]byte
}

// newTemplate runs a command that makes a repository in its working folder.
func newTemplate(env []string, tool string, args ...string) (template, error) {
	t := template{files: map[string][]byte{}}
	dir, err := os.MkdirTemp("", "template")
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command(tool, args...)
	cmd.Dir, cmd.Env = dir, env
	if err := cmd.Run(); err != nil {
		return t, err
	}
	return t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			t.folders = append(t.folders, rel)
			return nil
		}
		t.files[rel], err = os.ReadFile(path)
		return err
	})
}

func (t template) copyTo(tb testing.TB, dir string) {
	tb.Helper()
	for _, f := range t.folders {
		require.NoError(tb, os.MkdirAll(filepath.Join(dir, f), 0o755))
	}
	for name, content := range t.files {
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
}

var gitTemplate = sync.OnceValues(func() (template, error) {
	return newTemplate(append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull), "git", "init", "-q", "-b", "main", "--template=")
})

var hgTemplate = sync.OnceValues(func() (template, error) {
	return newTemplate(append(os.Environ(), "HGRCPATH="), "hg", "init")
})
