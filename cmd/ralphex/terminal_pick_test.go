//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs/vcstest"
)

// startPick starts ralphex on a terminal in a repository with two plans, and names none. Where finder is a script it is the fzf on PATH.
func startPick(t *testing.T, finder string, args ...string) (string, *exec.Cmd, *terminal) {
	t.Helper()
	repo := vcstest.NewRepo(t)
	for _, name := range []string{"alpha", "beta"} {
		repo.Write("docs/plans/"+name+".md", "# The "+name+"\n\n### Task 1: Write "+name+"\n- [ ] it\n  ```sh\n  echo x > "+name+".txt\n  ```\n")
	}
	repo.Commit("start")
	bin, path := t.TempDir(), os.Getenv("PATH")
	if finder != "" {
		require.NoError(t, os.WriteFile(filepath.Join(bin, "fzf"), []byte("#!/bin/sh\n"+finder), 0o755))
		path = bin + string(os.PathListSeparator) + path
	} else { // one that is installed here is not to be found
		for _, tool := range []string{"git", "ralphex", "sh", "bash"} {
			at, err := exec.LookPath(tool)
			require.NoError(t, err)
			require.NoError(t, os.Symlink(at, filepath.Join(bin, tool)))
		}
		path = bin
	}
	cmd := exec.Command("ralphex", append([]string{"-t", "--executor", "runbook"}, args...)...)
	cmd.Dir = repo.Dir
	cmd.Env = append(repo.Env, "PATH="+path, "TERM=xterm-256color")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	term := &terminal{t: t, f: f, lines: make(chan []byte, 1024)}
	go term.read()
	return repo.Dir, cmd, term
}

func TestTerminalPicksAPlan(t *testing.T) {
	t.Parallel()
	dir, cmd, term := startPick(t, "")
	term.await("0 of 1 tasks done")
	term.press("bet")
	term.await("The beta")
	term.press("\r")
	seen, code := term.rest(cmd)
	require.Equal(t, 0, code, seen)
	assert.FileExists(t, filepath.Join(dir, "beta.txt"))
	assert.NoFileExists(t, filepath.Join(dir, "alpha.txt"))
}

func TestTerminalPicksNoPlan(t *testing.T) {
	t.Parallel()
	_, cmd, term := startPick(t, "")
	term.await("0 of 1 tasks done")
	term.press("\x1b")
	seen, code := term.rest(cmd)
	assert.Equal(t, 1, code)
	assert.Contains(t, seen, "error: no plan selected")
	assert.Contains(t, seen, "ralphex docs/plans/alpha.md")
}

// fzf is asked as the public ralphex asks it.
func TestTerminalPicksByFzf(t *testing.T) {
	t.Parallel()
	dir, cmd, term := startPick(t, `[ "$*" = "--prompt=select plan:  --preview=head -50 {} --preview-window=right:60%" ] || exit 9
echo "fzf draws" >&2; sed -n 2p
`)
	seen, code := term.rest(cmd)
	require.Equal(t, 0, code, seen)
	assert.Contains(t, seen, "fzf draws")
	assert.FileExists(t, filepath.Join(dir, "beta.txt"))
	_, cmd, term = startPick(t, "exit 130\n")
	seen, code = term.rest(cmd)
	assert.Equal(t, 1, code)
	assert.Contains(t, seen, "error: no plan selected")
}

// With --no-input nobody is asked: the plans are listed.
func TestTerminalPicksNothingUnasked(t *testing.T) {
	t.Parallel()
	_, cmd, term := startPick(t, "", "--no-input")
	seen, code := term.rest(cmd)
	assert.Equal(t, 2, code)
	assert.Contains(t, seen, "docs/plans has 2: alpha.md, beta.md")
}
