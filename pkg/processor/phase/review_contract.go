package phase

import (
	"context"
	"fmt"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
	"ralphex/pkg/vcs"
)

// Look is what a review is to look at.
type Look struct {
	Since   vcs.Rev             // what came after it; empty = since the base of the run
	Earlier []event.ReviewRound // rounds of the same look, by an earlier process of the run
	Said    *event.Opinion      // what the external tool told it in the round that follows those; nil = nothing
}

// Inspect looks at the change since a revision by rules of ralphex's own, "" = since the base of the run.
type Inspect func(ctx context.Context, since vcs.Rev) (Inspection, error)

// Inspection is what rules see in a change.
type Inspection struct {
	Found   []finding.Finding
	Renamed [][2]string // files, old name and new: findings of the one are the other's
}

// ReviewPrompts renders the prompts of a review.
type ReviewPrompts interface {
	Review(ReviewPrompt) (Prompt, error)
}

// ReviewPrompt is what a review prompt is made of.
type ReviewPrompt struct {
	Round      int      // 0 = the first pass: everything; later ones look for what is critical or major
	Since      vcs.Rev  // the diff is that since there; empty = since the base of the run
	Ledger     string   // findings of earlier rounds and what became of them
	Own        string   // findings of ralphex's own
	Failure    string   // what the validation commands or a hook said about the tree as it is; empty = nothing
	Unfinished []string // uncommitted paths of earlier sessions of this run
	ReportOnly bool     // nothing may be changed
}

// ExternalPrompts renders the prompts of an external review.
type ExternalPrompts interface {
	External(ExternalPrompt) (Prompt, error)
	Evaluation(EvaluationPrompt) (Prompt, error)
}

// ExternalPrompt is what the external tool is asked with.
type ExternalPrompt struct {
	Since      vcs.Rev  // it has seen what was before; empty = since the base of the run
	Previous   string   // how the evaluation of its last findings ended
	Ledger     string   // as ReviewPrompt has it
	Unfinished []string // uncommitted paths that belong to the change
}

// EvaluationPrompt is what the reviewer is asked with, to judge what the tool said.
type EvaluationPrompt struct {
	Output     string // of the tool
	Ledger     string
	Failure    string
	Unfinished []string
}

// FinalizePrompts renders the prompt of the last step.
type FinalizePrompts interface {
	Finalize() (Prompt, error)
}

// ReviewOptions are the settings of a review.
type ReviewOptions struct {
	Stage      event.Stage // StageReview, StageReview2
	FirstPass  bool        // one look at everything before the loop
	Max        int         // rounds of the loop; 0 = 3
	Delay      time.Duration
	RetryDelay time.Duration // after a session that was cut off
	Reviewer   string        // who reviews, "claude": in messages, and the source of findings
	Label      string        // the same in headings; empty where the public format leaves it out
	ReportOnly bool          // one pass that changes nothing
}

// ExternalOptions are the settings of the external review.
type ExternalOptions struct {
	Max        int // rounds; 0 = 3
	Patience   int // rounds in a row that change nothing, until it is given up; 0 = 1
	Delay      time.Duration
	RetryDelay time.Duration
	Tool       string // "codex"
	Heading    string // of its rounds, "custom review"; empty = Tool
	Message    string // of commits; empty = "fix: address TOOL review findings"
	Reviewer   string // who evaluates
}

// ReviewReport is what a review came to.
type ReviewReport struct {
	Sessions    int
	Changed     bool     // it made commits or changed the tree
	Clean       bool     // its last look found nothing
	Interrupted bool     // a person ended it: nothing is known of what it would have found
	Skipped     string   // why it did not look at all
	Look        []string // what a person should look at
}

// ReviewError is a run that ended because a review can't be brought to its end.
type ReviewError struct {
	Stage  event.Stage
	Reason string
	Detail string // tail of the failing output or of the reviewer's words
}

func (e *ReviewError) Error() string {
	what := map[event.Stage]string{event.StageReview2: "second review", event.StageExternal: "external review"}[e.Stage]
	if what == "" {
		what = string(e.Stage)
	}
	return fmt.Sprintf("%s: %s", what, e.Reason)
}

// Hint says what to do next.
func (e *ReviewError) Hint() string {
	return "look at the log above, fix the cause, and run the same command: it goes on with this review"
}
