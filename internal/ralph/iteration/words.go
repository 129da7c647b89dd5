package iteration

// Classification is what an iteration was.
type Classification string

// The classifications.
const (
	Complete         Classification = "complete"
	PartialProgress  Classification = "partial_progress"
	NoProgress       Classification = "no_progress"
	Blocked          Classification = "blocked"
	Failed           Classification = "failed"
	NeedsHumanReview Classification = "needs_human_review"
)

// Execution is how the session ended.
type Execution string

// The executions.
const (
	Succeeded Execution = "succeeded"
	Crashed   Execution = "failed"
	Skipped   Execution = "skipped"
)

// FollowUp is what is to be done next.
type FollowUp string

// The follow-ups.
const (
	SameTask  FollowUp = "continue_same_task"
	NextTask  FollowUp = "continue_next_task"
	RetryTask FollowUp = "retry_same_task"
	AskPerson FollowUp = "request_human_review"
	StopLoop  FollowUp = "stop"
)

// StopReason says why the loop ended; "" = it goes on.
type StopReason string

// The stop reasons.
const (
	NoActionableTask         StopReason = "no_actionable_task"
	ExecutionFailed          StopReason = "execution_failed"
	NonRetryable             StopReason = "non_retryable_provider_error"
	TaskMarkedComplete       StopReason = "task_marked_complete"
	HumanReviewNeeded        StopReason = "human_review_needed"
	RepeatedNoProgress       StopReason = "repeated_no_progress"
	RepeatedIdenticalFailure StopReason = "repeated_identical_failure"
	CapReached               StopReason = "iteration_cap_reached"
	ClaimContested           StopReason = "claim_contested"
	PolicyViolation          StopReason = "policy_violation"
	Cancelled                StopReason = "cancelled"
	GateDecomposed           StopReason = "planning_gate_decomposed"
	GateBlocked              StopReason = "planning_gate_blocked"
	GateHumanReview          StopReason = "planning_gate_human_review"
	verifiedNothingLeft      StopReason = "verification_passed_no_remaining_subtasks" // of other programs; known to the handoff
)

// The signals of an iteration that got nowhere.
const (
	SameTaskAgain        = "same_task_selected_repeatedly"
	SameSignature        = "same_validation_failure_signature"
	NoRelevantChanges    = "no_relevant_file_changes"
	StateUnchanged       = "task_and_progress_state_unchanged"
	SameFailureClass     = "same_failure_classification"
	sameTaskBlockedAgain = "same_task_blocked_repeatedly"
)
