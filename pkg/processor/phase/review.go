package phase

import (
	"context"
	"errors"
	"fmt"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
	"ralphex/pkg/signals"
	"ralphex/pkg/vcs"
)

// Review has the work looked at by an agent that did not write it, and mended, until a round finds nothing more to change.
type Review struct {
	parts   ReviewParts
	prompts ReviewPrompts
	opts    ReviewOptions
}

// NewReview returns a review phase.
func NewReview(p ReviewParts, prompts ReviewPrompts, o ReviewOptions) *Review {
	if o.Max <= 0 {
		o.Max = 3
	}
	return &Review{parts: p, prompts: prompts, opts: o}
}

// reviewing is one run of a review.
type reviewing struct {
	desk
	*Review
	since vcs.Rev // what is looked at; empty = since the base of the run
}

// Run reviews a change. The error says why it ended early: ReviewError, BreakerError,
// SurpriseError, DeletionsError, an *executor.Failure, or ctx's cause.
func (r *Review) Run(ctx context.Context, what Look) (ReviewReport, error) {
	w := &reviewing{Review: r, since: what.Since,
		desk: newDesk(r.parts, r.opts.Stage, "the review", r.opts.Reviewer, "fix: address code review findings")}
	w.readOnly = r.opts.ReportOnly
	if err := w.reopen(ctx, what.Earlier); err != nil {
		return w.report, err
	}
	next, over := nextRound(what.Earlier, r.opts.FirstPass)
	for n := next; !over; n++ {
		if err := context.Cause(ctx); err != nil {
			return w.report, err
		}
		if n > r.opts.Max {
			w.note(0, event.Info, fmt.Sprintf("max %s review iterations reached, continuing...", r.opts.Reviewer), "")
			break
		}
		var err error
		if over, err = w.round(ctx, n); err != nil {
			return w.report, err
		}
	}
	return w.close(ctx)
}

// close ends the review. One that never came to an end of its own has found out nothing.
func (w *reviewing) close(ctx context.Context) (ReviewReport, error) {
	report, err := w.end(ctx)
	if !w.readOnly && !report.Interrupted {
		w.unanswered()
	}
	if err == nil && !w.completed && !report.Interrupted {
		err = &ReviewError{Stage: w.stage, Reason: "no session of the reviewer came to its own end: nothing is known of what it would have found"}
	}
	return report, err
}

// nextRound is the round to go on with behind those of an earlier process, or that there is none.
func nextRound(earlier []event.ReviewRound, firstPass bool) (n int, over bool) {
	if len(earlier) == 0 {
		if firstPass {
			return 0, false
		}
		return 1, false
	}
	last := earlier[len(earlier)-1]
	switch last.Result {
	case event.RoundClean, event.RoundSame, event.RoundStalemate, event.RoundNoOutput:
		return 0, true
	case event.RoundInterrupted:
		return last.N, false // by a person who ended the run, or it would not be gone on with
	case event.RoundUnchanged:
		return last.N + 1, last.N > 0
	}
	return last.N + 1, false
}

