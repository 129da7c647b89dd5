package iteration

import (
	"slices"

	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// Facts are what an iteration left, as we saw it ourselves.
type Facts struct {
	TaskID        string // "" = no task was selected
	Exhausted     bool   // none was selected since none was left; otherwise those that are left are blocked
	Documentation bool   // the task's mode
	Execution     Execution
	Verification  task.Verifier // of all verifiers together
	Signature     string        // of a failed validation, raw

	HumanReview    bool // somebody has to look: the task says so, or its report
	Blocked        bool // the task is blocked now
	Done           bool // the task is done now
	RelevantChange bool // of files
	StateChanged   bool // the task's status, tasks.json or progress.md is another one

	DescendantsLeft bool // of the task
	BacklogLeft     bool
}

// Classified is what an iteration was.
type Classified struct {
	Classification Classification
	Signals        []string
	FollowUp       FollowUp
}

// Classify says what the iteration was. previous is the entry before it in the history, nil = none.
func Classify(f Facts, previous *state.Iteration) Classified {
	if f.TaskID == "" {
		switch {
		case f.Exhausted && f.Execution == Crashed:
			return Classified{Failed, []string{}, RetryTask}
		case f.Exhausted && f.BacklogLeft:
			return Classified{Complete, []string{}, NextTask} // it was replenished
		case f.Exhausted:
			return Classified{Complete, []string{}, StopLoop}
		}
		return Classified{Blocked, []string{}, AskPerson}
	}
	c := Classified{Classification: f.class(), Signals: []string{}}
	signal := func(name string, holds bool) bool {
		if holds {
			c.Signals = append(c.Signals, name)
		}
		return holds
	}
	again := signal(SameTaskAgain, previous != nil && previous.TaskID == f.TaskID)
	same := signal(SameSignature, previous != nil && f.Signature != "" &&
		NormalizeSignature(previous.Verification.ValidationFailureSignature) == NormalizeSignature(f.Signature))
	nothing := signal(NoRelevantChanges, !f.RelevantChange)
	unchanged := signal(StateUnchanged, !f.StateChanged)
	if c.Classification == PartialProgress && !f.Documentation && nothing && unchanged && (again || same) {
		c.Classification = NoProgress // a green gate over work that was there before is no progress
	}
	signal(SameFailureClass, previous != nil && previous.Classification == string(c.Classification) &&
		slices.Contains([]Classification{Failed, NoProgress, Blocked}, c.Classification))
	c.FollowUp = f.followUp(c.Classification)
	return c
}

func (f Facts) class() Classification {
	switch {
	case f.HumanReview:
		return NeedsHumanReview
	case f.Blocked:
		return Blocked
	case f.Execution == Crashed:
		return Failed
	case f.Done:
		return Complete
	case f.Verification == task.Passed, f.RelevantChange, f.StateChanged:
		return PartialProgress
	}
	return NoProgress
}

func (f Facts) followUp(c Classification) FollowUp {
	switch c {
	case Complete:
		switch {
		case f.DescendantsLeft:
			return SameTask
		case f.BacklogLeft:
			return NextTask
		}
		return StopLoop
	case NeedsHumanReview:
		return AskPerson
	case Blocked:
		return NextTask
	case PartialProgress:
		return SameTask
	}
	return RetryTask
}
