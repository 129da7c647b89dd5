package status

import (
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/task"
)

// Report is the state of a workspace. Paths are relative to the workspace, with slashes; empty strings are unknown or none.
type Report struct {
	Version   int    `json:"version"` // 1
	Workspace string `json:"workspace"`

	Loop       Loop        `json:"loop"`
	Role       Role        `json:"role"`
	Preflight  Preflight   `json:"preflight"`
	Repo       Repo        `json:"repo"`
	Provenance Provenance  `json:"provenance"`
	Handoffs   []Handoff   `json:"handoffs"`
	Latest     *Iteration  `json:"latest_iteration"` // null = no iteration is recorded
	Remedy     *Remedy     `json:"remediation"`      // null = none is asked for
	History    []string    `json:"history"`          // newest first: the last three iterations, then the last three runs
	Verifiers  []Verifier  `json:"verifiers"`
	Artifacts  Artifacts   `json:"artifacts"`
	DeadLetter []string    `json:"dead_letter"` // task ids
	Problems   []string    `json:"problems"`    // what could not be read
	Claims     []ClaimLine `json:"claims"`
}

// Loop is where the loop stands.
type Loop struct {
	NextIteration   int         `json:"next_iteration"`
	Task            string      `json:"task"` // the next one
	Title           string      `json:"title"`
	Tier            string      `json:"tier"`
	PromptKind      string      `json:"prompt_kind"` // of the last prompt, as are the four below
	PromptTarget    string      `json:"prompt_target"`
	PromptPath      string      `json:"prompt_path"`
	PromptHash      string      `json:"prompt_hash"`
	PromptBytes     int         `json:"prompt_bytes"`
	PromptBudget    string      `json:"prompt_budget"`
	ValidationHint  string      `json:"validation_hint"`
	Validation      string      `json:"validation"`
	NormalizedFrom  string      `json:"validation_normalized_from"`
	Provenance      string      `json:"provenance"`   // of the last iteration
	ClaimHolder     string      `json:"claim_holder"` // of the task
	LatestRecovery  string      `json:"latest_claim_recovery"`
	Counts          task.Counts `json:"counts"`
	Remaining       int         `json:"backlog_remaining"`
	TaskFileProblem string      `json:"task_file_problem"`
	Drift           []string    `json:"drift"` // the first errors of the graph, two at most
	ClaimState      string      `json:"claim_state"`
}

// Role is what the agent here may do.
type Role struct {
	Agent  string `json:"agent"`
	Role   string `json:"role"`
	Policy string `json:"policy"`
}

// Preflight is what a run would be told.
type Preflight struct {
	Ready       bool                   `json:"ready"`
	Summary     string                 `json:"summary"`
	Sections    string                 `json:"sections"`
	Diagnostics []preflight.Diagnostic `json:"diagnostics"`
}

// Repo is the repository around the workspace, as the caller saw it.
type Repo struct {
	Present    bool     `json:"present"`
	Branch     string   `json:"branch"`
	Checkpoint string   `json:"checkpoint_mode"`
	Changes    int      `json:"changes"`
	Untracked  int      `json:"untracked"`
	First      []string `json:"first_changes"` // ten at most
}

// Provenance is the last bundle.
type Provenance struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Trust   string `json:"trust"`
	Dir     string `json:"dir"`
	Summary string `json:"summary"`
	Failure string `json:"failure"` // of the launch that was blocked last
}

// Handoff is a contract between roles that is still open.
type Handoff struct {
	ID        string `json:"id"`
	Task      string `json:"task"`
	To        string `json:"to"`
	Status    string `json:"status"`
	Objective string `json:"objective"`
}

// Iteration is the last recorded one. Its outcome is the selected task's and says nothing of the backlog.
type Iteration struct {
	Number           int      `json:"iteration"`
	Task             string   `json:"task"`
	Title            string   `json:"title"`
	PromptKind       string   `json:"prompt_kind"`
	Outcome          string   `json:"outcome"`
	Remaining        int      `json:"backlog_remaining"` // then
	Actionable       bool     `json:"next_actionable"`   // then
	Execution        string   `json:"execution"`
	Verification     string   `json:"verification"`
	CompletionReport string   `json:"completion_report"`
	Warnings         []string `json:"reconciliation_warnings"`
	StopReason       string   `json:"stop_reason"`
	PayloadMatched   *bool    `json:"payload_matched"` // null = not recorded
	Finished         string   `json:"finished"`
}

// Remedy is what a stop that repeats asks for.
type Remedy struct {
	From     string   `json:"from"` // latest-remediation.json or state.json
	Task     string   `json:"task"`
	Summary  string   `json:"summary"`
	Action   string   `json:"action"`
	Attempts int      `json:"attempts"`
	Human    bool     `json:"human_review"`
	Children []string `json:"proposed_children"`
}

// Verifier is a verifier, and what it said last.
type Verifier struct {
	Name string `json:"name"`
	Last string `json:"last"`
}

// Artifacts is where the newest evidence is.
type Artifacts struct {
	Latest  map[string]string `json:"latest"` // "latest-summary.md" → path
	Stale   []string          `json:"stale"`  // latest JSON files without their Markdown
	Gone    []string          `json:"gone"`   // what pointers name, and is not there
	Counts  map[string]int    `json:"counts"`
	Keep    int               `json:"keep"`         // generated artifacts that a cleanup keeps; 0 = no cleanup
	Bundles int               `json:"keep_bundles"` // likewise
	names   []string          // of Latest, in order
}

// ClaimLine is an active claim.
type ClaimLine struct {
	Task   string   `json:"task"`
	Holder string   `json:"holder"` // agent/provenance
	Since  string   `json:"since"`
	Tags   []string `json:"tags"` // stale, contested, different provenance
}
