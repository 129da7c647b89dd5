package event

import (
	"fmt"
	"time"
)

// The facts of orders that a run gets while it goes on.
type (
	// Order is what somebody told the run to do. It stands in the journal before it is obeyed, and before who gave it hears that it was taken.
	Order struct {
		What      string `json:"what"`                 // pause, resume, stop, skip, retry-now, note, budget, answer, draft
		AfterTask bool   `json:"after_task,omitempty"` // when the task is over, instead of now
		By        string `json:"by,omitempty"`         // "anna, pid 4711"
		ID        string `json:"id,omitempty"`         // of the order: one that is sent twice is obeyed once
		Text      string `json:"text,omitempty"`       // of a note: what the next session is to know; of a budget: what was added
	}
	// Pause tells that the run holds its place, and (Over) that it goes on.
	Pause struct {
		By   string        `json:"by,omitempty"` // who ordered it
		Over bool          `json:"over,omitempty"`
		For  time.Duration `json:"for_ns,omitempty"` // of one that is over
	}
)

func orderText(d Data) []Line {
	switch d := d.(type) {
	case Order:
		if d.What == OrderNote {
			return append([]Line{{Warning, "note from " + d.By + ", for the next session:"}}, say("%s", d.Text)...)
		}
		if d.What == OrderBudget {
			return []Line{{Warning, fmt.Sprintf("%s more may be used: ordered by %s", d.Text, d.By)}}
		}
		when := ""
		if d.AfterTask {
			when = " after this task"
		}
		return []Line{{Warning, fmt.Sprintf("%s%s: ordered by %s", d.What, when, d.By)}}
	case Pause:
		if d.Over {
			return say("going on after a pause of %s", Brief(d.For))
		}
		return []Line{{Warning, "paused by " + d.By}, {Help, "ralphex resume goes on, ralphex stop ends the run"}}
	}
	return nil
}

// OrderNote is what an order is called that leaves a text for the next session. It is in exactly one session's prompt: see SessionStart.Notes.
const OrderNote = "note"

// OrderBudget is what an order is called that adds to what a run may use up. A Budget with the new sum follows.
const OrderBudget = "budget"

// OrderSkip is what an order is called that leaves a task open.
const OrderSkip = "skip"
