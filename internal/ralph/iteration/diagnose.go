package iteration

import (
	"fmt"
	"time"

	"ralphex/internal/lazyregexp"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Cause is the kind of thing that an iteration failed at.
type Cause string

// The causes.
const (
	CauseTransient   Cause = "transient"
	CauseWork        Cause = "implementation_error"
	CauseAmbiguity   Cause = "task_ambiguity"
	CauseMismatch    Cause = "validation_mismatch"
	CauseDependency  Cause = "dependency_missing"
	CauseEnvironment Cause = "environment_issue"
)

// Symptoms are what is known of an iteration that got nowhere.
type Symptoms struct {
	Task      *task.Task
	Class     Classification
	Crashed   bool   // the session failed
	Passing   bool   // and would not have at another time
	Message   string // why
	Signature string // of a failed validation; "" = it did not fail
	Output    string // of it
	TimedOut  bool
	Claimed   bool // the session reported the task as done
	Effective string
}

// Diagnosis is why an iteration failed, as far as its words tell: nobody was asked.
type Diagnosis struct {
	Cause      Cause
	Confidence string // high, medium, low
	Summary    string
	Action     string // suggested
	Addendum   string // for the prompt of the next attempt; "" = none
}

var (
	noCommand = lazyregexp.New(`(?i)command not found|not recognized as|: not found|permission denied|no space left|read-only file system|address already in use`)
	noModule  = lazyregexp.New(`(?i)cannot find (?:module|package)|no required module provides|module ?not ?found|no module named|unresolved import|could not resolve dependenc|package .* is not in (?:std|goroot)|missing go\.sum entry`)
)

// Diagnose looks for the cause; nil where nothing failed. The first rule that holds decides.
func Diagnose(s Symptoms) *Diagnosis {
	id := task.Plain(s.Task.ID)
	found := func(c Cause, confidence, action, addendum, format string, args ...any) *Diagnosis {
		return &Diagnosis{c, confidence, fmt.Sprintf(format, args...), action, addendum}
	}
	switch {
	case s.Crashed && s.Passing:
		return found(CauseTransient, "high", "Try again later.", "", "The session at %s failed, and might not have at another time: %s", id, s.Message)
	case s.Crashed:
		return found(CauseEnvironment, "medium", "Put the agent right: ralphex doctor.", "", "The session at %s failed: %s", id, s.Message)
	case s.Signature == "" && s.Class != NoProgress:
		return nil
	case s.Signature != "" && s.TimedOut:
		return found(CauseEnvironment, "medium", "Look why the validation takes so long.", "The validation ran out of time: find what it waits for before you change anything else.", "The validation of %s took too long.", id)
	case s.Signature != "" && noModule.MatchString(s.Output):
		return found(CauseDependency, "high", "Have the dependency declared and installed.", "The validation misses a dependency: declare and install it first.", "The validation of %s misses a dependency.", id)
	case s.Signature != "" && noCommand.MatchString(s.Output):
		return found(CauseEnvironment, "high", "Install what the validation needs, or correct the command.", "The validation could not run what it needs: see its output before you change code.", "The validation of %s could not be run as it is.", id)
	case s.Signature != "" && s.Claimed:
		return found(CauseMismatch, "medium", "Compare what was reported with what the validation says.", "You reported the task as done, and its validation fails: run it yourself, and believe it.", "%s was reported as done, and its validation fails.", id)
	case s.Signature != "":
		return found(CauseWork, "medium", "Try again with the failure at hand.", "Reproduce the failure of the validation first, with its smallest part.", "The validation of %s fails.", id)
	case len(s.Task.Acceptance) == 0 && s.Effective == "":
		return found(CauseAmbiguity, "medium", "Say how one sees that the task is done.", "The task does not say how one sees that it is done: say in your report what you take it to mean.", "Nothing says when %s is done, and nothing was done.", id)
	}
	return found(CauseWork, "low", "Look at the session's transcript.", "The last session changed nothing: say in your report what keeps you from it.", "The session at %s changed nothing.", id)
}

// Record is failure-analysis.json.
func (d *Diagnosis) Record(taskID string, now time.Time) *stable.Object {
	o := stable.NewObject("schemaVersion", 1, "kind", "failureAnalysis", "taskId", taskID, "createdAt", stable.Time(now), "rootCauseCategory", string(d.Cause),
		"confidence", d.Confidence, "summary", stable.CutUTF16(stable.OneLine(d.Summary), mostText), "suggestedAction", d.Action)
	if d.Addendum != "" {
		o.Set("retryPromptAddendum", d.Addendum)
	}
	return o
}
