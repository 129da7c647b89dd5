//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs/vcstest"
)

// startLive starts ralphex --live on a terminal of its own, with an agent that does as the script says.
func startLive(t *testing.T, agent string) (*exec.Cmd, *terminal) {
	t.Helper()
	repo := vcstest.NewRepo(t)
	repo.Write("docs/plans/p.md", "# P\n\n### Task 1: Draw\n- [ ] the house\n- [ ] the tree\n")
	repo.Commit("start")
	script := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(script, []byte(agent), 0o644))
	cmd := exec.Command("ralphex", "-t", "--live", "docs/plans/p.md")
	cmd.Dir = repo.Dir
	cmd.Env = append(repo.Env, "PATH="+os.Getenv("PATH"), "AGENT_SCRIPT="+script, "TERM=xterm-256color", "RALPHEX_ITERATION_DELAY_MS=0")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	term := &terminal{t: t, f: f, lines: make(chan []byte, 1024)}
	go term.read()
	return cmd, term
}

// rest is all that comes until the program has gone, and its exit code.
func (term *terminal) rest(cmd *exec.Cmd) (string, int) {
	for b := range term.lines {
		term.seen.Write(b)
	}
	_ = cmd.Wait() // the code says it
	return term.seen.String(), cmd.ProcessState.ExitCode()
}

// On the whole terminal: boxes are ticked, Ctrl+\ pauses, Enter goes on, q ends the run, and then the log is on the normal screen.
func TestTerminalLive(t *testing.T) {
	t.Parallel()
	cmd, term := startLive(t, "session\n\tsay first\n\thang\nsession\n\ttick 1 1\n\tsay second\n\thang\n")
	term.await("first")
	term.press("\x1c") // Ctrl+\
	term.await("Enter goes on")
	term.press("\r")
	term.await("second")
	term.press("q")
	seen, code := term.rest(cmd)
	assert.Equal(t, 130, code)
	_, after, left := strings.Cut(seen, "\x1b[?1049l")
	require.True(t, left, "the normal screen is back")
	for _, want := range []string{"starting ralphex loop", "first", "second", "interrupted after", "the same command goes on"} {
		assert.Contains(t, after, want)
	}
	assert.NotContains(t, after, "\x1b[?1049h")
}

// A pause that is answered by q leaves the plan where it is, with exit 0, as in the public ralphex. SIGTERM gives the terminal back, too:
// it is asked politely.
func TestTerminalLiveEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]struct {
		do   func(*exec.Cmd, *terminal)
		code int
		says string
	}{
		"pause and q": {func(_ *exec.Cmd, term *terminal) {
			term.press("p")
			term.await("Enter goes on")
			term.press("q")
		}, 0, "aborted by user, plan left in place"},
		"SIGTERM": {func(cmd *exec.Cmd, _ *terminal) { _ = cmd.Process.Signal(syscall.SIGTERM) }, 143, "terminated"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, term := startLive(t, "session\n\tsay first\n\thang\n")
			term.await("first")
			end.do(cmd, term)
			seen, code := term.rest(cmd)
			assert.Equal(t, end.code, code)
			_, after, left := strings.Cut(seen, "\x1b[?1049l")
			require.True(t, left, "the normal screen is back")
			assert.Contains(t, after, end.says)
		})
	}
}
