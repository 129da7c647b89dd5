package phase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralphex/internal/wait"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/signals"
)

// stallLimit is how many sessions in a row may change nothing before the run ends with that reason.
const stallLimit = 3

// Task works the plan off, one task a session.
type Task struct {
	*Site
	deps     *Deps
	plans    Plans
	prompts  Prompts
	sessions Sessions
	lease    Lease
	between  Between
	opts     TaskOptions
}

// TaskParts are the collaborators of the task phase; all are needed, but for Lease and Between: without a Lease all tasks are this
// run's, without Between the tasks follow each other.
type TaskParts struct {
	Deps     *Deps
	Site     *Site // shared with the other phases
	Plans    Plans
	Prompts  Prompts
	Sessions Sessions
	Lease    Lease
	Between  Between
}

// NewTask returns the task phase.
func NewTask(p TaskParts, o TaskOptions) *Task {
	if p.Lease == nil {
		p.Lease = unshared{}
	}
	if p.Between == nil {
		p.Between = atOnce{}
	}
	return &Task{Site: p.Site, deps: p.Deps, plans: p.Plans, prompts: p.Prompts, sessions: p.Sessions, lease: p.Lease, between: p.Between, opts: o}
}

// Run works until every box that an agent can tick is ticked and proven. The error says why it ended early:
// TaskError, StallError, BreakerError, IterationsError, SurpriseError, DeletionsError, ErrAborted, an *executor.Failure, the
// Lease's error, or ctx's cause. The report holds what was established until then.
func (t *Task) Run(ctx context.Context) (Report, error) {
	p, err := t.plans.Load()
	if err != nil {
		return Report{}, err
	}
	w, err := t.begin(ctx, p)
	if err != nil {
		return Report{}, err
	}
	err = w.loop(ctx)
	w.finish()
	return w.report, err
}

// begin establishes what is a fact before the first session: which tasks are done, and what the validation
// commands say about the tree as it is.
func (t *Task) begin(ctx context.Context, p *plan.Plan) (*work, error) {
	w := newWork(t, p)
	if err := w.Site.open(ctx); err != nil {
		return nil, w.lost(ctx, w.nextPlanTaskPosition(), err)
	}
	if t.opts.Resume.Active {
		for _, key := range t.opts.Resume.Skipping {
			if pos := w.position(key); pos > 0 && !w.proven[key] {
				if err := w.leave(ctx, pos, key); err != nil {
					return w, err
				}
			}
		}
		// A task whose boxes an interrupted session ticked is still a claim: prove it before anything else.
		if _, err := w.settle(ctx, 0, false); err != nil {
			return w, err
		}
		return w, w.reprove(ctx)
	}
	return w, w.baseline(ctx)
}

