package events

// Body is one fact: one of the types of this file. Fields that are left out where they are empty are marked opt, others are always written;
// a *int and a *bool tell "none" from 0 and false.
type Body interface {
	// Type is the fact's name in the file, e.g. "run_started".
	Type() string
}

type (
	// RunStarted opens a run.
	RunStarted struct {
		Mode             string `js:"mode,opt"`
		BacklogRemaining *int   `js:"backlogRemaining,opt"`
	}
	// RunCompleted ends it. StopReason is null where the run was cut off.
	RunCompleted struct {
		StopReason       string `js:"stopReason,null"`
		Iterations       *int   `js:"iterations,opt"`
		BacklogRemaining *int   `js:"backlogRemaining,opt"`
	}
	// TaskSelected names the task of an iteration.
	TaskSelected struct {
		TaskID    string `js:"taskId"`
		Title     string `js:"title,opt"`
		Iteration *int   `js:"iteration,opt"`
	}
	// TaskStateChanged is a status that was written.
	TaskStateChanged struct {
		TaskID string `js:"taskId"`
		From   string `js:"from,opt"`
		To     string `js:"to"`
		Reason string `js:"reason,opt"`
	}
	// ProviderInvoked is a session that begins.
	ProviderInvoked struct {
		TaskID    string `js:"taskId,opt"`
		Provider  string `js:"provider"`
		Iteration *int   `js:"iteration,opt"`
	}
	// ProviderCompleted is its end.
	ProviderCompleted struct {
		TaskID    string `js:"taskId,opt"`
		Provider  string `js:"provider"`
		Iteration *int   `js:"iteration,opt"`
		Status    string `js:"status"` // succeeded, failed
	}
	// CompletionReportParsed is what the session said of its own work: a claim.
	CompletionReportParsed struct {
		TaskID           string `js:"taskId,opt"`
		RequestedStatus  string `js:"requestedStatus,opt"`
		Parsed           bool   `js:"parsed"`
		NeedsHumanReview *bool  `js:"needsHumanReview,opt"`
	}
	// VerifierResult is a verdict on it.
	VerifierResult struct {
		TaskID    string `js:"taskId,opt"`
		Verifier  string `js:"verifier"`
		Status    string `js:"status"` // passed, failed, skipped
		Iteration *int   `js:"iteration,opt"`
	}
	// RemediationApplied is what was done, or only proposed, after repeated stops.
	RemediationApplied struct {
		TaskID  string `js:"taskId,opt"`
		Action  string `js:"action"`
		Applied bool   `js:"applied"`
	}
	// ReviewResult is the outcome of a review.
	ReviewResult struct {
		TaskID    string   `js:"taskId,opt"`
		Status    string   `js:"status"` // passed, flagged, skipped
		Anomalies []string `js:"anomalies,opt"`
	}
	// SCMAction is what was done in the repository.
	SCMAction struct {
		TaskID string `js:"taskId,opt"`
		Action string `js:"action"`
		Status string `js:"status"` // succeeded, failed, skipped
	}
	// RecoveryApplied is how a run dealt with what another one left.
	RecoveryApplied struct {
		TaskID   string `js:"taskId,opt"`
		Action   string `js:"action"`
		Severity string `js:"severity,opt"`
	}
	// ArtifactWritten is a file for people and later runs.
	ArtifactWritten struct {
		ArtifactType string `js:"artifactType"`
		RelativePath string `js:"relativePath"` // from the workspace root, with slashes
		Iteration    *int   `js:"iteration,opt"`
	}
	// WorkflowPhaseCompleted is the end of a phase.
	WorkflowPhaseCompleted struct {
		Phase  string `js:"phase"`
		Status string `js:"status,opt"`
	}
)

// The types of artifacts of an iteration, as the registry has them.
const (
	PromptFile      = "prompt"
	ExecutionPlan   = "execution-plan"
	IterationResult = "iteration-result"
)

func (RunStarted) Type() string             { return "run_started" }
func (RunCompleted) Type() string           { return "run_completed" }
func (TaskSelected) Type() string           { return "task_selected" }
func (TaskStateChanged) Type() string       { return "task_state_changed" }
func (ProviderInvoked) Type() string        { return "provider_invoked" }
func (ProviderCompleted) Type() string      { return "provider_completed" }
func (CompletionReportParsed) Type() string { return "completion_report_parsed" }
func (VerifierResult) Type() string         { return "verifier_result" }
func (RemediationApplied) Type() string     { return "remediation_applied" }
func (ReviewResult) Type() string           { return "review_result" }
func (SCMAction) Type() string              { return "scm_action" }
func (RecoveryApplied) Type() string        { return "recovery_applied" }
func (ArtifactWritten) Type() string        { return "artifact_written" }
func (WorkflowPhaseCompleted) Type() string { return "workflow_phase_completed" }

// bodies has one of each type.
var bodies = []Body{
	RunStarted{}, RunCompleted{}, TaskSelected{}, TaskStateChanged{}, ProviderInvoked{}, ProviderCompleted{}, CompletionReportParsed{},
	VerifierResult{}, RemediationApplied{}, ReviewResult{}, SCMAction{}, RecoveryApplied{}, ArtifactWritten{}, WorkflowPhaseCompleted{},
}