// round runs one round, and tells whether it was the last one.
func (w *reviewing) round(ctx context.Context, n int) (over bool, err error) {
	w.log.Emit(0, event.NewReviewSection(w.opts.Label, n))
	own, err := w.own(ctx, n, w.since)
	if err != nil {
		return false, err
	}
	t, err := w.turn(ctx, func() (Prompt, error) {
		return w.prompts.Review(ReviewPrompt{Round: n, Since: w.since, Ledger: w.ledger.Prompt(), Own: own, Failure: w.failure(),
			Unfinished: w.leftovers(), ReportOnly: w.opts.ReportOnly})
	})
	if errors.Is(err, ErrBreak) {
		w.report.Interrupted = true
		w.tell(event.ReviewRound{N: n, Reviewer: w.opts.Reviewer, Changed: t.changed, Result: event.RoundInterrupted})
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if t.cut() {
		return w.cutOff(ctx, n, t)
	}
	who := t.by(w.opts.Reviewer)
	said := finding.Parse(t.res.Text).In(w.rules.Root, who)
	delta := w.named(string(w.stage), n, who, w.theirs(said.Findings))
	w.judge(ctx, said.Findings, t)
	result := w.result(n, t, said, delta)
	w.tell(event.ReviewRound{N: n, Reviewer: who, Found: len(said.Findings), New: len(delta.New), Returned: len(delta.Returned),
		Changed: t.changed, Result: result})
	if t.failed() {
		return false, w.gaveUp(t)
	}
	unclear := result == event.RoundUnchanged && len(said.Findings) == 0
	if w.opts.ReportOnly {
		if unclear {
			w.report.Look = append(w.report.Look, "what "+w.opts.Reviewer+" said: "+unclearWords+"; the progress log has it")
		}
		return true, nil
	}
	over = w.conclude(n, t, result)
	if over && unclear {
		w.note(0, event.Warn, w.opts.Reviewer+" ended without a verdict: "+unclearWords, "read its words in the progress log; ralphex --review asks once more")
	}
	if over {
		return true, nil
	}
	return w.waited(w.sleep(ctx, w.opts.Delay))
}

// unclearWords tell of a reviewer that may have looked at nothing at all: it was cut short, asked something, or wrote in a form of its own.
const unclearWords = "it names no finding that could be read, and does not say that there is none"

// result sorts a round that came to its own end, from facts: what changed, and what is named. That the reviewer says it is done counts
// only where it changed nothing.
func (w *reviewing) result(n int, t turn, said finding.Report, delta finding.Delta) event.RoundResult {
	last := t.res.Last()
	done := said.Clean || last != nil && last.Kind == signals.ReviewDone
	switch {
	case t.failed():
		return event.RoundFailed
	case t.changed && delta.Same && len(said.Findings) > 0 && w.red == nil:
		return event.RoundSame
	case t.changed:
		if done && n > 0 {
			w.note(0, event.Info, "the reviewer says that it is done, but it changed something: that is looked at, too", "")
		}
		return event.RoundAgain
	case done && len(w.openOf(said)) == 0 && w.red == nil:
		return event.RoundClean
	}
	return event.RoundUnchanged
}

// openOf are the findings of a report that are open in the ledger.
func (w *reviewing) openOf(said finding.Report) (open []finding.ID) {
	for _, e := range w.ledger.Open() {
		for _, f := range said.Findings {
			if id, ok := w.ledger.Match(f); ok && id == e.ID {
				open = append(open, id)
				break
			}
		}
	}
	return open
}

// conclude tells the person how the round ended, and whether it was the last.
func (w *reviewing) conclude(n int, t turn, result event.RoundResult) (over bool) {
	who := t.by(w.opts.Reviewer)
	switch result {
	case event.RoundClean:
		w.note(0, event.Info, who+" review complete - no more findings", "")
		return true
	case event.RoundSame:
		w.note(0, event.Info, who+" review complete - the same findings as in the round before", "")
		return true
	case event.RoundUnchanged:
		if n == 0 {
			w.note(0, event.Warn, "first review pass did not complete cleanly, continuing...", "")
			return false
		}
		w.note(0, event.Info, who+" review complete - no changes detected", "")
		return true
	}
	w.note(0, event.Info, "issues fixed, running another review iteration...", "")
	return false
}

// cutOff tells of a session that did not come to its own end, and waits for the next one.
func (w *reviewing) cutOff(ctx context.Context, n int, t turn) (over bool, err error) {
	result, why := event.RoundFailed, "session failed"
	if t.res.Cause != nil {
		result, why = event.RoundTimeout, "session timed out"
	}
	w.tell(event.ReviewRound{N: n, Reviewer: t.by(w.opts.Reviewer), Changed: t.changed, Result: result})
	switch {
	case w.opts.ReportOnly:
		return true, nil
	case n == 0:
		w.note(0, event.Warn, "first review pass did not complete cleanly, continuing...", "")
	default:
		w.note(0, event.Warn, fmt.Sprintf("%s, retrying review iteration after %s...", why, w.opts.RetryDelay), "")
	}
	return w.waited(w.sleep(ctx, w.opts.RetryDelay))
}
