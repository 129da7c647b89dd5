package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// Steering is who holds a run, or has it leave something out, from outside. The do-nothing part lets every session run.
type Steering interface {
	// Begin is asked before each session; position is its task's, 0 = of no task. It returns when the session may run, which may take as long
	// as a pause does, and gives its context: that one ends early with the cause ErrHeld or ErrSkip. over is called when the session has ended. The error is
	// ErrSkip for a session that is not to be run, or ctx's cause.
	Begin(ctx context.Context, position int) (session context.Context, over func(), err error)
}

// ErrHeld is the cause of a session that a pause ended: it is run again when the pause is over.
var ErrHeld = errors.New("held by a pause")

// ErrSkip is a break that was ordered from outside: of a task, it leaves it open and goes on; of every other phase, it ends it, as every break does.
var ErrSkip = fmt.Errorf("skipped: %w", ErrBreak)

// unsteered is the do-nothing part.
type unsteered struct{}

func (unsteered) Begin(ctx context.Context, _ int) (context.Context, func(), error) {
	return ctx, func() {}, nil
}

// runSession runs a session of any phase. One that a pause ends is run again behind it, on the tree as it is then; what ends it otherwise is
// returned: ErrBreak, ErrSkip, or ctx's cause.
func runSession(ctx context.Context, deps *Deps, sessions Sessions, s Session) (executor.Result, error) {
	renew := func(res executor.Result) (err error) {
		if s.Renew != nil {
			s, err = s.Renew(ctx, s, res)
		}
		return err
	}
	var held *executor.Result
	for {
		own, over, err := deps.begin(ctx, s.Position)
		if err != nil {
			return executor.Result{}, err
		}
		if held != nil { // the person may have worked in the tree meanwhile
			if err := renew(*held); err != nil {
				over()
				return *held, err
			}
		}
		res, err := runBreakable(own, deps, sessions, s)
		over()
		if !errors.Is(err, ErrHeld) || ctx.Err() != nil {
			return res, err
		}
		if err := renew(res); err != nil { // now for the copy of what the session left, and its commits
			return res, err
		}
		held = &res
	}
}

// skipped leaves a task open and lets the run go on with the next one. What its sessions ticked is a claim that nobody has proven: where no box
// would be left open, they are opened again.
func (w *work) skipped(ctx context.Context, pos int, key string, before treeState) error {
	if err := w.compare(ctx, pos, before); err != nil {
		return err
	}
	if now := w.position(key); now > 0 {
		pos = now
	}
	if pos > len(w.plan.Tasks) {
		return nil
	}
	return w.leave(ctx, pos, key)
}

// leave leaves a task open, and what its sessions left uncommitted to whoever works on it again: a copy is kept, the paths are named, and no
// other task's commit takes them.
func (w *work) leave(ctx context.Context, pos int, key string) error {
	w.keep(ctx, pos, fmt.Sprintf("task %d was skipped", pos))
	rel := w.planPath()
	if left := slices.DeleteFunc(w.leftovers(), func(p string) bool { return p == rel }); len(left) > 0 {
		w.pass(left)
		w.log.Emit(pos, event.SetAside{Paths: left, By: event.BySkip})
		w.note(pos, event.Warn, fmt.Sprintf("task %d was skipped; what it left stays in the tree and is not committed with the others: %s", pos, list(left)),
			"the next run goes on with it; a copy is kept: ralphex restore")
	}
	if len(w.plan.Tasks[pos-1].OpenForAgent()) == 0 {
		if _, err := w.reopen([]int{pos}); err != nil {
			return err
		}
		if err := w.commitReopened(w.title(pos), pos); err != nil {
			w.note(pos, event.Warn, "the reopened boxes could not be committed: "+err.Error(), "")
		}
	}
	task := w.plan.Tasks[pos-1]
	w.skip[Key(task)] = true
	w.red = nil
	delete(w.gaveUp, key)
	w.log.Emit(pos, event.TaskEnd{ID: task.ID, Title: task.Title, Outcome: event.Skipped, Elapsed: time.Since(w.started[key]), Iterations: w.sessionN[key]})
	return nil
}
