package main

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/cli/clitest"
	"ralphex/pkg/vcs/vcstest"
)

// begin starts ralphex in a repository.
func begin(t *testing.T, repo *vcstest.Repo, script string, args ...string) *clitest.Process {
	t.Helper()
	return clitest.Begin(t, repo, script, args)
}

// runRow is what the stories look at of a run.
type runRow struct {
	ID    string   `json:"id"`
	State string   `json:"state"`
	Plan  string   `json:"plan"`
	Mode  string   `json:"mode"`
	Can   []string `json:"can"`
}

func runsOf(t *testing.T, at string) []runRow {
	t.Helper()
	return clitest.Get[struct {
		Runs []runRow `json:"runs"`
	}](t, at+"/api/v1/runs").Runs
}

// awaitRun asks until the only run is as it should be.
func awaitRun(t *testing.T, at string, good func(runRow) bool) runRow {
	t.Helper()
	var run runRow
	require.Eventually(t, func() bool {
		runs := runsOf(t, at)
		if len(runs) != 1 {
			return false
		}
		run = runs[0]
		return good(run)
	}, time.Minute, 20*time.Millisecond, "the run does not get there: %+v", &run)
	return run
}

const onePlan = "# P\n### Task 1: One\n- [ ] a\n"

// served is a repository with a plan.
func served(t *testing.T) *vcstest.Repo {
	t.Helper()
	repo := vcstest.NewRepo(t)
	repo.Write("docs/plans/p.md", onePlan)
	repo.Commit("start")
	require.NoError(t, os.Mkdir(filepath.Join(repo.Dir, ".tmp"), 0o755))
	repo.Write(".git/info/exclude", "/.tmp/\n")
	return repo
}

// A run shows itself while it goes on, and stays to be looked at, as the public ralphex does.
func TestServeShowsTheRun(t *testing.T) {
	t.Parallel()
	repo := served(t)
	p := begin(t, repo, "session\n\tsay hello from the agent\n\twrite .tmp/there x\n\twait-file .tmp/go\n\twrite a.txt a\n\ttick next\n", "-t", "--serve", "--port", "0", "docs/plans/p.md")
	at := p.At()
	run := awaitRun(t, at, func(r runRow) bool { return r.State == "active" })
	assert.Equal(t, "docs/plans/p.md", run.Plan)
	assert.Equal(t, run.ID, clitest.Get[map[string]any](t, at+"/api/v1/meta")["single"])
	assert.JSONEq(t, "[]", clitest.Fetch(t, at+"/api/sessions"), "a server of one run lists none: the public rule")
	repo.Write(".tmp/go", "x")
	p.Says("web dashboard still running at " + at)
	assert.Equal(t, "completed", runsOf(t, at)[0].State)
	log := clitest.Fetch(t, at+"/api/v1/runs/"+run.ID+"/events?limit=10000")
	assert.Contains(t, log, "hello from the agent")
	assert.Contains(t, log, `"type":"run_end"`)
	p.Interrupt()
	p.Exits(0)
}

// A run that fails ends with its error, dashboard or not.
func TestServeEndsWithARunThatFails(t *testing.T) {
	t.Parallel()
	repo := served(t)
	p := begin(t, repo, "session\n\tsay <<<RALPHEX:TASK_FAILED>>>\nsession\n\tsay <<<RALPHEX:TASK_FAILED>>>\nsession\n\tsay <<<RALPHEX:TASK_FAILED>>>\n", "-t", "--serve", "--port", "0", "docs/plans/p.md")
	p.Exits(1)
	assert.NotContains(t, p.All(), "still running")
}

// A port that is taken is told before anything is touched.
func TestServeTakenPort(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	repo := served(t)
	for _, args := range [][]string{{"-t", "--serve", "--port", port, "docs/plans/p.md"}, {"serve", "-p", port}, {"--serve", "-w", ".", "-p", port}} {
		p := begin(t, repo, "session\n\ttick next\n", args...)
		p.Exits(2)
		assert.Contains(t, p.All(), "port "+port+" on 127.0.0.1 is taken")
		assert.Contains(t, p.All(), "--port 0")
	}
	assert.NoDirExists(t, filepath.Join(repo.Dir, ".ralph"))
	assert.Equal(t, "main", strings.TrimSpace(repo.Git("branch", "--show-current")))
}

// A folder that somebody names and that is not there is told before anything is touched, whatever else is asked for; one of the settings is left out.
func TestServeFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	repo := served(t)
	repo.Write("file", "")
	repo.Commit("a file")
	for _, name := range []string{"nowhere", "file"} {
		for _, args := range [][]string{{"-t", "--serve", "--port", "0", "--watch", name, "docs/plans/p.md"}, {"serve", "--port", "0", name}, {"serve", "--port", "0", ".", name},
			{"--serve", "--port", "0", "-w", ".", "-w", name}} {
			p := begin(t, repo, "session\n\ttick next\n", args...)
			p.Exits(2)
			assert.Contains(t, p.All(), name+" can't be watched: ")
			assert.NotContains(t, p.All(), "web dashboard")
		}
	}
	assert.NoDirExists(t, filepath.Join(repo.Dir, ".ralph"))
	assert.Equal(t, "main", strings.TrimSpace(repo.Git("branch", "--show-current")))

	repo.Write(".ralphex/config", "watch_dirs = nowhere, file\n")
	for _, args := range [][]string{{"serve", "--port", "0"}, {"--serve", "--port", "0"}} {
		p := begin(t, repo, "", args...)
		p.Says("nowhere is not watched")
		p.Says("file is not watched")
		p.Says("  " + repo.Dir)
		p.At()
		p.Interrupt()
		p.Exits(0)
	}
}

