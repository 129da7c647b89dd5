package signals

import (
	"errors"
	"fmt"
)

// Kind is the NAME in a `<<<RALPHEX:NAME>>>` token, as the agent writes it.
type Kind string

// The signals of the public protocol.
const (
	AllTasksDone    Kind = "ALL_TASKS_DONE"
	TaskFailed      Kind = "TASK_FAILED"
	ReviewDone      Kind = "REVIEW_DONE"
	CodexReviewDone Kind = "CODEX_REVIEW_DONE"
	PlanReady       Kind = "PLAN_READY"
	KindQuestion    Kind = "QUESTION"   // opens a JSON payload that END closes
	KindPlanDraft   Kind = "PLAN_DRAFT" // opens a Markdown payload that END closes
	kindEnd         Kind = "END"
)

// Token is the literal an agent prints, e.g. "<<<RALPHEX:TASK_FAILED>>>".
func (k Kind) Token() string { return "<<<RALPHEX:" + string(k) + ">>>" }

// HasPayload tells whether the signal opens a payload that END closes.
func (k Kind) HasPayload() bool { return k == KindQuestion || k == KindPlanDraft }

// Signal is one signal that counts: alone on a line of the agent's own text.
type Signal struct {
	Kind     Kind      `json:"kind"`
	Question *Question `json:"question,omitempty"` // set for a well-formed QUESTION
	Draft    string    `json:"draft,omitempty"`    // Markdown of a PLAN_DRAFT, byte for byte, without the marker lines
	Err      error     `json:"-"`                  // *PayloadError when the payload is malformed
}

// Question is the payload of QUESTION. Question and at least one option are mandatory.
type Question struct {
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Context  string   `json:"context,omitempty"`
}

// ErrPayload is what every PayloadError is.
var ErrPayload = errors.New("malformed signal payload")

// PayloadError says what is wrong with a payload, and keeps the agent's text.
type PayloadError struct {
	Kind   Kind
	Raw    string // the text between the markers, byte for byte (cut at MaxPayload)
	Reason string // "no END marker", "invalid JSON: …", "no options", …
}

func (e *PayloadError) Error() string {
	return fmt.Sprintf("%s payload: %s", e.Kind, e.Reason)
}

// Is makes errors.Is(err, ErrPayload) work.
func (e *PayloadError) Is(target error) bool { return target == ErrPayload }
