package state

import (
	"fmt"

	"ralphex/internal/ralph/stable"
)

var (
	executionStatuses = []string{"succeeded", "failed", "skipped"}
	verifierStatuses  = []string{"passed", "failed", "skipped"}
	classifications   = []string{"complete", "partial_progress", "no_progress", "blocked", "failed", "needs_human_review"}
	followUps         = []string{"continue_same_task", "continue_next_task", "retry_same_task", "request_human_review", "stop"}
)

// Iteration is the result of one iteration, in state.json and in its own iteration-result.json. Strings are empty where the file has null or nothing.
type Iteration struct {
	AgentID, ProvenanceID string
	Number                int    // ≥ 1
	TaskID, TaskTitle     string // of the selected task; empty = none
	PromptKind            string
	PromptPath            string
	ArtifactDir           string
	AdapterUsed           string         // "cliExec"
	ExecutionIntegrity    *stable.Object // may be nil
	ExecutionStatus       string         // succeeded, failed, skipped
	VerificationStatus    string         // passed, failed, skipped
	Classification        string         // complete, partial_progress, no_progress, blocked, failed, needs_human_review
	FollowUp              string         // followUpAction
	StartedAt, FinishedAt string
	Phases                Phases // phaseTimestamps
	Summary               string
	Warnings, Errors      []string
	Execution             Execution
	Verification          Verification
	Backlog               Backlog
	DiffSummary           *stable.Object // may be nil
	NoProgressSignals     []string
	Remediation           *stable.Object // may be nil

	CompletionReportStatus string   // left out where empty
	ReconciliationWarnings []string // left out where nil
	StopReason             string
	SelectedModel          string // left out where empty
	EffectiveTier          string // left out where empty
}

// SummaryText is what became of the iteration, in one line: its Summary.
func (it Iteration) SummaryText() string {
	selection := "No task selected"
	if it.TaskID != "" {
		selection = "Selected " + it.TaskID + ": " + it.TaskTitle
	}
	return fmt.Sprintf("%s | Execution: %s | Verification: %s | Outcome: %s | Backlog remaining: %d",
		selection, it.ExecutionStatus, it.VerificationStatus, it.Classification, it.Backlog.RemainingTaskCount)
}

// Execution is how the provider's process went.
type Execution struct {
	ExitCode                                                         *int // nil = unknown
	Message, TranscriptPath, LastMessagePath, StdoutPath, StderrPath string
}

// Verification is what the verifiers found.
type Verification struct {
	TaskValidationHint              string
	EffectiveValidationCommand      string
	NormalizedValidationCommandFrom string
	PrimaryCommand                  string
	ValidationFailureSignature      string
	Verifiers                       []*stable.Object
}

// Backlog is what was left of the task graph.
type Backlog struct {
	RemainingTaskCount      int
	ActionableTaskAvailable bool
}

// Phases are the times of the fixed phases by their names; those that may be missing are executionStartedAt, executionFinishedAt and persistedAt.
type Phases map[string]string

// phases are the names in the order of the file. early and late ones fall back to the iteration's start and finish.
var phases = []struct {
	key         string
	early, late bool
}{
	{"inspectStartedAt", true, false}, {"inspectFinishedAt", true, false}, {"taskSelectedAt", true, false}, {"promptGeneratedAt", true, false},
	{"executionStartedAt", false, false}, {"executionFinishedAt", false, false},
	{"resultCollectedAt", false, true}, {"verificationFinishedAt", false, true}, {"classifiedAt", false, true}, {"persistedAt", false, false},
}

// ReadIteration reads an iteration result. It returns false for what is none.
func ReadIteration(v any) (Iteration, bool) {
	o, ok := v.(*stable.Object)
	if !ok {
		return Iteration{}, false
	}
	f := in{o: o}
	it := Iteration{
		AgentID: f.agent(), ProvenanceID: f.str("provenanceId"), Number: f.iteration(),
		TaskID: f.str("selectedTaskId"), TaskTitle: f.str("selectedTaskTitle"),
		PromptKind: f.one("promptKind", PromptKinds), PromptPath: f.need("promptPath"), ArtifactDir: f.need("artifactDir"),
		AdapterUsed: f.need("adapterUsed"), ExecutionIntegrity: f.keep("executionIntegrity"),
		ExecutionStatus:    f.one("executionStatus", executionStatuses),
		VerificationStatus: f.one("verificationStatus", verifierStatuses),
		Classification:     f.one("completionClassification", classifications),
		FollowUp:           f.one("followUpAction", followUps),
		StartedAt:          f.need("startedAt"), FinishedAt: f.need("finishedAt"), Summary: f.need("summary"),
		Warnings: f.strings("warnings"), Errors: f.strings("errors"),
		Execution: readExecution(f.get("execution")), Verification: readVerification(f.get("verification")), Backlog: readBacklog(f.get("backlog")),
		DiffSummary: f.keep("diffSummary"), NoProgressSignals: f.strings("noProgressSignals"), Remediation: f.keep("remediation"),
		CompletionReportStatus: f.str("completionReportStatus"), ReconciliationWarnings: f.strings("reconciliationWarnings"),
		StopReason: f.str("stopReason"), SelectedModel: f.str("selectedModel"), EffectiveTier: f.str("effectiveTier"),
	}
	it.Phases = readPhases(f.get("phaseTimestamps"))
	return it, !f.bad
}

