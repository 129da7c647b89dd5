package phase

import (
	"context"

	"ralphex/pkg/plan"
)

// Between is asked before the first session of each task, and once behind the last: what has been done since it was last asked may be
// worth a look (a review of each task). An error ends the run.
type Between interface {
	// Tasks is told the plan, the positions that were proven since it last looked, and the task that follows, 0 = none. It tells whether
	// it looked.
	Tasks(ctx context.Context, p *plan.Plan, done []int, next int) (looked bool, err error)
}

// atOnce lets task follow task.
type atOnce struct{}

func (atOnce) Tasks(context.Context, *plan.Plan, []int, int) (bool, error) { return false, nil }
