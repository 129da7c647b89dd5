package phase

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/finding"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
)

// ReviewParts are the collaborators of the review phases. All are needed but for Inspect: without it nothing is found by rules.
type ReviewParts struct {
	Deps     *Deps
	Site     *Site
	Sessions Sessions // of the reviewer
	Ledger   *finding.Ledger
	Inspect  Inspect
	Plans    Plans // the plan whose work is reviewed; nil = there is none
}

// desk is what the review phases share: a reviewer who works in a checkout, and is judged by what changed there.
type desk struct {
	*Site
	deps     *Deps
	sessions Sessions
	ledger   *finding.Ledger
	inspect  Inspect
	plans    Plans

	stage    event.Stage
	whose    string // "the review", in messages
	reviewer string // source of its findings
	message  string // of commits of what it leaves
	readOnly bool   // it is to change nothing

	report    ReviewReport
	red       *Verdict // of the tree as it is; nil = green, or not known
	unsettled bool     // a session was cut off: what it left is not judged yet
	completed bool     // at least one session came to its own end
	claimed   map[finding.ID]string
	fuse      fuse
}

func newDesk(p ReviewParts, stage event.Stage, whose, reviewer, message string) desk {
	if p.Inspect == nil {
		p.Inspect = func(context.Context, vcs.Rev) (Inspection, error) { return Inspection{}, nil }
	}
	return desk{Site: p.Site, deps: p.Deps, sessions: p.Sessions, ledger: p.Ledger, inspect: p.Inspect, plans: p.Plans,
		stage: stage, whose: whose, reviewer: reviewer, message: message, claimed: map[finding.ID]string{}}
}

// turn is one session of the reviewer, by facts.
type turn struct {
	res     executor.Result
	before  treeState
	changed bool
	left    []string // what it left uncommitted, or found so
	commit  string   // the revision that holds what it did; empty where it did nothing, or where that isn't committed
}

// cut tells whether the session did not come to its own end.
func (t turn) cut() bool { return t.res.Cause != nil || t.res.Failure != nil }

// by is who reviewed, which may be somebody who stands in.
func (t turn) by(own string) string { return cmp.Or(t.res.By, own) }

// failed tells whether the reviewer says that it can't do it.
func (t turn) failed() bool {
	last := t.res.Last()
	return last != nil && last.Kind == signals.TaskFailed
}

// turn runs a session of the reviewer, and looks at what it did: commits are journalled, the validation commands run where something
// changed, and what is green is committed. An error is ErrBreak, or ends the run.
func (d *desk) turn(ctx context.Context, render func() (Prompt, error)) (turn, error) {
	t := turn{before: d.state}
	var err error
	t.res, err = d.runOne(ctx, d.sessions, render, d.renew(0, d.whose, render))
	broken := errors.Is(err, ErrBreak)
	if err != nil && !broken {
		return t, err
	}
	t.changed = t.before.stamp != d.state.stamp
	if d.readOnly {
		d.untouched(t.before, "the reviewer")
		d.completed = d.completed || !broken && !t.cut()
		if f := t.res.Failure; f != nil && !broken {
			return t, f
		}
		return t, err
	}
	d.report.Changed = d.report.Changed || t.changed
	t.left = d.leftovers()
	if broken {
		d.unsettled = d.unsettled || t.changed
		d.keep(ctx, 0, d.whose+" was interrupted")
		return t, ErrBreak
	}
	d.keepUnfinished(ctx, 0, d.whose, t.res)
	if f := t.res.Failure; f != nil && f.Class.Final() {
		return t, f
	}
	if t.cut() {
		d.unsettled = d.unsettled || t.changed
		return t, d.fuse.blow(t.res, t.changed)
	}
	d.completed = true
	if t.changed || d.unsettled || d.red != nil {
		if t.commit, err = d.settle(ctx); err != nil {
			return t, err
		}
	}
	if t.commit == "" && d.red == nil && t.before.head.Rev != d.state.head.Rev {
		t.commit = string(d.state.head.Rev)
	}
	return t, d.pressed()
}

// runOne runs a session, and looks at what it did to the repository. The error is ErrBreak, beside what was done until then, or ends the run.
func (d *desk) runOne(ctx context.Context, sessions Sessions, render func() (Prompt, error), renew func(context.Context, Session, executor.Result) (Session, error)) (executor.Result, error) {
	prompt, err := rendered(d.whose, render)
	if err != nil {
		return executor.Result{}, err
	}
	before := d.state
	d.report.Sessions++
	res, err := runSession(ctx, d.deps, sessions, Session{Prompt: prompt, Head: string(before.head.Rev), Dirty: before.dirty.Paths(), Renew: renew})
	if err != nil && !errors.Is(err, ErrBreak) {
		return res, err
	}
	if lost := d.compare(ctx, before); lost != nil {
		return res, lost
	}
	return res, err
}

