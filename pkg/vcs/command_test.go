package vcs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script makes a runner for a shell script that stands in for git.
func script(t *testing.T, text string) runner {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "git")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	return newRunner(tool, dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=tr_TR", "GIT_DIR=/elsewhere"}, time.Minute, time.Minute)
}

func TestRunKeepsOutputsApart(t *testing.T) {
	r := script(t, `echo out; echo warning >&2`)
	out, err := r.look(t.Context(), "status")
	require.NoError(t, err)
	assert.Equal(t, "out\n", string(out))
}

func TestRunTellsWhatFailed(t *testing.T) {
	r := script(t, `echo "first line" >&2; echo "second line" >&2; exit 7`)
	_, err := r.look(t.Context(), "status", "-z")
	var ce *CommandError
	require.ErrorAs(t, err, &ce)
	assert.Equal(t, &CommandError{Argv: []string{"git", "status", "-z"}, Dir: r.dir, Exit: 7, Stderr: "first line\nsecond line"}, ce)
	assert.Equal(t, "git status: exit 7: first line\nsecond line", err.Error())
	assert.Equal(t, 7, exitCode(err))
}

func TestRunKeepsTheTailOfStderr(t *testing.T) {
	r := script(t, `i=0; while [ $i -lt 3000 ]; do echo "line $i of very much noise" >&2; i=$((i+1)); done; exit 1`)
	_, err := r.look(t.Context(), "status")
	var ce *CommandError
	require.ErrorAs(t, err, &ce)
	assert.Less(t, len(ce.Stderr), 17<<10)
	assert.True(t, strings.HasSuffix(ce.Stderr, "line 2999 of very much noise"))
}

// A command outlives a killed ralphex: what it reads is there before it starts, or an empty list of paths would commit all that is staged.
func TestRunInputIsWholeBeforeTheStart(t *testing.T) {
	want := strings.Repeat("a name\x00", 100_000) // more than a pipe holds
	for _, text := range []string{"", want} {
		out, err := script(t, `test -f /dev/stdin || exit 9; cat`).run(t.Context(), call{access: writes, args: []string{"commit"}, stdin: []byte(text)})
		require.NoError(t, err, "the input is no file")
		assert.Equal(t, text, string(out))
	}
}

func TestRunEnvironment(t *testing.T) {
	r := script(t, `echo "$LC_ALL|$GIT_DIR|$GIT_TERMINAL_PROMPT|$GIT_OPTIONAL_LOCKS|$GIT_LITERAL_PATHSPECS|$GIT_EDITOR|$GIT_PAGER"`)
	for a, want := range map[access]string{
		looks:  "C||0|0|1|:|cat\n",
		writes: "C||0|||:|cat\n",
		hooks:  "tr_TR||0|||:|cat\n",
	} {
		out, err := r.run(t.Context(), call{access: a})
		require.NoError(t, err)
		assert.Equal(t, want, string(out), "access %d", a)
	}
}

// A cancelled command is asked politely, so that git removes its locks; what it started and what doesn't listen is killed.
func TestRunEndsWithItsContext(t *testing.T) {
	r := script(t, `trap 'echo polite >ended; exit 1' TERM; (trap "" TERM; exec sleep 600) >alive & : >started; wait`)
	for _, fifo := range []string{"alive", "started"} {
		require.NoError(t, exec.Command("mkfifo", filepath.Join(r.dir, fifo)).Run())
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("the user had enough")
	childGone := make(chan error, 1)
	go func() {
		alive, err := os.Open(filepath.Join(r.dir, "alive"))
		if err == nil {
			_, err = os.ReadFile(filepath.Join(r.dir, "started"))
		}
		cancel(stop)
		if err == nil {
			_, err = io.ReadAll(alive) // ends when the child does
		}
		childGone <- err
	}()
	_, err := r.look(ctx, "status")
	require.ErrorIs(t, err, stop)
	assert.Equal(t, -1, exitCode(err))
	require.NoError(t, <-childGone)
	b, err := os.ReadFile(filepath.Join(r.dir, "ended"))
	require.NoError(t, err)
	assert.Equal(t, "polite\n", string(b))
}

func TestRunHasADeadline(t *testing.T) {
	r := script(t, `exec sleep 600`)
	r.timeout = 50 * time.Millisecond
	_, err := r.look(t.Context(), "status")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.ErrorContains(t, err, "git status: no answer within 50ms")
}

func TestRunMissingTool(t *testing.T) {
	r := script(t, "")
	require.NoError(t, os.Remove(r.tool))
	_, err := r.look(t.Context(), "status")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestRunWaitsForALock(t *testing.T) {
	r := script(t, `test -e index.lock || exit 0
		echo "fatal: Unable to create '$PWD/index.lock': File exists." >&2; exit 128`)
	lock := filepath.Join(r.dir, "index.lock")
	require.NoError(t, os.WriteFile(lock, nil, 0o644))
	waits := 0
	r.pause = func(context.Context, time.Duration) error {
		if waits++; waits == 3 {
			return os.Remove(lock)
		}
		return nil
	}
	_, err := r.look(t.Context(), "add")
	require.NoError(t, err)
	assert.Equal(t, 3, waits)

	require.NoError(t, os.WriteFile(lock, nil, 0o644))
	r.pause = func(context.Context, time.Duration) error { return context.Canceled }
	_, err = r.look(t.Context(), "add")
	var le *LockedError
	require.ErrorAs(t, err, &le)
	assert.Equal(t, lock, le.Lock)
	require.ErrorIs(t, err, context.Canceled)
	assert.NotEmpty(t, le.Hint())
}

func TestOpenWithoutGit(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"refs", "objects"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git", d), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	_, err := Open(t.Context(), dir, Options{Command: filepath.Join(dir, "missing", "git")})
	require.ErrorIs(t, err, ErrNoTool)
	_, err = Open(t.Context(), dir, Options{Backend: "svn"})
	require.ErrorIs(t, err, ErrUnsupported)
	_, err = Open(t.Context(), dir, Options{Backend: "git", Env: []string{"PATH=" + dir}})
	require.ErrorIs(t, err, ErrNoTool)
	v, err := Open(t.Context(), dir, Options{Env: []string{"PATH=" + dir}})
	require.NoError(t, err)
	assert.Equal(t, "go-git", v.Kind(), "where no git is installed the library works alone")
}
