package phase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/finding"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
)

// External has the work looked at by another tool, which changes nothing, and has the reviewer judge and mend what the tool found, in
// rounds, until the tool finds nothing new or nothing changes any more.
type External struct {
	parts   ReviewParts
	tool    Sessions
	prompts ExternalPrompts
	opts    ExternalOptions
}

// NewExternal returns the external review; tool runs the sessions of the tool, the parts are the evaluating reviewer's.
func NewExternal(p ReviewParts, tool Sessions, prompts ExternalPrompts, o ExternalOptions) *External {
	if o.Max <= 0 {
		o.Max = 3
	}
	if o.Heading == "" {
		o.Heading = o.Tool
	}
	return &External{parts: p, tool: tool, prompts: prompts, opts: o}
}

// consulting is one run of an external review.
type consulting struct {
	desk
	*External
	since     vcs.Rev        // the tool has seen what was before; empty = nothing
	previous  string         // how the last evaluation ended
	said      *event.Opinion // of the first round, by an earlier process; nil = none
	unchanged int            // rounds in a row that changed nothing
}

// Run is like Review.Run.
func (x *External) Run(ctx context.Context, what Look) (ReviewReport, error) {
	w := &consulting{External: x, desk: newDesk(x.parts, event.StageExternal, "the external review", x.opts.Reviewer,
		cmp.Or(x.opts.Message, "fix: address "+x.opts.Tool+" review findings"))}
	w.log.Emit(0, event.NewExternalReviewSection(x.opts.Tool))
	if err := w.reopen(ctx, what.Earlier); err != nil {
		return w.report, err
	}
	next, over := w.goOn(what.Earlier)
	if what.Said != nil && what.Said.N == next {
		w.said = what.Said
	}
	for n := next; !over; n++ {
		if err := context.Cause(ctx); err != nil {
			return w.report, err
		}
		if n > x.opts.Max {
			w.note(0, event.Info, fmt.Sprintf("max %s iterations reached, continuing to next phase...", x.opts.Tool), "")
			break
		}
		var err error
		if over, err = w.round(ctx, n); err != nil {
			return w.report, err
		}
	}
	report, err := w.end(ctx)
	if err == nil && !w.completed && !report.Interrupted && report.Skipped == "" {
		err = &ReviewError{Stage: w.stage, Reason: "no round came to its own end: nothing is known of what " + x.opts.Tool + " would have found"}
	}
	return report, err
}

// goOn is the round to begin with behind those of an earlier process.
func (w *consulting) goOn(earlier []event.ReviewRound) (n int, over bool) {
	n, over = nextRound(earlier, false)
	if len(earlier) == 0 {
		return n, over
	}
	for _, r := range slices.Backward(earlier) {
		if r.Result != event.RoundUnchanged {
			break
		}
		w.unchanged++
	}
	last := earlier[len(earlier)-1]
	w.previous = last.Words
	if len(earlier) > 1 && !w.rules.Line.Grows() {
		w.since = vcs.Rev(earlier[len(earlier)-2].Head)
	}
	if last.Result == event.RoundUnchanged {
		return n, w.unchanged >= w.patience()
	}
	return n, over
}

// patience is how many rounds may change nothing.
func (w *consulting) patience() int { return max(w.opts.Patience, 1) }

// round runs the tool, and has what it says evaluated. It tells whether it was the last round.
func (w *consulting) round(ctx context.Context, n int) (over bool, err error) {
	w.log.Emit(0, event.NewExternalIterationSection(w.opts.Heading, n))
	r := event.ReviewRound{N: n, Reviewer: w.opts.Tool}
	looked := w.state.head.Rev
	known := w.said
	res, err := w.hear(ctx)
	r.Reviewer = cmp.Or(res.By, w.opts.Tool)
	switch {
	case errors.Is(err, ErrBreak):
		return w.broken(r)
	case err != nil:
		return false, err
	case res.Cause != nil:
		return w.later(ctx, r, fmt.Sprintf("%s was ended by %v, the next round follows", r.Reviewer, res.Cause))
	case strings.TrimSpace(res.Text) == "":
		w.report.Skipped = r.Reviewer + " review returned no output"
		w.note(0, event.Warn, w.report.Skipped+", skipping...", "")
		return w.over(r, event.RoundNoOutput)
	}
	w.completed = true
	if known != nil {
		looked = vcs.Rev(known.Head)
	} else if len(res.Text) <= mostOpinion {
		w.log.Emit(0, event.Opinion{Stage: w.stage, N: n, Reviewer: r.Reviewer, Head: string(looked), Text: res.Text})
	}
	said := finding.Parse(res.Text).In(w.rules.Root, r.Reviewer)
	delta := w.named(string(w.stage), n, r.Reviewer, w.theirs(said.Findings))
	r.Found, r.New, r.Returned = len(said.Findings), len(delta.New), len(delta.Returned)
	last := res.Last()
	switch {
	case w.red != nil: // whatever the tool says, there is something to mend
	case said.Clean, r.Found == 0 && last != nil && last.Kind == signals.CodexReviewDone:
		w.note(0, event.Info, r.Reviewer+" review complete - no more findings", "")
		return w.over(r, event.RoundClean)
	case r.Found > 0 && (delta.Same || r.Returned == r.Found):
		w.note(0, event.Info, r.Reviewer+" review complete - it names nothing new", "")
		return w.over(r, event.RoundSame)
	}
	over, err = w.evaluate(ctx, r, res.Text)
	if !w.rules.Line.Grows() { // else the commit that it looked at is replaced by the next one
		w.since = looked
	}
	return over, err
}

