package cli

import (
	"context"

	"ralphex/pkg/event"
)

// Keep is the phase's Keeper: it keeps a copy of the run's tree and journals it.
func (r *running) Keep(ctx context.Context, task int, why string) (string, error) {
	kept, err := r.keeper.Keep(ctx, why)
	if err == nil && kept.Ref != "" && kept.Ref != r.keptLast {
		r.keptLast = kept.Ref
		r.Emit(task, event.Kept{Ref: kept.Ref, Rev: string(kept.Rev), Why: why})
	}
	return kept.Ref, err
}

// keepLeft keeps what a run that ended early leaves uncommitted: the next run goes on with it, and may take another way.
func (r *running) keepLeft(ctx context.Context, end event.RunEnd) {
	if !r.begun {
		return
	}
	if r.stampLeftover(ctx, &end); len(end.Leftover) == 0 && !end.LeftoverUnknown {
		return
	}
	why := "the run was interrupted"
	if end.Outcome == event.Failed {
		why = "the run failed"
	}
	if _, err := r.Keep(ctx, 0, why+": "+firstLine(end.Reason)); err != nil {
		r.Emit(0, event.Note{Level: event.Warn, Text: "no copy of the uncommitted work could be kept: " + err.Error()})
	}
}
