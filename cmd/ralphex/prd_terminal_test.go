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

// On a terminal the draft of a project is shown, edited in the person's editor, shown again, and written when they say yes.
func TestPrdNewOnATerminal(t *testing.T) {
	t.Parallel()
	repo := vcstest.NewRepo(t)
	repo.Write("README", "x\n")
	repo.Commit("start")
	env := append(repo.Env, "PATH="+os.Getenv("PATH"), "TERM=xterm-256color")
	ralphex := func(args ...string) *exec.Cmd {
		cmd := exec.Command("ralphex", args...)
		cmd.Dir, cmd.Env = repo.Dir, env
		return cmd
	}
	out, err := ralphex("workspace", "init").CombinedOutput()
	require.NoError(t, err, string(out))
	editor := filepath.Join(t.TempDir(), "editor")
	require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\nprintf '# Limiter\\n\\n## Tasks\\n- count per key\\n- answer 429\\n' > \"$1\"\n"), 0o755))
	env = append(env, "EDITOR="+editor, "VISUAL=")
	before, err := os.ReadFile(filepath.Join(repo.Dir, ".ralph", "prd.md"))
	require.NoError(t, err)

	on := func(keys func(*terminal), code int) {
		t.Helper()
		cmd := ralphex("prd", "new")
		f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
		require.NoError(t, err)
		defer f.Close()
		term := &terminal{t: t, f: f, lines: make(chan []byte, 1024)}
		go term.read()
		keys(term)
		for b := range term.lines {
			term.seen.Write(b)
		}
		_ = cmd.Wait() // the code tells
		require.Equal(t, code, cmd.ProcessState.ExitCode(), term.seen.String())
	}
	on(func(term *terminal) {
		term.await("What is to be built?")
		term.press("A limiter\r")
		term.await("[N]o")
		term.press("\r")
	}, 0)
	after, err := os.ReadFile(filepath.Join(repo.Dir, ".ralph", "prd.md"))
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "no answer is no")

	on(func(term *terminal) {
		term.await("What is to be built?")
		term.press("A limiter\r")
		term.await("[N]o")
		term.press("e\r")
		term.await("[N]o")
		term.press("y\r")
	}, 0)
	after, err = os.ReadFile(filepath.Join(repo.Dir, ".ralph", "prd.md"))
	require.NoError(t, err)
	assert.Contains(t, string(after), "count per key")
	out, err = ralphex("task", "list").CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "waits for T1")
}
