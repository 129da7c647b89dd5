package preflight

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/task"
)

// Request is who asks, and for what. What is empty is unknown or does not apply.
type Request struct {
	AgentID      string // empty = the configured one
	ProvenanceID string // of the iteration that is prepared
	Iteration    int    // from allocateIteration; 0 = none was allocated, it is only a look
	PromptKind   string
	PromptTarget Target

	// Selected is the task that the loop has chosen and claimed. Without it the head of the graph's ready list is taken, unless Chosen says
	// that the loop has chosen none.
	Selected *task.Task
	Chosen   bool

	Created           []string // what Ensure made
	StructureMade     bool     // structure.json was just made
	Handoff           string   // what the note of the session before says, in a line
	Untrusted         bool     // the host does not trust the workspace
	Untracked         int      // untracked files outside .ralph
	LockTimeouts      []lock.Result
	ProtectedDoctrine []string // findings of doctrine.Changed
}

// Target is who the prompt is for.
type Target string

// The targets.
const (
	CLIExec    Target = "cliExec"
	IDEHandoff Target = "ideHandoff"
)

// Report is what a preflight found.
type Report struct {
	Ready        bool
	Summary      string
	ActiveClaims string // "none", or who has what
	Diagnostics  []Diagnostic

	Selected   *task.Task // nil = none
	Validation Validation
	Counts     task.Counts // zero without a usable graph
	Usable     bool        // the task graph has no error
	Replenish  bool        // no task is selected, and none is left
	Drift      []string    // messages of drift errors, in sorted order
}

// evaluation is the work of one Evaluate.
type evaluation struct {
	s Snapshot
	q Request
	r *Report
}

// Evaluate looks at a snapshot. It is a pure function.
func Evaluate(s Snapshot, q Request) *Report {
	if q.AgentID == "" {
		q.AgentID = s.Settings.AgentID
	}
	e := &evaluation{s, q, &Report{}}
	e.tasks()
	e.r.Validation = s.chooseValidation(e.r.Selected, e.r.Replenish)
	e.claims()
	e.runtime()
	e.provider()
	e.models()
	e.validation()
	e.health()
	sortDiagnostics(e.r.Diagnostics)
	e.r.Ready = !slices.ContainsFunc(e.r.Diagnostics, func(d Diagnostic) bool { return d.Severity == Error })
	for _, d := range e.r.Diagnostics {
		if d.Category == TaskGraph && d.Severity == Error && task.IsDrift(task.Code(d.Code)) {
			e.r.Drift = append(e.r.Drift, d.Message)
		}
	}
	e.r.ActiveClaims = e.activeClaims()
	e.r.Summary = e.r.summary()
	return e.r
}

// add notes a diagnostic with the category and severity of its row.
func (e *evaluation) add(code, message string, more ...func(*Diagnostic)) {
	row, ok := codeByName[code]
	if !ok {
		panic("preflight: " + code + " has no row in Codes")
	}
	d := Diagnostic{Category: row.Category, Severity: row.Severity, Code: code, Message: message}
	for _, f := range more {
		f(&d)
	}
	e.r.Diagnostics = append(e.r.Diagnostics, d)
}

// onTask says which task a diagnostic is about.
func onTask(id string) func(*Diagnostic) {
	return func(d *Diagnostic) { d.TaskID = id }
}

func (e *evaluation) tasks() {
	for _, t := range e.q.LockTimeouts {
		e.lockTimeout(t)
	}
	if e.s.Tasks == nil {
		if t, ok := e.s.LockTimeout(); ok {
			e.lockTimeout(t)
		} else if e.s.TasksErr != nil {
			e.add(codeTasksUnreadable, fmt.Sprintf("%s can't be read: %v.", e.s.Layout.Rel(e.s.Layout.Tasks), e.s.TasksErr))
		}
		e.r.Replenish = true // no usable graph counts as an empty one; the error blocks
		return
	}
	for _, d := range e.s.Tasks.Diagnostics {
		severity := Error
		if d.Severity == task.Warning {
			severity = Warning
		}
		e.r.Diagnostics = append(e.r.Diagnostics, Diagnostic{TaskGraph, severity, string(d.Code), d.Message, d.TaskID, d.RelatedTaskIDs, d.Location, d.RelatedLocations})
	}
	if e.s.Tasks.File == nil {
		e.r.Replenish = true
		return
	}
	e.r.Usable = true
	graph := task.NewGraph(e.s.Tasks.File.Tasks)
	e.r.Counts = graph.Counts()
	next, ok := graph.Next(e.s.Role)
	switch {
	case e.q.Selected != nil:
		e.r.Selected = e.q.Selected
	case ok && !e.q.Chosen:
		e.r.Selected = &next
	}
	left := e.r.Counts.Remaining()
	e.r.Replenish = e.r.Selected == nil && left == 0
	switch ready := len(graph.Ready()); {
	case e.r.Selected != nil || ok || left == 0:
	case ready > 0:
		e.add("no_actionable_task", fmt.Sprintf("No task is for the role %s, and %d can be worked on by others. `ralphex task ready` lists them; the setting agentRole makes the choice.",
			e.s.Role.Name, ready))
	default:
		e.add("no_actionable_task", fmt.Sprintf("No task can be worked on, and %d are left: %d blocked, the others wait for tasks that are not done. `ralphex task graph` shows who waits for whom.",
			left, e.r.Counts.Blocked))
	}
}