func readPhases(v any) Phases {
	f := in{o: object(v)}
	p := Phases{}
	for _, ph := range phases {
		if at := f.str(ph.key); at != "" {
			p[ph.key] = at
		}
	}
	return p
}

func readExecution(v any) Execution {
	f := in{o: object(v)}
	return Execution{
		ExitCode: f.exit("exitCode", false), Message: f.str("message"),
		TranscriptPath: f.str("transcriptPath"), LastMessagePath: f.str("lastMessagePath"),
		StdoutPath: f.str("stdoutPath"), StderrPath: f.str("stderrPath"),
	}
}

func readVerification(v any) Verification {
	f := in{o: object(v)}
	r := Verification{
		TaskValidationHint: f.str("taskValidationHint"), EffectiveValidationCommand: f.str("effectiveValidationCommand"),
		NormalizedValidationCommandFrom: f.str("normalizedValidationCommandFrom"),
		PrimaryCommand:                  f.str("primaryCommand"), ValidationFailureSignature: f.str("validationFailureSignature"),
	}
	for _, old := range []string{"validationCommand", "primaryCommand"} { // names of older files
		if r.EffectiveValidationCommand == "" {
			r.EffectiveValidationCommand = f.str(old)
		}
	}
	if a, ok := f.get("verifiers").(*stable.Array); ok {
		for _, v := range a.Items {
			if o, ok := v.(*stable.Object); ok {
				r.Verifiers = append(r.Verifiers, o)
			}
		}
	}
	return r
}

func readBacklog(v any) Backlog {
	f := in{o: object(v)}
	actionable, _ := f.get("actionableTaskAvailable").(bool)
	return Backlog{f.count("remainingTaskCount", 0), actionable}
}

// Stable returns the result as it is written.
func (it Iteration) Stable() any {
	w := &out{}
	w.Set("schemaVersion", 1)
	w.Set("agentId", it.AgentID)
	w.opt("provenanceId", it.ProvenanceID)
	w.Set("iteration", it.Number)
	w.null("selectedTaskId", it.TaskID)
	w.null("selectedTaskTitle", it.TaskTitle)
	w.Set("promptKind", it.PromptKind)
	w.Set("promptPath", it.PromptPath)
	w.Set("artifactDir", it.ArtifactDir)
	w.Set("adapterUsed", it.AdapterUsed)
	w.obj("executionIntegrity", it.ExecutionIntegrity)
	w.Set("executionStatus", it.ExecutionStatus)
	w.Set("verificationStatus", it.VerificationStatus)
	w.Set("completionClassification", it.Classification)
	w.Set("followUpAction", it.FollowUp)
	w.Set("startedAt", it.StartedAt)
	w.Set("finishedAt", it.FinishedAt)
	w.Set("phaseTimestamps", it.phases())
	w.Set("summary", it.Summary)
	w.Set("warnings", it.Warnings)
	w.Set("errors", it.Errors)
	w.Set("execution", it.Execution)
	w.Set("verification", it.Verification)
	w.Set("backlog", it.Backlog)
	w.obj("diffSummary", it.DiffSummary)
	w.Set("noProgressSignals", it.NoProgressSignals)
	w.obj("remediation", it.Remediation)
	w.opt("completionReportStatus", it.CompletionReportStatus)
	if it.ReconciliationWarnings != nil {
		w.Set("reconciliationWarnings", it.ReconciliationWarnings)
	}
	w.null("stopReason", it.StopReason)
	w.opt("selectedModel", it.SelectedModel)
	w.opt("effectiveTier", it.EffectiveTier)
	return &w.Object
}

func (it Iteration) phases() *stable.Object {
	w := &out{}
	for _, ph := range phases {
		at := it.Phases[ph.key]
		switch {
		case at != "":
		case ph.early:
			at = it.StartedAt
		case ph.late:
			at = it.FinishedAt
		}
		w.opt(ph.key, at)
	}
	return &w.Object
}

// Stable returns the record as it is written.
func (e Execution) Stable() any {
	w := &out{}
	w.exit("exitCode", e.ExitCode)
	w.opt("message", e.Message)
	w.opt("transcriptPath", e.TranscriptPath)
	w.opt("lastMessagePath", e.LastMessagePath)
	w.opt("stdoutPath", e.StdoutPath)
	w.opt("stderrPath", e.StderrPath)
	return &w.Object
}

// Stable returns the record as it is written.
func (v Verification) Stable() any {
	w := &out{}
	w.null("taskValidationHint", v.TaskValidationHint)
	w.null("effectiveValidationCommand", v.EffectiveValidationCommand)
	w.null("normalizedValidationCommandFrom", v.NormalizedValidationCommandFrom)
	w.null("primaryCommand", v.PrimaryCommand)
	w.null("validationFailureSignature", v.ValidationFailureSignature)
	list := make([]any, len(v.Verifiers))
	for i, o := range v.Verifiers {
		list[i] = o
	}
	w.Set("verifiers", list)
	return &w.Object
}

// Stable returns the record as it is written.
func (b Backlog) Stable() any {
	w := &out{}
	w.Set("remainingTaskCount", b.RemainingTaskCount)
	w.Set("actionableTaskAvailable", b.ActionableTaskAvailable)
	return &w.Object
}
