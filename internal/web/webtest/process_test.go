package webtest

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

	"ralphex/internal/journal"
	"ralphex/pkg/event"
	"ralphex/pkg/vcs/vcstest"
)

// process is a ralphex that goes on while the test does other things. What it prints is kept line by line.
type process struct {
	tb  testing.TB
	cmd *exec.Cmd

	mu    sync.Mutex
	lines []string
	moved chan struct{} // closed, and made anew, with each line
	ended chan struct{} // closed with the last one
}

// begin starts ralphex in a repository, with the script of its agent; variables are NAME=VALUE.
func begin(tb testing.TB, repo *vcstest.Repo, script string, args []string, variables ...string) *process {
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
	p := &process{tb: tb, cmd: cmd, moved: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		for s := bufio.NewScanner(r); s.Scan(); {
			p.mu.Lock()
			p.lines = append(p.lines, s.Text())
			close(p.moved)
			p.moved = make(chan struct{})
			p.mu.Unlock()
		}
		_, _ = io.Copy(io.Discard, r) // behind a line that is too long: nobody is held up
	}()
	go func() {
		_ = cmd.Wait() // the code tells
		w.Close()
		close(p.ended)
	}()
	tb.Cleanup(func() {
		p.kill()
		os.RemoveAll(sockets)
		if tb.Failed() {
			tb.Logf("ralphex %s:\n%s", strings.Join(args, " "), p.all())
		}
	})
	return p
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// says waits for a line that holds a text, and returns it.
func (p *process) says(text string) string {
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
		case <-p.ended:
			require.Fail(p.tb, "it ended without saying "+text, p.all())
		case <-limit:
			require.Fail(p.tb, "it does not say "+text, p.all())
		}
	}
}

func (p *process) all() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}

// exits waits for the end.
func (p *process) exits(code int) {
	p.tb.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		require.Fail(p.tb, "it does not end", p.all())
	}
	require.Equal(p.tb, code, p.cmd.ProcessState.ExitCode(), p.all())
}

// at is the address that the process prints.
func (p *process) at() string {
	p.tb.Helper()
	_, at, _ := strings.Cut(p.says("web dashboard: http://"), "web dashboard: ")
	return at
}

// serve starts `ralphex serve` in a repository and returns its address.
func serve(tb testing.TB, repo *vcstest.Repo, args ...string) (*process, string) {
	tb.Helper()
	p := begin(tb, repo, "", append([]string{"serve", "--port", "0"}, args...))
	return p, p.at()
}

// get asks a server for JSON.
func get[T any](tb testing.TB, at string) T {
	tb.Helper()
	resp, err := http.Get(at)
	require.NoError(tb, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	require.Equal(tb, http.StatusOK, resp.StatusCode, string(body))
	var v T
	require.NoError(tb, json.Unmarshal(body, &v))
	return v
}

// planned is a repository with a plan, and a folder .tmp for what is none of the project's business.
func planned(tb testing.TB, plan string) *vcstest.Repo {
	tb.Helper()
	repo := vcstest.NewRepo(tb)
	repo.Write("docs/plans/p.md", plan)
	repo.Write(".gitignore", "/.tmp/\n")
	repo.Commit("start")
	repo.Write(".tmp/here", "")
	return repo
}

// written writes the journal of a run into a repository: what each fact of it is, one a second.
func written(tb testing.TB, repo *vcstest.Repo, id event.RunID, facts ...event.Event) {
	tb.Helper()
	w, err := journal.Open(repo.Path(".ralph/events"), id)
	require.NoError(tb, err)
	start := time.Now().Add(-time.Duration(len(facts)+60) * time.Second)
	for i, e := range facts {
		e.Run, e.Seq, e.Time = id, int64(i+1), start.Add(time.Duration(i)*time.Second)
		require.NoError(tb, w.Handle(e))
	}
	require.NoError(tb, w.Close())
}
