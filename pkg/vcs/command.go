package vcs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/proc"
	"ralphex/internal/wait"
)

// access says what a command is allowed to do; it picks environment and deadline.
type access int

const (
	looks  access = iota // reads only: no lock, no index refresh, C locale, paths are never patterns
	writes               // writes refs or index, runs no hook
	hooks                // runs the user's hooks: their locale, their pathspecs, a longer deadline
)

// lockWait is how long a command waits for somebody else's index.lock before it gives up.
const lockWait = 5 * time.Second

// graceful is how long a cancelled command has to remove its locks before it is killed.
const graceful = 3 * time.Second

// runner starts the CLI of one repository. It is data only, so copying it is fine.
type runner struct {
	tool    string   // absolute path
	prefix  []string // arguments before those of a call: of a script, or of a tool that must be told its repository
	name    string   // what errors call it; empty = the tool's own name
	dir     string
	env     []string // the base, without what access adds
	timeout time.Duration
	slow    time.Duration // deadline of calls that run hooks
	pause   func(ctx context.Context, d time.Duration) error
	guard   func() error // asked before each command that writes; nil = never
	// settle is asked before each look, and what it returns after it: whether to look again. nil = once is enough.
	settle func(ctx context.Context) (again func() bool)
}

// call is one command.
type call struct {
	access access
	args   []string
	stdin  []byte
	env    []string
	slow   bool // may read very much; it gets the longer deadline
	keep   int  // bytes of the answer that are kept; 0 = all
}

// localVars tell git which repository to use. Ours is found from the folder, so an outer git (a hook that starts ralphex) must not leak in.
var localVars = map[string]bool{
	"GIT_DIR": true, "GIT_WORK_TREE": true, "GIT_INDEX_FILE": true, "GIT_COMMON_DIR": true, "GIT_OBJECT_DIRECTORY": true,
	"GIT_ALTERNATE_OBJECT_DIRECTORIES": true, "GIT_PREFIX": true, "GIT_NAMESPACE": true, "GIT_GRAFT_FILE": true,
	"GIT_SHALLOW_FILE": true, "GIT_IMPLICIT_WORK_TREE": true, "GIT_INTERNAL_SUPER_PREFIX": true, "GIT_QUARANTINE_PATH": true,
	"GIT_LITERAL_PATHSPECS": true, "GIT_GLOB_PATHSPECS": true, "GIT_NOGLOB_PATHSPECS": true, "GIT_ICASE_PATHSPECS": true,
	"GIT_CEILING_DIRECTORIES": true, "GIT_OPTIONAL_LOCKS": true, "GIT_EXTERNAL_DIFF": true, "GIT_DIFF_OPTS": true,
}

func newRunner(tool, dir string, env []string, timeout, slow time.Duration) runner {
	base := make([]string, 0, len(env)+6)
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); !localVars[name] {
			base = append(base, kv)
		}
	}
	base = append(base,
		"GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "GIT_EDITOR=:", "GIT_SEQUENCE_EDITOR=:",
		// A broken link to the repository must be an error; git would climb on into the repository around this one.
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir),
	)
	return runner{tool: tool, dir: dir, env: base, timeout: timeout, slow: slow, pause: wait.For}
}

// run waits for the command and returns its stdout. A failure is a *CommandError.
// A command that stumbles over somebody else's index.lock is tried again for lockWait.
func (r runner) run(ctx context.Context, c call) ([]byte, error) {
	if c.access != looks && r.guard != nil {
		if err := r.guard(); err != nil {
			return nil, err
		}
	}
	if c.access == looks && r.settle != nil {
		return r.calm(ctx, c)
	}
	deadline := time.Now().Add(lockWait)
	for delay := 20 * time.Millisecond; ; delay = min(2*delay, 500*time.Millisecond) {
		out, err := r.once(ctx, c)
		lock, locked := lockOf(err)
		if !locked {
			return out, err
		}
		if time.Now().After(deadline) {
			return nil, &LockedError{Lock: lock, Err: err}
		}
		if perr := r.pause(ctx, delay); perr != nil {
			return nil, &LockedError{Lock: lock, Err: errors.Join(perr, err)}
		}
	}
}

