package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// Agent is what differs between agents when a session is run.
type Agent struct {
	Argv  []string
	Env   []string // of the child, its rules applied
	Stdin string   // the prompt, or nothing
	Open  func(*Talk) Dialect
	// TellsTools says that each tool call shows in the stream, whatever stands behind the command.
	TellsTools bool
	// Patterns sort failures that no field has sorted.
	Patterns Patterns
	// Stderr, if set, is asked for each line of stderr before it is shown; false keeps it from being shown. It is called
	// from another goroutine than the dialect.
	Stderr func(line string) bool
	// Beside, if set, runs in a goroutine of its own from the start of the process until it has ended and ctx is done. What
	// it shows counts as activity.
	Beside func(ctx context.Context, show func(line string))
}

// Run runs a session of an agent: what executor.Executor says of Run holds.
func Run(ctx context.Context, req executor.Request, a Agent) (executor.Result, error) {
	s := &session{req: req, agent: a}
	if s.req.Mark == "" {
		s.req.Mark = proc.NewMark()
	}
	return s.run(ctx)
}

type session struct {
	req    executor.Request
	agent  Agent
	mu     sync.Mutex // guards Emit: stdout and stderr are read by two goroutines
	stderr stderrLines
}

func (s *session) emit(d event.Data) {
	if s.req.Emit == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.req.Emit(d)
}

func (s *session) run(ctx context.Context) (executor.Result, error) {
	idle := proc.NewIdle(s.req.IdleTimeout)
	told := newTeller(s.emit)
	st := NewStream(told.tell, idle, s.agent.Open)
	told.next = metered{st, told.tell}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	st.Talk.after = newAfterlife(s.req.BackgroundWait, func() { cancel(executor.ErrBackground) })
	s.stderr.show = func(text string) {
		if s.agent.Stderr == nil || s.agent.Stderr(text) {
			s.emit(event.Output{Text: text, Source: event.FromStderr})
		}
	}
	var stdout io.Writer = told
	if s.req.Transcript != "" {
		if t, err := newTranscript(s.req, stdout, s.emit); err != nil {
			s.emit(event.Note{Level: event.Warn, Text: "no transcript is kept: " + err.Error()})
		} else {
			defer t.close()
			stdout = t
		}
	}
	beside := s.beside(idle)
	exit, err := proc.Run(ctx, proc.Cmd{
		Argv: s.agent.Argv, Dir: s.req.Dir, Env: s.agent.Env, Stdin: s.agent.Stdin, Stdout: stdout, Stderr: &s.stderr,
		Mark: s.req.Mark, Keep: s.req.Keep,
		Idle: idle, Timeout: s.req.SessionTimeout, Grace: s.req.Grace,
		Trace: executor.Trace(s.req.Env), Started: s.started,
	})
	beside()
	said := st.Close()
	s.stderr.close()
	var se *proc.StartError
	if errors.As(err, &se) || exit.Elapsed == 0 {
		return executor.Result{Exit: executor.Exit{Code: -1}}, err
	}
	for _, v := range exit.Survivors {
		s.emit(event.Survivor{PID: v.PID, Command: v.Command, Action: v.Action})
	}
	return s.result(exit, said, st)
}

// metered tells after each piece of the stream what was used up by then.
type metered struct {
	*Stream
	emit func(event.Data)
}

func (m metered) Write(p []byte) (int, error) {
	n, err := m.Stream.Write(p)
	m.meter(m.emit)
	return n, err
}

// beside starts what goes on beside the process; the function that it returns ends it.
func (s *session) beside(idle *proc.Idle) (end func()) {
	if s.agent.Beside == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		s.agent.Beside(ctx, func(line string) {
			idle.Touch()
			s.emit(event.Output{Text: line, Source: event.FromTool})
		})
	})
	return func() { cancel(); wg.Wait() }
}

func (s *session) started(p proc.Process) {
	if s.req.Started != nil {
		s.req.Started(executor.Process{Argv: s.agent.Argv, PID: p.PID, PIDStart: p.Start, Mark: s.req.Mark})
	}
}

// result puts the facts together. The error is the cause of ctx if that ended the session.
func (s *session) result(exit proc.Exit, said Said, st *Stream) (executor.Result, error) {
	o := st.Outcome(exit, s.stderr.tail())
	r := executor.Result{
		Text: said.Text, Signals: said.Signals, Mentions: said.Mentions,
		SessionID: o.SessionID, Usage: o.Usage, Models: o.Models, Pending: said.Pending, Elapsed: exit.Elapsed,
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
	case errors.Is(exit.Cause, executor.ErrBackground):
		r.Cause = executor.ErrBackground
		if len(r.Pending) == 0 {
			r.Pending = st.Talk.after.kept
		}
		r.Failure = outlasted(s.req.BackgroundWait, r.Pending)
	case exit.Cause != nil:
		err = exit.Cause
		r.Failure = cancelled(err.Error())
	default:
		r.Failure = o.Failure
		if r.Failure == nil && exit.Code == 0 && st.text == nil && s.empty(said, o) {
			r.Failure = &executor.Failure{Class: executor.ClassEmpty, Message: "the agent said nothing and called no tool"}
		}
		s.agent.Patterns.Sort(r.Failure, s.plainWords(said, st.json))
	}
	if r.Failure == nil && exit.Code != 0 {
		s.emit(event.Note{Level: event.Warn, Text: fmt.Sprintf("the agent ended with %s after its signal", exit)})
	}
	return r, err
}

// empty tells whether nothing was said and nothing was done. Where the stream doesn't tell of tools, work may have been done
// in silence; then only a session that produced no token is empty.
func (s *session) empty(said Said, o Outcome) bool {
	return !said.Own && !said.Acted && strings.TrimSpace(said.Text) == "" && (s.agent.TellsTools || o.Usage.OutputTokens == 0)
}

// plainWords is what a failed command said where it has no structure: stderr, and the text of a wrapper that speaks
// no JSON. What a model said is not in it.
func (s *session) plainWords(said Said, json bool) string {
	if json {
		return s.stderr.tail()
	}
	return said.Text[max(0, len(said.Text)-4<<10):] + "\n" + s.stderr.tail()
}

func cancelled(why string) *executor.Failure {
	return &executor.Failure{Class: executor.ClassCancelled, Message: why}
}

// outlasted is the failure of a session whose background work took longer than it may.
func outlasted(limit time.Duration, pending []string) *executor.Failure {
	what := "something that the agent did not tell of"
	if len(pending) > 0 {
		what = strings.Join(pending, "; ")
	}
	return &executor.Failure{Class: executor.ClassPending, Message: fmt.Sprintf("the turn had ended, and %s later this still kept the agent: %s", limit, what)}
}

// Crash is the failure of a session that ended badly without a reason that we know.
func Crash(exit proc.Exit, stderr string) *executor.Failure {
	msg := fmt.Sprintf("the agent ended with %s", exit)
	if line := LastLine(stderr); line != "" {
		msg += ": " + line
	}
	return &executor.Failure{Class: executor.ClassCrash, Message: msg}
}
