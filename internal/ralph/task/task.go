package task

import "fmt"

// Task is one task of the graph (RalphTask). Empty fields are absent ones: there is no other empty value in a normalized task.
type Task struct {
	ID                        string   `json:"id"`                    // opaque: "T1.1" is below "T1" only if ParentID says so
	Title                     string   `json:"title"`                 //
	Status                    Status   `json:"status"`                //
	ParentID                  string   `json:"parentId,omitempty"`    // the task that this one is a part of
	DependsOn                 []string `json:"dependsOn,omitempty"`   // ids that must be done before, without duplicates
	Notes                     string   `json:"notes,omitempty"`       //
	Validation                string   `json:"validation,omitempty"`  // command line that proves the task
	Blocker                   string   `json:"blocker,omitempty"`     // why it is blocked
	Priority                  Priority `json:"priority,omitempty"`    // absent counts as normal
	Mode                      Mode     `json:"mode,omitempty"`        // absent counts as default
	Tier                      Tier     `json:"tier,omitempty"`        //
	Acceptance                []string `json:"acceptance,omitempty"`  // how one sees that it is done
	Constraints               []string `json:"constraints,omitempty"` //
	Context                   []string `json:"context,omitempty"`     // files and facts to start from
	WriteRiskLabels           []string `json:"writeRiskLabels,omitempty"`
	LastVerifierResult        Verifier `json:"lastVerifierResult,omitempty"`
	LastReconciliationWarning string   `json:"lastReconciliationWarning,omitempty"`

	Source *SourceLocation `json:"-"` // where the parser found it; never written
}

// Status is what a task says of itself (RalphTaskStatus).
type Status string

// The statuses. They are matched exactly.
const (
	Todo       Status = "todo"
	InProgress Status = "in_progress"
	Blocked    Status = "blocked" // stays so until somebody changes it
	Done       Status = "done"
)

// Statuses lists them in the order in which counts are told.
var Statuses = []Status{Todo, InProgress, Blocked, Done}

// Priority orders tasks that can be worked on (RalphTaskPriority).
type Priority string

// The priorities.
const (
	Low    Priority = "low"
	Normal Priority = "normal"
	High   Priority = "high"
)

// Mode is what kind of work a task is (RalphTaskMode).
type Mode string

// The modes.
const (
	Default       Mode = "default"
	Documentation Mode = "documentation"
)

// Tier is how hard a task is thought to be (RalphTaskTier).
type Tier string

// The tiers.
const (
	Simple  Tier = "simple"
	Medium  Tier = "medium"
	Complex Tier = "complex"
)

// Verifier is what the last verification of a task said.
type Verifier string

// The results of a verification.
const (
	Passed  Verifier = "passed"
	Failed  Verifier = "failed"
	Skipped Verifier = "skipped"
)

// The values that each enum knows. Anything else reads as absent.
var (
	priorities = []Priority{Low, Normal, High}
	modes      = []Mode{Default, Documentation}
	tiers      = []Tier{Simple, Medium, Complex}
	verifiers  = []Verifier{Passed, Failed, Skipped}
)

// SourceLocation is where a task stands in the file (RalphTaskSourceLocation).
type SourceLocation struct {
	ArrayIndex int `json:"arrayIndex"` // from 0
	Line       int `json:"line"`       // from 1; only a line feed ends a line
	Column     int `json:"column"`     // from 1, in UTF-16 units
}

func (l SourceLocation) String() string {
	return fmt.Sprintf("tasks[%d] (line %d, column %d)", l.ArrayIndex, l.Line, l.Column)
}

// SuggestedChild is a task that somebody proposes below another one (RalphSuggestedChildTask). It becomes a Task through
// ApplySuggestedChildren, always as todo.
type SuggestedChild struct {
	ID          string                `json:"id"`
	Title       string                `json:"title"`
	ParentID    string                `json:"parentId"`
	DependsOn   []SuggestedDependency `json:"dependsOn"`
	Validation  *string               `json:"validation"` // nil: the parent's, if it has one
	Rationale   string                `json:"rationale"`  // becomes the notes
	Acceptance  []string              `json:"acceptance,omitempty"`
	Constraints []string              `json:"constraints,omitempty"`
	Context     []string              `json:"context,omitempty"`
	Tier        Tier                  `json:"tier,omitempty"`
}

// SuggestedDependency is a dependency of a proposed task (RalphSuggestedTaskDependency). The reason is for the reader of the
// proposal; only the id is kept.
type SuggestedDependency struct {
	TaskID string           `json:"taskId"`
	Reason DependencyReason `json:"reason"`
}

// DependencyReason says why a proposed task waits for another one.
type DependencyReason string

// The reasons.
const (
	BlocksSequence           DependencyReason = "blocks_sequence"
	InheritsParentDependency DependencyReason = "inherits_parent_dependency"
)

// File is a task file in memory (RalphTaskFile). What is written is always version 2.
type File struct {
	Tasks         []Task
	MutationCount *int64 // how often the graph was changed on purpose; nil = not known, and not written
}

// Find returns the index of the first task with an id, -1 if there is none.
func (f *File) Find(id string) int {
	for i := range f.Tasks {
		if f.Tasks[i].ID == id {
			return i
		}
	}
	return -1
}

// Clone copies the file so that a change of the copy leaves the original as it is.
func (f *File) Clone() *File {
	out := &File{Tasks: make([]Task, len(f.Tasks))}
	copy(out.Tasks, f.Tasks)
	for i := range out.Tasks {
		t := &out.Tasks[i]
		for _, list := range []*[]string{&t.DependsOn, &t.Acceptance, &t.Constraints, &t.Context, &t.WriteRiskLabels} {
			*list = append([]string(nil), *list...)
		}
	}
	if f.MutationCount != nil {
		n := *f.MutationCount
		out.MutationCount = &n
	}
	return out
}

// bump counts one change of the graph.
func (f *File) bump() {
	n := int64(1)
	if f.MutationCount != nil {
		n = *f.MutationCount + 1
	}
	f.MutationCount = &n
}
