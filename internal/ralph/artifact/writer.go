package artifact

import (
	"errors"
	"fmt"
	"path/filepath"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
)

// perm is the mode of evidence: prompts and what agents and commands said are their user's alone.
const perm = 0o600

// Writer puts artifacts into a workspace, and nowhere else.
type Writer struct {
	layout.Layout
	dir    *durable.Dir
	batch  *durable.Batch
	latest pointers
}

// Open returns a writer. A layout that leads out of its workspace is refused.
func Open(l layout.Layout) (*Writer, error) {
	if err := l.CheckInside(); err != nil {
		return nil, err
	}
	dir, err := durable.OpenDir(l.Root)
	if err != nil {
		return nil, err
	}
	return &Writer{Layout: l, dir: dir, batch: dir.Batch()}, nil
}

// Put writes a file at each of the absolute paths, and the folders above them. Each is a copy of its own: other programs write in place.
func (w *Writer) Put(data []byte, paths ...string) error {
	for _, path := range paths {
		rel, err := filepath.Rel(w.Root, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := w.batch.WriteFile(rel, data, perm); err != nil {
			return err
		}
	}
	return nil
}

// Rename gives a file that was put another name in its folder; both paths are absolute.
func (w *Writer) Rename(from, to string) error {
	old, err := filepath.Rel(w.Root, from)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return w.batch.Rename(old, filepath.Join(filepath.Dir(old), filepath.Base(to)))
}

// Sync writes the latest copies that were noted, and waits until all that was put is on the disk. Of copies that can't be written ShowLatest tells.
func (w *Writer) Sync() error {
	w.show()
	return w.batch.Sync()
}

// Close syncs and ends the writer.
func (w *Writer) Close() error {
	return errors.Join(append([]error{w.Sync(), w.dir.Close()}, w.ShowLatest()...)...)
}
