package processor

import (
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// InjectTask puts another task phase into a Runner, so that orchestration is tested without agents.
func (r *Runner) InjectTask(t interface {
	taskPhase
}) {
	r.task = t
}

// InjectReview puts another phase into the place of a stage behind the tasks.
func (r *Runner) InjectReview(s event.Stage, p interface {
	reviewPhase
}) {
	r.reviews[s] = p
}

// InjectCreation puts another phase into the place of plan creation.
func (r *Runner) InjectCreation(t interface {
	taskPhase
}) {
	r.create = t
}

// Deps shows what the setters reach.
func (r *Runner) Deps() *phase.Deps { return r.deps }
