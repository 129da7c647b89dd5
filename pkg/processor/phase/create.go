package phase

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/signals"
)

// Creation makes a plan together with a person: sessions that ask one question or print a draft, until a draft is accepted and
// written. Until then the tree doesn't change.
type Creation struct {
	parts CreateParts
	opts  CreateOptions
}

// NewCreation returns the engine of plan creation.
func NewCreation(p CreateParts, o CreateOptions) *Creation {
	if o.Max <= 0 {
		o.Max = 10
	}
	return &Creation{parts: p, opts: o}
}

// drafting is one run of it.
type drafting struct {
	desk
	*Creation
	talk    talk
	trouble string // why nothing could be made of the last session
	ran     int    // sessions of this process that count
	pause   bool   // before the next session: nobody was asked since the last one
}

// Run talks until the plan lies in the tree. The error is ErrRejected, a *PendingError where nobody can be asked, ErrAborted, ctx's
// cause, an *IterationsError, or that of a session that can't be run.
func (c *Creation) Run(ctx context.Context) (Report, error) {
	w := &drafting{Creation: c, desk: newDesk(ReviewParts{Deps: c.parts.Deps, Site: c.parts.Site, Sessions: c.parts.Sessions},
		event.StagePlan, "the drafting session", c.opts.Agent, "")}
	w.deps.DrainBreak()
	if err := w.open(ctx); err != nil {
		return Report{}, err
	}
	for _, d := range c.opts.Earlier {
		w.talk.apply(d)
	}
	err := w.talkOn(ctx)
	report := Report{Sessions: w.report.Sessions, Look: w.report.Look}
	_, report.Swept = w.Touched()
	if w.talk.file != nil {
		report.Created = w.talk.file.Path
	}
	return report, err
}

