package cli

import (
	"context"
	"errors"
	"fmt"

	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/proc"
	"ralphex/pkg/event"
)

// strayOf is the session that a killed run of any plan, or of the loop, left in a checkout: its agent may live on. nil = there is none. A journal that
// can't be read knows of none.
func strayOf(events, worktree string) (*journal.Session, event.RunID) {
	s, run, err := journal.Stray(events, worktree)
	if corrupt := new(durable.CorruptError); err != nil && !errors.As(err, &corrupt) {
		return nil, run
	}
	return s, run
}

// endSession ends what is left of a session whose ralphex was killed. Whoever calls it has seen that no run goes on in its checkout.
func endSession(ctx context.Context, s *journal.Session, keep []string) ([]proc.Survivor, error) {
	if s == nil {
		return nil, nil
	}
	ended, err := proc.EndMarked(ctx, s.Mark, s.PID, s.PIDStart, proc.EndOptions{Keep: keep})
	if err != nil {
		return ended, fmt.Errorf("end what is left of session %d: %w", s.N, err)
	}
	return ended, nil
}