// mostOpinion bounds what is kept of a tool's words for a process that takes over; of one that says more, the tool is asked again.
const mostOpinion = 1 << 20

// hear is what the tool says, or said to a process that died while it was judged.
func (w *consulting) hear(ctx context.Context) (executor.Result, error) {
	known := w.said
	if w.said = nil; known == nil {
		return w.ask(ctx)
	}
	w.note(0, event.Info, known.Reviewer+" has looked already: what it said is judged", "")
	return executor.Result{Text: known.Text, By: known.Reviewer}, nil
}

// ask runs the tool, and makes sure that it changed nothing.
func (w *consulting) ask(ctx context.Context) (executor.Result, error) {
	before := w.state
	res, err := w.runOne(ctx, w.tool, func() (Prompt, error) {
		return w.prompts.External(ExternalPrompt{Since: w.since, Previous: w.previous, Ledger: w.ledger.Prompt(), Unfinished: w.leftovers()})
	}, nil)
	if err != nil && !errors.Is(err, ErrBreak) {
		return res, err
	}
	w.untouched(before, cmp.Or(res.By, w.opts.Tool))
	if f := res.Failure; err == nil && f != nil && res.Cause == nil && f.Class != executor.ClassEmpty {
		return res, f
	}
	return res, err
}

// evaluate has the reviewer judge what the tool said, and mend what is right in it.
func (w *consulting) evaluate(ctx context.Context, r event.ReviewRound, output string) (over bool, err error) {
	w.log.Emit(0, event.PhaseStart{Name: event.PhaseClaudeEval})
	w.log.Emit(0, event.NewEvaluationSection(w.opts.Reviewer, w.opts.Tool))
	t, err := w.turn(ctx, func() (Prompt, error) {
		return w.prompts.Evaluation(EvaluationPrompt{Output: output, Ledger: w.ledger.Prompt(), Failure: w.failure(), Unfinished: w.leftovers()})
	})
	w.log.Emit(0, event.PhaseEnd{Name: event.PhaseClaudeEval, Err: errText(err)})
	w.log.Emit(0, event.PhaseStart{Name: event.PhaseCodex})
	r.Changed = t.changed
	switch {
	case errors.Is(err, ErrBreak):
		return w.broken(r)
	case err != nil:
		return false, err
	case t.cut():
		return w.later(ctx, r, "the evaluation was cut off, the next round follows")
	}
	w.previous, r.Words = t.res.Text, t.res.Text
	w.judge(ctx, finding.Parse(t.res.Text).In(w.rules.Root, t.by(w.opts.Reviewer)).Findings, t)
	last := t.res.Last()
	switch {
	case t.failed():
		w.tell(w.as(r, event.RoundFailed))
		return false, w.gaveUp(t)
	case t.changed:
		w.unchanged = 0
		w.tell(w.as(r, event.RoundAgain))
		return w.waited(w.sleep(ctx, w.opts.Delay))
	case last != nil && last.Kind == signals.CodexReviewDone && w.red == nil:
		w.note(0, event.Info, r.Reviewer+" review complete - no more findings", "")
		return w.over(r, event.RoundClean)
	}
	if w.unchanged++; w.unchanged < w.patience() {
		w.tell(w.as(r, event.RoundUnchanged))
		return w.waited(w.sleep(ctx, w.opts.Delay))
	}
	if w.opts.Patience <= 0 {
		w.note(0, event.Info, r.Reviewer+" review complete - no changes detected", "")
		return w.over(r, event.RoundUnchanged)
	}
	w.note(0, event.Info, fmt.Sprintf("stalemate detected after %d unchanged rounds, external review terminated early", w.unchanged), "")
	return w.over(r, event.RoundStalemate)
}

func (w *consulting) as(r event.ReviewRound, result event.RoundResult) event.ReviewRound {
	r.Result = result
	return r
}

func (w *consulting) over(r event.ReviewRound, result event.RoundResult) (bool, error) {
	w.tell(w.as(r, result))
	return true, nil
}

// broken ends the phase after a break.
func (w *consulting) broken(r event.ReviewRound) (bool, error) {
	w.report.Interrupted = true
	w.note(0, event.Warn, "manual break requested, external review terminated early", "")
	return w.over(r, event.RoundInterrupted)
}

// later goes on to the next round after a session that was cut off.
func (w *consulting) later(ctx context.Context, r event.ReviewRound, why string) (bool, error) {
	w.tell(w.as(r, event.RoundTimeout))
	w.note(0, event.Warn, why, "")
	return w.waited(w.sleep(ctx, w.opts.RetryDelay))
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
