package iteration

import (
	"fmt"

	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// Kind is the kind of a prompt.
type Kind string

// The kinds.
const (
	Bootstrap        Kind = "bootstrap"
	Normal           Kind = "iteration"
	Replenish        Kind = "replenish-backlog"
	FixFailure       Kind = "fix-failure"
	ContinueProgress Kind = "continue-progress"
	HumanReview      Kind = "human-review-handoff"
)

// ChooseKind chooses the kind of the next prompt, and says in a sentence which rule did. selected is nil if there is no task; usable is false if the
// graph has errors. Who the prompt is for changes its words, never its kind.
func ChooseKind(selected *task.Task, c task.Counts, usable bool, st state.State) (Kind, string) {
	if selected == nil && c.Remaining() == 0 {
		if !usable {
			return Replenish, "The task ledger contradicts itself: it has to be repaired before any task is added."
		}
		return Replenish, "No task is left: the backlog needs new ones."
	}
	if st.LastPromptKind == "" && st.LastPromptPath == "" && st.LastRun == nil && len(st.RunHistory) == 0 && st.LastIteration == nil && len(st.IterationHistory) == 0 {
		return Bootstrap, "Nothing was prompted, run or recorded here before."
	}
	last := st.LastIteration
	if last == nil {
		if st.LastRun != nil && Execution(st.LastRun.Status) == Crashed {
			return FixFailure, "The last run failed."
		}
		return Normal, "There is no result of an iteration before this one."
	}
	class := Classification(last.Classification)
	switch {
	case class == NeedsHumanReview || StopReason(last.StopReason) == HumanReviewNeeded:
		return HumanReview, fmt.Sprintf("Iteration %d asked for a person.", last.Number)
	case class == PartialProgress:
		return ContinueProgress, fmt.Sprintf("Iteration %d got somewhere, and was not finished.", last.Number)
	case class == Complete && StopReason(last.StopReason) == NoActionableTask:
		return Normal, fmt.Sprintf("Iteration %d completed all that could be worked on, and there is work again.", last.Number)
	case Execution(last.ExecutionStatus) == Crashed, last.VerificationStatus == string(task.Failed), class == Failed, class == Blocked, class == NoProgress,
		last.Verification.ValidationFailureSignature != "":
		return FixFailure, fmt.Sprintf("Iteration %d ended as %s, its execution %s, its verification %s.", last.Number, class, last.ExecutionStatus, last.VerificationStatus)
	}
	return Normal, fmt.Sprintf("Iteration %d left nothing to mend or to finish.", last.Number)
}
