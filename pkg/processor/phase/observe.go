package phase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// agent is who ticks and edits while a session runs.
const agent = "agent"

// reload reads the plan again and journals what somebody (by) ticked or edited since it was last read.
func (w *work) reload(when, by string) error {
	p, err := w.plans.Load()
	if err != nil {
		return err
	}
	w.changed = false
	if p == w.plan {
		return nil
	}
	if len(p.Tasks) == 0 && len(w.plan.Tasks) > 0 {
		return &SurpriseError{What: fmt.Sprintf("the plan %s has no tasks any more: they vanished %s", p.Path, when),
			Way: "bring it back (" + w.rules.Verbs.With("path", quoted(p.Path)).Restore + ") and run the same command"}
	}
	w.changed = w.ticks(w.plan, p, by) > 0
	w.noticeEdits(w.plan, p, when)
	if by == agent {
		w.noticeSkips(w.plan, p, when)
	}
	w.plan = p
	w.forget()
	return nil
}

// planGone says what to do about the plan at path that is not there any more.
func (s *Site) planGone(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &SurpriseError{Err: err, What: fmt.Sprintf("the plan %s is gone: it was deleted, moved or renamed during a session", path),
		Way: fmt.Sprintf("bring it back (%s) and run the same command; where it only has a new name, run that one: what is ticked and committed counts",
			s.rules.Verbs.With("path", quoted(path)).Restore)}
}

// forget takes back what was proven of tasks that have open boxes again.
func (w *work) forget() {
	for _, task := range w.plan.Tasks {
		if key := Key(task); w.proven[key] && !w.settled(task) {
			delete(w.proven, key)
		}
	}
}

// compare reads plan and repository after a session and journals what is different: ticks, edits, commits.
func (w *work) compare(ctx context.Context, pos int, before treeState) error {
	unread := w.reload("during a session", agent)
	if err := w.look(ctx); err != nil {
		return errors.Join(err, unread) // the plan can't be read where its repository is gone
	}
	if err := w.surprise(ctx, before); err != nil {
		return err // where the session went may have no plan, so this is the better reason
	}
	if unread != nil {
		return w.planGone(w.plans.Path(), unread)
	}
	w.noticeSwept(pos, before)
	return w.commitsSince(ctx, pos, w.who(pos), before)
}

// Brought sorts what a hook added to a commit: the user's paths, and others.
func Brought(brought, userDirty []string) (theirs, others []string) {
	for _, p := range brought {
		if slices.Contains(userDirty, p) {
			theirs = append(theirs, p)
		} else {
			others = append(others, p)
		}
	}
	return theirs, others
}

// BroughtNotes tells of them.
func BroughtNotes(theirs, others []string) (notes []event.Note) {
	if len(theirs) > 0 {
		notes = append(notes, event.Note{Level: event.Warn, Text: "a hook added your changes to the commit: " + list(theirs),
			Hint: "`ralphex restore` has the copy from the start of the run; a hook that adds more than what is committed (git add -A, -u) takes yours along each time"})
	}
	if len(others) > 0 {
		notes = append(notes, event.Note{Level: event.Info, Text: "a hook added to the commit: " + list(others)})
	}
	return notes
}

// doubt takes back what this process has proven, since the commits that held it may be gone: the next start runs the
// validation again before it counts these tasks as done.
func (w *work) doubt() {
	for _, key := range w.here {
		if pos := w.position(key); pos > 0 && w.proven[key] {
			delete(w.proven, key)
			task := w.plan.Tasks[pos-1]
			w.log.Emit(pos, event.TaskEnd{ID: task.ID, Title: task.Title, Outcome: event.Failed,
				Reason: "its commit may be gone: history was rewritten"})
		}
	}
}

// surprise is the site's; what may be gone with rewritten history is no fact any more.
func (w *work) surprise(ctx context.Context, before treeState) error {
	err := w.Site.surprise(ctx, before)
	if s, ok := errors.AsType[*SurpriseError](err); ok && s.Rewritten {
		w.doubt()
	}
	return err
}

