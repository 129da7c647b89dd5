package iteration

import (
	"fmt"
	"slices"
	"time"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// Remediation is what to do about a task at which the loop has stopped again and again.
type Remediation struct {
	Trigger   StopReason
	Task      task.Task
	Action    task.Remediation
	Attempts  []state.Iteration // those that are alike, oldest first
	Evidence  []string
	Summary   string
	Rationale string
	Children  []task.SuggestedChild
}

// BuildRemediation looks for what helps. It returns nil unless the loop stopped for want of progress or at the same failure, and at least two attempts
// were alike. effective is the validation command of the iteration, "" = none.
func BuildRemediation(stop StopReason, t *task.Task, history []state.Iteration, effective string) *Remediation {
	var attempts []state.Iteration
	switch stop {
	case RepeatedNoProgress:
		attempts = TrailingNoProgress(history)
	case RepeatedIdenticalFailure:
		attempts = TrailingFailures(history)
	}
	if t == nil || len(attempts) < 2 {
		return nil
	}
	last := attempts[len(attempts)-1]
	has := func(signal string) bool { return slices.Contains(last.NoProgressSignals, signal) }
	r := &Remediation{Trigger: stop, Task: *t, Attempts: attempts}
	n, id := len(attempts), task.Plain(t.ID)
	switch class := Classification(last.Classification); {
	case class == Blocked:
		r.Action = task.MarkBlocked
		r.Summary = fmt.Sprintf("%s was blocked %d times in a row: it should be marked as blocked until somebody finds what it waits for.", id, n)
	case has(SameSignature):
		r.Action = task.ReframeTask
		r.Summary = fmt.Sprintf("The validation of %s failed the same way %d times: the failure should be understood before it is tried again.", id, n)
	case class == Failed:
		r.Action = task.RequestHumanReview
		r.Summary = fmt.Sprintf("%s failed %d times in a row: a person should look at it.", id, n)
	case has(SameTaskAgain) && has(NoRelevantChanges):
		r.Action = task.DecomposeTask
		r.Summary = fmt.Sprintf("%d attempts at %s changed nothing: it should be cut into smaller tasks.", n, id)
	default:
		r.Action = task.NoAction
		r.Summary = fmt.Sprintf("%d attempts at %s got nowhere, and nothing suggests what would help.", n, id)
	}
	r.Children = task.RemediationChildren(r.Action, t, effective)
	if r.Action == task.DecomposeTask && len(r.Children) == 0 {
		r.Action = task.NoAction
		r.Summary = fmt.Sprintf("%d attempts at %s changed nothing, and its words name no parts that it could be cut into.", n, id)
	}
	r.Rationale = fmt.Sprintf("The loop stopped with %s: the last %d iterations at the task ended as %s.", stop, n, last.Classification)
	r.Evidence = evidence(last, stop)
	return r
}

// evidence is what speaks for it, each once.
func evidence(last state.Iteration, stop StopReason) []string {
	all := slices.Clone(last.NoProgressSignals)
	if Classification(last.Classification) == Blocked {
		all = append(all, sameTaskBlockedAgain)
	}
	if s := last.Verification.ValidationFailureSignature; s != "" {
		all = append(all, "validation_failure_signature:"+s)
	}
	all = append(all, "stop_reason:"+string(stop), "classification:"+last.Classification)
	out := []string{}
	for _, e := range all {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// HumanReview tells whether a person should look at the task.
func (r *Remediation) HumanReview() bool {
	return r.Action == task.MarkBlocked || r.Action == task.RequestHumanReview
}

// AutoApplies tells whether the loop may carry it out by itself: only what the setting autoApplyRemediation lists, a task is marked as blocked only
// for a repeated failure, and only marking and cutting are ever carried out without a person.
func (r *Remediation) AutoApplies(configured []string) bool {
	switch r.Action {
	case task.MarkBlocked:
		return r.Trigger == RepeatedIdenticalFailure && slices.Contains(configured, string(r.Action))
	case task.DecomposeTask:
		return slices.Contains(configured, string(r.Action))
	}
	return false
}

// Place is where the iteration of a remediation lies.
type Place struct {
	ProvenanceID string
	Iteration    int
	ArtifactDir  string
	ResultPath   string
}

// Record is task-remediation.json.
func (r *Remediation) Record(at Place, now time.Time) *stable.Object {
	history := make([]any, len(r.Attempts))
	for i, it := range r.Attempts {
		history[i] = stable.NewObject("iteration", it.Number, "completionClassification", it.Classification, "executionStatus", it.ExecutionStatus,
			"verificationStatus", it.VerificationStatus, "stopReason", stable.NullIfEmpty(it.StopReason), "summary", it.Summary,
			"validationFailureSignature", stable.NullIfEmpty(it.Verification.ValidationFailureSignature), "noProgressSignals", it.NoProgressSignals)
	}
	return stable.NewObject("schemaVersion", 1, "kind", "taskRemediation", "provenanceId", stable.NullIfEmpty(at.ProvenanceID), "iteration", at.Iteration,
		"selectedTaskId", stable.NullIfEmpty(r.Task.ID), "selectedTaskTitle", stable.NullIfEmpty(r.Task.Title), "trigger", string(r.Trigger), "attemptCount", len(r.Attempts),
		"action", string(r.Action), "humanReviewRecommended", r.HumanReview(), "summary", r.Summary, "rationale", r.Rationale, "proposedAction", r.Summary,
		"evidence", r.Evidence, "triggeringHistory", history, "suggestedChildTasks", children(r.Children),
		"artifactDir", at.ArtifactDir, "iterationResultPath", at.ResultPath, "createdAt", stable.Time(now))
}

// Brief is the remediation in iteration-result.json.
func (r *Remediation) Brief() *stable.Object {
	return stable.NewObject("trigger", string(r.Trigger), "taskId", stable.NullIfEmpty(r.Task.ID), "attemptCount", len(r.Attempts), "action", string(r.Action),
		"humanReviewRecommended", r.HumanReview(), "summary", r.Summary, "evidence", r.Evidence)
}

// Proposal is what task-remediation.json proposes, read back.
type Proposal struct {
	Iteration int // that it was made behind; 0 = it does not say
	TaskID    string
	Action    task.Remediation
	Summary   string
	Children  []task.SuggestedChild
}

// ReadProposal reads a task-remediation.json.
func ReadProposal(data []byte) (*Proposal, error) {
	o, err := stable.ParseObject(data)
	if err != nil {
		return nil, err
	}
	if kind := o.Text("kind"); kind != "taskRemediation" {
		return nil, fmt.Errorf("its kind is %q; expected \"taskRemediation\"", kind)
	}
	n, _ := o.Get("iteration")
	number, _ := n.(float64)
	p := &Proposal{Iteration: int(number), TaskID: o.Text("selectedTaskId"), Action: task.Remediation(o.Text("action")), Summary: o.Text("summary")}
	v, _ := o.Get("suggestedChildTasks")
	if p.Children, err = readChildren(v); err != nil {
		return nil, err
	}
	return p, nil
}