// talkOn takes one step after the other.
func (w *drafting) talkOn(ctx context.Context) error {
	for w.talk.file == nil {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := w.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// step does what the conversation waits for.
func (w *drafting) step(ctx context.Context) error {
	switch t := &w.talk; {
	case t.question != nil:
		return w.ask(ctx, *t.question)
	case t.waits:
		return w.show(ctx, *t.draft)
	case t.accepted():
		return w.write(ctx)
	}
	if w.ran >= w.opts.Max {
		return &IterationsError{Max: w.opts.Max, Of: "plan"}
	}
	if w.pause {
		if err := w.sleep(ctx, w.opts.Delay); err != nil {
			return w.broken(ctx, err)
		}
	}
	w.pause = true
	return w.session(ctx)
}

// tell is the only way into the conversation: what is remembered, journalled and shown is the same.
func (w *drafting) tell(d event.Data) {
	d = w.parts.Clean(d)
	w.talk.apply(d)
	w.log.Emit(0, d)
}

func (w *drafting) ask(ctx context.Context, q event.Asked) error {
	answer, err := w.deps.Input().AskQuestion(ctx, q)
	if err != nil {
		return pending(err, &PendingError{Question: &q})
	}
	q.Answer = answer
	w.tell(q)
	w.pause = false
	return nil
}

func (w *drafting) show(ctx context.Context, d event.Draft) error {
	review, err := w.deps.Input().AskDraftReview(ctx, d, w.talk.before)
	if err != nil {
		return pending(err, &PendingError{Draft: &d, Before: w.talk.before})
	}
	review.N = d.N
	if review.Action == event.Accept {
		if review.Path = d.Path; review.Path == "" {
			review.Path = w.parts.Shelf.Free(d.Text)
		}
	}
	w.tell(review)
	w.pause = false
	if review.Action == event.Reject {
		return ErrRejected
	}
	return nil
}

// broken asks the person what a break means.
func (w *drafting) broken(ctx context.Context, err error) error {
	if !errors.Is(err, ErrBreak) {
		return err
	}
	w.note(0, event.Info, ErrBreak.Error(), "")
	if !w.deps.Pause(ctx) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return ErrAborted
	}
	return nil
}

// session has the agent ask or draft, and looks at what it printed.
func (w *drafting) session(ctx context.Context) error {
	w.tell(event.NewPlanIterationSection(w.talk.sessions + 1))
	before, err := w.parts.Shelf.Plans()
	if err != nil {
		return err
	}
	res, err := w.run(ctx, func() (Prompt, error) {
		p := w.talk.prompt()
		p.Trouble = w.trouble
		return w.parts.Prompts.Create(p)
	})
	if errors.Is(err, ErrBreak) {
		return w.broken(ctx, err)
	}
	if err != nil {
		return err
	}
	w.trouble = ""
	w.ran++
	if err := w.cut(ctx, res); err != nil || res.Cause != nil || res.Failure != nil {
		return err
	}
	return w.hear(res, before)
}

// run runs a session that is to leave the tree alone, and tells of what it changed there all the same.
func (w *drafting) run(ctx context.Context, render func() (Prompt, error)) (executor.Result, error) {
	was := w.state
	res, err := w.runOne(ctx, w.sessions, render, w.renew(0, w.whose, render))
	if err != nil && !errors.Is(err, ErrBreak) {
		return res, err
	}
	if w.talk.accepted() {
		return res, err // its one file is looked at by write
	}
	if was.stamp != w.state.stamp {
		w.keep(ctx, 0, "a drafting session changed the tree")
	}
	w.untouched(was, "the drafting session")
	return res, err
}

// cut deals with a session that did not come to its own end: the next one is told the same.
func (w *drafting) cut(ctx context.Context, res executor.Result) error {
	f := res.Failure
	switch {
	case f != nil && f.Class.Final():
		return f
	case f != nil:
		if err := w.fuse.blow(res, false); err != nil {
			return err
		}
		w.note(0, event.Warn, "the session failed, another one follows: "+firstLine(f.Message), f.Help)
	case res.Cause != nil:
		w.note(0, event.Warn, fmt.Sprintf("the session was ended by %v, another one follows", res.Cause), "")
	default:
		return nil
	}
	w.pause = false
	return w.broken(ctx, w.sleep(ctx, w.opts.RetryDelay))
}

// hear takes what the session printed. A draft comes before anything else that it says, so that nobody who accepts one by
// announcing it gets past the person.
func (w *drafting) hear(res executor.Result, before map[string][]byte) error {
	var draft, question, ready *signals.Signal
	for i := range res.Signals {
		s := &res.Signals[i]
		switch {
		case s.Err != nil:
			w.trouble = s.Err.Error()
		case s.Kind == signals.KindPlanDraft:
			draft = s
		case s.Kind == signals.KindQuestion:
			question = s
		case s.Kind == signals.PlanReady:
			ready = s
		}
	}
	last := res.Last()
	switch {
	case last != nil && last.Kind == signals.TaskFailed:
		return &CreateError{Reason: "plan creation failed (FAILED signal received)", Detail: tail(res.Text)}
	case draft != nil:
		w.drafted(event.Draft{Text: draft.Draft})
	case ready != nil:
		return w.ready(res.Text, before)
	case question != nil:
		q := question.Question
		w.tell(event.Asked{Question: q.Question, Options: q.Options, Context: q.Context})
	case w.trouble == "":
		w.trouble = "it printed no QUESTION, no PLAN_DRAFT and no PLAN_READY that stands alone on its line"
		w.note(0, event.Warn, "nothing came of this session: "+w.trouble, "")
	}
	return nil
}

// drafted takes a draft. One that breaks rules of the format goes back once, before the person sees it.
func (w *drafting) drafted(d event.Draft) {
	d.N = 1
	sent := false
	if old := w.talk.draft; old != nil {
		d.N, sent = old.N+1, old.Back
	}
	d = w.parts.Clean(d).(event.Draft)
	d.Problems = w.parts.Check(d.Text)
	d.Back = len(d.Problems) > 0 && !sent
	w.tell(d)
	w.trouble = ""
}

// ready looks for the plan of a session that says there is one, without a draft that was accepted.
func (w *drafting) ready(said string, before map[string][]byte) error {
	now, err := w.parts.Shelf.Plans()
	if err != nil {
		return err
	}
	found := ""
	for name, text := range now {
		if was, old := before[name]; !old || string(was) != string(text) {
			w.note(0, event.Warn, "the session wrote "+name+" without a review: what it says is the draft now", "")
			w.drafted(event.Draft{Text: string(text), Path: name})
			return nil
		}
		if strings.Contains(said, path.Base(name)) && len(name) > len(found) {
			found = name
		}
	}
	if found == "" {
		w.trouble = "it printed PLAN_READY, and there is no plan: no draft was accepted, and it named none that exists"
		w.note(0, event.Warn, "the session says that the plan is ready, and there is none", "")
		return nil
	}
	w.tell(event.PlanFile{Path: found, By: "found"})
	return nil
}

// CreateError is a plan that the agent says it can't make.
type CreateError struct{ Reason, Detail string }

func (e *CreateError) Error() string { return e.Reason }

// Hint says what to do next.
func (e *CreateError) Hint() string {
	return "look at its last words above; say more about what you want, or answer what it did not know, and run the command again"
}
