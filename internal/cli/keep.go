package cli

import (
	"context"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
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

// Hold is the phase's Holder, with Held and KeepHold.
func (r *running) Hold(ctx context.Context, head vcs.Rev, paths []string) (*vcs.Hold, error) {
	h, ok := r.repo.(vcs.Holder)
	if !ok {
		return nil, nil
	}
	return h.Hold(ctx, string(r.id), head, paths)
}

// Held is what an earlier process of the run held.
func (r *running) Held() (*vcs.Hold, error) {
	h, ok := r.repo.(vcs.Holder)
	if !ok || r.earlier == nil {
		return nil, nil
	}
	return h.Held(string(r.id))
}

// KeepHold makes a copy of it, and journals that.
func (r *running) KeepHold(ctx context.Context, task int, h *vcs.Hold, why string) (string, error) {
	kept, err := r.keeper.KeepHold(ctx, h, why)
	if err == nil {
		r.Emit(task, event.Kept{Ref: kept.Ref, Rev: string(kept.Rev), Why: why})
	}
	return kept.Ref, err
}
