package runbook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ralphex/internal/gate"
	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
)

// joined starts the real shell ($0) with the block ($1), its input closed and its outputs in one pipe: with one
// for each, their order would be lost.
const joined = `exec "$0" -eu -c -- "$1" </dev/null 2>&1`

// Runbook runs the shell blocks of plans.
type Runbook struct{}

var _ executor.Executor = (*Runbook)(nil)

// New returns the runbook executor.
func New() *Runbook { return &Runbook{} }

// Name is "runbook".
func (*Runbook) Name() string { return "runbook" }

// Check finds the shell.
func (*Runbook) Check(context.Context) error {
	_, err := gate.Shell()
	return err
}

// Run works the task at req.Position off. What it could not do is in the result: LeftBoxes for boxes without a
// block, Failure for a block that failed.
func (*Runbook) Run(ctx context.Context, req executor.Request) (executor.Result, error) {
	sh, err := gate.Shell()
	if err != nil {
		return executor.Result{}, err
	}
	p, err := plan.ParsePlanFile(req.Plan)
	if err != nil {
		return executor.Result{}, err
	}
	task, ok := p.Task(req.Position)
	if !ok {
		return executor.Result{}, fmt.Errorf("%s has no task at position %d", req.Plan, req.Position)
	}
	if req.Mark == "" {
		req.Mark = proc.NewMark()
	}
	if req.Emit == nil {
		req.Emit = func(event.Data) {}
	}
	s := &session{req: req, shell: sh, plan: p, task: task, began: time.Now()}
	err = s.run(ctx)
	s.res.Elapsed = time.Since(s.began)
	return s.res, err
}

// session is one pass over a task.
type session struct {
	req     executor.Request
	shell   string
	plan    *plan.Plan
	task    plan.Task
	began   time.Time
	started bool
	res     executor.Result
}

func (s *session) run(ctx context.Context) error {
	if len(s.task.Blocks) > 0 {
		s.note(event.Warn, fmt.Sprintf("line %d: a shell block before the first box belongs to none, and is not run", s.task.Blocks[0].Line))
	}
	for _, n := range s.task.OpenForAgent() {
		box := s.task.Checkboxes[n-1]
		switch {
		case len(box.Blocks) > 0:
			if ok, err := s.blocks(ctx, n, box); err != nil || !ok {
				return err
			}
		case s.isGate(box):
		default:
			s.leave(n, box, "no shell block")
			continue
		}
		if err := s.tick(n, box); err != nil {
			return err
		}
	}
	return nil
}

// isGate tells whether the box asks for what the gate does anyway, and there is something for the gate to run.
func (s *session) isGate(box plan.Checkbox) bool {
	const prefix = "run project tests"
	return len(box.Text) >= len(prefix) && strings.EqualFold(box.Text[:len(prefix)], prefix) && len(s.req.Commands) > 0
}

func (s *session) leave(n int, box plan.Checkbox, why string) {
	s.res.LeftBoxes = append(s.res.LeftBoxes, n)
	s.note(event.Warn, fmt.Sprintf("left for a person (%s): line %d: %s", why, box.Line, box.Text))
}

func (s *session) note(level event.Level, text string) {
	s.req.Emit(event.Note{Level: level, Text: text})
}

func (s *session) tick(n int, box plan.Checkbox) error {
	if err := s.plan.Tick(s.req.Position, n); err != nil {
		return fmt.Errorf("tick line %d: %w", box.Line, err)
	}
	now, err := plan.ParsePlanFile(s.req.Plan) // what is compared with at the next tick
	if err != nil {
		return err
	}
	s.plan = now
	return nil
}

// blocks runs the blocks of one box. False means that one failed, or was ended; the result says how.
func (s *session) blocks(ctx context.Context, n int, box plan.Checkbox) (bool, error) {
	s.req.Emit(event.Output{Source: event.FromTool, Text: fmt.Sprintf("%d.%d %s", s.req.Position, n, box.Text)})
	for _, b := range box.Blocks {
		exit, err := s.block(ctx, b)
		if err != nil {
			return false, err
		}
		s.res.Exit = executor.Exit{Code: exit.Code, Signal: exit.Signal}
		switch {
		case errors.Is(exit.Cause, proc.ErrIdle):
			s.res.Cause = executor.ErrIdle
			return false, nil
		case errors.Is(exit.Cause, proc.ErrTimeout):
			s.res.Cause = executor.ErrSessionTimeout
			return false, nil
		case exit.Cause != nil:
			return false, exit.Cause
		case exit.Code != 0:
			s.res.Failure = &executor.Failure{Class: executor.ClassCrash,
				Message: fmt.Sprintf("the block at line %d, of box %d.%d (%s), ended with %s", b.Line, s.req.Position, n, box.Text, exit),
				Help:    "mend the block in the plan, and run the same command: ticked boxes are not run again"}
			return false, nil
		}
	}
	return true, nil
}

func (s *session) block(ctx context.Context, b plan.Block) (proc.Exit, error) {
	out := &lines{emit: s.req.Emit}
	cmd := proc.Cmd{
		Argv: []string{s.shell, "-c", joined, s.shell, b.Text}, Dir: s.req.Dir,
		Env:    executor.DropEnv(s.req.Env, "CLAUDECODE", "CLAUDE_CODE_*"),
		Stdout: out, Mark: s.req.Mark, Keep: s.req.Keep, Grace: s.req.Grace, Trace: executor.Trace(s.req.Env),
		Started: func(p proc.Process) { s.tell([]string{s.shell, "-eu", "-c"}, p) },
	}
	if s.req.IdleTimeout > 0 {
		cmd.Idle = proc.NewIdle(s.req.IdleTimeout)
	}
	if s.req.SessionTimeout > 0 {
		if cmd.Timeout = s.req.SessionTimeout - time.Since(s.began); cmd.Timeout <= 0 {
			return proc.Exit{Cause: proc.ErrTimeout, Code: -1}, nil
		}
	}
	exit, err := proc.Run(ctx, cmd)
	out.flush()
	for _, v := range exit.Survivors {
		s.req.Emit(event.Survivor{PID: v.PID, Command: v.Command, Action: v.Action})
	}
	if err != nil {
		return exit, fmt.Errorf("line %d: %w", b.Line, err)
	}
	return exit, nil
}

// tell reports the first child of the session: the journal names a session's process once.
func (s *session) tell(argv []string, p proc.Process) {
	if s.started || s.req.Started == nil {
		return
	}
	s.started = true
	s.req.Started(executor.Process{Argv: argv, PID: p.PID, PIDStart: p.Start, Mark: s.req.Mark})
}
