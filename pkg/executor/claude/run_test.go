//go:build unix

package claude

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/executortest"
	"ralphex/pkg/executor/session/sessiontest"
)

func TestMain(m *testing.M) {
	executortest.Intercept()
	os.Exit(m.Run())
}

// play runs one session of the scripted agent.
type play struct {
	executor.Request
	log     sessiontest.Recorder
	events  []event.Data
	started []executor.Process
}

func newPlay(t *testing.T, script string) *play {
	dir := t.TempDir()
	file := filepath.Join(dir, "agent.script")
	require.NoError(t, os.WriteFile(file, []byte("session\n"+script+"\n"), 0o644))
	p := &play{}
	p.Request = executor.Request{
		Prompt: "do it", Dir: dir, Grace: time.Second,
		Env: append(os.Environ(), "AGENT_SCRIPT="+file, "CLAUDECODE=1", "CLAUDE_CODE_SSE_PORT=7", "ANTHROPIC_API_KEY=k", "CLAUDE_CODE_MAX_RETRIES=1"),
		Emit: func(d event.Data) {
			p.events = append(p.events, d)
			p.log.Emit(d)
		},
		Started: func(x executor.Process) { p.started = append(p.started, x) },
	}
	return p
}

func (p *play) run(t *testing.T, ctx context.Context, o Options) (executor.Result, error) {
	self, err := os.Executable()
	require.NoError(t, err)
	o.Command = self
	return New(o).Run(ctx, p.Request)
}

func TestSession(t *testing.T) {
	p := newPlay(t, `
		args-to args
		env-to env
		prompt-to prompt
		say I begin.
		tool ok
		stderr a warning
		deltas all done\n<<<RALPHEX:ALL_TASKS_DONE>>>`)
	p.Model, p.Effort, p.Transcript = "opus", "high", filepath.Join(p.Dir, "transcript")
	r, err := p.run(t, t.Context(), Options{})
	require.NoError(t, err)
	assert.Nil(t, r.Failure)
	assert.Equal(t, "I begin.\nall done\n<<<RALPHEX:ALL_TASKS_DONE>>>\n", r.Text)
	assert.Equal(t, "ALL_TASKS_DONE", string(r.Last().Kind))
	assert.Equal(t, "00000000-0000-4000-8000-000000000001", r.SessionID)
	assert.Equal(t, event.Usage{InputTokens: 100, OutputTokens: 20, CostUSD: 0.01, Turns: 2}, r.Usage)
	assert.Equal(t, executor.Exit{}, r.Exit)
	assert.Positive(t, r.Elapsed)

	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		require.NoError(t, err)
		return string(b)
	}
	assert.Equal(t, "--dangerously-skip-permissions\n--output-format\nstream-json\n--verbose\n--model\nopus\n--effort\nhigh\n--print\n", read("args"))
	assert.Equal(t, "do it", read("prompt"), "on stdin, not in argv")
	env := read("env")
	for _, gone := range []string{"CLAUDECODE=", "CLAUDE_CODE_SSE_PORT=", "ANTHROPIC_API_KEY="} {
		assert.NotContains(t, env, "\n"+gone)
	}
	assert.Contains(t, env, "\nCLAUDE_CODE_MAX_RETRIES=1")
	assert.Contains(t, env, "\nCLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1")
	assert.Contains(t, read("transcript"), `"subtype":"init"`)
	require.Len(t, p.started, 1)
	assert.Contains(t, env, proc.MarkEnv+"="+p.started[0].Mark)
	assert.NotZero(t, p.started[0].PID)
	assert.Contains(t, p.log.String(), "stderr  a warning\n")
	assert.Contains(t, p.log.String(), "tool    Bash: tool\n")
	assert.Contains(t, p.log.String(), "claimed ALL_TASKS_DONE")
}

func TestArgv(t *testing.T) {
	custom := []string{"-x", "--model=a"}
	none := []string{}
	for _, tt := range []struct {
		o                     Options
		model, effort, resume string
		want                  string
	}{
		{Options{}, "", "", "01a2", "claude --dangerously-skip-permissions --output-format stream-json --verbose --resume 01a2 --print"},
		{Options{}, "", "", "", "claude --dangerously-skip-permissions --output-format stream-json --verbose --print"},
		{Options{Command: "w.sh", Args: &none}, "", "", "", "w.sh --print"},
		{Options{Args: &custom}, "", "low", "", "claude -x --model=a --effort low --print"},
		{Options{Args: &custom}, "b", "", "", "claude -x --model b --print"},
	} {
		assert.Equal(t, tt.want, strings.Join(New(tt.o).Argv(tt.model, tt.effort, tt.resume), " "))
	}
	assert.Equal(t, []string{"-x", "--model=a"}, custom)
}

