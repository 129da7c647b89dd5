package task

import (
	"fmt"
	"slices"
	"strings"
)

// Severity is how bad a diagnostic is.
type Severity string

// The severities. A file with an error has no usable graph, and is never rewritten.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Code names a diagnostic for programs.
type Code string

// The codes of files that can't be read.
const (
	FileJSONInvalid  Code = "task_file_json_invalid"
	FileNotObject    Code = "task_file_not_object"
	ArrayMissing     Code = "task_array_missing"
	VersionNewer     Code = "task_file_version_newer" // ours: other readers take such a file for an old one
	EntryInvalid     Code = "task_entry_invalid"
	FieldCorrected   Code = "auto_corrected_task_field"
	ParentCorrected  Code = "auto_corrected_parent_reference"
	IDEmpty          Code = "task_id_empty"
	IDDuplicate      Code = "duplicate_task_id"
	SelfParent       Code = "self_parent_reference"
	OrphanedParent   Code = "orphaned_parent_reference"
	DoneAboveOpen    Code = "completed_parent_with_incomplete_descendants"
	SelfDependency   Code = "self_dependency_reference"
	BadDependency    Code = "invalid_dependency_reference"
	DoneBehindOpen   Code = "completed_task_with_incomplete_dependencies"
	DependencyCycle  Code = "dependency_cycle"
	ParentCycle      Code = "parent_cycle"
	LedgerDrift      Code = "ledger_drift"                       // reserved: never found by us, and known as drift
	DoneParentUndone Code = "done_parent_unfinished_descendants" // reserved, likewise
)

// IsDrift tells whether a code says that the ledger contradicts itself about what is done: then nothing may be selected, and the
// backlog is not taken for exhausted.
func IsDrift(c Code) bool {
	return c == DoneAboveOpen || c == LedgerDrift || c == DoneParentUndone
}

// Diagnostic is one thing to say about a task file. Its category in a preflight report is "taskGraph".
type Diagnostic struct {
	Severity         Severity         `json:"severity"`
	Code             Code             `json:"code"`
	Message          string           `json:"message"`
	TaskID           string           `json:"taskId,omitempty"`
	RelatedTaskIDs   []string         `json:"relatedTaskIds,omitempty"`
	Location         *SourceLocation  `json:"location,omitempty"`
	RelatedLocations []SourceLocation `json:"relatedLocations,omitempty"`
}

// HasErrors tells whether any of the diagnostics is an error.
func HasErrors(list []Diagnostic) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Severity == Error })
}

// InvalidError says that a task file, or what it would become, has no usable graph.
type InvalidError struct {
	Path        string // "" = a text
	Diagnostics []Diagnostic
	// Proposed says that the file is well and a change would have broken it: places are those of the text that was not written.
	Proposed bool
}

func (e *InvalidError) Error() string {
	var errs []string
	for _, d := range e.Diagnostics {
		if d.Severity == Error {
			errs = append(errs, d.Message)
		}
	}
	what := e.Path
	if what == "" {
		what = "task file"
	}
	const shown = 3
	if more := len(errs) - shown; more > 0 {
		return fmt.Sprintf("%s: %s; and %d more", what, strings.Join(errs[:shown], "; "), more)
	}
	return what + ": " + strings.Join(errs, "; ")
}

// Hint says what to do.
func (e *InvalidError) Hint() string {
	if e.Proposed {
		return "the file is as it was; ask for a change that the graph allows (ralphex task graph)"
	}
	return "repair the file by hand, then look again: ralphex task list"
}

// name is how messages cite a task.
func (t *Task) name() string {
	if t.Source != nil {
		return fmt.Sprintf("Task %s at %s", t.ID, t.Source)
	}
	return "Task " + t.ID
}
