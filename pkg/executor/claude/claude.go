package claude

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// Name is this executor's name in the table.
const Name = "claude"

// DefaultArgs are the arguments that make the CLI print a stream that we can read, and ask nobody.
var DefaultArgs = []string{"--dangerously-skip-permissions", "--output-format", "stream-json", "--verbose"}

// Options configure the executor; the zero value works.
type Options struct {
	Command        string    // empty = "claude"
	Args           *[]string // nil = DefaultArgs; an empty list = none
	PreserveAPIKey bool      // leave ANTHROPIC_API_KEY in the environment
	Patterns       Patterns  // words of failures, for CLIs and wrappers that have no fields for them
}

// Executor runs the CLI. It is safe for use by several goroutines.
type Executor struct{ o Options }

var _ executor.Executor = (*Executor)(nil)

// New returns the executor. Nothing is looked up before Check or Run.
func New(o Options) *Executor {
	if o.Command == "" {
		o.Command = Name
	}
	return &Executor{o}
}

// Name implements executor.Executor.
func (*Executor) Name() string { return Name }

// Check tells whether the command can be found. It starts nothing.
func (e *Executor) Check(context.Context) error {
	if _, err := exec.LookPath(e.o.Command); err != nil {
		return &NotFoundError{Command: e.o.Command, Err: err}
	}
	return nil
}

// NotFoundError says that the agent's command is not there.
type NotFoundError struct {
	Command string
	Err     error
}