func (e *evaluation) lockTimeout(t lock.Result) {
	e.add(codeTasksLock, fmt.Sprintf("%s was held during all %d attempts. If no process holds it, remove it by hand: %s",
		e.s.Layout.Rel(t.LockPath), t.Attempts, lock.Info{Path: t.LockPath}.Remove()))
}

func (e *evaluation) provider() {
	p := e.s.Provider
	name := p.Name + " (" + p.Command + ")"
	if p.Command == "" || p.Command == p.Name {
		name = p.Name
	}
	detail := ""
	if p.Detail != "" {
		detail = ": " + strings.TrimSuffix(p.Detail, ".")
	}
	switch p.State {
	case ProviderMissing:
		e.add("codex_cli_missing", "The agent's command "+name+" is not there"+detail+".")
	case ProviderNotExecutable:
		e.add("codex_cli_not_executable", "The agent's command "+name+" can't be executed"+detail+".")
	case ProviderVerified:
		e.add("codex_cli_path_verified", "The agent's command "+name+" was found"+detail+".")
	default:
		e.add("codex_cli_path_lookup_assumed", "The agent's command "+name+" is taken for there: it could not be looked for"+detail+".")
	}
}

// loginModels are models of an agent that not every kind of login reaches.
var loginModels = map[string][]string{"codex": {"gpt-5", "gpt-5-codex"}}

// models tells of models that the agent may refuse when it is logged in with a ChatGPT account. Nobody looks at the login: it is a person's.
func (e *evaluation) models() {
	set := e.s.Settings
	chosen := []string{set.Model}
	if set.Tiering.Enabled {
		chosen = []string{set.Tiering.Simple, set.Tiering.Medium, set.Tiering.Complex}
	}
	told := map[string]bool{}
	for _, model := range chosen {
		if name := strings.ToLower(model); slices.Contains(loginModels[e.s.Provider.Name], name) && !told[name] {
			told[name] = true
			e.add("codex_model_chatgpt_auth_may_be_unsupported", fmt.Sprintf("%s may refuse the model %s when it is logged in with a ChatGPT account. If it does, set ralphCodex.model or modelTiering to another one.",
				e.s.Provider.Name, model))
		}
	}
}

// policy is what a role may do to a task.
type policy struct{ kinds, mutations string }

var policies = map[string]policy{
	"implementer": {"task_exec", "todo→in_progress, in_progress→done, in_progress→blocked"},
	"build":       {"task_exec, verify_gate", "in_progress→done, in_progress→blocked"},
	"planner":     {"task_exec, replan", "none"},
	"reviewer":    {"review", "changes_required"},
	"review":      {"review", "changes_required"},
	"watchdog":    {"verify_gate", "none"},
	"scm":         {"scm_submit", "none"},
}

func (e *evaluation) health() {
	for _, s := range e.s.Health {
		e.add(s.Code, s.Message, onTask(s.TaskID))
	}
	set := e.s.Settings
	e.add("configured_agent_count", fmt.Sprintf("Configured agents: %d.", set.AgentCount))
	source := "default"
	if set.RoleSet {
		source = set.Origin["agentRole"]
	}
	gate := "off"
	if set.StopOnHumanReview {
		gate = "on"
	}
	p := policies[set.AgentRole]
	e.add("role_policy_effective", fmt.Sprintf("Role %s (%s): kinds %s; mutations %s; human gate %s.", set.AgentRole, source, p.kinds, p.mutations, gate))
}
