package phase

import (
	"context"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// A proof is a gate of this process that was green, at a revision. What an earlier process found is in the journal, which is a file
// that anybody can write: it says where to go on, and never that something is done.

// prove remembers that the validation commands were green at the revision that the site is at.
func (s *Site) prove() { s.provenAt = s.state.head.Rev }

// ProvenAt tells whether this process has seen the validation commands green at a revision.
func (s *Site) ProvenAt(rev vcs.Rev) bool { return rev != "" && rev == s.provenAt }

// Prove runs the validation commands on what is there, unless they were green at that revision in this process. An empty revision is
// asked for. Red is a *ReviewError of the stage, or, where red is only reported, unproven.
func (s *Site) Prove(ctx context.Context, at vcs.Rev, stage event.Stage) (unproven bool, err error) {
	if !s.gated() || s.ProvenAt(at) {
		return false, nil
	}
	if err := s.open(ctx); err != nil {
		return false, err
	}
	if s.ProvenAt(s.state.head.Rev) {
		return false, nil
	}
	v, err := s.check(ctx, 0)
	if err != nil || v.Green {
		return false, err
	}
	if s.rules.Validate == ValidateReport {
		s.note(0, event.Warn, "validation is red (report only): "+v.Summary, "")
		return true, nil
	}
	return false, &ReviewError{Stage: stage, Reason: "validation is red at the end: " + v.Summary, Detail: v.Failure}
}

// reprove runs the validation commands where a run goes on and nothing is left to do: that its tasks were proven is what the journal
// says, and the tree may be another one since. Red sends the last of them back to the agent.
func (w *work) reprove(ctx context.Context) error {
	pos := w.lastProven()
	if pos == 0 || !w.gated() || w.red != nil || w.nextPlanTaskPosition() != 0 || w.ProvenAt(w.state.head.Rev) {
		return nil
	}
	v, err := w.check(ctx, pos)
	if err != nil || v.Green {
		return err
	}
	if w.rules.Validate == ValidateReport {
		w.report.Unproven = true
		w.note(pos, event.Warn, "validation is red (report only): "+v.Summary, "")
		return nil
	}
	w.disprove(pos, "it was proven, but validation is red on what the run goes on with: "+v.Summary)
	w.red = &redRound{key: Key(w.plan.Tasks[pos-1]), failure: v.Failure}
	return nil
}

// disprove takes back that a task is done; the next process must not take it for a fact either.
func (w *work) disprove(pos int, why string) {
	task := w.plan.Tasks[pos-1]
	delete(w.proven, Key(task))
	w.log.Emit(pos, event.TaskEnd{ID: task.ID, Title: task.Title, Outcome: event.Failed, Reason: why})
}

// lastProven is the position of the last task that counts as done, 0 = none does.
func (w *work) lastProven() int {
	for i := len(w.plan.Tasks); i > 0; i-- {
		if task := w.plan.Tasks[i-1]; w.proven[Key(task)] && done(task) {
			return i
		}
	}
	return 0
}

// done tells whether a box of the task is ticked: one whose boxes are all a person's was proven by nobody.
func done(task plan.Task) bool {
	for _, b := range task.Checkboxes {
		if b.Checked {
			return true
		}
	}
	return false
}
