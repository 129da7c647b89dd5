package cli

import (
	"context"
	"fmt"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/iteration"
)

// idle records an iteration for which no task could be selected, though some are left: no session is started, and a person has to see to what is blocked.
func (o *oneTurn) idle(ctx context.Context) (turned, error) {
	o.kind, o.reason = iteration.ChooseKind(nil, o.counts, o.usable, o.earlier)
	o.phase("taskSelectedAt")
	fmt.Fprintf(o.p.Err, "iteration %d: none of the tasks that are left can be worked on\n", o.n)
	o.look(ctx, runLooker{&looker{p: o.p, store: o.s, configDir: o.configDir}, o.ex})
	w, err := artifact.Open(o.s.Layout)
	if err != nil {
		return turned{}, err
	}
	defer w.Close()
	o.w = w
	if err := o.mayGoOn(ctx, w); err != nil {
		return turned{}, err
	}
	session, err := o.prepare(w)
	if err != nil {
		return turned{}, err
	}
	return o.skip(ctx, session, iteration.Classify(iteration.Facts{BacklogLeft: true}, o.earlier.LastIteration), iteration.NoActionableTask,
		"No task was selected: each one that is left is blocked, waits for one that is, or is not for this role.")
}
