package doctrine

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Changes is what Create or Adopt did, as paths relative to the workspace, with slashes.
type Changes struct {
	Created  []string `json:"created"`
	Repaired []string `json:"repaired"`
	Present  []string `json:"present"`
	Kept     []string `json:"kept"` // where the old bytes of what was repaired are
}

// Create makes the files of the pack that are missing. What is there stays as it is, a broken evidence index too. ws is the workspace.
func Create(ws *durable.Dir, now time.Time) (Changes, error) {
	c := Changes{Created: []string{}, Repaired: []string{}, Present: []string{}, Kept: []string{}}
	if err := ws.Root().MkdirAll(filepath.FromSlash(layout.DoctrineDir), 0o755); err != nil {
		return c, fmt.Errorf("make %s: %w", layout.DoctrineDir, err)
	}
	for _, f := range Files {
		if err := c.create(ws, f.Name, f.scaffold()); err != nil {
			return c, err
		}
	}
	return c, c.create(ws, EvidenceIndex, evidenceIndex(now, nil))
}

func (c *Changes) create(ws *durable.Dir, name string, data []byte) error {
	at := path.Join(layout.DoctrineDir, name)
	created, err := ws.CreateFile(filepath.FromSlash(at), data, 0o644)
	if err != nil {
		return err
	}
	if created {
		c.Created = append(c.Created, at)
	} else {
		c.Present = append(c.Present, at)
	}
	return nil
}

// MissingError says that a workspace is not one yet: Adopt wants the three durable files.
type MissingError struct{ Paths []string }

func (e *MissingError) Error() string {
	return "no workspace to adopt: missing " + strings.Join(e.Paths, ", ")
}

// Hint says what to do.
func (e *MissingError) Hint() string {
	return "ralphex workspace init makes a new workspace; restore the files if there was one"
}

// Adopt gives a workspace that lives already its doctrine pack, and repairs a structurally invalid evidence index (Initialize Doctrine
// Pack in the seed). It wants PRD, tasks and progress; if one is missing it writes nothing. A second call changes nothing.
func Adopt(l layout.Layout, now time.Time) (Changes, error) {
	ws, err := durable.OpenDir(l.Root)
	if err != nil {
		return Changes{}, err
	}
	defer ws.Close()
	missing := &MissingError{}
	for _, p := range []string{l.PRD, l.Tasks, l.Progress} {
		if fi, err := stat(ws, l, p); err != nil || fi.IsDir() {
			missing.Paths = append(missing.Paths, l.Rel(p))
		}
	}
	if missing.Paths != nil {
		return Changes{}, missing
	}
	c, err := Create(ws, now)
	if err != nil {
		return c, err
	}
	return c, c.repairIndex(ws, now)
}

func stat(ws *durable.Dir, l layout.Layout, p string) (fs.FileInfo, error) {
	rel, err := filepath.Rel(l.Root, p)
	if err != nil {
		return nil, err
	}
	return ws.Root().Stat(rel)
}

// repairIndex replaces an invalid index. Its bytes are kept beside it under a new name, and its evidence, where that can be read, is taken over.
func (c *Changes) repairIndex(ws *durable.Dir, now time.Time) error {
	at := path.Join(layout.DoctrineDir, EvidenceIndex)
	name := filepath.FromSlash(at)
	old, err := ws.ReadFile(name, maxSize)
	if err != nil {
		return fmt.Errorf("read %s: %w", at, err)
	}
	if checkEvidenceIndex(old) == "" {
		return nil
	}
	keep := at + ".before-" + strings.NewReplacer("-", "", ":", "", ".", "").Replace(stable.Time(now))
	created, err := ws.CreateFile(filepath.FromSlash(keep), old, 0o644)
	if err != nil {
		return err
	}
	if !created {
		return fmt.Errorf("keep the old %s: %s exists: %w", at, keep, fs.ErrExist)
	}
	if err := ws.WriteFile(name, evidenceIndex(now, evidenceOf(old)), 0o644); err != nil {
		return err
	}
	c.Present = without(c.Present, at)
	c.Repaired, c.Kept = append(c.Repaired, at), append(c.Kept, keep)
	return nil
}

func evidenceOf(data []byte) []any {
	o, err := stable.ParseObject(data)
	if err != nil {
		return nil
	}
	v, _ := o.Get("evidence")
	a, ok := v.(*stable.Array)
	if !ok {
		return nil
	}
	return a.Items
}

func without(list []string, drop string) []string {
	out := []string{}
	for _, s := range list {
		if s != drop {
			out = append(out, s)
		}
	}
	return out
}

// absent reports whether an error says that there is no such file or folder.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
