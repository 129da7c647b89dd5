package durable

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"ralphex/internal/durable/internal/step"
)

// Batch writes many files below a folder, and makes them durable together, later. Each file is whole at any time for whoever reads it, and after
// a kill of the process; only a machine that loses its power before Sync may have lost what was written since the last one. It is for files
// that nothing is decided from, where a sync of each would cost more than the work that it records. Its methods may be called from several
// goroutines.
type Batch struct {
	dir *Dir

	folders sync.RWMutex // held for writing while folders are closed, and else by whoever writes into one
	mu      sync.Mutex
	pending map[string]bool     // names that were written since the last Sync
	open    map[string]*os.Root // folders of those: each is looked for once
	stale   []*os.Root          // folders that were taken away: somebody may be writing into one
}

// Batch begins one. The Dir must outlive it, and Sync ends it.
func (d *Dir) Batch() *Batch {
	return &Batch{dir: d, pending: map[string]bool{}, open: map[string]*os.Root{}}
}

// WriteFile is Dir.WriteFile without the wait for the disk. Missing folders above the file are made.
func (b *Batch) WriteFile(name string, data []byte, perm fs.FileMode) error {
	b.folders.RLock()
	defer b.folders.RUnlock()
	name = filepath.Clean(name)
	folder := filepath.Dir(name)
	err := b.place(folder, filepath.Base(name), data, perm)
	if errors.Is(err, fs.ErrNotExist) { // the folder is missing, or somebody took it away since
		b.drop(folder)
		err = b.dir.root.MkdirAll(folder, 0o755)
		if err == nil {
			err = b.place(folder, filepath.Base(name), data, perm)
		}
	}
	if err != nil {
		return told("write", b.dir.path, name, blocked(b.dir.root, b.dir.path, name, err))
	}
	b.note(name)
	return nil
}

// note remembers names that are to be synced.
func (b *Batch) note(names ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range names {
		b.pending[name] = true
	}
}

func (b *Batch) drop(folder string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.open[folder]; r != nil {
		b.stale = append(b.stale, r)
		delete(b.open, folder)
	}
}

func (b *Batch) folder(name string) (root *os.Root, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if root = b.open[name]; root == nil {
		if root, err = b.dir.root.OpenRoot(name); err == nil {
			b.open[name] = root
		}
	}
	return root, err
}

func (b *Batch) place(folder, base string, data []byte, perm fs.FileMode) (err error) {
	root, err := b.folder(folder)
	if err != nil {
		return err
	}
	temp := "." + base + ".tmp-" + rand.Text()[:12]
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close() // twice is harmless
			root.Remove(temp)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := step.Before("place"); err != nil {
		return err
	}
	return root.Rename(temp, base)
}

// Rename gives a file that was written another name in its folder, in one step: what had that name is replaced.
func (b *Batch) Rename(from, to string) error {
	b.folders.RLock()
	defer b.folders.RUnlock()
	from, to = filepath.Clean(from), filepath.Clean(to)
	root, err := b.folder(filepath.Dir(from))
	if err == nil {
		err = step.Before("place")
	}
	if err == nil {
		err = root.Rename(filepath.Base(from), filepath.Base(to))
	}
	if err != nil {
		return told("rename", b.dir.path, from, blocked(b.dir.root, b.dir.path, to, err))
	}
	b.mu.Lock()
	delete(b.pending, from)
	b.mu.Unlock()
	b.note(to)
	return nil
}

// syncers is how many files of a Batch are synced at once. Each sync waits for the disk, and what a file system writes down for one of them mostly holds
// others, too: 8 take less than a tenth of the time of one after the other, and half of the processor's.
const syncers = 8

// Sync waits until all that was written is on the disk. A file that is gone meanwhile needs no sync; what fails is tried again by the next Sync.
func (b *Batch) Sync() error {
	names, open := b.take()
	defer func() {
		for _, root := range open {
			root.Close()
		}
	}()
	failed := eachAtOnce(names, func(name string) error {
		err := syncFile(open[filepath.Dir(name)], filepath.Base(name))
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		b.note(name)
		return fmt.Errorf("sync %s: %w", filepath.Join(b.dir.path, name), err)
	})
	return errors.Join(failed, eachAtOnce(slices.Sorted(maps.Keys(open)), func(folder string) error {
		if err := syncDir(open[folder], "."); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}))
}

// take hands out the names that are to be synced, in order, and their folders. One that was taken away is left out with what was in it.
func (b *Batch) take() (names []string, open map[string]*os.Root) {
	b.folders.Lock() // nobody writes while folders change hands
	defer b.folders.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.stale {
		r.Close()
	}
	names, open = slices.Sorted(maps.Keys(b.pending)), b.open
	b.pending, b.open, b.stale = map[string]bool{}, map[string]*os.Root{}, nil
	return slices.DeleteFunc(names, func(name string) bool {
		folder := filepath.Dir(name)
		if open[folder] == nil { // it failed before, or somebody took the folder away
			root, err := b.dir.root.OpenRoot(folder)
			if err != nil {
				return true
			}
			open[folder] = root
		}
		return false
	}), open
}

// eachAtOnce does one thing to each name, to several at a time, and returns what went wrong in the order of the names.
func eachAtOnce(names []string, do func(string) error) error {
	errs := make([]error, len(names))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(syncers, len(names)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				errs[i] = do(names[i])
			}
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}

func syncFile(folder *os.Root, name string) error {
	f, err := folder.OpenFile(name, os.O_RDWR, 0) // Windows syncs only what may be written
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
