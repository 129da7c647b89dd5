package phase

import (
	"context"
	"fmt"

	"ralphex/pkg/executor"
)

// renew is Session.Renew of a task session: the prompt names what is uncommitted now, and the session begins at today's HEAD.
// What the one before left is put away first.
func (w *work) renew(pos, attempt int) func(context.Context, Session, executor.Result) (Session, error) {
	return func(ctx context.Context, s Session, ended executor.Result) (Session, error) {
		if err := w.look(ctx); err != nil {
			return s, err
		}
		w.keepUnfinished(ctx, pos, fmt.Sprintf("task %d", pos), ended)
		task := w.plan.Tasks[pos-1]
		prompt, err := w.prompts.Task(TaskPrompt{Position: pos, Task: task, Attempt: attempt, Failure: w.failureFor(Key(task)), Unfinished: w.leftovers()})
		if err != nil {
			return s, fmt.Errorf("render task prompt: %w", err)
		}
		s.Prompt, s.Head, s.Dirty = prompt, string(w.state.head.Rev), w.state.dirty.Paths()
		return s, nil
	}
}

// finished is Session.Finished of a task session: every box that an agent can tick is ticked. A plan that can't be read is
// no reason to believe so.
func (w *work) finished(key string) func() bool {
	return func() bool {
		p, err := w.plans.Load()
		if err != nil {
			return false
		}
		for _, task := range p.Tasks {
			if Key(task) == key {
				return len(task.Checkboxes) > 0 && w.settled(task)
			}
		}
		return false
	}
}
