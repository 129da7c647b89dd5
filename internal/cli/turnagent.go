package cli

import (
	"context"
	"time"

	"ralphex/internal/ralph/artifact"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// ask runs a session of the agent to its end, on the ground that is there before it. Its process is journalled when it begins; the caller tells over.
// What is said goes to hear, without secrets, wherever its pieces were cut.
func (o *oneTurn) ask(ctx context.Context, text string, before ground, hear func(event.Output)) (executor.Result, error) {
	o.argv = nil
	req := o.s.session(o.p, o.cfg, text)
	req.Started = func(p executor.Process) { o.started(p, before, text) }
	req.Emit = func(d event.Data) {
		o.safe.Pass(d, func(d event.Data) {
			if out, ok := d.(event.Output); ok {
				hear(out)
				return
			}
			o.log.emit(o.task.ID, d)
		})
	}
	res, err := o.ex.Run(ctx, req)
	o.safe.Pass(event.SessionEnd{}, func(d event.Data) { // the end of a text that could have become a secret
		if out, ok := d.(event.Output); ok {
			hear(out)
		}
	})
	return res, err
}

// invocation is the process that was started last, without secrets; nil = none was.
func (o *oneTurn) invocation(at time.Time) *artifact.Invocation {
	if len(o.argv) == 0 {
		return nil
	}
	argv := make([]string, len(o.argv))
	for i, arg := range o.argv {
		argv[i] = o.safe.redactor.String(arg)
	}
	return &artifact.Invocation{Command: argv[0], Args: argv[1:], Effort: o.cfg.TaskModel.Effort, At: at}
}
