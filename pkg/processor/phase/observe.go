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
			Way: "bring it back (" + w.opts.Verbs.With("path", quoted(p.Path)).Restore + ") and run the same command"}
	}
	w.changed = w.ticks(w.plan, p, by) > 0
	w.noticeEdits(w.plan, p, when)
	w.plan = p
	w.forget()
	return nil
}

// planGone says what to do about a plan that is not there any more.
func (w *work) planGone(err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	path := w.plans.Path()
	return &SurpriseError{Err: err, What: fmt.Sprintf("the plan %s is gone: it was deleted, moved or renamed during a session", path),
		Way: fmt.Sprintf("bring it back (%s) and run the same command; where it only has a new name, run that one: what is ticked and committed counts",
			w.opts.Verbs.With("path", quoted(path)).Restore)}
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
	unread := w.reload("during a session", "agent")
	if err := w.look(ctx); err != nil {
		return errors.Join(err, unread) // the plan can't be read where its repository is gone
	}
	if err := w.surprise(ctx, before); err != nil {
		return err // where the session went may have no plan, so this is the better reason
	}
	if unread != nil {
		return w.planGone(unread)
	}
	w.noticeSwept(pos, before)
	if w.state.head.Rev != before.head.Rev {
		entries, err := w.tree.Log(ctx, before.head.Rev, w.state.head.Rev, 50)
		if err != nil {
			w.note(pos, event.Warn, "the session's commits could not be listed: "+err.Error(), "")
		}
		replaced := w.amended(ctx, pos, before.head.Rev)
		for _, e := range slices.Backward(entries) {
			w.log.Emit(pos, event.Commit{Rev: string(e.Rev), Message: e.Subject, By: "agent", Replaced: replaced})
			replaced = ""
		}
	}
	return w.noticeDeletions(ctx, pos, before.head.Rev)
}

// amended returns the commit before the session if the session amended it, which is the way of a repository where commits grow.
func (w *work) amended(ctx context.Context, pos int, before vcs.Rev) string {
	t, ok := w.tree.(amender)
	if !ok || !w.opts.Line.Grows() {
		return ""
	}
	yes, err := t.Amended(ctx, before, w.state.head.Rev)
	if err != nil {
		w.note(pos, event.Warn, "whether the session amended its commit could not be found out: "+err.Error(), "")
	}
	if !yes {
		return ""
	}
	return string(before)
}

// noticeSwept names the user's paths that were dirty before the session and are clean after it: the session
// committed them, or threw the changes away.
func (w *work) noticeSwept(pos int, before treeState) {
	for _, p := range w.opts.UserDirty {
		if before.dirty.Has(p) && !w.state.dirty.Has(p) && !slices.Contains(w.report.Swept, p) {
			w.report.Swept = append(w.report.Swept, p)
			w.note(pos, event.Warn, "the session committed or undid your changes of "+p, "`ralphex restore` has the copy from the start of the run")
		}
	}
}

