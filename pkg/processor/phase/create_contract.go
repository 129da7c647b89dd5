package phase

import (
	"errors"
	"fmt"
	"time"

	"ralphex/pkg/event"
)

// CreatePrompts renders the prompts of plan creation.
type CreatePrompts interface {
	Create(CreatePrompt) (Prompt, error)
}

// CreatePrompt is what a session of plan creation is asked with: the conversation so far, word for word, since a log wraps lines.
type CreatePrompt struct {
	Answers  []event.Asked // answered questions, in their order
	Draft    string        // the newest draft; empty = there is none yet
	Feedback string        // what the person wants changed in it
	Problems []string      // rules of the format that it breaks
	Trouble  string        // why nothing could be made of what the last session printed
	Write    string        // absolute path that the accepted draft is to be written to; empty = nothing is accepted yet
}

// Shelf is the folder of plans. Names are slash-separated and relative to the root.
type Shelf interface {
	// Free returns a name that no plan has, for one with this text.
	Free(text string) string
	// Path is the absolute path of a name.
	Path(name string) string
	// Plans reads all plans.
	Plans() (map[string][]byte, error)
	// Write writes a plan whole, over what is there.
	Write(name string, text []byte) error
}

// CreateOptions are the settings of plan creation.
type CreateOptions struct {
	Max        int // sessions; 0 = 10
	Delay      time.Duration
	RetryDelay time.Duration // after a session that was cut off
	Agent      string        // who drafts: "claude"
	ToolWrites bool          // the accepted draft is written by ralphex, without a session
	Earlier    []event.Data  // the conversation of an earlier process of the run
}

// CreateParts are the collaborators of plan creation; all are needed.
type CreateParts struct {
	Deps     *Deps
	Site     *Site
	Sessions Sessions
	Prompts  CreatePrompts
	Shelf    Shelf
	Check    func(text string) []string  // which rules of the format a draft breaks
	Clean    func(event.Data) event.Data // takes secrets out: what is shown, journalled and written is the same text
}

// ErrRejected: the person does not want the plan.
var ErrRejected error = &RejectedError{}

// RejectedError is ErrRejected with what to do next.
type RejectedError struct{}

func (*RejectedError) Error() string { return "user rejected plan" }

// Hint says what to do next.
func (*RejectedError) Hint() string {
	return "no file was written; the same command begins afresh, and the draft stays in the journal of this run"
}

// PendingError is a run that waits for a person, and nobody is there to ask. One of both is set.
type PendingError struct {
	Question *event.Asked
	Draft    *event.Draft
	Before   string // the draft before that one
}

func (e *PendingError) Error() string {
	if e.Question != nil {
		return "a question waits for an answer: " + e.Question.Question
	}
	return fmt.Sprintf("draft %d waits for a review", e.Draft.N)
}

// Is makes errors.Is(err, ErrNoPerson) work.
func (*PendingError) Is(target error) bool { return target == ErrNoPerson }

// pending turns "nobody is there" into what waits.
func pending(err error, p *PendingError) error {
	if errors.Is(err, ErrNoPerson) {
		return p
	}
	return err
}
