//go:build unix

package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// output keeps what a child prints and tells when a word has come.
type output struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	word string
	seen chan struct{}
}

func until(word string) *output { return &output{word: word, seen: make(chan struct{})} }

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf.Write(p)
	if o.word != "" && strings.Contains(o.buf.String(), o.word) {
		o.word = ""
		close(o.seen)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// sh runs a script, with limits that suit a test.
func sh(script string) Cmd {
	return Cmd{Argv: []string{"sh", "-c", script}, Mark: NewMark(), Grace: 150 * time.Millisecond, Drain: 40 * time.Millisecond}
}

// cancelWhen returns a context that ends, with a cause, when the output has said its word.
func cancelWhen(t *testing.T, o *output, cause error) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	go func() {
		select {
		case <-o.seen:
			cancel(cause)
		case <-ctx.Done():
		}
	}()
	return ctx
}

func TestRun(t *testing.T) {
	tests := []struct {
		name, script, stdin  string
		stdout, stderr, exit string
	}{
		{"both outputs apart", "echo out; echo err >&2", "", "out\n", "err\n", "exit 0"},
		{"exit code", "exit 7", "", "", "", "exit 7"},
		{"prompt on stdin", "cat", "a prompt\n", "a prompt\n", "", "exit 0"},
		{"stdin ends", "cat; echo end", "", "end\n", "", "exit 0"},
		{"ended by a signal", "kill -9 $$", "", "", "", "signal: killed"},
		{"a huge prompt that nobody reads", "exit 0", strings.Repeat("x", 8<<20), "", "", "exit 0"},
		{"a huge prompt of which one line is read", "read a; echo $a", "one\n" + strings.Repeat("x", 8<<20), "one\n", "", "exit 0"},
		{"no terminal", "test -t 0 || test -t 1 || (: </dev/tty) 2>/dev/null || echo none", "", "none\n", "", "exit 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs output
			c := sh(tt.script)
			c.Stdin, c.Stdout, c.Stderr = tt.stdin, &out, &errs
			exit, err := Run(t.Context(), c)
			require.NoError(t, err)
			assert.Equal(t, tt.stdout, out.String())
			assert.Equal(t, tt.stderr, errs.String())
			assert.Equal(t, tt.exit, exit.String())
			assert.NoError(t, exit.Cause)
			assert.Empty(t, exit.Survivors)
		})
	}
}

func TestRunTellsWhoRuns(t *testing.T) {
	var p Process
	var out output
	c := sh(`echo $$ $` + MarkEnv)
	c.Started, c.Stdout, c.Env = func(q Process) { p = q }, &out, []string{"PATH=" + os.Getenv("PATH"), MarkEnv + "=outer"}
	var trace output
	c.Trace = &trace
	_, err := Run(t.Context(), c)
	require.NoError(t, err)
	var pid int
	var mark string
	_, err = fmt.Sscan(out.String(), &pid, &mark)
	require.NoError(t, err)
	assert.Equal(t, pid, p.PID)
	assert.Equal(t, c.Mark, mark)
	assert.Contains(t, trace.String(), "exec: run sh -c ")
	assert.Contains(t, trace.String(), "exit 0")
}

func TestRunCannotStart(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Cmd
		want error
	}{
		{"no such command", Cmd{Argv: []string{"no-such-command-here"}}, exec.ErrNotFound},
		{"no such command is no such file, too", Cmd{Argv: []string{"no-such-command-here"}}, fs.ErrNotExist},
		{"no such file", Cmd{Argv: []string{"/no/such/file"}}, fs.ErrNotExist},
		{"no such folder", Cmd{Argv: []string{"true"}, Dir: "/no/such/folder"}, fs.ErrNotExist},
		{"not executable", Cmd{Argv: []string{"/dev/null"}}, fs.ErrPermission},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Run(t.Context(), tt.c)
			var se *StartError
			require.ErrorAs(t, err, &se)
			assert.ErrorIs(t, err, tt.want)
		})
	}
	_, err := Run(t.Context(), Cmd{})
	assert.Error(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("too late")
	cancel(why)
	_, err = Run(ctx, sh("exit 0"))
	assert.Equal(t, why, err)
}

type refusing struct{}

var errRefused = errors.New("disk full")

func (refusing) Write([]byte) (int, error) { return 0, errRefused }