// --serve with folders to watch, and nothing to run, only shows; a mode that a flag names is run whatever the settings say (W10).
func TestServeModes(t *testing.T) {
	t.Parallel()
	repo := served(t)
	repo.Write(".ralphex/config", "watch_dirs = .\n")
	p := begin(t, repo, "", "--serve", "--port", "0")
	p.Says("watch-only mode: monitoring 1 directory")
	assert.Empty(t, runsOf(t, p.At()))
	p.Interrupt()
	p.Exits(0)

	repo.Git("checkout", "-q", "-b", "work")
	repo.Write("b.txt", "b\n")
	repo.Commit("work")
	p = begin(t, repo, "session\n\tsay <<<RALPHEX:REVIEW_DONE>>>\n", "--serve", "--port", "0", "--review", "--external-review-tool", "none")
	p.Says("still running")
	run := awaitRun(t, p.At(), func(r runRow) bool { return r.State == "completed" })
	assert.Equal(t, "review", run.Mode)
	require.NoError(t, p.Cmd.Process.Signal(syscall.SIGTERM))
	p.Exits(0)
}

// ralphex serve shows what goes on elsewhere, and outlives it.
func TestServeWatches(t *testing.T) {
	t.Parallel()
	repo := served(t)
	s := begin(t, repo, "", "serve", "--port", "0")
	at := s.At()
	assert.Empty(t, runsOf(t, at))
	p := begin(t, repo, "session\n\twrite .tmp/there x\n\thang\n", "-t", "docs/plans/p.md")
	awaitRun(t, at, func(r runRow) bool { return r.State == "active" })
	require.NoError(t, p.Cmd.Process.Kill())
	run := awaitRun(t, at, func(r runRow) bool { return r.State == "killed" })
	assert.Contains(t, clitest.Fetch(t, at+"/api/sessions"), run.ID)
	s.Interrupt()
	s.Exits(0)
}

// What others can reach wants the token of the link that is printed once, and stands nowhere else.
func TestServeForOthersWantsTheToken(t *testing.T) {
	t.Parallel()
	repo := served(t)
	p := clitest.Begin(t, repo, "session\n\ttick next\n", []string{"-t", "--serve", "--port", "0", "docs/plans/p.md"}, "RALPHEX_WEB_HOST=0.0.0.0")
	link := p.At()
	at, token, _ := strings.Cut(link, "/?token=")
	require.Greater(t, len(token), 20, link)
	p.Says("still running at " + at)
	resp, err := http.Get(at + "/api/v1/runs")
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, http.StatusUnauthorized, resp.StatusCode)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: jar}
	for _, address := range []string{link, at + "/api/v1/runs"} {
		resp, err := browser.Get(address)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, http.StatusOK, resp.StatusCode)
		assert.NotContains(t, resp.Request.URL.String(), "token")
	}
	p.Interrupt()
	p.Exits(0)
	assert.Equal(t, strings.Count(p.All(), "/?token="), strings.Count(p.All(), token))
	found, err := exec.Command("grep", "-rl", token, repo.Dir).CombinedOutput()
	assert.Error(t, err, "the token stands in %s", found)
}

