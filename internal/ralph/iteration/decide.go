package iteration

import (
	"slices"

	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// LoopInput is what the loop's decision is taken from.
type LoopInput struct {
	// History is all iterations, oldest first; its last entry is the one that has just ended.
	History []state.Iteration

	Actionable   bool // a task can be worked on, as the graph is now
	Remaining    int  // tasks that are not done
	TaskDone     bool // the selected one
	NonRetryable bool // the provider said that trying again is useless
	// PreflightDiagnostics are those of this iteration's preflight, and of the graph as it is now.
	PreflightDiagnostics []task.Diagnostic

	AutoReplenish            bool
	StopOnHumanReview        bool
	NoProgressThreshold      int  // 0 = never
	RepeatedFailureThreshold int  // 0 = never
	Last                     bool // no further iteration is allowed
}

// DecideLoopContinuation says whether the loop goes on (decideLoopContinuation in the seed): "" for yes, else why not. The first rule that holds
// decides. A backlog that contradicts itself is never replenished.
func DecideLoopContinuation(in LoopInput) StopReason {
	last := in.History[len(in.History)-1]
	failed := Execution(last.ExecutionStatus) == Crashed
	drift := slices.ContainsFunc(in.PreflightDiagnostics, func(d task.Diagnostic) bool { return d.Severity == task.Error && task.IsDrift(d.Code) })
	switch {
	case !in.Actionable && in.AutoReplenish && in.Remaining == 0 && !failed && !drift:
		return ""
	case !in.Actionable:
		return NoActionableTask
	case failed && in.NonRetryable:
		return NonRetryable
	case failed:
		return ExecutionFailed
	case in.TaskDone && in.Remaining == 0:
		return TaskMarkedComplete
	case Classification(last.Classification) == NeedsHumanReview && in.StopOnHumanReview:
		return HumanReviewNeeded
	case reached(len(TrailingNoProgress(in.History)), in.NoProgressThreshold):
		return RepeatedNoProgress
	case reached(len(TrailingFailures(in.History)), in.RepeatedFailureThreshold):
		return RepeatedIdenticalFailure
	case in.Last:
		return CapReached
	}
	return ""
}

func reached(n, threshold int) bool { return threshold > 0 && n >= threshold }

// TrailingNoProgress are the last entries, oldest first, that are all without progress on one task by one agent.
func TrailingNoProgress(h []state.Iteration) []state.Iteration {
	return trailing(h, func(it state.Iteration) (string, bool) {
		return it.TaskID + "\x00" + it.AgentID, Classification(it.Classification) == NoProgress && it.TaskID != ""
	})
}

// TrailingFailures are the last entries, oldest first, that all failed at one task in the same way.
func TrailingFailures(h []state.Iteration) []state.Iteration {
	return trailing(h, func(it state.Iteration) (string, bool) {
		class := Classification(it.Classification)
		return it.Classification + "\x00" + it.TaskID + "\x00" + NormalizeSignature(it.Verification.ValidationFailureSignature),
			it.TaskID != "" && (class == Blocked || class == Failed || class == NeedsHumanReview)
	})
}

// trailing is the end of a list whose entries all count and have the key of the last one.
func trailing(h []state.Iteration, key func(state.Iteration) (key string, counts bool)) []state.Iteration {
	first := len(h)
	for want := ""; first > 0; first-- {
		k, counts := key(h[first-1])
		if !counts || first < len(h) && k != want {
			break
		}
		want = k
	}
	return h[first:]
}
