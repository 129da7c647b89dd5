package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// InitializedError says that the workspace has its objective already.
type InitializedError struct{ Path string }

func (e *InitializedError) Error() string {
	return "the workspace is initialized: its objective exists, " + e.Path
}

// Hint says what to do.
func (e *InitializedError) Hint() string {
	return "ralphex workspace adopt adds a missing doctrine pack; ralphex workspace doctor --fix makes other missing files"
}

// Made is what was made and what was found, as paths relative to the workspace, with slashes, in the order of the work.
type Made struct {
	Created  []string `json:"created"`
	Present  []string `json:"present"`  // kept as they are
	Replaced []string `json:"replaced"` // the .gitignore that a plan run had left
}

// placeholderPRD is the objective of a workspace that has none yet.
const placeholderPRD = "<!-- The objective: what is to be built, and for whom. -->\n"

// emptyGraph is a task file without tasks.
func emptyGraph() []byte {
	o := &stable.Object{}
	o.Set("version", 2)
	o.Set("tasks", []any{})
	return stable.Marshal(o)
}

// Init makes a workspace (Initialize Workspace in the seed). objective becomes the PRD; an empty one leaves a placeholder. A PRD that is
// there, at its default place or where settings put it, is an *InitializedError, and nothing changes. Files that are there without a PRD are
// kept: a backlog that somebody wrote is worth more than a fresh start.
func Init(ctx context.Context, l layout.Layout, objective string, now time.Time) (Made, error) {
	w, err := open(l)
	if err != nil {
		return Made{}, err
	}
	defer w.close()
	for _, prd := range []string{l.InitGuard(), l.PRD} {
		if _, err := os.Lstat(prd); err == nil {
			return Made{}, &InitializedError{l.Rel(prd)}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return Made{}, err
		}
	}
	if err := w.dir(l.Ralph); err != nil {
		return w.made, err
	}
	if err := w.file(l.PRD, prdText(objective)); err != nil {
		return w.made, err
	}
	if err := w.tasks(ctx, emptyGraph()); err != nil {
		return w.made, err
	}
	if err := w.file(l.Progress, nil); err != nil {
		return w.made, err
	}
	if err := w.ignore(); err != nil {
		return w.made, err
	}
	pack, err := doctrine.Create(w.ws, now)
	w.made.Created = append(w.made.Created, pack.Created...)
	w.made.Present = append(w.made.Present, pack.Present...)
	return w.made, err
}

// prdText makes the objective a document with one heading. One that begins with a heading has it already.
func prdText(objective string) []byte {
	objective = stable.Trim(objective)
	switch {
	case objective == "":
		return []byte(placeholderPRD)
	case strings.HasPrefix(objective, "# "):
		return []byte(stable.Text(objective))
	}
	return []byte(stable.Text("# Objective\n\n" + objective))
}

// maxSize is the largest file that is looked at.
const maxSize = 64 << 20

// worker makes files of one workspace and remembers what it did.
type worker struct {
	l    layout.Layout
	ws   *durable.Dir
	made Made
}

func open(l layout.Layout) (*worker, error) {
	if err := l.CheckInside(); err != nil {
		return nil, err
	}
	ws, err := durable.OpenDir(l.Root)
	if err != nil {
		return nil, err
	}
	return &worker{l: l, ws: ws, made: Made{Created: []string{}, Present: []string{}, Replaced: []string{}}}, nil
}

func (w *worker) close() { _ = w.ws.Close() } // nothing is written through it any more

func (w *worker) rel(path string) (string, error) {
	rel, err := filepath.Rel(w.l.Root, path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return rel, nil
}

// dir makes a folder with those above it.
func (w *worker) dir(path string) error {
	rel, err := w.rel(path)
	if err != nil {
		return err
	}
	return w.ws.Root().MkdirAll(rel, 0o755)
}

// newDir is dir for one that is told of.
func (w *worker) newDir(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := w.dir(path); err != nil {
		return err
	}
	w.made.Created = append(w.made.Created, w.l.Rel(path))
	return nil
}

// file makes a file that is missing.
func (w *worker) file(path string, data []byte) error {
	rel, err := w.rel(path)
	if err != nil {
		return err
	}
	if err := w.dir(filepath.Dir(path)); err != nil {
		return err
	}
	created, err := w.ws.CreateFile(rel, data, 0o644)
	if err != nil {
		return err
	}
	w.told(path, created)
	return nil
}

func (w *worker) told(path string, created bool) {
	if created {
		w.made.Created = append(w.made.Created, w.l.Rel(path))
	} else {
		w.made.Present = append(w.made.Present, w.l.Rel(path))
	}
}

// tasks makes the task file under its lock. One that holds something is kept; a blank one is no backlog, and gets the text.
func (w *worker) tasks(ctx context.Context, data []byte) error {
	if err := w.dir(filepath.Dir(w.l.Tasks)); err != nil {
		return err
	}
	result, err := lock.With(ctx, w.l.TasksLock(), lock.Tasks, func() error {
		rel, err := w.rel(w.l.Tasks)
		if err != nil {
			return err
		}
		old, err := w.ws.ReadFile(rel, maxSize)
		if err == nil && stable.Trim(string(old)) == "" {
			w.told(w.l.Tasks, true)
			return w.ws.WriteFile(rel, data, 0o644)
		}
		return w.file(w.l.Tasks, data)
	})
	return errors.Join(err, result.Err())
}
