package task

import "fmt"

// Remediation is what to do about a task at which the loop stopped again and again.
type Remediation string

// The remediations.
const (
	DecomposeTask      Remediation = "decompose_task"
	ReframeTask        Remediation = "reframe_task"
	MarkBlocked        Remediation = "mark_blocked"
	RequestHumanReview Remediation = "request_human_review"
	NoAction           Remediation = "no_action"
)

// RemediationChildren are the children that a remediation proposes (remediationSuggestedChildTasks): the decomposition's, or one that
// explains the failure, or one that finds what unblocks the task; none for the other actions. effective is the validation command of
// the iteration, "" if there is none.
func RemediationChildren(action Remediation, t *Task, effective string) []SuggestedChild {
	one := func(title, why, accept string, validation *string) []SuggestedChild {
		return []SuggestedChild{{ID: t.ID + ".1", Title: title + t.Title, ParentID: t.ID, DependsOn: inherited(t), Validation: validation, Rationale: why,
			Acceptance: []string{accept}, Tier: t.Tier}}
	}
	switch action {
	case DecomposeTask:
		return BuildDecompositionProposal(t, effective)
	case ReframeTask:
		return one("Reproduce and explain the failure of: ", fmt.Sprintf("The validation of %s fails the same way each time: it must be understood before it is tried again.", t.ID),
			"The failure is reproduced by one command, and its cause is written down.", orNil(effective, t.Validation))
	case MarkBlocked:
		return one("Find what unblocks: ", fmt.Sprintf("%s is blocked, attempt after attempt: what it waits for must be known before it goes on.", t.ID),
			"What has to happen, and who can do it, is written down.", nil)
	}
	return nil
}
