package artifact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// Retention is how long an artifact is meant to stay.
type Retention string

// The retention classes.
const (
	Pinned      Retention = "pinned"
	Durable     Retention = "durable"
	OfIteration Retention = "iteration"
	LatestOnly  Retention = "latest"
)

// Entry is an artifact in the registry.
type Entry struct {
	Path          string // absolute, below the artifacts folder
	Type          string // "prompt", "iteration-result", …
	CreatedAt     time.Time
	RunID         string // provenance id; the rest may be empty
	TaskID        string
	AgentID       string
	AgentRole     string
	Provider      string
	Iteration     int // 0 = none
	LatestAlias   string
	Retention     Retention
	GeneratedFrom string // related.generatedFrom: path of what it was made from
}

func (e Entry) record(id string) *stable.Object {
	r := &stable.Record{}
	r.Put("id", id).Put("type", e.Type).Put("path", id).Put("createdAt", stable.Time(e.CreatedAt)).Null("runId", e.RunID).Null("taskId", e.TaskID)
	r.Null("agentId", e.AgentID).Null("agentRole", e.AgentRole).Null("provider", e.Provider)
	if e.Iteration > 0 {
		r.Put("iteration", e.Iteration)
	} else {
		r.Put("iteration", nil)
	}
	r.Null("latestAlias", e.LatestAlias).Put("retentionClass", string(e.Retention)).Put("pinned", e.Retention == Pinned)
	if e.GeneratedFrom != "" {
		from := &stable.Record{}
		r.Put("related", &from.Put("generatedFrom", e.GeneratedFrom).Object)
	}
	return &r.Object
}

// Registry is artifacts/index.json, a list of artifacts for other programs. It is never asked what there is: whoever fails to register has
// written the artifact all the same, and takes the error as a warning.
type Registry struct {
	layout.Layout
	Budget lock.Budget // zero = lock.Others
}

// RegistryError says that index.json is there and is no registry.
type RegistryError struct {
	Path string
	Err  error
}

func (e *RegistryError) Error() string {
	return fmt.Sprintf("%s is no artifact registry: %v", e.Path, e.Err)
}
func (e *RegistryError) Unwrap() error { return e.Err }

// Hint says what a person can do.
func (e *RegistryError) Hint() string {
	return "move it away: the next artifacts are registered in a new one, and nothing else depends on it"
}

// Register adds artifacts, or puts new entries in the place of those with the same path. Files that do not exist are passed over, and what lay in
// folders that are gone since is dropped: else the list would grow with each iteration that retention deletes.
func (g Registry) Register(ctx context.Context, entries ...Entry) error {
	return g.update(ctx, func(have map[string]*stable.Object) (bool, error) {
		changed := g.dropFolders(have)
		for _, e := range entries {
			if _, err := os.Lstat(e.Path); err != nil {
				continue
			}
			id, err := g.id(e.Path)
			if err != nil {
				return false, err
			}
			if e.GeneratedFrom != "" {
				if e.GeneratedFrom, err = g.id(e.GeneratedFrom); err != nil {
					return false, err
				}
			}
			have[id], changed = e.record(id), true
		}
		return changed, nil
	})
}

// dropFolders drops the entries whose folder is gone, and tells whether there were any.
func (g Registry) dropFolders(have map[string]*stable.Object) bool {
	before, gone := len(have), map[string]bool{}
	for id := range have {
		folder := path.Dir(id)
		is, known := gone[folder]
		if !known {
			_, err := os.Lstat(filepath.Join(g.Artifacts, filepath.FromSlash(folder)))
			is = errors.Is(err, fs.ErrNotExist)
			gone[folder] = is
		}
		if is {
			delete(have, id)
		}
	}
	return len(have) < before
}

// Reconcile drops the entries whose file is gone (reconcileArtifactRegistry in the seed), and returns their paths.
func (g Registry) Reconcile(ctx context.Context) (dropped []string, err error) {
	if _, err := os.Lstat(g.Registry); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err = g.update(ctx, func(have map[string]*stable.Object) (bool, error) {
		for id := range have {
			if _, err := os.Lstat(filepath.Join(g.Artifacts, filepath.FromSlash(id))); errors.Is(err, fs.ErrNotExist) {
				dropped = append(dropped, id)
				delete(have, id)
			}
		}
		slices.Sort(dropped)
		return dropped != nil, nil
	})
	if err != nil {
		return nil, err
	}
	return dropped, nil
}

// id is how the registry names an artifact: its path below the artifacts folder, with slashes.
func (g Registry) id(file string) (string, error) {
	rel, err := filepath.Rel(g.Artifacts, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s does not lie in %s", file, g.Artifacts)
	}
	return filepath.ToSlash(rel), nil
}

// update reads, changes and writes under the lock.
func (g Registry) update(ctx context.Context, change func(map[string]*stable.Object) (bool, error)) error {
	budget := g.Budget
	if budget == (lock.Budget{}) {
		budget = lock.Others
	}
	if err := os.MkdirAll(g.Artifacts, 0o755); err != nil {
		return err
	}
	r, err := lock.With(ctx, g.RegistryLock(), budget, func() error {
		have, err := g.read()
		if err != nil {
			return err
		}
		if changed, err := change(have); err != nil || !changed {
			return err
		}
		return durable.WriteFile(g.Registry, marshalEntries(have), 0o644)
	})
	if err == nil {
		err = r.Err()
	}
	return err
}

func (g Registry) read() (map[string]*stable.Object, error) {
	have := map[string]*stable.Object{}
	data, err := durable.ReadFile(g.Registry, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return have, nil
	}
	if err != nil {
		return nil, err
	}
	o, err := stable.ParseObject(data)
	if err != nil {
		return nil, &RegistryError{g.Registry, err}
	}
	if v, _ := o.Get("schemaVersion"); v != 1.0 {
		return nil, &RegistryError{g.Registry, fmt.Errorf("schemaVersion is %v, expected 1", v)}
	}
	for _, e := range o.Objects("entries") {
		if id := e.Text("id"); id != "" {
			have[id] = e
		}
	}
	return have, nil
}

func marshalEntries(have map[string]*stable.Object) []byte {
	ids := make([]string, 0, len(have))
	for id := range have {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	list := make([]any, len(ids))
	for i, id := range ids {
		list[i] = have[id]
	}
	r := &stable.Record{}
	return stable.Marshal(&r.Put("schemaVersion", 1).Put("entries", list).Object)
}
