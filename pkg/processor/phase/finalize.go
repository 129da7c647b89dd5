package phase

import (
	"context"
	"errors"
	"fmt"

	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// Finalize is the last step: one session that brings the branch into the form in which it is handed over. It may rewrite the branch's
// history. It is done as well as can be: nothing of it ends the run but the end of the run itself.
type Finalize struct {
	parts   ReviewParts
	prompts FinalizePrompts
}

// NewFinalize returns the last step.
func NewFinalize(p ReviewParts, prompts FinalizePrompts) *Finalize {
	return &Finalize{parts: p, prompts: prompts}
}

// Run runs the step. The error is ctx's cause, or that of a repository which can't be read.
func (f *Finalize) Run(ctx context.Context, _ Look) (ReviewReport, error) {
	d := newDesk(f.parts, event.StageFinalize, "the finalize step", "", "")
	d.deps.DrainBreak()
	if err := d.open(ctx); err != nil {
		return d.report, err
	}
	d.log.Emit(0, event.NewFinalizeSection())
	prompt, err := rendered(d.whose, f.prompts.Finalize)
	if err != nil {
		return d.report, err
	}
	before := d.state
	d.copyOf(ctx, "before the finalize step")
	d.report.Sessions++
	res, err := runSession(ctx, d.deps, d.sessions, Session{Prompt: prompt, Head: string(before.head.Rev), Dirty: before.dirty.Paths()})
	if ctx.Err() != nil {
		return d.report, context.Cause(ctx)
	}
	if lerr := d.look(ctx); lerr != nil {
		return d.report, lerr
	}
	d.noticeSwept(0, before)
	d.report.Changed = before.stamp != d.state.stamp
	t := turn{res: res, before: before}
	switch {
	case errors.Is(err, ErrBreak):
		d.report.Interrupted = true
	case err != nil:
		d.note(0, event.Warn, "finalize step failed: "+err.Error(), "")
	case res.Cause != nil:
		d.note(0, event.Warn, fmt.Sprintf("finalize step was ended by %v", res.Cause), "")
	case res.Failure != nil:
		d.note(0, event.Warn, "finalize step failed: "+res.Failure.Message, res.Failure.Help)
	case t.failed():
		d.note(0, event.Warn, "finalize step reported failure: "+firstLine(tail(res.Text)), "")
	default:
		d.note(0, event.Info, "finalize step completed", "")
	}
	return d.report, f.judge(ctx, &d, before)
}

// copyOf puts the tree away, whoever's changes lie in it: a rebase may touch them all.
func (d *desk) copyOf(ctx context.Context, why string) {
	ctx, cancel := context.WithTimeout(ctx, keepFor)
	defer cancel()
	if len(d.state.dirty.Changes) == 0 {
		return
	}
	if _, err := d.keeper.Keep(ctx, 0, why); err != nil {
		d.note(0, event.Warn, "no copy of the tree could be kept: "+err.Error(), "")
	}
}

// judge looks at what the step left. What a person must know of is told, with the way back.
func (f *Finalize) judge(ctx context.Context, d *desk, before treeState) error {
	if !d.report.Changed {
		return nil
	}
	back := fmt.Sprintf("before the finalize step the branch was at %.12s", before.head.Rev)
	look := func(what string) {
		d.note(0, event.Warn, what, back)
		d.report.Look = append(d.report.Look, what+"; "+back)
	}
	if !d.rules.Line.Same(d.state.head.Branch, before.head.Branch) {
		look(fmt.Sprintf("the finalize step left branch %s: HEAD is at %s now", before.head.Branch, where(d.state.head)))
		return nil
	}
	if err := d.unfinished(ctx); err != nil {
		s, ok := errors.AsType[*SurpriseError](err)
		if !ok {
			return err
		}
		look("the finalize step did not come to its end: " + s.What)
		return nil
	}
	if before.head.Rev != d.state.head.Rev {
		if rewritten, err := d.rewritten(ctx, before.head.Rev); err == nil && rewritten {
			d.note(0, event.Info, "the finalize step rewrote the branch: "+back, "")
		} else if err := d.commitsSince(ctx, 0, d.whose, before); err != nil {
			look(err.Error())
			return nil
		}
	}
	if left := d.leftovers(); len(left) > 0 {
		look("the finalize step left uncommitted: " + list(left))
	}
	if !d.gated() {
		return nil
	}
	v, err := d.check(ctx, 0)
	if err == nil && !v.Green {
		look("validation is red behind the finalize step: " + v.Summary)
	}
	return err
}

func (d *desk) rewritten(ctx context.Context, before vcs.Rev) (bool, error) {
	ok, err := d.tree.IsAncestor(ctx, before, d.state.head.Rev)
	return !ok, err
}
