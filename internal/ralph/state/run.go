package state

import "ralphex/internal/ralph/stable"

// PromptKinds are the kinds of prompts.
var PromptKinds = []string{"bootstrap", "iteration", "replenish-backlog", "fix-failure", "continue-progress", "human-review-handoff"}

var (
	runModes    = []string{"handoff", "singleExec", "loop"}
	runStatuses = []string{"succeeded", "failed"}
)

// DefaultAgent is the agent id of records that name none.
const DefaultAgent = "default"

// Run is the record of one execution. Times are as they stand in the file; paths are absolute.
type Run struct {
	AgentID         string
	ProvenanceID    string // may be empty
	Iteration       int    // ≥ 1
	Mode            string // handoff, singleExec, loop
	PromptKind      string
	StartedAt       string
	FinishedAt      string
	Status          string // succeeded, failed
	ExitCode        *int   // nil = unknown
	PromptPath      string
	TranscriptPath  string // may be empty
	LastMessagePath string // may be empty
	Summary         string
}

// RunOf is the run that an iteration was, in a mode.
func RunOf(it Iteration, mode string) Run {
	return Run{AgentID: it.AgentID, ProvenanceID: it.ProvenanceID, Iteration: it.Number, Mode: mode, PromptKind: it.PromptKind, StartedAt: it.StartedAt, FinishedAt: it.FinishedAt,
		Status: it.ExecutionStatus, ExitCode: it.Execution.ExitCode, PromptPath: it.PromptPath, TranscriptPath: it.Execution.TranscriptPath,
		LastMessagePath: it.Execution.LastMessagePath, Summary: it.Summary}
}

// readRun returns false for what is no run.
func readRun(v any) (Run, bool) {
	o, ok := v.(*stable.Object)
	if !ok {
		return Run{}, false
	}
	f := in{o: o}
	r := Run{
		AgentID: f.agent(), ProvenanceID: f.str("provenanceId"), Iteration: f.iteration(),
		Mode: f.one("mode", runModes), PromptKind: f.one("promptKind", PromptKinds),
		StartedAt: f.need("startedAt"), FinishedAt: f.need("finishedAt"),
		Status: f.one("status", runStatuses), ExitCode: f.exit("exitCode", true),
		PromptPath: f.need("promptPath"), TranscriptPath: f.str("transcriptPath"), LastMessagePath: f.str("lastMessagePath"),
		Summary: f.need("summary"),
	}
	return r, !f.bad
}

func (r *in) agent() string {
	if s := r.str("agentId"); s != "" {
		return s
	}
	return DefaultAgent
}

func (r *in) iteration() int {
	_, ok := r.get("iteration").(float64)
	r.bad = r.bad || !ok
	return r.count("iteration", 1)
}

// Stable returns the record as it is written.
func (r Run) Stable() any {
	w := &out{}
	w.Set("agentId", r.AgentID)
	w.opt("provenanceId", r.ProvenanceID)
	w.Set("iteration", r.Iteration)
	w.Set("mode", r.Mode)
	w.Set("promptKind", r.PromptKind)
	w.Set("startedAt", r.StartedAt)
	w.Set("finishedAt", r.FinishedAt)
	w.Set("status", r.Status)
	w.exit("exitCode", r.ExitCode)
	w.Set("promptPath", r.PromptPath)
	w.opt("transcriptPath", r.TranscriptPath)
	w.opt("lastMessagePath", r.LastMessagePath)
	w.Set("summary", r.Summary)
	return &w.Object
}