// noticeBrought names what a hook added to a commit of ours. What was the user's is theirs to look at.
func (w *work) noticeBrought(pos int, brought []string) {
	theirs, others := Brought(brought, w.opts.UserDirty)
	w.report.Swept = append(w.report.Swept, theirs...)
	for _, n := range BroughtNotes(theirs, others) {
		w.log.Emit(pos, n)
	}
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

// surprise refuses to go on when the branch is another one, or the history was rewritten below the start.
func (w *work) surprise(ctx context.Context, before treeState) error {
	now := w.state.head
	if !w.opts.Line.Same(now.Branch, before.head.Branch) {
		return &SurpriseError{
			What: fmt.Sprintf("the session left branch %s: HEAD is at %s now", before.head.Branch, where(now)),
			Way:  fmt.Sprintf("see what happened (%s), then `%s`%s and run the same command: it goes on", w.opts.Verbs.History, w.back(before.head), w.remake(before.head)),
		}
	}
	if now.Unborn {
		return &SurpriseError{
			What: fmt.Sprintf("branch %s is gone: it was at %.10s before the session", before.head.Branch, before.head.Rev),
			Way:  fmt.Sprintf("bring it back (`git branch %s %.10s`) and run the same command: it goes on", before.head.Branch, before.head.Rev),
		}
	}
	if now.Rev == before.head.Rev {
		return nil
	}
	if ok, err := w.tree.IsAncestor(ctx, before.head.Rev, now.Rev); err != nil || ok {
		return wrapAncestor(err)
	}
	w.doubt()
	what := fmt.Sprintf("the session rewrote history: the commit before it (%.10s) is no ancestor of HEAD (%.10s), so work that was done may be gone", before.head.Rev, now.Rev)
	if w.opts.Line.Grows() { // amending is no rewriting there
		what = fmt.Sprintf("the session left the run's commit: it was at %.10s, and is at %.10s now, which does not stand on it; work that was done may be gone", before.head.Rev, now.Rev)
	}
	return &SurpriseError{
		What: what,
		Way: fmt.Sprintf("look at it (%s), put the branch right (%s), and run the same command: it goes on",
			w.opts.Verbs.With("rev", fmt.Sprintf("%.10s", before.head.Rev)).Show, w.opts.Verbs.Ways().Recover),
	}
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

// unmoved checks that what ralphex ran itself, a validation command or a hook, left branch and HEAD alone.
func (w *work) unmoved(who string, want, now vcs.Head) error {
	if w.at(now, want) {
		return nil
	}
	return &SurpriseError{
		What: fmt.Sprintf("%s moved HEAD from %s (%.10s) to %s (%.10s)", who, where(want), want.Rev, where(now), now.Rev),
		Way:  fmt.Sprintf("validation commands and hooks must leave the repository where it is; `%s` and run the same command", w.back(want)),
	}
}

// stillHere checks, right before a commit, that branch and HEAD are those that were judged: somebody may have switched since.
// What it read goes with the commit, which makes sure of it once more when it writes.
func (w *work) stillHere(ctx context.Context, want vcs.Head) (vcs.Head, error) {
	now, err := w.tree.Head(ctx)
	if err != nil {
		return now, fmt.Errorf("read HEAD: %w", err)
	}
	if !w.at(now, want) {
		return now, w.elsewhere(now, want)
	}
	return now, w.unfinished(ctx)
}

// unfinished refuses a commit in the middle of a merge or the like: it would be one of everything, or none.
func (w *work) unfinished(ctx context.Context) error {
	t, ok := w.tree.(operated)
	if !ok {
		return nil
	}
	what, err := t.InProgress(ctx)
	if err != nil || what == "" {
		return err
	}
	return &SurpriseError{What: "a " + what + " is unfinished here: nothing was committed",
		Way: w.opts.Verbs.Ways().Unfinished[what] + ", and run the same command: it goes on"}
}

// elsewhere says that somebody moved HEAD before a commit of ours.
func (w *work) elsewhere(now, want vcs.Head) error {
	return &SurpriseError{
		What: fmt.Sprintf("before a commit HEAD is at %s (%.10s), and not at %s (%.10s), where the work was judged: nothing was committed", where(now), now.Rev, where(want), want.Rev),
		Way:  fmt.Sprintf("somebody else works in this checkout (%s); `%s` and run the same command: it goes on", w.opts.Verbs.History, w.back(want)),
	}
}

// moved makes the end of a run out of a commit that was refused because HEAD had moved since it was looked at.
func (w *work) moved(ctx context.Context, err error, want vcs.Head) error {
	if _, ok := errors.AsType[*vcs.SurpriseError](err); !ok {
		return err
	}
	now, herr := w.tree.Head(ctx)
	if herr != nil || w.at(now, want) { // unreadable, or back again
		return err
	}
	return w.elsewhere(now, want)
}

// at tells whether HEAD is where it should be.
func (w *work) at(now, want vcs.Head) bool {
	return w.opts.Line.Same(now.Branch, want.Branch) && now.Rev == want.Rev
}

// back is the command that goes to where the run was.
func (w *work) back(h vcs.Head) string {
	to := string(h.Branch)
	if w.opts.Line.Grows() && (h.Branch == w.opts.Line.Public || h.Branch == "draft") {
		to = h.Rev.Short() // these are no names there
	}
	return w.opts.Verbs.With("branch", to).Switch
}

// remake is the command for a branch that was deleted in the meantime.
func (w *work) remake(h vcs.Head) string {
	if w.opts.Line.Grows() {
		return ""
	}
	return fmt.Sprintf(" (if it was deleted: `git branch %s %.10s` first)", h.Branch, h.Rev)
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
