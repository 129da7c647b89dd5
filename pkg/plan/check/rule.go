package check

import (
	"slices"
	"sync"
)

// Severity tells how much a finding matters.
type Severity string

// The severities. Off is for configuration: no finding has it.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
	Off     Severity = "off"
)

// Severities lists what configuration may say.
func Severities() []Severity { return []Severity{Error, Warning, Note, Off} }

// Profile says which rules are asked.
type Profile string

// The profiles.
const (
	Strict Profile = "strict" // all rules; the default
	Run    Profile = "run"    // only what would make a run fail
)

// Rule is one thing that is checked.
type Rule struct {
	ID       string   // stable, "task-header"
	Severity Severity // unless configuration says otherwise
	Title    string   // the rule, as a sentence without its full stop
	Why      string   // what happens to a plan that breaks it
	Doc      string   // anchor in docs/plan-format.md
	Fixable  bool     // some findings come with a Fix
	Profile  Profile  // Run: asked in both profiles
	Wrong    Example
	Right    Example
}

// Example shows a rule. Text stands in a frame, so that it is a whole plan.
type Example struct {
	Text  string
	Frame Frame
}

// Frame says what an example is a part of.
type Frame string

// The frames.
const (
	WholeFile  Frame = "file"     // nothing is around it
	InSections Frame = "sections" // what stands between the title and the tasks
	InTasks    Frame = "tasks"    // what stands between `## Implementation Steps` and the last task
	InLastTask Frame = "last"     // the last task
	AtEnd      Frame = "end"      // what follows the last task
)

// Rules returns the table of rules. The caller may keep and change the slice.
func Rules() []Rule { return slices.Clone(table) }

// Lookup finds a rule by its id.
func Lookup(id string) (Rule, bool) {
	r, ok := byID()[id]
	if !ok {
		return Rule{}, false
	}
	return *r, true
}

var byID = sync.OnceValue(func() map[string]*Rule {
	m := make(map[string]*Rule, len(table))
	for i := range table {
		m[table[i].ID] = &table[i]
	}
	return m
})
