package artifact

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/stable"
)

// The names of the verifiers, in the order of verifier-summary.json, and what they may say.
const (
	ValidationCommand = "validationCommand"
	GitDiff           = "gitDiff"
	TaskState         = "taskState"

	Passed  = "passed"
	Failed  = "failed"
	Skipped = "skipped"
)

// Verifier is what one verifier found.
type Verifier struct {
	Name             string
	Status           string // Passed, Failed, Skipped
	Summary          string
	Warnings, Errors []string
	Command          string         // the rest is left out where it is empty
	ArtifactPath     string         // what it looked at
	FailureSignature string         // see FailureSignature
	Metadata         *stable.Object // nil = none
}

// Stable returns the record as it is written.
func (v Verifier) Stable() any {
	r := &stable.Record{}
	r.Put("verifier", v.Name).Put("status", v.Status).Put("summary", v.Summary).Put("warnings", v.Warnings).Put("errors", v.Errors)
	r.Opt("command", v.Command).Opt("artifactPath", v.ArtifactPath).Opt("failureSignature", v.FailureSignature)
	if v.Metadata != nil {
		r.Put("metadata", v.Metadata)
	}
	return &r.Object
}

// Aggregate is what several verifiers say together: one that failed is failed, else one that passed is passed.
func Aggregate(all ...Verifier) string {
	has := func(status string) bool {
		return slices.ContainsFunc(all, func(v Verifier) bool { return v.Status == status })
	}
	switch {
	case has(Failed):
		return Failed
	case has(Passed):
		return Passed
	}
	return Skipped
}

// VerifierSummary is verifier-summary.json.
func VerifierSummary(all []Verifier) []any {
	list := make([]any, len(all))
	for i, v := range all {
		list[i] = v
	}
	return list
}

// FailureSignature tells two failures of a command apart: its exit code and the first three lines of what it said, those on stderr first. It is
// empty for a command that passed.
func FailureSignature(command string, exit int, timedOut bool, stderr, stdout string) string {
	switch {
	case timedOut:
		return "timeout:" + command
	case exit == 0:
		return ""
	}
	var said []string
	for line := range strings.Lines(stderr + "\n" + stdout) {
		if line = stable.OneLine(line); line != "" {
			if said = append(said, line); len(said) == 3 {
				break
			}
		}
	}
	body := stable.CutUTF16(strings.Join(said, " | "), 240)
	if body == "" {
		body = "no output"
	}
	return fmt.Sprintf("%s::exit:%d::%s", command, exit, body)
}

// Validation is validation-command.json: a run of the task's validation by us.
type Validation struct {
	Command     string
	Commands    Commands
	Exit        int // of the first command that failed; 0 = all passed
	Stdout      string
	Stderr      string
	Signature   string // empty = it passed
	TimedOut    bool
	TimeoutMs   int64 // 0 = left out
	TreeHash    string
	EachCommand []CommandRun // of a validation of several commands
}

// CommandRun is one command of a validation. Our own addition: other programs pass over it.
type CommandRun struct {
	Command    string
	Exit       int
	Cause      string // "timed out after 30m0s"; empty = it ended by itself
	OutputPath string
	OutputHash string // sha256, bare hex: of the whole output
}

// Stable returns the record as it is written.
func (v Validation) Stable() any {
	r := &stable.Record{}
	r.Put("command", v.Command).Null("taskValidationHint", v.Commands.Hint).Null("normalizedValidationCommandFrom", v.Commands.NormalizedFrom)
	r.Put("exitCode", v.Exit).Null("stdoutPath", v.Stdout).Null("stderrPath", v.Stderr).Null("failureSignature", v.Signature)
	if v.TimedOut {
		r.Put("timedOut", true)
	}
	if v.TimeoutMs > 0 {
		r.Put("timeoutMs", v.TimeoutMs)
	}
	r.Opt("treeHash", v.TreeHash)
	if v.EachCommand != nil {
		list := make([]any, len(v.EachCommand))
		for i, c := range v.EachCommand {
			one := &stable.Record{}
			one.Put("command", c.Command).Put("exitCode", c.Exit).Opt("cause", c.Cause).Null("outputPath", c.OutputPath).Null("outputSha256", c.OutputHash)
			list[i] = &one.Object
		}
		r.Put("commands", list)
	}
	return &r.Object
}

// Diff is git-diff.json and diff-summary.json: what became of the files.
type Diff struct {
	Available, Git              bool
	Summary                     string
	Changed, Relevant           []string
	Transitions                 []string // "path: before -> after"
	CheckpointRef               string   // a name that a person could use; no ref is made. The rest is left out where it is empty
	BeforeStatusPath, AfterPath string
}

// Stable returns the record as it is written.
func (d Diff) Stable() any {
	r := &stable.Record{}
	r.Put("available", d.Available).Put("gitAvailable", d.Git).Put("summary", d.Summary)
	r.Put("changedFileCount", len(d.Changed)).Put("relevantChangedFileCount", len(d.Relevant)).Put("changedFiles", d.Changed)
	r.Put("relevantChangedFiles", d.Relevant).Put("statusTransitions", d.Transitions)
	return &r.Opt("suggestedCheckpointRef", d.CheckpointRef).Opt("beforeStatusPath", d.BeforeStatusPath).Opt("afterStatusPath", d.AfterPath).Object
}

// State is task-state.json: how the selected task stood before and behind.
type State struct {
	TaskID                    string
	Before, After             *stable.Object // nil = null
	FileError                 string
	ProgressChanged, FileDiff bool
	HumanReview               bool
}

// Stable returns the record as it is written.
func (s State) Stable() any {
	r := &stable.Record{}
	r.Null("selectedTaskId", s.TaskID).Put("selectedTaskBefore", orNull(s.Before)).Put("selectedTaskAfter", orNull(s.After)).Null("taskFileError", s.FileError)
	return &r.Put("progressChanged", s.ProgressChanged).Put("taskFileChanged", s.FileDiff).Put("humanReviewNeeded", s.HumanReview).Object
}

// CompletionReport is completion-report.json: what the agent claims about its own work, and what was made of that.
type CompletionReport struct {
	Status         string // applied, rejected, missing, invalid
	Rejection      string // empty = it was not rejected
	TaskID         string
	Report         *stable.Object // as it was read; nil = none
	RawBlock       string         // as the agent wrote it; empty = none
	ParseError     string
	Warnings       []string
	NeedsHuman     bool // left out where false
	ClaimedSignals []string
}

// Stable returns the record as it is written. What the agent signalled in a plan run is our own addition.
func (c CompletionReport) Stable() any {
	r := &stable.Record{}
	r.Put("schemaVersion", 1).Put("kind", "completionReport").Put("status", c.Status).Null("rejectionReason", c.Rejection).Null("selectedTaskId", c.TaskID)
	r.Put("report", orNull(c.Report)).Null("rawBlock", c.RawBlock).Null("parseError", c.ParseError).Put("warnings", c.Warnings)
	if c.NeedsHuman {
		r.Put("needsHumanReview", true)
	}
	if c.ClaimedSignals != nil {
		r.Put("claimedSignals", c.ClaimedSignals)
	}
	return &r.Object
}

func orNull(o *stable.Object) any {
	if o == nil {
		return nil
	}
	return o
}