// calm looks until nothing was written meanwhile.
func (r runner) calm(ctx context.Context, c call) (out []byte, err error) {
	for range askAgain {
		again := r.settle(ctx)
		if out, err = r.once(ctx, c); ctx.Err() != nil || !again() {
			break
		}
	}
	return out, err
}

// look is run for a command that only reads.
func (r runner) look(ctx context.Context, args ...string) ([]byte, error) {
	return r.run(ctx, call{access: looks, args: args})
}

func (r runner) once(ctx context.Context, c call) ([]byte, error) {
	limit := r.timeout
	if c.access == hooks || c.slow {
		limit = r.slow
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v: %w", limit, context.DeadlineExceeded))
	defer cancel()

	cmd := exec.CommandContext(ctx, r.tool, slices.Concat(r.prefix, c.args)...)
	cmd.Dir = r.dir
	cmd.Env = r.environ(c)
	if c.stdin != nil {
		in, err := proc.Input(string(c.stdin))
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", r.shown(), err)
		}
		defer proc.CloseInput(in)
		cmd.Stdin = in
	}
	stdout := head{keep: c.keep}
	stderr := &tail{limit: 16 << 10}
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	cmd.WaitDelay = graceful
	ownGroup(cmd)

	err := cmd.Run()
	if err == nil {
		return stdout.Bytes(), nil
	}
	ce := &CommandError{Argv: append([]string{r.shown()}, c.args...), Dir: r.dir, Exit: -1, Stderr: stderr.String()}
	exit, isExit := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		killGroup(cmd) // a hook that ignored the polite end
		ce.Err = context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay):
		// The command did its work; a child of a hook kept the pipe open and was left alone.
		return stdout.Bytes(), nil
	case isExit && exit.Exited():
		ce.Exit = exit.ExitCode()
	default:
		ce.Err = err
	}
	return nil, ce
}

// shown is the command's name in errors.
func (r runner) shown() string {
	if r.name != "" {
		return r.name
	}
	return filepath.Base(r.tool)
}

func (r runner) environ(c call) []string {
	env := r.env[:len(r.env):len(r.env)]
	switch c.access {
	case looks:
		env = append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1")
	case writes:
		env = append(env, "LC_ALL=C")
	}
	return append(env, c.env...)
}

// lockOf tells whether a command failed because another one holds the index. The file's name is in the message in every language.
func lockOf(err error) (string, bool) {
	ce, ok := errors.AsType[*CommandError](err)
	if !ok || ce.Exit != 128 {
		return "", false
	}
	end := strings.Index(ce.Stderr, "index.lock'")
	if end < 0 {
		return "", false
	}
	end += len("index.lock")
	start := strings.LastIndex(ce.Stderr[:end], "'") + 1
	lock := ce.Stderr[start:end]
	if _, err := os.Lstat(lock); err != nil && !strings.Contains(ce.Stderr, "File exists") {
		return "", false // it could not be made for another reason: permissions, a full disk
	}
	return lock, true
}

// exitCode is the exit code of a failed command, -1 for any other error.
func exitCode(err error) int {
	if ce, ok := errors.AsType[*CommandError](err); ok && ce.Err == nil {
		return ce.Exit
	}
	return -1
}

// tail keeps the last limit bytes that were written to it.
type tail struct {
	limit int
	buf   []byte
	cut   bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.limit; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.cut = true
	}
	return len(p), nil
}

func (t *tail) String() string {
	s := strings.TrimSpace(strings.ToValidUTF8(string(t.buf), "\uFFFD"))
	if t.cut {
		s = "… " + s
	}
	return s
}
