package cli

import (
	"context"

	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/provenance"
)

// idle records an iteration for which no task could be selected, though some are left: no session is started, and a person has to see to what is blocked.
func (o *oneTurn) idle(ctx context.Context) (turned, error) {
	return o.unselected(ctx, "none of the tasks that are left can be worked on", func(session *provenance.Session) (turned, error) {
		return o.skip(ctx, session, iteration.Classify(iteration.Facts{BacklogLeft: true}, o.earlier.LastIteration), iteration.NoActionableTask,
			"No task was selected: each one that is left is blocked, waits for one that is, or is not for this role.")
	})
}
