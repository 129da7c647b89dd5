package phase

import (
	"context"

	"ralphex/pkg/plan"
)

// Lease says whether a task is this run's to work on, where others share the backlog. An error of either method ends the run, and is
// its error: nothing of the task is recorded any more.
type Lease interface {
	// Take is called before each session of a task, and before what an interrupted session left is judged. A task that is
	// held already stays held.
	Take(ctx context.Context, position int, task plan.Task) error
	// Holds is asked when the gate has judged, before anything of the task is committed.
	Holds(ctx context.Context, position int, task plan.Task) error
}

// unshared is the lease of a backlog that nobody shares.
type unshared struct{}

func (unshared) Take(context.Context, int, plan.Task) error  { return nil }
func (unshared) Holds(context.Context, int, plan.Task) error { return nil }
