package phase

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// Causes of an end. Callers branch on them for the exit code.
var (
	// ErrAborted: the person chose to stop after a break. Not a failure.
	ErrAborted = errors.New("user aborted")
	// ErrBreak is the cause of a session that a break ended.
	ErrBreak = errors.New("session interrupted by break signal")
)

// TaskError is a run that ended because a task can't be finished.
type TaskError struct {
	Position int
	Title    string
	Reason   string // "validation failed 2 times: `go test ./...` exited with 1"
	Detail   string // tail of the failing output, for the person
	Reopened bool
}

func (e *TaskError) Error() string {
	return fmt.Sprintf("task %d (%s): %s", e.Position, e.Title, e.Reason)
}

// Hint says what to do next.
func (e *TaskError) Hint() string {
	if e.Reopened {
		return "its boxes are open again; fix what fails, or the plan, and run the same command: it goes on at this task"
	}
	return "look at the log above, fix the cause or the plan, and run the same command: it goes on at this task"
}

// StallError is a run that ended because sessions changed nothing.
type StallError struct {
	Position int
	Title    string
	Sessions int
}

func (e *StallError) Error() string {
	return fmt.Sprintf("task %d (%s): %d sessions in a row ticked no box, changed no file and gave no new evidence", e.Position, e.Title, e.Sessions)
}

// Hint says what to do next.
func (*StallError) Hint() string {
	return "split the task, or mark what only a person can do as `- [ ] (manual) …`, and run the same command"
}

// BreakerError is a run that ended because sessions failed fast, all in the same way.
type BreakerError struct {
	Times int
	Line  string // first line of the error
	Help  string
}

func (e *BreakerError) Error() string {
	return fmt.Sprintf("%d sessions in a row failed at once with: %s", e.Times, e.Line)
}

// Hint says what to do next.
func (e *BreakerError) Hint() string {
	return cmp.Or(e.Help, "its own words are in the progress log; mend that (ralphex doctor looks at the agent), then type the same command")
}

// IterationsError is a run that used up its iterations.
type IterationsError struct {
	Max int
	Of  string // "plan"; empty = of tasks
}

func (e *IterationsError) Error() string {
	return strings.Replace(fmt.Sprintf("max %s iterations (%d) reached without completion", e.Of, e.Max), "  ", " ", 1)
}

// Hint says what to do next.
func (*IterationsError) Hint() string {
	return "run the same command to go on, or raise --max-iterations"
}

// SurpriseError is a repository that is not where the run left it.
type SurpriseError struct {
	What, Way string
	Err       error // what it came from, if anything
	Rewritten bool  // history was rewritten: commits that were there may be gone
}

func (e *SurpriseError) Error() string { return e.What }
func (e *SurpriseError) Unwrap() error { return e.Err }

// Hint says what to do next.
func (e *SurpriseError) Hint() string { return e.Way }
