package prd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// ExistsError says that a file holds something of somebody's that the draft would replace. Nothing was written.
type ExistsError struct {
	Path string
	What string // "an objective", "3 tasks"
}

func (e *ExistsError) Error() string { return fmt.Sprintf("%s holds %s already", e.Path, e.What) }

// Hint says what to do.
func (e *ExistsError) Hint() string {
	return "look at it first; --replace puts the reviewed draft in its place"
}

// Written is what Write did.
type Written struct {
	PRD   bool         `json:"prd"` // whether the objective was written
	Tasks *task.Change `json:"tasks"`
}

// Write puts a reviewed draft in place (writePrdWizardDraft): the PRD and the task file, under tasks.lock, and nothing else. Everything
// that can be wrong is found before the first write. An objective or tasks that are there are an *ExistsError, unless replace says that
// the person confirmed to lose them.
func Write(ctx context.Context, prdPath string, s task.Store, d *Draft, replace bool) (*Written, error) {
	text := stable.Text(d.PRD)
	old, err := durable.ReadFile(prdPath, 64<<20)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("write draft: %w", err)
	case holds(string(old)) && string(old) != text && !replace:
		return nil, &ExistsError{prdPath, "an objective"}
	}
	w := &Written{PRD: string(old) != text}
	w.Tasks, err = s.ReplaceWith(ctx, drafts(d.Tasks), &task.With{
		Check: func(old []task.Task) error {
			if len(old) > 0 && !replace && string(task.Stringify(&task.File{Tasks: old})) != string(task.Stringify(&task.File{Tasks: d.Tasks})) {
				return &ExistsError{s.Path, count(len(old))}
			}
			return nil
		},
		Write: func() error {
			if !w.PRD {
				return nil
			}
			return durable.WriteFile(prdPath, []byte(text), 0o644)
		},
	})
	if err != nil {
		return nil, fmt.Errorf("write draft: %w", err)
	}
	return w, nil
}

// Append puts the tasks of a draft behind those that are there, with free ids.
func Append(ctx context.Context, s task.Store, d *Draft) (*task.Change, error) {
	return s.AppendFree(ctx, drafts(d.Tasks))
}

func drafts(tasks []task.Task) []*task.Draft {
	var out []*task.Draft
	for _, t := range tasks {
		out = append(out, task.DraftOf(t))
	}
	return out
}

func count(n int) string {
	if n == 1 {
		return "1 task"
	}
	return fmt.Sprintf("%d tasks", n)
}

// holds tells whether a PRD says anything: a comment that waits for words is none.
func holds(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && !(strings.HasPrefix(text, "<!--") && strings.HasSuffix(text, "-->") && strings.Count(text, "-->") == 1)
}

// Steps are the sections of a PRD as steps of a pipeline: its children, one after the other.
func Steps(prd string) ([]task.PipelineStep, error) {
	d, err := Generate(prd)
	if err != nil {
		return nil, err
	}
	var out []task.PipelineStep
	for i := range d.Tasks {
		t := &d.Tasks[i]
		out = append(out, task.PipelineStep{Title: t.Title, Notes: t.Notes, Validation: t.Validation, Acceptance: t.Acceptance, Context: t.Context})
	}
	return out, nil
}
