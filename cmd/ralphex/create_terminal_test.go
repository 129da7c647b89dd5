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

	"ralphex/internal/cli/clitest"
	"ralphex/pkg/vcs/vcstest"
)

// creator starts ralphex create on a terminal.
func creator(t *testing.T, script string, more ...string) (*vcstest.Repo, *terminal, *exec.Cmd) {
	t.Helper()
	repo := vcstest.NewRepo(t)
	repo.Write("a.txt", "a\n")
	repo.Commit("start")
	agent := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(agent, []byte(script), 0o644))
	cmd := exec.Command("ralphex", "create", "--no-worktree", "greet people")
	cmd.Dir = repo.Dir
	cmd.Env = append(append(repo.Env, "PATH="+os.Getenv("PATH"), "AGENT_SCRIPT="+agent, "TERM=xterm-256color", "RALPHEX_ITERATION_DELAY_MS=0", "RALPHEX_PLAN_WRITE=tool"), more...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 100})
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	term := &terminal{t: t, f: f, lines: make(chan []byte, 1024)}
	go term.read()
	return repo, term, cmd
}

// exits waits for the end.
func (term *terminal) exits(cmd *exec.Cmd, code int) {
	term.t.Helper()
	for b := range term.lines {
		term.seen.Write(b)
	}
	_ = cmd.Wait() // the code tells
	require.Equal(term.t, code, cmd.ProcessState.ExitCode(), term.seen.String())
}

// At a terminal: a question with words of one's own, a draft that is drawn, an editor whose changes are the feedback, the difference of two drafts,
// and a plan that is written when the person says so, and run when they say so.
func TestCreateOnATerminal(t *testing.T) {
	t.Parallel()
	editor := filepath.Join(t.TempDir(), "editor")
	require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\nsed -i 's/^Greet people.$/Greet people politely./' \"$1\"\n"), 0o755))
	first, second := clitest.Plan("Greet people."), clitest.Plan("Greet people politely.")
	prompt := filepath.Join(t.TempDir(), "prompt")
	repo, term, cmd := creator(t,
		"session\n"+clitest.Say("<<<RALPHEX:QUESTION>>>\n{\"question\": \"In which language?\", \"options\": [\"English\", \"Latin\"]}\n<<<RALPHEX:END>>>")+
			"session\n"+clitest.Draft(first)+
			"session\n\tprompt-to "+prompt+"\n"+clitest.Draft(second),
		"EDITOR="+editor, "VISUAL=")
	term.await("In which language?")
	term.await("3) Other (type your own answer)")
	term.await("Enter number (1-3): ")
	term.press("7\r")
	term.await("not one of 1 to 3: 7")
	term.press("3\r")
	term.await("Enter your answer: ")
	term.press("Grüße auf Plattdeutsch\r")

	term.await("━━━ Plan Draft 1 ━━━")
	term.await("\x1b[") // drawn
	term.await("Greet people.")
	term.await("[ ]")
	term.await("4) Reject")
	term.press("3\r") // the editor
	term.await("━━━ Plan Draft 2 ━━━")
	term.await("5) Show what changed since the draft before")
	term.press("5\r")
	term.await("+Greet people politely.")
	term.await("Enter number (1-5): ")
	term.press("1\r")
	term.await("Continue with plan implementation? [y/N]: ")
	term.press("n\r")
	term.await("next: ralphex docs/plans/")
	term.exits(cmd, 0)

	found, err := filepath.Glob(filepath.Join(repo.Dir, "docs/plans/*-greetings.md"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	got, err := os.ReadFile(found[0])
	require.NoError(t, err)
	assert.Equal(t, second, string(got))
	asked, err := os.ReadFile(prompt)
	require.NoError(t, err)
	assert.Contains(t, string(asked), "ANSWER: Grüße auf Plattdeutsch")
	assert.Contains(t, string(asked), "-Greet people.\n+Greet people politely.\n", "the editor's changes are the feedback")
	log, err := os.ReadFile(filepath.Join(repo.Dir, ".ralphex/progress/progress-plan-greet-people.txt"))
	require.NoError(t, err)
	assert.Contains(t, string(log), "DRAFT REVIEW: revise")
	assert.Contains(t, string(log), "DRAFT REVIEW: accept")
}

func TestRejectOnATerminal(t *testing.T) {
	t.Parallel()
	repo, term, cmd := creator(t, "session\n"+clitest.Draft(clitest.Plan("Greet people.")))
	term.await("Enter number (1-4): ")
	term.press("4\r")
	term.await("error: plan creation: user rejected plan")
	term.exits(cmd, 1)
	assert.NoDirExists(t, filepath.Join(repo.Dir, "docs"))
}

// Ctrl+\ ends a session and asks, Enter goes on with another one; Ctrl+C at a question ends the run, which can be gone on with; nobody is shown a stack.
func TestBreaksInCreation(t *testing.T) {
	t.Parallel()
	repo, term, cmd := creator(t, "session\n\tsay thinking\n\thang\nsession\n"+clitest.Draft(clitest.Plan("Greet people.")))
	term.await("thinking")
	term.press("\x1c")
	term.await("press Enter to continue, Ctrl+C to abort")
	term.press("\r")
	term.await("Enter number (1-4): ")
	term.press("\x03")
	term.await("interrupted")
	term.exits(cmd, 130)
	assert.NotContains(t, term.seen.String(), "goroutine")

	again := exec.Command("ralphex", "create", "--json", "greet people")
	again.Dir, again.Env = repo.Dir, cmd.Env
	out, _ := again.Output() // 3: it waits
	assert.Equal(t, 3, again.ProcessState.ExitCode())
	assert.Contains(t, string(out), `"kind":"draft","n":1`, "the draft is there without a session")
}

// kill -9 while a draft waits for the person: it waits on, and is answered from elsewhere.
func TestKilledWhileADraftWaits(t *testing.T) {
	t.Parallel()
	repo, term, cmd := creator(t, "session\n"+clitest.Draft(clitest.Plan("Greet people.")))
	term.await("Enter number (1-4): ")
	require.NoError(t, cmd.Process.Kill())
	term.exits(cmd, -1)

	answer := exec.Command("ralphex", "answer", "--accept", "--json")
	answer.Dir, answer.Env = repo.Dir, cmd.Env
	out, err := answer.Output()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), `"kind":"ready","plan":"docs/plans/`)
	found, err := filepath.Glob(filepath.Join(repo.Dir, "docs/plans/*-greetings.md"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	got, err := os.ReadFile(found[0])
	require.NoError(t, err)
	assert.Equal(t, clitest.Plan("Greet people."), string(got))
}

// Without a plan, and where there is none, a person is asked what they want; nothing said is a way out.
func TestDescriptionIsAskedFor(t *testing.T) {
	t.Parallel()
	repo := vcstest.NewRepo(t)
	repo.Write("a.txt", "a\n")
	repo.Commit("start")
	for _, keys := range []string{"\r", "\x04"} {
		cmd := exec.Command("ralphex")
		cmd.Dir, cmd.Env = repo.Dir, append(repo.Env, "PATH="+os.Getenv("PATH"), "TERM=xterm-256color")
		f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
		require.NoError(t, err)
		defer f.Close()
		term := &terminal{t: t, f: f, lines: make(chan []byte, 1024)}
		go term.read()
		term.await("no plans found. what would you like to implement?")
		term.await("(enter description or press Ctrl+C/Ctrl+D to cancel): ")
		term.press(keys)
		term.exits(cmd, 0)
	}
}
