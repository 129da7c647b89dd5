package clitest

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs/vcstest"
)

// patience is how long what must come is waited for. A loaded machine needs some of it, a good one none.
const patience = 2 * time.Minute

// Process is a ralphex that goes on while the test does other things. What it prints is kept line by line. A test that failed logs it.
type Process struct {
	Cmd   *exec.Cmd
	Ended chan struct{} // closed when it has ended

	tb    testing.TB
	mu    sync.Mutex
	lines []string
	moved chan struct{} // closed, and made anew, with each line
}

// Begin starts ralphex in a repository, with the script of its agent; variables are NAME=VALUE. The end of the test kills it.
func Begin(tb testing.TB, repo *vcstest.Repo, script string, args []string, variables ...string) *Process {
	tb.Helper()
	agent := filepath.Join(tb.TempDir(), "agent")
	require.NoError(tb, os.WriteFile(agent, []byte(script), 0o644))
	sockets, err := os.MkdirTemp("", "rx") // their names must be short
	require.NoError(tb, err)
	cmd := exec.Command("ralphex", args...)
	cmd.Dir = repo.Dir
	cmd.Env = append(append([]string{}, repo.Env...), "PATH="+os.Getenv("PATH"), "AGENT_SCRIPT="+agent, "RALPHEX_ITERATION_DELAY_MS=0", "USER=anna", "XDG_RUNTIME_DIR="+sockets)
	cmd.Env = append(cmd.Env, variables...)
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	require.NoError(tb, cmd.Start())
	p := &Process{Cmd: cmd, Ended: make(chan struct{}), tb: tb, moved: make(chan struct{})}
	go p.hear(r)
	go func() {
		_ = cmd.Wait() // the code tells
		w.Close()
		close(p.Ended)
	}()
	tb.Cleanup(func() {
		p.Kill()
		os.RemoveAll(sockets)
		if tb.Failed() {
			tb.Logf("ralphex %s:\n%s", strings.Join(args, " "), p.All())
		}
	})
	return p
}

func (p *Process) hear(r io.Reader) {
	for s := bufio.NewScanner(r); s.Scan(); {
		p.mu.Lock()
		p.lines = append(p.lines, s.Text())
		close(p.moved)
		p.moved = make(chan struct{})
		p.mu.Unlock()
	}
	_, _ = io.Copy(io.Discard, r) // behind a line that is too long: nobody is held up
}

// Kill ends it at once, if it has not ended.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill() // it may have ended
	<-p.Ended
}

// Interrupt is Ctrl+C.
func (p *Process) Interrupt() {
	p.tb.Helper()
	require.NoError(p.tb, p.Cmd.Process.Signal(os.Interrupt))
}

// Says waits for a line that holds a text, and returns it.
func (p *Process) Says(text string) string {
	p.tb.Helper()
	limit := time.After(patience)
	for i := 0; ; {
		p.mu.Lock()
		for ; i < len(p.lines); i++ {
			if strings.Contains(p.lines[i], text) {
				defer p.mu.Unlock()
				return p.lines[i]
			}
		}
		moved := p.moved
		p.mu.Unlock()
		select {
		case <-moved:
		case <-p.Ended:
			if !strings.Contains(p.All(), text) { // it was its last word
				require.Fail(p.tb, "it ended without saying "+text)
			}
		case <-limit:
			require.Fail(p.tb, "it does not say "+text)
		}
	}
}

// All is what it has printed so far.
func (p *Process) All() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}

// Exits waits for the end.
func (p *Process) Exits(code int) {
	p.tb.Helper()
	select {
	case <-p.Ended:
	case <-time.After(patience):
		require.Fail(p.tb, "it does not end")
	}
	require.Equal(p.tb, code, p.Cmd.ProcessState.ExitCode(), p.All())
}

// At is the address that it prints, of its dashboard.
func (p *Process) At() string {
	p.tb.Helper()
	_, at, _ := strings.Cut(p.Says("web dashboard: http://"), "web dashboard: ")
	return at
}

// Verb runs a verb in the same place, and returns what it prints.
func (p *Process) Verb(args ...string) string {
	p.tb.Helper()
	cmd := exec.Command("ralphex", args...)
	cmd.Dir, cmd.Env = p.Cmd.Dir, p.Cmd.Env
	out, err := cmd.CombinedOutput()
	require.NoError(p.tb, err, string(out))
	return string(out)
}

// Fetch asks a server for a text.
func Fetch(tb testing.TB, at string) string {
	tb.Helper()
	resp, err := http.Get(at)
	require.NoError(tb, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	require.Equal(tb, http.StatusOK, resp.StatusCode, string(body))
	return string(body)
}

// Get asks a server for JSON.
func Get[T any](tb testing.TB, at string) T {
	tb.Helper()
	var v T
	require.NoError(tb, json.Unmarshal([]byte(Fetch(tb, at)), &v))
	return v
}
