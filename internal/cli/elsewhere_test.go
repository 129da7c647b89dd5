package cli

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/control"
	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// seated is somebody at the terminal: they see the question, and answer when they are told to.
type seated struct {
	asked chan struct{}
	says  chan string
	left  chan error // why they stopped being asked
}

func newSeated() *seated {
	return &seated{asked: make(chan struct{}, 1), says: make(chan string, 1), left: make(chan error, 1)}
}

func (s *seated) AskQuestion(ctx context.Context, _ event.Asked) (string, error) {
	s.asked <- struct{}{}
	select {
	case text := <-s.says:
		if text == "" {
			return "", phase.ErrNoPerson
		}
		return text, nil
	case <-ctx.Done():
		s.left <- ctx.Err()
		return "", ctx.Err()
	}
}

func (s *seated) AskDraftReview(ctx context.Context, _ event.Draft, _ string) (event.DraftReview, error) {
	text, err := s.AskQuestion(ctx, event.Asked{})
	return event.DraftReview{Action: event.DraftAction(text)}, err
}

// asking puts a question to e, and returns what becomes of it.
func asking(t *testing.T, e *elsewhere, q event.Asked) <-chan string {
	t.Helper()
	e.waiting(event.Event{Seq: 7, Data: q})
	got := make(chan string, 1)
	go func() {
		text, err := e.AskQuestion(t.Context(), q)
		if err != nil {
			text = "error: " + err.Error()
		}
		got <- text
	}()
	return got
}

// tell gives an answer from elsewhere, as the socket does.
func tell(e *elsewhere, q control.Request) control.Reply {
	do, refusal := e.weigh(q)
	if do == nil {
		return refusal
	}
	return control.Reply{OK: true, Text: do()}
}

var which = event.Asked{Question: "Which?", Options: []string{"Hi", "Hello"}}

// Two persons may answer: the first one counts, the other is told.
func TestFirstAnswerCounts(t *testing.T) {
	t.Parallel()
	here := newSeated()
	e := &elsewhere{here: here}
	assert.False(t, tell(e, control.Request{Order: control.Answer, Option: 1}).OK, "nothing is asked yet")

	got := asking(t, e, which)
	<-here.asked
	for _, bad := range []control.Request{{Order: control.Answer, Option: 3}, {Order: control.Answer}, {Order: control.Draft, Action: "accept"}, {Order: control.Answer, Option: 1, Seq: 6}} {
		assert.False(t, tell(e, bad).OK, "%+v", bad)
	}
	assert.True(t, tell(e, control.Request{Order: control.Answer, Option: 2, Seq: 7}).OK)
	assert.Equal(t, "Hello", <-got)
	require.ErrorIs(t, <-here.left, context.Canceled, "who sits at the terminal is not asked any more")
	assert.False(t, tell(e, control.Request{Order: control.Answer, Option: 1}).OK, "it is answered")

	got = asking(t, e, which)
	<-here.asked
	here.says <- "Hi"
	assert.Equal(t, "Hi", <-got)
	assert.Equal(t, "it waits for no answer", tell(e, control.Request{Order: control.Answer, Text: "Hey"}).Text)
}

// What somebody at the terminal has in an editor is not decided over their head.
func TestNobodyDecidesOverAnEditor(t *testing.T) {
	t.Parallel()
	here := newSeated()
	e := &elsewhere{here: here}
	got := make(chan event.DraftReview, 1)
	go func() {
		review, _ := e.AskDraftReview(t.Context(), event.Draft{N: 1}, "")
		got <- review
	}()
	<-here.asked
	done := e.busy()
	assert.Contains(t, tell(e, control.Request{Order: control.Draft, Action: "reject"}).Text, "in an editor")
	done()
	assert.True(t, tell(e, control.Request{Order: control.Draft, Action: "revise", Feedback: "shorter"}).OK)
	assert.Equal(t, event.DraftReview{Action: event.Revise, Feedback: "shorter"}, <-got)
}

// Where nobody sits, or whoever did has gone, a run with a dashboard waits; one without ends.
func TestPatienceNeedsADashboard(t *testing.T) {
	t.Parallel()
	here := newSeated()
	e := &elsewhere{here: here, patient: true}
	got := asking(t, e, which)
	<-here.asked
	here.says <- ""
	require.Eventually(t, func() bool { return tell(e, control.Request{Order: control.Answer, Text: "Hey"}).OK }, 2*time.Minute, 5*time.Millisecond)
	assert.Equal(t, "Hey", <-got)

	e = &elsewhere{here: here}
	got = asking(t, e, which)
	<-here.asked
	here.says <- ""
	assert.Contains(t, <-got, "nobody to ask")
}
