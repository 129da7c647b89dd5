//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs/vcstest"
)

// terminal is ralphex on a terminal of its own, as a person has it.
type terminal struct {
	t     *testing.T
	f     *os.File
	seen  bytes.Buffer
	lines chan []byte
}

func (term *terminal) read() {
	defer close(term.lines)
	for {
		buf := make([]byte, 4096)
		n, err := term.f.Read(buf)
		if n > 0 {
			term.lines <- buf[:n]
		}
		if err != nil {
			return // EIO: the child has gone
		}
	}
}

// await reads the screen until the text has been on it; what came behind it in the same piece is there for the next await.
func (term *terminal) await(text string) {
	term.t.Helper()
	limit := time.After(time.Minute)
	for {
		if at := strings.Index(term.seen.String(), text); at >= 0 {
			term.seen.Next(at + len(text))
			return
		}
		select {
		case b, ok := <-term.lines:
			if !ok {
				term.t.Fatalf("%q never came:\n%s", text, term.seen.String())
			}
			term.seen.Write(b)
		case <-limit:
			term.t.Fatalf("%q does not come:\n%s", text, term.seen.String())
		}
	}
}

func (term *terminal) press(keys string) {
	term.t.Helper()
	_, err := term.f.WriteString(keys)
	require.NoError(term.t, err)
}

// Two texts that come in one piece are both seen.
func TestTerminalAwait(t *testing.T) {
	term := &terminal{t: t, lines: make(chan []byte, 1)}
	term.lines <- []byte("first, second")
	close(term.lines)
	term.await("first")
	term.await("second")
}

// On a terminal: the live line, Ctrl+\ and ralphex resume or Enter go on with the task, Ctrl+C ends the run.
func TestTerminal(t *testing.T) {
	t.Parallel()
	repo := vcstest.NewRepo(t)
	repo.Write("docs/plans/p.md", "# P\n\n### Task 1: Draw\n- [ ] a\n- [ ] b\n")
	repo.Commit("start")
	script := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(script, []byte("session\n\tsay first\n\thang\nsession\n\tsay between\n\thang\nsession\n\ttick 1 1\n\tsay second\n\thang\n"), 0o644))

	cmd := exec.Command("ralphex", "-t", "docs/plans/p.md")
	cmd.Dir = repo.Dir
	cmd.Env = append(repo.Env, "PATH="+os.Getenv("PATH"), "AGENT_SCRIPT="+script, "TERM=xterm-256color", "RALPHEX_ITERATION_DELAY_MS=0")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
	require.NoError(t, err)
	defer f.Close()
	term := &terminal{t: t, f: f, lines: make(chan []byte, 1024)}
	go term.read()

	term.await("first") // the agent is at work: a break before it has begun would repeat its first session
	term.await("task 1/1 Draw · boxes 0/2")
	term.press("\x1c") // Ctrl+\
	term.await("press Enter to continue, Ctrl+C to abort")
	resume := exec.Command("ralphex", "resume")
	resume.Dir, resume.Env = cmd.Dir, cmd.Env
	out, err := resume.CombinedOutput()
	require.NoError(t, err, "%s", out)
	term.await("between")
	term.press("\r") // the reader of the first pause takes it; it answers nothing
	term.press("\x1c")
	term.await("press Enter to continue, Ctrl+C to abort")
	term.press("\r")
	term.await("second")
	term.press("\x03") // Ctrl+C
	term.await("interrupted")
	for b := range term.lines {
		term.seen.Write(b)
	}
	assert.NotContains(t, term.seen.String(), "^C")
	err = cmd.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 130, exit.ExitCode())
	assert.NotContains(t, term.seen.String(), "press Enter")
}