// loop is one session an iteration, until no task is left or an error ends the run.
func (w *work) loop(ctx context.Context) error {
	limit := w.opts.MaxIterations
	if limit <= 0 {
		limit = max(50, len(w.plan.Tasks)*(w.opts.Retries+2))
	}
	for i := 1; ; i++ {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if i > 1 {
			if err := w.reload("between two sessions", "person"); err != nil {
				return err
			}
		}
		pos := w.nextPlanTaskPosition()
		if pos == 0 {
			proven, err := w.settle(ctx, 0, false)
			if err != nil {
				return err
			}
			if !proven && w.red == nil {
				return w.lookBetween(ctx, 0)
			}
			continue
		}
		if err := w.lookBetween(ctx, pos); err != nil {
			return err
		}
		if pos = w.nextPlanTaskPosition(); pos == 0 { // whoever looked may have ticked or opened a box
			continue
		}
		if i > limit {
			return &IterationsError{Max: limit}
		}
		pause, err := w.iterate(ctx, pos)
		if err != nil {
			return err
		}
		if pos = w.nextPlanTaskPosition(); pos == 0 && w.red == nil {
			continue // nothing left: no reason to wait
		}
		if err := w.sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// lookBetween lets what was proven be looked at before the next task, 0 = there is none.
func (w *work) lookBetween(ctx context.Context, next int) error {
	if len(w.unseen) == 0 || w.red != nil {
		return nil
	}
	var done []int
	for _, key := range w.unseen {
		if pos := w.position(key); pos > 0 {
			done = append(done, pos)
		}
	}
	looked, err := w.between.Tasks(ctx, w.plan, done, next)
	if err != nil || !looked {
		return err
	}
	w.unseen = nil
	return w.reload("during a review", agent)
}

// iterate runs one session for the task at pos and judges it by what it changed. It returns how long to wait
// before the next one.
func (w *work) iterate(ctx context.Context, pos int) (time.Duration, error) {
	task := w.plan.Tasks[pos-1]
	key := Key(task)
	attempt := w.attempts[key] + 1
	if err := w.lease.Take(ctx, pos, task); err != nil {
		return 0, err
	}
	w.open(pos, task, attempt)
	whose := fmt.Sprintf("task %d", pos)
	render := func() (Prompt, error) {
		return w.prompts.Task(TaskPrompt{Position: pos, Task: task, Attempt: attempt, Failure: w.failureFor(key), Unfinished: w.leftovers()})
	}
	prompt, err := rendered(whose, render)
	if err != nil {
		return 0, err
	}
	before, evidence := w.state, w.lastEvidence
	res, err := w.session(ctx, Session{Prompt: prompt, Position: pos, Plan: w.plans.Path(),
		Head: string(before.head.Rev), Dirty: before.dirty.Paths(), Renew: w.renew(pos, whose, render), Finished: w.finished(key)})
	switch {
	case errors.Is(err, ErrSkip):
		return 0, w.skipped(ctx, pos, key, before)
	case errors.Is(err, ErrBreak):
		return 0, w.broken(ctx, pos, before)
	case err != nil:
		return 0, err
	}
	if err := w.compare(ctx, pos, before); err != nil {
		return 0, err
	}
	if now := w.position(key); now > 0 {
		pos = now // somebody put a task before it
	}
	w.leaveBoxes(pos, res.LeftBoxes)
	w.keepUnfinished(ctx, pos, fmt.Sprintf("task %d", pos), res)
	proven, err := w.settle(ctx, pos, true)
	if err != nil {
		return 0, err
	}
	return w.judge(pos, res, proven, w.changed || proven || before.stamp != w.state.stamp || evidence != w.lastEvidence)
}

// session runs the session; a break ends it with ErrBreak. One that came before is thrown away: it was meant for what is over.
func (w *work) session(ctx context.Context, s Session) (executor.Result, error) {
	w.deps.DrainBreak()
	w.report.Sessions++
	return runSession(ctx, w.deps, w.sessions, s)
}

// broken asks whether to go on after a break.
func (w *work) broken(ctx context.Context, pos int, before treeState) error {
	w.note(pos, event.Warn, ErrBreak.Error(), "")
	if err := w.look(ctx); err == nil {
		w.keep(ctx, pos, fmt.Sprintf("task %d: %v", pos, ErrBreak))
	}
	if !w.deps.Pause(ctx) {
		return ErrAborted
	}
	return w.compare(ctx, pos, before)
}

// judge decides how to go on after a session from the facts (a task was proven, something moved) and from how the
// session ended.
func (w *work) judge(pos int, res executor.Result, proven, moved bool) (time.Duration, error) {
	if moved {
		w.stalled = 0
	} else if w.stalled++; w.stalled >= stallLimit && res.Failure == nil && res.Cause == nil {
		return 0, &StallError{Position: pos, Title: w.title(pos), Sessions: w.stalled}
	}
	if err := w.fuse.blow(res, moved); err != nil {
		return 0, err
	}
	switch f := res.Failure; {
	case f != nil && f.Class.Final():
		return 0, f
	case res.Cause != nil && proven:
		w.note(pos, event.Warn, fmt.Sprintf("the session was ended by %v; its task is done", res.Cause), "")
	case res.Cause != nil:
		w.note(pos, event.Warn, fmt.Sprintf("session ended by %v, trying this task again", res.Cause), "")
		return w.backOff(), nil
	case f != nil:
		if f.Class == executor.ClassOverload && !moved && w.stalled >= stallLimit {
			return 0, f
		}
		if !moved && w.stalled >= stallLimit {
			return 0, &StallError{Position: pos, Title: w.title(pos), Sessions: w.stalled}
		}
		return w.backOff(), nil
	}
	w.overloads = 0
	return w.claimed(pos, res)
}

// claimed weighs the agent's own word against the plan.
func (w *work) claimed(pos int, res executor.Result) (time.Duration, error) {
	last := res.Last()
	if last == nil || w.red != nil || pos > len(w.plan.Tasks) {
		return w.opts.Delay, nil
	}
	task := w.plan.Tasks[pos-1]
	switch last.Kind {
	case signals.AllTasksDone:
		if w.nextPlanTaskPosition() != 0 {
			w.note(pos, event.Warn, "completion signal received but plan still has [ ] items, continuing...", "")
		}
	case signals.TaskFailed:
		if w.settled(task) {
			w.note(pos, event.Warn, "the agent reports TASK_FAILED, but every box is ticked and the validation is green: counted as done", "")
			break
		}
		w.gaveUp[Key(task)] = "The session before gave up. The end of what it said, which is a claim and may be wrong:\n\n" + tail(res.Text)
		return w.opts.Delay, w.failed(pos, "TASK_FAILED signal received", "", "")
	}
	return w.opts.Delay, nil
}

func (w *work) backOff() time.Duration {
	d := w.opts.RetryDelay << min(w.overloads, 6)
	w.overloads++
	return d
}

// sleep waits between two sessions.
func (w *work) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	return wait.For(ctx, d)
}
