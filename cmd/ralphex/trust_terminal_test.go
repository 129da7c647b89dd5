//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs/vcstest"
)

// In a terminal a run asks once about the repository's own commands: a no ends it before anything is touched, a yes is
// remembered, and the next run asks nothing.
func TestTrustIsAskedOnATerminal(t *testing.T) {
	t.Parallel()
	repo := vcstest.NewRepo(t)
	repo.Write("docs/plans/p.md", "# P\n\n### Task 1: One\n- [ ] a\n\n```sh\ntrue\n```\n")
	repo.Write(".ralphex/config", "executor = runbook\nworktree_setup = ./evil\u202e.sh\n")
	repo.Commit("start")
	state := t.TempDir()
	start := func(plan string) *terminal {
		cmd := exec.Command("ralphex", "-t", plan)
		cmd.Dir = repo.Dir
		cmd.Env = append(repo.Env, "PATH="+os.Getenv("PATH"), "TERM=dumb", "XDG_STATE_HOME="+state)
		f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 200})
		require.NoError(t, err)
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); f.Close() })
		term := &terminal{t: t, f: f, lines: make(chan []byte, 1024)}
		go term.read()
		return term
	}

	const question = "Allow these, here, until they change? [y/N]: "
	term := start("docs/plans/p.md")
	for !strings.Contains(term.seen.String(), question) {
		b, ok := <-term.lines
		require.True(t, ok, term.seen.String())
		term.seen.Write(b)
	}
	assert.Contains(t, term.seen.String(), `worktree_setup = "./evil\u202e.sh"`, "quoted: what turns a line around does not get to the terminal as it is")
	term.press("\r")
	term.await("not allowed")
	assert.NoDirExists(t, filepath.Join(repo.Dir, ".ralph"))
	assert.NoFileExists(t, filepath.Join(state, "ralphex", "trust.json"))

	term = start("docs/plans/p.md")
	term.await(question)
	term.press("y\r")
	term.await("all tasks completed")
	for range term.lines { // until it has ended
	}

	repo.Write("docs/plans/q.md", "# Q\n\n### Task 1: Two\n- [ ] b\n\n```sh\ntrue\n```\n")
	term = start("docs/plans/q.md")
	for b := range term.lines {
		term.seen.Write(b)
	}
	assert.Contains(t, term.seen.String(), "all tasks completed")
	assert.NotContains(t, term.seen.String(), question)
}
