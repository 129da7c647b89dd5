package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Category is the part of the workspace that a diagnostic is about.
type Category string

// The categories, in the order in which they are shown.
const (
	TaskGraph          Category = "taskGraph"
	ClaimGraph         Category = "claimGraph"
	WorkspaceRuntime   Category = "workspaceRuntime"
	CodexAdapter       Category = "codexAdapter"
	ValidationVerifier Category = "validationVerifier"
	AgentHealth        Category = "agentHealth"
)

// Categories lists them in that order.
var Categories = []Category{TaskGraph, ClaimGraph, WorkspaceRuntime, CodexAdapter, ValidationVerifier, AgentHealth}

// Label is the category's heading.
func (c Category) Label() string {
	return map[Category]string{TaskGraph: "Task graph", ClaimGraph: "Claim graph", WorkspaceRuntime: "Workspace/runtime",
		CodexAdapter: "Codex adapter", ValidationVerifier: "Validation/verifier", AgentHealth: "Agent Health"}[c]
}

// Severity says what a diagnostic means for a run: an error blocks it.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

var severityOrder = map[Severity]int{Error: 0, Warning: 1, Info: 2}

// Diagnostic is one thing to say. Fields that it has nothing for are empty, and are not written.
type Diagnostic struct {
	Category         Category              `json:"category"`
	Severity         Severity              `json:"severity"`
	Code             string                `json:"code"`
	Message          string                `json:"message"`
	TaskID           string                `json:"taskId,omitempty"`
	RelatedTaskIDs   []string              `json:"relatedTaskIds,omitempty"`
	Location         *task.SourceLocation  `json:"location,omitempty"`
	RelatedLocations []task.SourceLocation `json:"relatedLocations,omitempty"`
}

// Line is the diagnostic as every text shows it, without the dash: `warning [task_claim_stale]: …`.
func (d Diagnostic) Line() string { return fmt.Sprintf("%s [%s]: %s", d.Severity, d.Code, d.Message) }

// Stable is the diagnostic as it is written.
func (d Diagnostic) Stable() any {
	o := &stable.Object{}
	o.Set("category", string(d.Category))
	o.Set("severity", string(d.Severity))
	o.Set("code", d.Code)
	o.Set("message", d.Message)
	if d.TaskID != "" {
		o.Set("taskId", d.TaskID)
	}
	if d.RelatedTaskIDs != nil {
		o.Set("relatedTaskIds", d.RelatedTaskIDs)
	}
	if d.Location != nil {
		o.Set("location", stableLocation(*d.Location))
	}
	if d.RelatedLocations != nil {
		all := []any{}
		for _, l := range d.RelatedLocations {
			all = append(all, stableLocation(l))
		}
		o.Set("relatedLocations", all)
	}
	return o
}

func stableLocation(l task.SourceLocation) any {
	o := &stable.Object{}
	o.Set("arrayIndex", l.ArrayIndex)
	o.Set("line", l.Line)
	o.Set("column", l.Column)
	return o
}

// sortDiagnostics puts what blocks first; then by category, then by message. Equals keep their order.
func sortDiagnostics(all []Diagnostic) {
	slices.SortStableFunc(all, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(severityOrder[a.Severity], severityOrder[b.Severity]), cmp.Compare(a.Category, b.Category), strings.Compare(a.Message, b.Message))
	})
}

// of returns the diagnostics of a category.
func of(all []Diagnostic, c Category) []Diagnostic {
	var out []Diagnostic
	for _, d := range all {
		if d.Category == c {
			out = append(out, d)
		}
	}
	return out
}