// order gives a run an order as the page does, and returns the status and the answer.
func order(t *testing.T, at, id, body string) (int, string) {
	t.Helper()
	csrf, _ := clitest.Get[map[string]any](t, at+"/api/v1/meta")["csrf"].(string)
	r, err := http.NewRequest(http.MethodPost, at+"/api/v1/runs/"+id+"/control", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", at)
	r.Header.Set("X-Ralphex-CSRF", csrf)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

// A run is paused, gets a note and goes on, all from the page: the journal says who, and one session has the note.
func TestServeSteers(t *testing.T) {
	t.Parallel()
	repo := served(t)
	p := begin(t, repo, "session\n\twrite .tmp/there x\n\thang\nsession\n\tprompt-to .tmp/prompt2\n\twrite a.txt a\n\ttick next\n", "-t", "--serve", "--port", "0", "--max-sessions", "9", "docs/plans/p.md")
	at := p.At()
	require.Eventually(t, func() bool { _, err := os.Stat(filepath.Join(repo.Dir, ".tmp/there")); return err == nil }, time.Minute, 10*time.Millisecond)
	run := awaitRun(t, at, func(r runRow) bool { return r.State == "active" })
	code, text := order(t, at, run.ID, `{"verb":"pause","id":"1"}`)
	require.Equal(t, http.StatusOK, code, text)
	awaitRun(t, at, func(r runRow) bool { return r.State == "paused" })
	code, text = order(t, at, run.ID, `{"verb":"note","id":"2","text":"mind the gap"}`)
	require.Equal(t, http.StatusOK, code, text)
	assert.Contains(t, p.Verb("note", "by hand as well"), "the next session gets it")
	code, text = order(t, at, run.ID, `{"verb":"budget","id":"b","sessions":3}`)
	require.Equal(t, http.StatusOK, code, text)
	assert.Contains(t, p.Verb("budget", "add", "--sessions", "2"), "may use 14 sessions")
	assert.Contains(t, clitest.Fetch(t, at+"/api/v1/runs/"+run.ID), `"budget":{"run":{"sessions":14}`)
	code, text = order(t, at, run.ID, `{"verb":"skip","id":"3","task":7}`)
	assert.Equal(t, http.StatusConflict, code, text)
	code, text = order(t, at, run.ID, `{"verb":"resume","id":"4"}`)
	require.Equal(t, http.StatusOK, code, text)
	p.Says("still running")
	prompt, err := os.ReadFile(filepath.Join(repo.Dir, ".tmp/prompt2"))
	require.NoError(t, err)
	assert.Contains(t, string(prompt), "mind the gap")
	assert.Contains(t, string(prompt), "by hand as well")
	log := clitest.Fetch(t, at+"/api/v1/runs/"+run.ID+"/events?limit=10000")
	assert.Contains(t, log, `"what":"pause","by":"anna at the dashboard","id":"1"`)
	assert.Contains(t, log, `"text":"mind the gap"`)
	assert.Regexp(t, `"what":"budget","by":"anna at the dashboard","id":"[A-Z0-9]+","text":"3 sessions"`, log)
	assert.Regexp(t, `"what":"budget","by":"anna, pid [0-9]+","id":"[A-Z0-9]+","text":"2 sessions"`, log)
	code, text = order(t, at, run.ID, `{"verb":"pause","id":"5"}`)
	assert.Equal(t, http.StatusConflict, code, "it is over: %s", text)
	p.Interrupt()
	p.Exits(0)
}

// A note survives a kill, and is in the prompt of one session, and of no other.
func TestNoteSurvivesAKill(t *testing.T) {
	t.Parallel()
	repo := served(t)
	repo.Write("docs/plans/p.md", onePlan+"### Task 2: Two\n- [ ] b\n")
	repo.Commit("two tasks")
	script := "session\n\twrite .tmp/there x\n\thang\nsession\n\tprompt-to .tmp/prompt2\n\twrite a.txt a\n\ttick next\nsession\n\tprompt-to .tmp/prompt3\n\twrite b.txt b\n\ttick next\n"
	p := begin(t, repo, script, "-t", "docs/plans/p.md")
	require.Eventually(t, func() bool { _, err := os.Stat(filepath.Join(repo.Dir, ".tmp/there")); return err == nil }, time.Minute, 10*time.Millisecond)
	p.Verb("note", "docs/plans/p.md", "mind the gap")
	require.NoError(t, p.Cmd.Process.Kill())
	<-p.Ended
	p.Verb("-t", "docs/plans/p.md")
	for file, want := range map[string]bool{".tmp/prompt2": true, ".tmp/prompt3": false} {
		prompt, err := os.ReadFile(filepath.Join(repo.Dir, file))
		require.NoError(t, err)
		assert.Equal(t, want, strings.Contains(string(prompt), "mind the gap"), file)
	}
}

// Nobody sits at the terminal: a question is answered in the page, and the draft by the verb; then the plan is there.
func TestServeAnswers(t *testing.T) {
	t.Parallel()
	repo := served(t)
	script := "session\n" + clitest.Say("<<<RALPHEX:QUESTION>>>\n{\"question\": \"Which greeting?\", \"options\": [\"Hi\", \"Hello\"]}\n<<<RALPHEX:END>>>") +
		"session\n\tprompt-to .tmp/prompt2\n" + clitest.Draft(clitest.Plan("Be polite."))
	p := begin(t, repo, script, "--plan", "greet people", "--no-run", "--serve", "--port", "0")
	at := p.At()
	run := awaitRun(t, at, func(r runRow) bool { return slices.Contains(r.Can, "answer") })
	code, text := order(t, at, run.ID, `{"verb":"draft","id":"1","action":"accept"}`)
	assert.Equal(t, http.StatusConflict, code, text)
	code, text = order(t, at, run.ID, `{"verb":"answer","id":"2","option":2}`)
	require.Equal(t, http.StatusOK, code, text)
	awaitRun(t, at, func(r runRow) bool { return slices.Contains(r.Can, "draft") })
	prompt, err := os.ReadFile(filepath.Join(repo.Dir, ".tmp/prompt2"))
	require.NoError(t, err)
	assert.Contains(t, string(prompt), "Hello")
	assert.Contains(t, p.Verb("answer", "--accept"), "draft 1: accept")
	p.Says("still running")
	plans, err := filepath.Glob(filepath.Join(repo.Dir, "docs/plans/*greetings.md"))
	require.NoError(t, err)
	assert.Len(t, plans, 1)
	p.Interrupt()
	p.Exits(0)
}