func TestRunGoesOnWithoutItsWriter(t *testing.T) {
	c := sh("head -c 1000000 /dev/zero; exit 3")
	c.Stdout = refusing{}
	exit, err := Run(t.Context(), c)
	assert.ErrorIs(t, err, errRefused)
	assert.Equal(t, "exit 3", exit.String())
}

// One story per cause. Each child would run for a minute.
func TestCauses(t *testing.T) {
	broken := errors.New("user broke off")
	tests := []struct {
		name   string
		script string
		change func(c *Cmd, ctx context.Context) context.Context
		cause  error
		exit   string
	}{
		{"idle", "echo begin; sleep 60", func(c *Cmd, ctx context.Context) context.Context {
			c.Idle = NewIdle(80 * time.Millisecond)
			return ctx
		}, ErrIdle, "signal: terminated"},
		{"stderr resets idle, silence ends it", "for i in 1 2 3 4; do echo $i >&2; sleep 0.03; done; sleep 60", func(c *Cmd, ctx context.Context) context.Context {
			c.Idle = NewIdle(90 * time.Millisecond)
			return ctx
		}, ErrIdle, "signal: terminated"},
		{"session", "while :; do echo busy; sleep 0.02; done", func(c *Cmd, ctx context.Context) context.Context {
			c.Idle, c.Timeout = NewIdle(time.Minute), 80*time.Millisecond
			return ctx
		}, ErrTimeout, "signal: terminated"},
		{"cancelled", "sleep 60 & wait", func(c *Cmd, ctx context.Context) context.Context {
			ctx, cancel := context.WithCancelCause(ctx)
			c.Started = func(Process) { cancel(broken) }
			return ctx
		}, broken, "signal: terminated"},
		{"ignores SIGTERM", `trap "" TERM; echo ready; while :; do sleep 1; done`, func(c *Cmd, ctx context.Context) context.Context {
			out := until("ready")
			c.Stdout, c.Grace = out, 80*time.Millisecond
			return cancelWhen(t, out, broken)
		}, broken, "signal: killed"},
		{"stopped", "kill -STOP $$; sleep 60", func(c *Cmd, ctx context.Context) context.Context {
			c.Timeout = 50 * time.Millisecond
			return ctx
		}, ErrTimeout, "signal: terminated"},
		{"goes in its own way when asked", `trap "exit 9" TERM; echo ready; while :; do sleep 0.01; done`, func(c *Cmd, ctx context.Context) context.Context {
			out := until("ready")
			c.Stdout, c.Grace = out, time.Minute
			return cancelWhen(t, out, broken)
		}, broken, "exit 9"},
		{"second Ctrl+C", `trap "" TERM; echo ready; while :; do sleep 1; done`, func(c *Cmd, ctx context.Context) context.Context {
			out := until("ready")
			c.Stdout, c.Grace = out, time.Minute
			ctx = cancelWhen(t, out, broken)
			go func() { <-ctx.Done(); KillAll() }()
			return ctx
		}, broken, "signal: killed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := sh(tt.script)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			exit, err := Run(tt.change(&c, ctx), c)
			require.NoError(t, err)
			assert.Equal(t, tt.cause, exit.Cause)
			assert.Equal(t, tt.exit, exit.String())
			assert.Less(t, exit.Elapsed, 55*time.Second, "nobody waited for the sleep of a minute")
		})
	}
}

func TestLastWordsAfterTheCauseAreRead(t *testing.T) {
	out := until("ready")
	c := sh(`trap "echo bye; exit 1" TERM; echo ready; while :; do sleep 0.01; done`)
	c.Stdout, c.Grace = out, time.Minute
	exit, err := Run(cancelWhen(t, out, context.Canceled), c)
	require.NoError(t, err)
	assert.Equal(t, "exit 1", exit.String())
	assert.Equal(t, "ready\nbye\n", out.String())
}

func TestIsKept(t *testing.T) {
	for _, tt := range []struct {
		argv string
		want bool
	}{
		{"gpg-agent --homedir x --daemon", true},
		{"/usr/bin/gpg-agent", true},
		{"gpg-agent-2", false},
		{"/usr/bin/git maintenance run --auto --quiet", true},
		{"/usr/lib/git-core/git -c gc.auto=1 -C /x gc --auto", true},
		{"git status", false},
		{"git --no-pager maintenance", true},
		{"git -c", false},
		{"git", false},
		{"sh -c git maintenance", false},
		{"", false},
	} {
		assert.Equal(t, tt.want, IsKept(strings.Fields(tt.argv), DefaultKeep), tt.argv)
	}
}
