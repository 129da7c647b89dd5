package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// baseline runs the validation commands once on the start tree. Red is a warning: the plan may be there to
// mend it. A plan that has nothing left for an agent gets its verdict from this run alone.
func (w *work) baseline(ctx context.Context) error {
	if !w.gated() {
		return nil
	}
	v, err := w.check(ctx, 0)
	if err != nil || v.Green {
		return err
	}
	if w.nextPlanTaskPosition() != 0 {
		w.note(0, event.Warn, "validation is red before the first task: "+v.Summary, "")
		return nil
	}
	if w.rules.Validate == ValidateReport {
		w.note(0, event.Warn, "every box is ticked, but validation is red: "+v.Summary, "")
		return nil
	}
	return &TaskError{Position: len(w.plan.Tasks), Title: w.title(len(w.plan.Tasks)),
		Reason: "every box is ticked, but validation is red: " + v.Summary, Detail: v.Failure}
}

// claims are the positions whose boxes are all ticked (or left for a person) and which no gate has proven.
func (w *work) claims() []int {
	var out []int
	for i, task := range w.plan.Tasks {
		if w.settled(task) && !w.proven[Key(task)] {
			out = append(out, i+1)
		}
	}
	return out
}

// settle turns claims into facts: the gate is run, what is left uncommitted is committed, the tasks are done.
// A red gate or a refusing hook sends the task back with the failure. It reports whether something was proven.
func (w *work) settle(ctx context.Context, pos int, counted bool) (bool, error) {
	claims := w.claims()
	if len(claims) == 0 {
		if w.red != nil && w.position(w.red.key) > 0 && !w.settled(w.plan.Tasks[w.position(w.red.key)-1]) {
			w.red = nil // the agent opened a box again: an ordinary open task
		}
		return false, nil
	}
	target := claims[0]
	if slices.Contains(claims, pos) {
		target = pos
	}
	if err := w.lease.Take(ctx, target, w.plan.Tasks[target-1]); err != nil {
		return false, err
	}
	outcome, reason := event.Unproven, ""
	if w.gated() {
		v, err := w.check(ctx, target)
		switch {
		case err != nil:
			return false, w.lost(ctx, target, err)
		case v.Green:
			outcome = event.Done
		case w.rules.Validate == ValidateReport:
			reason = "validation is red (report only): " + v.Summary
			w.note(target, event.Warn, reason, "")
		default:
			return false, w.again(target, counted, "validation failed", v.Summary, v.Failure)
		}
	}
	if stands, err := w.reread(claims); err != nil || !stands {
		return false, err
	}
	if err := w.lease.Holds(ctx, target, w.plan.Tasks[target-1]); err != nil {
		return false, err
	}
	commit, err := w.commitLeftovers(ctx, target)
	var hook *vcs.HookError
	if errors.As(err, &hook) {
		return false, w.again(target, counted, "the commit was refused by a hook", firstLine(hook.Error()), hook.Error())
	}
	if err != nil {
		return false, err
	}
	w.red = nil
	for _, c := range claims {
		w.done(ctx, c, outcome, reason, commit)
	}
	return true, nil
}

func (w *work) done(ctx context.Context, pos int, outcome event.Outcome, reason, commit string) {
	task := w.plan.Tasks[pos-1]
	key := Key(task)
	w.proven[key] = true
	w.here = append(w.here, key)
	w.unseen = append(w.unseen, key)
	delete(w.attempts, key)
	delete(w.gaveUp, key)
	left := len(LeftItems(&plan.Plan{Tasks: []plan.Task{task}}, w.left))
	if outcome == event.Unproven {
		w.report.Unproven = true
	}
	if left > 0 {
		outcome = event.LeftHuman
	}
	var elapsed time.Duration
	if at := w.started[key]; !at.IsZero() {
		elapsed = time.Since(at)
	}
	hash, err := w.commits.TreeHash(ctx, w.state.head.Rev)
	if err != nil {
		w.note(pos, event.Warn, "tree hash of the task: "+err.Error(), "")
	}
	w.report.Done++
	w.log.Emit(pos, event.TaskEnd{ID: task.ID, Title: task.Title, Outcome: outcome, Reason: reason, LeftHuman: left,
		Elapsed: elapsed, Commit: commit, TreeHash: hash, Iterations: w.sessionN[key]})
}

// commitLeftovers commits what sessions of this run changed and did not commit, as `feat: <title>`. It
// returns the revision that holds the task.
func (w *work) commitLeftovers(ctx context.Context, pos int) (string, error) {
	rev, err := w.record(ctx, pos, w.who(pos), "feat: "+w.title(pos))
	if err != nil || rev != "" {
		return rev, err
	}
	w.noteNothing(pos)
	return string(w.state.head.Rev), nil
}

// noteNothing says that a task is done without a commit: no session of it made one, and there is nothing for one.
func (w *work) noteNothing(pos int) {
	if at, ok := w.headAt[Key(w.plan.Tasks[pos-1])]; ok && at == w.state.head.Rev {
		w.note(pos, event.Info, "nothing to commit: the task changed no file that the repository knows", "")
	}
}

// again sends a task back to the agent after a red gate or a refused commit.
func (w *work) again(pos int, counted bool, what, summary, failure string) error {
	key := Key(w.plan.Tasks[pos-1])
	w.red = &redRound{key: key, failure: failure}
	if !counted {
		w.note(pos, event.Warn, fmt.Sprintf("%s: %s", what, summary), "")
		return nil
	}
	return w.failed(pos, what, summary, failure)
}

// failed counts one attempt of a task; after the last one the boxes are reopened and the run ends.
func (w *work) failed(pos int, what, summary, detail string) error {
	task := w.plan.Tasks[pos-1]
	key := Key(task)
	w.attempts[key]++
	reason := what
	if summary != "" {
		reason += ": " + summary
	}
	if n := w.attempts[key]; n <= w.opts.Retries {
		w.note(pos, event.Warn, fmt.Sprintf("%s; attempt %d of %d follows", reason, n+1, w.opts.Retries+1), "")
		return nil
	}
	return w.giveUp(pos, reason, detail)
}

func list(paths []string) string {
	const most = 10
	shown := slices.Clone(paths[:min(len(paths), most)])
	for i, p := range shown {
		if strings.ContainsFunc(p, unicode.IsControl) {
			shown[i] = fmt.Sprintf("%q", p) // it would break the line
		}
	}
	text := strings.Join(shown, ", ")
	if more := len(paths) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
