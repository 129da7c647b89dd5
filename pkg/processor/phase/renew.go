package phase

import (
	"context"
	"fmt"

	"ralphex/pkg/executor"
)

// renew is Session.Renew: the prompt names what is uncommitted now, and the session begins at today's HEAD. What the one before left is
// put away first.
func (s *Site) renew(pos int, whose string, render func() (Prompt, error)) func(context.Context, Session, executor.Result) (Session, error) {
	return func(ctx context.Context, next Session, ended executor.Result) (Session, error) {
		if err := s.look(ctx); err != nil {
			return next, err
		}
		s.keepUnfinished(ctx, pos, whose, ended)
		prompt, err := rendered(whose, render)
		if err != nil {
			return next, err
		}
		next.Prompt, next.Head, next.Dirty = prompt, string(s.state.head.Rev), s.state.dirty.Paths()
		return next, nil
	}
}

// rendered is the prompt of a session of whoever.
func rendered(whose string, render func() (Prompt, error)) (Prompt, error) {
	prompt, err := render()
	if err != nil {
		return nil, fmt.Errorf("render prompt of %s: %w", whose, err)
	}
	return prompt, nil
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
