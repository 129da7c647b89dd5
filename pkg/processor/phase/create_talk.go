package phase

import (
	"ralphex/pkg/event"
)

// talk is the conversation about a plan: a fold over its events, those of earlier processes first. What it says is all that
// plan creation decides from, so a run that was killed goes on where it stood.
type talk struct {
	sessions int           // headings so far
	answers  []event.Asked // answered questions
	question *event.Asked  // waits for an answer
	draft    *event.Draft  // the newest
	before   string        // the shown draft before it
	review   *event.DraftReview
	file     *event.PlanFile
	waits    bool // draft has not been reviewed
}

// apply moves the conversation by one event.
func (t *talk) apply(d event.Data) {
	switch d := d.(type) {
	case event.Section:
		t.sessions = max(t.sessions, d.Iteration)
	case event.Asked:
		t.question = &d
		if d.Answer != "" {
			t.answers, t.question = append(t.answers, d), nil
		}
	case event.Draft:
		if t.draft != nil && !t.draft.Back {
			t.before = t.draft.Text
		}
		t.draft, t.waits = &d, !d.Back
		if d.Back {
			t.review = nil
		}
	case event.DraftReview:
		t.review, t.waits = &d, false
	case event.PlanFile:
		t.file = &d
	}
}

// accepted tells whether the newest draft is to be written.
func (t *talk) accepted() bool {
	return t.review != nil && t.review.Action == event.Accept && !t.waits
}

// prompt is what the next drafting session is told.
func (t *talk) prompt() CreatePrompt {
	p := CreatePrompt{Answers: t.answers}
	if t.draft == nil {
		return p
	}
	p.Draft = t.draft.Text
	if t.draft.Back {
		p.Problems = t.draft.Problems
	}
	if t.review != nil {
		p.Feedback = t.review.Feedback
	}
	return p
}

// Waiting is what a conversation waits for, nil if for no person.
func Waiting(conversation []event.Data) *PendingError {
	var t talk
	for _, d := range conversation {
		t.apply(d)
	}
	switch {
	case t.question != nil:
		return &PendingError{Question: t.question}
	case t.waits:
		return &PendingError{Draft: t.draft, Before: t.before}
	}
	return nil
}

// Rejected tells whether the conversation ended with a no: then there is nothing to go on with.
func Rejected(conversation []event.Data) bool {
	var t talk
	for _, d := range conversation {
		t.apply(d)
	}
	return t.review != nil && t.review.Action == event.Reject && !t.waits
}
