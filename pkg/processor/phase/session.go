package phase

import (
	"context"

	"ralphex/pkg/executor"
)

// runBreakable runs a session. A break that waits, or comes while it runs, ends it with ErrBreak.
func runBreakable(ctx context.Context, deps *Deps, sessions Sessions, s Session) (executor.Result, error) {
	sctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := make(chan struct{})
	defer close(stop)
	brk := deps.Break()
	go func() {
		select {
		case <-brk:
			cancel(ErrBreak)
		case <-stop:
		}
	}()
	res, err := sessions.Run(sctx, s)
	if cause := context.Cause(sctx); cause != nil && ctx.Err() == nil {
		return res, cause
	}
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	return res, err
}
