package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"ralphex/internal/control"
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// elsewhere is who answers the run's questions from another place than its terminal: the dashboard, `ralphex answer`. Whoever sits at the terminal is
// asked at the same time, and the first answer counts.
type elsewhere struct {
	here    phase.InputCollector // nil = nobody sits here
	patient bool                 // where nobody sits here, an answer is waited for

	mu   sync.Mutex
	seq  int64    // of the newest question or draft
	open *openAsk // nil = nothing waits
}

// openAsk is what waits for an answer.
type openAsk struct {
	waits *phase.PendingError
	got   chan answer // room for one
	taken bool        // somebody has answered
	busy  bool        // somebody here is in the middle of an answer that takes long
}

// waiting notes the question or the draft that is to be answered next.
func (e *elsewhere) waiting(ev event.Event) {
	switch d := ev.Data.(type) {
	case event.Asked:
		if d.Answer != "" {
			return
		}
	case event.Draft:
	default:
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seq = ev.Seq
}

// AskQuestion takes the first answer.
func (e *elsewhere) AskQuestion(ctx context.Context, q event.Asked) (string, error) {
	var text string
	a, err := e.first(ctx, &phase.PendingError{Question: &q}, func(ctx context.Context) (err error) {
		text, err = e.here.AskQuestion(ctx, q)
		return err
	})
	switch {
	case err != nil || a == answer{}:
		return text, err
	case a.Option > 0:
		return q.Options[a.Option-1], nil
	}
	return a.Text, nil
}

// AskDraftReview takes the first decision.
func (e *elsewhere) AskDraftReview(ctx context.Context, d event.Draft, before string) (event.DraftReview, error) {
	var review event.DraftReview
	a, err := e.first(ctx, &phase.PendingError{Draft: &d, Before: before}, func(ctx context.Context) (err error) {
		review, err = e.here.AskDraftReview(ctx, d, before)
		return err
	})
	switch {
	case err != nil || a == answer{}:
		return review, err
	case a.Accept:
		return event.DraftReview{Action: event.Accept}, nil
	case a.Reject:
		return event.DraftReview{Action: event.Reject}, nil
	}
	return event.DraftReview{Action: event.Revise, Feedback: a.Revise}, nil
}

// first asks here and hears from elsewhere. An answer that is empty, without an error, says that here was first.
func (e *elsewhere) first(ctx context.Context, waits *phase.PendingError, ask func(context.Context) error) (answer, error) {
	o := &openAsk{waits: waits, got: make(chan answer, 1)}
	e.set(o)
	defer e.set(nil)
	asked, cancel := context.WithCancel(ctx)
	defer cancel()
	var here chan error // nil = nobody is asked here
	if e.here != nil {
		here = make(chan error, 1)
		go func() { here <- ask(asked) }()
	}
	for {
		select {
		case a := <-o.got:
			cancel()
			if here != nil {
				<-here // the terminal is free again
			}
			return a, nil
		case err := <-here:
			if errors.Is(err, phase.ErrNoPerson) && e.patient {
				here = nil
				continue
			}
			if e.take(o) {
				return answer{}, err
			}
			return <-o.got, nil // somebody elsewhere was first, by a moment
		case <-ctx.Done():
			if here != nil {
				<-here
			}
			return answer{}, context.Cause(ctx)
		}
	}
}

func (e *elsewhere) set(o *openAsk) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open = o
}

// take makes sure that one answer counts.
func (e *elsewhere) take(o *openAsk) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if o.taken {
		return false
	}
	o.taken = true
	return true
}

// busy keeps others from answering what somebody here works on, until done: a text in an editor would be lost.
func (e *elsewhere) busy() (done func()) {
	set := func(busy bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.open != nil {
			e.open.busy = busy
		}
	}
	set(true)
	return func() { set(false) }
}

// weigh finds what an answer from elsewhere means now, or why it means nothing.
func (e *elsewhere) weigh(q control.Request) (do func() string, refusal control.Reply) {
	e.mu.Lock()
	defer e.mu.Unlock()
	o := e.open
	switch {
	case o == nil || o.taken:
		return nil, control.Reply{Text: "it waits for no answer", Hint: "it was answered already, or asks nothing: ralphex status shows what it does"}
	case q.Seq > 0 && q.Seq != e.seq:
		return nil, control.Reply{Text: "that is answered already, and something else waits now", Hint: "look again"}
	case o.busy:
		return nil, control.Reply{Text: "somebody at its terminal has the draft in an editor", Hint: "wait until that is done"}
	}
	a := answer{Option: q.Option, Text: q.Text}
	if q.Order == control.Draft {
		a = answer{Accept: q.Action == string(event.Accept), Reject: q.Action == string(event.Reject)}
		if q.Action == string(event.Revise) {
			a.Revise = q.Feedback
		}
	} else if q.Option > 0 {
		a.Text = ""
	}
	if err := a.check(); err != nil {
		return nil, control.Reply{Text: "that is no answer: " + err.Error()}
	}
	if err := fits(a, o.waits); err != nil {
		return nil, control.Reply{Text: err.Error(), Hint: hintOf(err)}
	}
	return func() string {
		if !e.take(o) {
			return "somebody else has answered just before"
		}
		o.got <- a
		if q.Order == control.Draft {
			return fmt.Sprintf("draft %d: %s", o.waits.Draft.N, q.Action)
		}
		return "it goes on with this answer"
	}, refusal
}