func (e *NotFoundError) Error() string {
	if errors.Is(e.Err, exec.ErrNotFound) && !strings.ContainsRune(e.Command, '/') {
		return fmt.Sprintf("the agent %s is not on your PATH", e.Command)
	}
	return fmt.Sprintf("the agent %s can't be run: %v", e.Command, e.Err)
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// Hint says what to do next.
func (e *NotFoundError) Hint() string {
	return "install Claude Code, or name a command that speaks its stream-json (--claude-command CMD)\nwithout any agent: --executor runbook runs the plan's own sh blocks; ralphex demo shows it"
}

// Argv is the command line for a model and an effort; empty ones leave the arguments as they are.
func (e *Executor) Argv(model, effort string) []string {
	args := DefaultArgs
	if e.o.Args != nil {
		args = *e.o.Args
	}
	args = executor.WithFlag(args, "--model", model)
	args = executor.WithFlag(args, "--effort", effort)
	argv := append([]string{e.o.Command}, args...)
	return append(argv, "--print")
}

// Run implements executor.Executor.
func (e *Executor) Run(ctx context.Context, req executor.Request) (executor.Result, error) {
	s := session{req: req, patterns: e.o.Patterns}
	if s.req.Mark == "" {
		s.req.Mark = proc.NewMark()
	}
	return s.run(ctx, e.Argv(req.Model, req.Effort), e.env(req.Env))
}

// session is one run of the CLI.
type session struct {
	req      executor.Request
	patterns Patterns
	mu       sync.Mutex // guards Emit: stdout and stderr are read by two goroutines
	stderr   stderrLines
}

func (s *session) emit(d event.Data) {
	if s.req.Emit == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.req.Emit(d)
}

func (s *session) run(ctx context.Context, argv, env []string) (executor.Result, error) {
	idle := proc.NewIdle(s.req.IdleTimeout)
	st := newStream(s.emit, idle)
	s.stderr.show = func(text string) { s.emit(event.Output{Text: text, Source: event.FromStderr}) }
	var stdout io.Writer = st
	if s.req.Transcript != "" {
		f, err := os.Create(s.req.Transcript)
		if err != nil {
			return executor.Result{Exit: executor.Exit{Code: -1}}, fmt.Errorf("open the transcript: %w", err)
		}
		t := &transcript{f: f, next: st, note: s.emit}
		defer t.close()
		stdout = t
	}
	exit, err := proc.Run(ctx, proc.Cmd{
		Argv: argv, Dir: s.req.Dir, Env: env, Stdin: s.req.Prompt, Stdout: stdout, Stderr: &s.stderr,
		Mark: s.req.Mark, Keep: s.req.Keep,
		Idle: idle, Timeout: s.req.SessionTimeout, Grace: s.req.Grace,
		Trace: executor.Trace(s.req.Env), Started: s.started(argv),
	})
	f := st.close()
	s.stderr.close()
	var se *proc.StartError
	if errors.As(err, &se) || exit.Elapsed == 0 {
		return executor.Result{Exit: executor.Exit{Code: -1}}, err
	}
	for _, v := range exit.Survivors {
		s.emit(event.Survivor{PID: v.PID, Command: v.Command, Action: v.Action})
	}
	return s.result(ctx, exit, f)
}

// plainWords is what a failed command said where it has no structure: stderr, and the text of a wrapper that speaks
// no JSON. What a model said is not in it.
func (s *session) plainWords(f facts) string {
	if f.json {
		return s.stderr.tail()
	}
	return tailOf(f.text, 4<<10) + "\n" + s.stderr.tail()
}

func tailOf(text string, most int) string { return text[max(0, len(text)-most):] }

func (s *session) started(argv []string) func(proc.Process) {
	return func(p proc.Process) {
		if s.req.Started != nil {
			s.req.Started(executor.Process{Argv: argv, PID: p.PID, PIDStart: p.Start, Mark: s.req.Mark})
		}
	}
}

// result puts the facts together. The error is the cause of ctx if that ended the session.
func (s *session) result(ctx context.Context, exit proc.Exit, f facts) (executor.Result, error) {
	r := executor.Result{
		Text: f.text, Signals: f.signals, Mentions: f.mentions,
		SessionID: f.sessionID, Usage: f.usage(), Pending: f.pending, Elapsed: exit.Elapsed,
		Exit: executor.Exit{Code: exit.Code, Signal: exit.Signal},
	}
	var err error
	switch {
	case errors.Is(exit.Cause, proc.ErrIdle):
		r.Cause = executor.ErrIdle
		r.Failure = cancelled(fmt.Sprintf("no output for %s", s.req.IdleTimeout))
	case errors.Is(exit.Cause, proc.ErrTimeout):
		r.Cause = executor.ErrSessionTimeout
		r.Failure = cancelled(fmt.Sprintf("not done after %s", s.req.SessionTimeout))
	case exit.Cause != nil:
		err = exit.Cause
		r.Failure = cancelled(err.Error())
	default:
		r.Failure = classify(exit, f, s.stderr.tail())
		s.patterns.byWords(r.Failure, s.plainWords(f))
	}
	if r.Failure == nil && exit.Code != 0 {
		s.emit(event.Note{Level: event.Warn, Text: fmt.Sprintf("the agent ended with %s after its signal", exit)})
	}
	return r, err
}

func cancelled(why string) *executor.Failure {
	return &executor.Failure{Class: executor.ClassCancelled, Message: why}
}

// transcript copies the raw stream into a file. A full disk costs the copy, not the session.
type transcript struct {
	f    *os.File
	next io.Writer
	note func(event.Data)
	bad  bool
}

func (t *transcript) Write(p []byte) (int, error) {
	if !t.bad {
		if _, err := t.f.Write(p); err != nil {
			t.bad = true
			t.note(event.Note{Level: event.Warn, Text: "the transcript ends here: " + err.Error()})
		}
	}
	return t.next.Write(p)
}

func (t *transcript) close() { t.f.Close() }

// stderrLines shows stderr line by line and keeps its end.
type stderrLines struct {
	show func(string)
	mu   sync.Mutex
	line []byte
	last []byte
}

const (
	maxStderrLine = 64 << 10 // a longer line is shown in pieces
	maxStderrTail = 4 << 10
)

func (l *stderrLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(p)
	l.last = append(l.last, p[max(0, n-maxStderrTail):]...)
	l.last = l.last[max(0, len(l.last)-maxStderrTail):]
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.line = append(l.line, p...)
			if len(l.line) > maxStderrLine {
				l.flush()
			}
			break
		}
		l.line = append(l.line, p[:i]...)
		l.flush()
		p = p[i+1:]
	}
	return n, nil
}

func (l *stderrLines) flush() {
	text := bytes.ToValidUTF8(bytes.TrimRight(l.line, "\r"), []byte("\uFFFD"))
	l.line = l.line[:0]
	l.show(string(text))
}

func (l *stderrLines) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) > 0 {
		l.flush()
	}
}

func (l *stderrLines) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.TrimSpace(bytes.ToValidUTF8(l.last, []byte("\uFFFD"))))
}
