package iteration

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Ledger is where a report is applied: the task graph, the claims on it, and the progress file.
type Ledger struct {
	Tasks    task.Store
	Claims   *claim.Store
	Progress string // path

	AgentID, ProvenanceID string // who holds the claim
}

// maxProgress bounds the progress file, in bytes.
const maxProgress = 64 << 20

// Apply carries out a report that Judge let through, under tasks.lock: only if the claim on the task is still ours, and only what leaves the graph
// right. Nothing is written otherwise, and the Judgement says why. preliminary is what validation and files said; command is the one that the plan of the
// task suggests, for a task that has none. The error is for what went wrong on disk.
//
// The note goes to the progress file behind the tasks, still under the lock. If that fails the tasks are written, and the note is in a warning.
func (l Ledger) Apply(ctx context.Context, j Judgement, preliminary task.Verifier, command string) (Judgement, *task.Change, error) {
	if j.Status != Applied {
		return j, nil, nil
	}
	r := j.Report
	c, err := l.Tasks.UpdateThen(ctx, func(f *task.File) error {
		ours, err := l.Claims.Holds(ctx, r.TaskID, l.AgentID, l.ProvenanceID)
		if err != nil {
			return err
		}
		if !ours {
			return claim.ErrLost
		}
		return r.change(f, j.Warnings, preliminary, command)
	}, func() error { return l.note(r.ProgressNote) })
	var undone *task.NotDoneError
	var noted *noteError
	var gone *task.UnknownTaskError
	switch {
	case errors.Is(err, claim.ErrLost):
		j.Stop = ClaimContested
		return j.reject(Contested, "The claim on %s is somebody else's, or was taken away: nothing was written.", task.Plain(r.TaskID)), nil, nil
	case errors.As(err, &gone):
		return j.reject(TaskIDMismatch, "%s is not in the task graph any more: nothing was written.", task.Plain(r.TaskID)), nil, nil
	case errors.As(err, &undone):
		return j.reject(undone.Code(), "%v.", undone), nil, nil
	case errors.As(err, &noted):
		j.Warnings = append(slices.Clip(j.Warnings), fmt.Sprintf("The progress note %q could not be kept: %v.", r.ProgressNote, noted.err))
		return j, c, nil
	case err != nil:
		return j, nil, err
	}
	for _, d := range task.NewGraph(c.File.Tasks).Check() {
		if task.IsDrift(d.Code) {
			j.Warnings = append(slices.Clip(j.Warnings), "Ledger drift after reconciliation: "+d.Message)
		}
	}
	return j, c, nil
}

// change makes the report's changes in the graph.
func (r *Report) change(f *task.File, warnings []string, preliminary task.Verifier, command string) error {
	t, err := f.Get(r.TaskID)
	if err != nil {
		return err
	}
	blocker := t.Blocker
	// A person may have made it done meanwhile, and a report does not undo that; that a session is at it makes no task one that is in progress: its selection did,
	// if the role works on tasks.
	if t.Status != task.Done && (t.Status != task.Todo || r.Requested != task.InProgress) {
		if _, err := task.SetStatus(f, r.TaskID, r.Requested); err != nil {
			return err
		}
	}
	t, err = f.Get(r.TaskID)
	if err != nil {
		return err
	}
	if t.Blocker = blocker; r.Blocker != "" { // an old one stays, also behind done: it says what was in the way
		t.Blocker = r.Blocker
	}
	if r.ProgressNote != "" {
		t.Notes = r.ProgressNote
	}
	if t.Validation == "" {
		t.Validation = command
	}
	t.LastVerifierResult = preliminary
	if !t.Unproven() || r.Requested == task.Done { // which Judge lets through with a proof only
		t.LastReconciliationWarning = ""
	}
	for _, w := range warnings {
		if strings.Contains(strings.ToLower(w), "conflict") {
			t.LastReconciliationWarning = w
			break
		}
	}
	return nil
}

// Escalate asks for a person: the text becomes the blocker of a task, and a line of the progress file, under one lock.
func (l Ledger) Escalate(ctx context.Context, id, text string) error {
	_, err := l.Tasks.UpdateThen(ctx, func(f *task.File) error {
		t, err := f.Get(id)
		if err != nil {
			return err
		}
		t.Blocker = text
		return nil
	}, func() error { return l.note(text) })
	return err
}

// noteError says that the progress file could not be written.
type noteError struct{ err error }

func (e *noteError) Error() string { return e.err.Error() }
func (e *noteError) Unwrap() error { return e.err }

// note adds a bullet to the progress file.
func (l Ledger) note(text string) error {
	if text == "" {
		return nil
	}
	old, err := durable.ReadFile(l.Progress, maxProgress)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &noteError{err}
	}
	next := "- " + text + "\n"
	if before := stable.TrimEnd(string(old)); before != "" {
		next = before + "\n" + next
	}
	if err := durable.WriteFile(l.Progress, []byte(next), 0o644); err != nil {
		return &noteError{err}
	}
	return nil
}