func wrapAncestor(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("compare HEAD with the commit before the session: %w", err)
}

func where(h vcs.Head) string {
	if h.Detached {
		return fmt.Sprintf("%.10s (detached)", h.Rev)
	}
	return string(h.Branch)
}

// ticks journals each box that changed between two readings, and counts them.
func (w *work) ticks(old, now *plan.Plan, by string) int {
	n := 0
	byKey := map[string]plan.Task{}
	for _, t := range old.Tasks {
		byKey[Key(t)] = t
	}
	for i, t := range now.Tasks {
		was, ok := byKey[Key(t)]
		if !ok {
			continue
		}
		for b, box := range t.Checkboxes {
			if b < len(was.Checkboxes) && was.Checkboxes[b].Text == box.Text && was.Checkboxes[b].Checked != box.Checked {
				n++
				w.log.Emit(i+1, event.Tick{Box: b + 1, Text: box.Text, Checked: box.Checked, By: by})
			}
		}
	}
	return n
}

// noticeEdits warns of validation commands that differ from the frozen ones and of open boxes that are gone.
func (w *work) noticeEdits(old, now *plan.Plan, when string) {
	frozen := make([]string, 0, len(w.opts.Frozen))
	for _, c := range w.opts.Frozen {
		frozen = append(frozen, c.Text)
	}
	for _, c := range now.ValidationCommands {
		if !slices.Contains(frozen, c.Text) {
			w.change(fmt.Sprintf("line %d: validation command `%s` was added %s; the commands of the run's start are used", c.Line, firstLine(c.Text), when))
		}
	}
	for _, c := range old.ValidationCommands {
		if slices.ContainsFunc(now.ValidationCommands, func(n plan.Command) bool { return n.Text == c.Text }) || !slices.Contains(frozen, c.Text) {
			continue
		}
		w.change(fmt.Sprintf("validation command `%s` was removed %s; it is run all the same", firstLine(c.Text), when))
	}
	for _, gone := range vanished(old, now) {
		w.change(fmt.Sprintf("open box %q vanished from the plan %s", gone, when))
	}
}

// noticeSkips warns of boxes that a session marked as left out on purpose: that is for a person to say, or an agent would be done with whatever it likes.
func (w *work) noticeSkips(old, now *plan.Plan, when string) {
	was := map[string]plan.BoxState{}
	for _, t := range old.Tasks {
		for _, b := range t.Checkboxes {
			was[Key(t)+"\n"+b.Text] = b.State
		}
	}
	for _, t := range now.Tasks {
		for _, b := range t.Checkboxes {
			if before, ok := was[Key(t)+"\n"+b.Text]; ok && b.State == plan.BoxSkipped && (before == plan.BoxOpen || before == plan.BoxManual) {
				w.change(fmt.Sprintf("line %d: box %q was marked as skipped, [-], %s: nobody did it", b.Line, b.Text, when))
			}
		}
	}
}

func (w *work) change(text string) {
	if slices.Contains(w.report.PlanChanges, text) {
		return
	}
	w.report.PlanChanges = append(w.report.PlanChanges, text)
	w.note(0, event.Warn, "plan changed: "+text, "")
}

// vanished lists the texts of boxes that were open in old and are nowhere in now, ticked or not.
func vanished(old, now *plan.Plan) []string {
	count := map[string]int{}
	for _, t := range now.Tasks {
		for _, b := range t.Checkboxes {
			count[b.Text]++
		}
	}
	var gone []string
	for _, t := range old.Tasks {
		open := t.OpenForAgent()
		for i, b := range t.Checkboxes {
			if count[b.Text]--; count[b.Text] < 0 && slices.Contains(open, i+1) {
				gone = append(gone, b.Text)
			}
		}
	}
	return gone
}
