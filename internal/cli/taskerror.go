package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/prd"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// refusal says as JSON why a verb of the store did nothing.
type refusal struct {
	Code         string            `json:"code"`
	Message      string            `json:"message"`
	Next         string            `json:"next,omitempty"`
	Task         string            `json:"task,omitempty"`
	Descendants  []string          `json:"descendants,omitempty"`  // not done
	Dependencies []string          `json:"dependencies,omitempty"` // not done
	Diagnostics  []task.Diagnostic `json:"diagnostics,omitempty"`
	Lock         *lockInfo         `json:"lock,omitempty"`
	Done         []string          `json:"done,omitempty"` // what was done all the same
}

// partlyError is a refusal of some of what was asked; the rest is done.
type partlyError struct {
	err  error
	done []string
}

func (e *partlyError) Error() string { return e.err.Error() }
func (e *partlyError) Unwrap() error { return e.err }

// lockInfo is a lock that was not had.
type lockInfo struct {
	Path       string  `json:"path"`
	Attempts   int     `json:"attempts"`
	AgeSeconds float64 `json:"age_seconds"`
	PID        int     `json:"pid,omitempty"` // as the lock says
	Remove     string  `json:"remove"`        // for who knows that its holder is gone
}

// taskError is an error of the task graph or of claims as people and programs read it: places as file:line:column, the next step, the exit code. With
// json the refusal is printed on stdout.
func (s *store) taskError(p *Proc, json bool, err error) error {
	if err == nil {
		return nil
	}
	r := refusal{Code: "failed"}
	if part, ok := errors.AsType[*partlyError](err); ok {
		r.Done = part.done
	}
	return r.print(p, json, s.explain(&r, err))
}

// print says with json on stdout what the error says to people, and returns the error.
func (r refusal) print(p *Proc, json bool, err error) error {
	if !json {
		return err
	}
	r.Message, r.Next = err.Error(), hintOf(err)
	if perr := printJSON(p.Out, struct {
		Version int     `json:"version"`
		Error   refusal `json:"error"`
	}{1, r}); perr != nil {
		return perr
	}
	return err
}

// explain fills the refusal, and returns the error with its hint and exit code.
func (s *store) explain(r *refusal, err error) error {
	var (
		invalid *task.InvalidError
		open    *task.NotDoneError
		unknown *task.UnknownTaskError
		field   *task.FieldError
		noField *task.UnknownFieldError
		taken   *task.TakenError
		whole   *task.NotCompoundError
		bad     *task.ProposalError
		blank   *task.BlankError
		locked  *lock.TimeoutError
		claims  *claim.BrokenError
		exists  *prd.ExistsError
	)
	switch {
	case errors.As(err, &invalid):
		r.Code, r.Diagnostics = "task_file_invalid", invalid.Diagnostics
		if invalid.Proposed {
			r.Code = "change_refused"
			return err
		}
		next := "mend it there; ralphex task list looks again"
		if slices.ContainsFunc(invalid.Diagnostics, func(d task.Diagnostic) bool { return d.Code == task.VersionNewer }) {
			next = "use a newer ralphex in this workspace"
		}
		return hinted(errors.New(s.broken(invalid)), next)
	case errors.As(err, &open):
		r.Code, r.Task, r.Descendants, r.Dependencies = open.Code(), open.Task, ids(open.Descendants), ids(open.Dependencies)
	case errors.As(err, &unknown):
		r.Code, r.Task = "unknown_task", unknown.ID
		return usage(err, unknown.Hint())
	case errors.As(err, &noField):
		r.Code = "unknown_field"
		return usage(err, noField.Hint())
	case errors.As(err, &field):
		r.Code = "invalid_field"
		return usage(err, "ralphex task set --help lists fields and values")
	case errors.As(err, &taken):
		r.Code, r.Task = "task_id_taken", taken.ID
		return usage(err, taken.Hint())
	case errors.As(err, &whole):
		r.Code, r.Task = "not_compound", whole.ID
	case errors.As(err, &bad):
		r.Code, r.Task = "proposal_refused", bad.Parent
	case errors.As(err, &blank):
		r.Code = "task_file_blank"
		if s.initialized() {
			return hinted(err, "ralphex workspace doctor --fix makes it with two tasks to begin with")
		}
	case errors.As(err, &locked):
		r.Code = string(lock.Timeout)
		h := locked.Result.Holder
		r.Lock = &lockInfo{Path: locked.Result.LockPath, Attempts: locked.Result.Attempts, PID: h.PID, Remove: lock.Info{Path: locked.Result.LockPath}.Remove()}
		if !h.Since.IsZero() {
			r.Lock.AgeSeconds = h.Age(time.Now()).Seconds()
		}
		return whoWaits(err)
	case errors.As(err, &claims):
		r.Code = "claims_file_invalid"
		if at, ok := errors.AsType[*stable.SyntaxError](claims.Err); ok {
			return hinted(fmt.Errorf("%s:%d:%d: %s", s.Rel(s.Claims), at.Line, at.Column, at.Msg), claims.Hint())
		}
	case errors.As(err, &exists):
		r.Code = "exists"
		return hinted(err, "look at it first; --append keeps it and adds the tasks, --replace puts the draft in its place")
	case errors.Is(err, fs.ErrPermission):
		return hinted(err, "ask for the right to write in "+filepath.Dir(s.Tasks)+" (ls -ld shows who has it)")
	}
	return err
}

// broken names each place of a file that can't be used.
func (s *store) broken(e *task.InvalidError) string {
	const shown = 20
	var lines []string
	for _, d := range e.Diagnostics {
		if d.Severity == task.Error {
			lines = append(lines, s.diagnosis(d))
		}
	}
	if more := len(lines) - shown; more > 0 {
		lines = append(lines[:shown], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n       ")
}

func ids(tasks []task.Task) []string {
	var out []string
	for i := range tasks {
		out = append(out, tasks[i].ID)
	}
	return out
}