// untouched tells of what somebody changed who is to change nothing. It is never committed.
func (d *desk) untouched(before treeState, who string) {
	if before.stamp == d.state.stamp {
		return
	}
	what := "files that were uncommitted before"
	made := d.made(before)
	switch {
	case len(made) > 0:
		d.log.Emit(0, event.SetAside{Paths: made, By: event.ByTool})
		what = list(made)
	case before.head.Rev != d.state.head.Rev:
		what = "it made commits"
	}
	text := who + " was to change nothing, and did: " + what
	d.note(0, event.Warn, text, "look at it: it is in no commit of this run's own")
	d.report.Look = append(d.report.Look, text)
}

// pressed tells of a break that came while no session ran.
func (d *desk) pressed() error {
	select {
	case <-d.deps.Break():
		return ErrBreak
	default:
		return nil
	}
}

// compare looks at the repository after a session, under the same law as after one of a task.
func (d *desk) compare(ctx context.Context, before treeState) error {
	if err := d.look(ctx); err != nil {
		return err
	}
	if err := d.surprise(ctx, before); err != nil {
		return err
	}
	if d.plans != nil {
		if _, err := d.plans.Load(); errors.Is(err, fs.ErrNotExist) {
			return d.planGone(d.plans.Path(), err)
		}
	}
	d.noticeSwept(0, before)
	return d.commitsSince(ctx, 0, d.whose, before)
}

// settle runs the validation commands on the tree as it is, and commits what is green. Red stays uncommitted, and goes into the next
// prompt; so does what a hook said that refused the commit.
func (d *desk) settle(ctx context.Context) (commit string, err error) {
	d.unsettled, d.red = false, nil
	if d.gated() {
		v, err := d.check(ctx, 0)
		if err != nil {
			return "", err
		}
		if !v.Green && d.rules.Validate == ValidateGate {
			d.red = &v
			d.note(0, event.Warn, "validation is red behind "+d.whose+": "+v.Summary, "")
			return "", nil
		}
		if !v.Green {
			d.note(0, event.Warn, "validation is red (report only): "+v.Summary, "")
		}
	}
	commit, err = d.record(ctx, 0, d.whose, d.message)
	if hook, ok := errors.AsType[*vcs.HookError](err); ok {
		d.red = &Verdict{Summary: "the commit was refused by a hook: " + firstLine(hook.Error()), Failure: hook.Error()}
		d.note(0, event.Warn, d.red.Summary, "")
		return "", nil
	}
	return commit, err
}

// failure is what the next prompt says about a red tree.
func (d *desk) failure() string {
	if d.red == nil {
		return ""
	}
	return d.red.Failure
}

// reopen finds out how the tree is where an earlier process of the run was cut off in this phase.
func (d *desk) reopen(ctx context.Context, earlier []event.ReviewRound) error {
	d.deps.DrainBreak() // meant for the phase before; from here on each one ends this phase
	if err := d.open(ctx); err != nil {
		return err
	}
	if d.readOnly {
		return nil
	}
	for _, r := range earlier {
		d.report.Changed = d.report.Changed || r.Changed
		d.completed = d.completed || r.Result != event.RoundTimeout && r.Result != event.RoundFailed && r.Result != event.RoundInterrupted
	}
	if len(d.leftovers()) == 0 && !red(earlier) {
		return nil
	}
	d.report.Changed = true
	_, err := d.settle(ctx)
	return err
}

// red tells whether the last of the rounds ended so.
func red(rounds []event.ReviewRound) bool { return len(rounds) > 0 && rounds[len(rounds)-1].Red }

// end closes the phase: what was cut off is judged, and a tree that is red doesn't count as reviewed.
func (d *desk) end(ctx context.Context) (ReviewReport, error) {
	if d.unsettled {
		if _, err := d.settle(ctx); err != nil {
			return d.report, err
		}
	}
	if d.red != nil {
		return d.report, &ReviewError{Stage: d.stage, Reason: "validation is red behind it: " + d.red.Summary, Detail: d.red.Failure}
	}
	return d.report, nil
}

// gaveUp is the end of a review whose reviewer says that it can't do it.
func (d *desk) gaveUp(t turn) error {
	return &ReviewError{Stage: d.stage, Reason: "review failed (FAILED signal received)", Detail: tail(t.res.Text)}
}

// waited makes the end of the phase of a break that came while it slept.
func (d *desk) waited(err error) (over bool, _ error) {
	if errors.Is(err, ErrBreak) {
		d.report.Interrupted = true
		return true, nil
	}
	return false, err
}

// sleep waits between two rounds; a break ends it.
func (d *desk) sleep(ctx context.Context, delay time.Duration) error {
	if delay <= 0 {
		return nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-d.deps.Break():
		return ErrBreak
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// tell journals the end of a round.
func (d *desk) tell(r event.ReviewRound) {
	r.Stage, r.Red, r.Head = d.stage, d.red != nil, string(d.state.head.Rev)
	r.Words = tailOf(r.Words, maxWords)
	d.report.Clean = r.Result == event.RoundClean
	d.log.Emit(0, r)
}

// maxWords bounds what a round keeps of the evaluator's words.
const maxWords = 8 << 10
