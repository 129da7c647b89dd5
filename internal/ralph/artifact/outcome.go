package artifact

import (
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// Integrity is what is known of the chain from the prepared prompt to the bytes that the agent got.
type Integrity struct {
	PlanHash    string
	PromptHash  string
	PromptBytes int
	PayloadHash string // empty = nothing was handed over
	Matched     *bool  // whether that was the prompt; nil = nothing was handed over
	Mismatch    string // why not
	Effort      string
	Invoked     bool // cli-invocation.json is there
}

func (in Integrity) invocation(it Iteration) any {
	if in.Invoked {
		return it.Paths.CLIInvocation
	}
	return nil
}

// IntegrityRecord is executionIntegrity of an iteration's result.
func (it Iteration) IntegrityRecord(in Integrity) *stable.Object {
	r := &stable.Record{}
	r.Opt("provenanceId", it.ProvenanceID).Put("promptTarget", it.Target).Put("rootPolicy", it.Policy).Put("templatePath", it.Template).Null("reasoningEffort", in.Effort)
	it.Validation.put(r)
	r.Put("executionPlanPath", it.Paths.ExecutionPlan).Opt("executionPlanHash", in.PlanHash).Put("promptArtifactPath", it.Paths.Prompt)
	r.Put("promptHash", in.PromptHash).Put("promptByteLength", in.PromptBytes).Null("executionPayloadHash", in.PayloadHash)
	r.Put("executionPayloadMatched", stable.NullIfUnknown(in.Matched)).Null("mismatchReason", in.Mismatch)
	return &r.Put("cliInvocationPath", in.invocation(it)).Object
}

// ExecutionSummary is execution-summary.json. lastMessage is a short form of the agent's last words, not the text.
func (it Iteration) ExecutionSummary(in Integrity, res state.Iteration, lastMessage string) *stable.Object {
	r := &stable.Record{}
	r.Put("iteration", it.Paths.Number).Null("selectedTaskId", it.TaskID).Put("promptKind", it.Kind).Put("promptTarget", it.Target)
	r.Put("rootPolicy", it.Policy).Put("templatePath", it.Template)
	it.Validation.put(r)
	r.Put("executionPlanPath", it.Paths.ExecutionPlan).Put("executionPlanHash", in.PlanHash).Put("promptArtifactPath", it.Paths.Prompt)
	r.Put("promptHash", in.PromptHash).Null("executionPayloadHash", in.PayloadHash).Put("executionPayloadMatched", stable.NullIfUnknown(in.Matched))
	r.Put("cliInvocationPath", in.invocation(it)).Put("executionStatus", res.ExecutionStatus).Put("exitCode", stable.NullIfUnknown(res.Execution.ExitCode))
	r.Null("message", res.Execution.Message).Opt("transcriptPath", res.Execution.TranscriptPath).Opt("lastMessagePath", res.Execution.LastMessagePath)
	return &r.Put("lastMessage", lastMessage).Put("completionReportStatus", res.CompletionReportStatus).Object
}

// Projection is latest-result.json of an iteration: its result and where everything lies, flat.
func (it Iteration) Projection(in Integrity, res state.Iteration) *stable.Object {
	p := it.Paths
	diff, remedy, remedyPath := any(nil), any(nil), any(nil)
	if res.DiffSummary != nil {
		diff = p.DiffSummary
	}
	if res.Remediation != nil {
		remedy, remedyPath = res.Remediation, p.Remediation
	}
	r := &stable.Record{}
	r.Null("agentId", it.AgentID).Null("provenanceId", it.ProvenanceID).Put("iteration", p.Number).Null("selectedTaskId", it.TaskID)
	r.Null("selectedTaskTitle", it.TaskTitle).Put("promptKind", it.Kind).Null("promptTarget", it.Target).Put("rootPolicy", it.Policy).Null("templatePath", it.Template)
	it.Validation.put(r)
	r.Put("executionStatus", res.ExecutionStatus).Null("executionMessage", res.Execution.Message).Put("verificationStatus", res.VerificationStatus)
	r.Put("completionClassification", res.Classification).Put("backlog", res.Backlog).Put("followUpAction", res.FollowUp).Null("stopReason", res.StopReason)
	r.Put("remediation", remedy).Put("summary", res.Summary).Put("artifactDir", p.Dir).Put("summaryPath", p.Summary).Put("promptPath", p.Prompt)
	r.Put("promptEvidencePath", p.PromptEvidence).Put("executionPlanPath", p.ExecutionPlan).Put("cliInvocationPath", in.invocation(it))
	r.Put("promptArtifactPath", p.Prompt).Null("promptHash", in.PromptHash).Null("executionPlanHash", in.PlanHash)
	r.Put("executionPayloadMatched", stable.NullIfUnknown(in.Matched)).Null("transcriptPath", res.Execution.TranscriptPath)
	r.Null("lastMessagePath", res.Execution.LastMessagePath).Put("executionSummaryPath", p.ExecutionSummary).Put("verifierSummaryPath", p.VerifierSummary)
	r.Put("iterationResultPath", p.Result).Put("remediationPath", remedyPath).Put("diffSummaryPath", diff)
	r.Put("stdoutPath", p.Stdout).Put("stderrPath", p.Stderr).Null("completionReportStatus", res.CompletionReportStatus)
	return &r.Put("reconciliationWarnings", res.ReconciliationWarnings).Put("warnings", res.Warnings).Put("errors", res.Errors).Object
}
