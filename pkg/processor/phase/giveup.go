package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// giveUp opens the boxes of everything that was claimed and not proven, so that nothing is recorded as done
// that is not.
func (w *work) giveUp(pos int, reason, detail string) error {
	task := w.plan.Tasks[pos-1]
	positions := w.claims()
	if !slices.Contains(positions, pos) {
		positions = append(positions, pos)
	}
	te := &TaskError{Position: pos, Title: task.Title, Detail: detail,
		Reason: fmt.Sprintf("%s, after %d attempts", reason, w.attempts[Key(task)])}
	w.keep(context.Background(), pos, fmt.Sprintf("task %d was given up: %s", pos, reason))
	reopened, err := w.reopen(positions)
	if err != nil {
		return errors.Join(te, err)
	}
	te.Reopened = reopened
	if reopened {
		if err := w.commitReopened(task.Title, pos); err != nil {
			w.note(pos, event.Warn, "the reopened boxes could not be committed: "+err.Error(), "")
		}
	}
	w.log.Emit(pos, event.TaskEnd{ID: task.ID, Title: task.Title, Outcome: event.Failed, Reason: te.Reason,
		Iterations: w.sessionN[Key(task)]})
	return te
}

func (w *work) reopen(positions []int) (bool, error) {
	any := false
	for _, pos := range positions {
		var boxes []int
		for i, b := range w.plan.Tasks[pos-1].Checkboxes {
			if b.Checked {
				boxes = append(boxes, i+1)
			}
		}
		if len(boxes) == 0 {
			continue
		}
		if err := w.plan.SetBoxes(pos, boxes, false); err != nil {
			return any, fmt.Errorf("reopen task %d: %w", pos, err)
		}
		any = true
		for _, b := range boxes {
			w.log.Emit(pos, event.Tick{Box: b, Text: w.plan.Tasks[pos-1].Checkboxes[b-1].Text, Checked: false, By: "ralphex"})
		}
		p, err := w.plans.Load()
		if err != nil {
			return any, err
		}
		w.plan = p
	}
	return any, nil
}

// commitReopened commits the plan alone. It runs on its own clock: the run may be ending.
func (w *work) commitReopened(title string, pos int) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	before := w.state.head
	if err := w.look(ctx); err != nil {
		return err
	}
	rel := w.planPath()
	if rel == "" || !w.state.dirty.Has(rel) {
		return nil // ignored, outside, or the ticks were never committed
	}
	if _, foreign := w.foreign[rel]; foreign {
		return nil
	}
	at, err := w.stillHere(ctx, before)
	if err != nil {
		return err
	}
	msg := "reopen: " + title
	res, err := w.commits.Commit(ctx, vcs.CommitRequest{Message: msg, Title: w.rules.Title, Paths: []string{rel}, Trailer: w.rules.Trailer, Expect: &at})
	if err != nil {
		return w.moved(ctx, err, at)
	}
	w.committed(pos, res, msg, []string{rel})
	w.noticeBrought(pos, res.Brought)
	return nil
}
