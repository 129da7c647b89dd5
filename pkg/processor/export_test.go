package processor

import "ralphex/pkg/processor/phase"

// InjectTask puts another task phase into a Runner, so that orchestration is tested without agents.
func (r *Runner) InjectTask(t interface {
	taskPhase
}) {
	r.task = t
}

// Deps shows what the setters reach.
func (r *Runner) Deps() *phase.Deps { return r.deps }
