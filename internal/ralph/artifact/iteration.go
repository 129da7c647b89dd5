package artifact

import (
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// The targets of a prompt, and how far what is kept about it can be trusted.
const (
	CLIExec    = "cliExec"
	IDEHandoff = "ideHandoff"

	VerifiedCLI  = "verifiedCliExecution" // prompt, plan and payload are proven up to the agent's process
	PreparedOnly = "preparedPromptOnly"   // only the prompt that was prepared is proven
)

// Iteration is what all artifacts of one iteration share.
type Iteration struct {
	AgentID      string
	Role         string // of the agent; empty = implementer
	Provider     string // who is asked: claude, codex, …; empty = nobody yet
	ProvenanceID string // "run-i007-cli-20260317T120000Z"
	Paths        layout.Iteration

	PromptFile  string // copy of the prompt in .ralph/prompts
	Transcript  string // in .ralph/runs; empty = none
	LastMessage string // likewise

	Kind     string // one of state.PromptKinds
	Target   string // CLIExec or IDEHandoff
	Reason   string // why this kind and this task: a sentence
	Template string // where the prompt's template lies

	TaskID, TaskTitle string // of the selected task; empty = none
	Validation        Commands
	Policy            Policy
}

// Trust is the level that the target allows.
func (it Iteration) Trust() string {
	if it.Target == IDEHandoff {
		return PreparedOnly
	}
	return VerifiedCLI
}

// Commands are the validation of the task: what it says itself, what is run, and what that was before it was normalized. Empty = none.
type Commands struct{ Hint, Effective, NormalizedFrom string }

func (c Commands) put(r *stable.Record) {
	r.Null("taskValidationHint", c.Hint).Null("effectiveValidationCommand", c.Effective).Null("normalizedValidationCommandFrom", c.NormalizedFrom)
}

// Policy says which folder is what: rootPolicy in the files. The store lies in the workspace; the agent works, and is judged, in the inspection root.
type Policy struct {
	Workspace  string
	Inspection string
	Strategy   string // workspaceRoot, focusedChild, scoredChild, manualOverride
	Selection  string // why that folder, for a person
	Summary    string // what follows from it, for a person
}

// Stable returns the record as it is written.
func (p Policy) Stable() any {
	r := &stable.Record{}
	r.Put("workspaceRootPath", p.Workspace).Put("inspectionRootPath", p.Inspection)
	r.Put("executionRootPath", p.Inspection).Put("verificationRootPath", p.Inspection)
	r.Put("selectionStrategy", p.Strategy).Put("selectionSummary", p.Selection).Put("policySummary", p.Summary)
	return &r.Object
}