func TestKeyIsPreserved(t *testing.T) {
	p := newPlay(t, "env-to env")
	_, err := p.run(t, t.Context(), Options{PreserveAPIKey: true})
	require.NoError(t, err)
	env, err := os.ReadFile(filepath.Join(p.Dir, "env"))
	require.NoError(t, err)
	assert.Contains(t, string(env), "\nANTHROPIC_API_KEY=k\n")
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		script string
		class  executor.Class
		exit   int
	}{
		{"say x\nexit 3", executor.ClassCrash, 3},
		{"limit", executor.ClassLimit, 1},
		{"login-error", executor.ClassLogin, 1},
		{"overload", executor.ClassOverload, 1},
		{"kill-self", executor.ClassCrash, -1},
		{"say You've hit your limit", "", 0},
		{"say <<<RALPHEX:TASK_FAILED>>>\nexit 3", "", 3},
	} {
		t.Run(tt.script, func(t *testing.T) {
			r, err := newPlay(t, tt.script).run(t, t.Context(), Options{})
			require.NoError(t, err)
			if tt.class == "" {
				assert.Nil(t, r.Failure)
			} else if assert.NotNil(t, r.Failure) {
				assert.Equal(t, tt.class, r.Failure.Class)
				assert.NotEmpty(t, r.Failure.Message)
			}
			assert.Equal(t, tt.exit, r.Exit.Code)
		})
	}
}

func TestEndsBroughtAbout(t *testing.T) {
	t.Run("idle, with a signal that stays", func(t *testing.T) {
		p := newPlay(t, "say <<<RALPHEX:ALL_TASKS_DONE>>>\nhang")
		p.IdleTimeout = 500 * time.Millisecond
		r, err := p.run(t, t.Context(), Options{})
		require.NoError(t, err)
		assert.Equal(t, executor.ErrIdle, r.Cause)
		assert.Equal(t, executor.ClassCancelled, r.Failure.Class)
		assert.Equal(t, "terminated", r.Exit.Signal)
		assert.Len(t, r.Signals, 1, "a time-out does not unsay it")
	})
	t.Run("a running tool suspends idle, the session ends", func(t *testing.T) {
		p := newPlay(t, "tool-begin make\nhang")
		p.IdleTimeout, p.SessionTimeout = 500*time.Millisecond, 1100*time.Millisecond
		r, err := p.run(t, t.Context(), Options{})
		require.NoError(t, err)
		assert.Equal(t, executor.ErrSessionTimeout, r.Cause)
	})
	t.Run("cancelled", func(t *testing.T) {
		p := newPlay(t, "say x\nhang")
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("the user broke off")
		p.Started = func(executor.Process) { cancel(why) }
		r, err := p.run(t, ctx, Options{})
		assert.Equal(t, why, err)
		assert.Equal(t, executor.ClassCancelled, r.Failure.Class)
		assert.NoError(t, r.Cause)
	})
	t.Run("leaves a child behind", func(t *testing.T) {
		p := newPlay(t, "say x\nspawn setsid sleep 60\nspawn-holding sleep 60\nsleep 30ms")
		r, err := p.run(t, t.Context(), Options{})
		require.NoError(t, err)
		assert.Nil(t, r.Failure)
		n := 0
		for _, d := range p.events {
			if s, ok := d.(event.Survivor); ok {
				assert.Equal(t, proc.Ended, s.Action)
				assert.Contains(t, s.Command, "sleep 60")
				n++
			}
		}
		assert.Equal(t, 2, n)
	})
	t.Run("huge prompt that nobody reads", func(t *testing.T) {
		r, err := New(Options{Command: "true"}).Run(t.Context(), executor.Request{Prompt: strings.Repeat("x", 4<<20)})
		require.NoError(t, err)
		assert.Equal(t, executor.ClassEmpty, r.Failure.Class)
	})
}

func TestCannotStart(t *testing.T) {
	e := New(Options{Command: "no-such-agent"})
	assert.ErrorContains(t, e.Check(t.Context()), "is not on your PATH")
	assert.NoError(t, New(Options{Command: "sh"}).Check(t.Context()))
	_, err := e.Run(t.Context(), executor.Request{})
	var se *proc.StartError
	assert.ErrorAs(t, err, &se)
	var notes []event.Data
	_, err = New(Options{Command: "true"}).Run(t.Context(), executor.Request{Transcript: "/no/such/folder/x", Emit: func(d event.Data) { notes = append(notes, d) }})
	require.NoError(t, err, "a session is worth more than its transcript")
	assert.Contains(t, fmt.Sprint(notes), "no transcript is kept")
}

// A wrapper's plain output is kept, and its exit is told with the end of its stderr.
func TestPlainWrapper(t *testing.T) {
	args := []string{"-c", "echo working; echo 'key missing' >&2; exit 2", "sh"}
	r, err := New(Options{Command: "sh", Args: &args}).Run(t.Context(), executor.Request{})
	require.NoError(t, err)
	assert.Equal(t, "working\n", r.Text)
	assert.Equal(t, "crash: the agent ended with exit 2: key missing", r.Failure.Error())
}
