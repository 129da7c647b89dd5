package cli

import (
	"context"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// ask runs a session of the agent to its end, on the ground that is there before it. Its process is journalled when it begins; the caller tells over.
func (o *oneTurn) ask(ctx context.Context, text string, before ground, emit func(event.Data)) (executor.Result, error) {
	o.argv = nil
	req := o.s.session(o.p, o.cfg, text)
	req.Started = func(p executor.Process) { o.started(p, before, text) }
	req.Emit = func(d event.Data) {
		emit(d)
		if _, output := d.(event.Output); !output {
			o.log.emit(o.task.ID, d)
		}
	}
	return o.ex.Run(ctx, req)
}
