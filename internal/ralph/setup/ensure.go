package setup

import (
	"context"
	"os"
	"time"

	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/task"
)

const defaultPRD = `# Objective

- Say what is to be built, and for whom.
- Say how one sees that it is done.
`

const defaultProgress = `# Progress

- The workspace was made.
- Each finished piece of work adds a line here.
`

// Ensure completes a workspace before something is prepared or executed: it makes missing folders and files, and alters nothing that is
// there, except that tasks.json is brought to its canonical form (task.Store.Migrate). saveState loads, normalizes and saves state.json; it
// is called last, every time. The result lists what was made in this order: folders, PRD, progress, tasks, state.
func Ensure(ctx context.Context, l layout.Layout, saveState func(context.Context) error) (created []string, err error) {
	w, err := open(l)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if err := w.dir(l.Ralph); err != nil {
		return nil, err
	}
	for _, dir := range l.RuntimeDirs() {
		if err := w.newDir(dir); err != nil {
			return w.made.Created, err
		}
	}
	if err := w.file(l.PRD, []byte(defaultPRD)); err != nil {
		return w.made.Created, err
	}
	if err := w.file(l.Progress, []byte(defaultProgress)); err != nil {
		return w.made.Created, err
	}
	_, tasks := os.Lstat(l.Tasks)
	if _, _, err := task.At(l.Tasks).Migrate(ctx); err != nil {
		return w.made.Created, err
	}
	_, state := os.Lstat(l.State)
	if err := saveState(ctx); err != nil {
		return w.made.Created, err
	}
	for _, f := range []struct {
		path string
		was  error
	}{{l.Tasks, tasks}, {l.State, state}} {
		if f.was != nil {
			w.made.Created = append(w.made.Created, l.Rel(f.path))
		}
	}
	return w.made.Created, nil
}

// Repair is Ensure for a person who asks for it: the files that an interrupted init leaves out, too.
func Repair(ctx context.Context, l layout.Layout, saveState func(context.Context) error, now time.Time) (created []string, err error) {
	created, err = Ensure(ctx, l, saveState)
	if err != nil {
		return created, err
	}
	w, err := open(l)
	if err != nil {
		return created, err
	}
	defer w.close()
	if err := w.ignore(); err != nil {
		return created, err
	}
	pack, err := doctrine.Create(w.ws, now)
	created = append(append(created, w.made.Created...), w.made.Replaced...)
	return append(created, pack.Created...), err
}
