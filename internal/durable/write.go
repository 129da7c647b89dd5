package durable

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralphex/internal/durable/internal/step"
)

// WriteFile replaces the file by one that holds data, or makes it. Whoever opens the file sees all of the old bytes or all
// of the new ones. A file that exists keeps its mode, and its owner where that is allowed; a new one gets perm less the
// umask. A symlink stays, and its target is replaced.
func WriteFile(path string, data []byte, perm fs.FileMode) error {
	path, err := target(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer root.Close()
	if err := writeIn(root, filepath.Base(path), data, perm); err != nil {
		return told("write", filepath.Dir(path), filepath.Base(path), err)
	}
	return nil
}

// WriteIfDifferent is WriteFile for a file that mostly holds data already. It tells whether it wrote.
func WriteIfDifferent(path string, data []byte, perm fs.FileMode) (wrote bool, err error) {
	if old, err := ReadFile(path, int64(len(data))); err == nil && bytes.Equal(old, data) {
		return false, nil
	}
	return true, WriteFile(path, data, perm)
}

// target follows the symlinks of the last element, also to a file that does not exist yet.
func target(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing there
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path, errors.New("too many symlinks")
}

// writeIn writes a file of the folder root. name has no separator, or one below root.
func writeIn(root *os.Root, name string, data []byte, perm fs.FileMode) (err error) {
	old, statErr := root.Stat(name)
	if statErr == nil && !old.Mode().IsRegular() {
		return &NotRegularError{filepath.Join(root.Name(), name), old.Mode()}
	}
	dir, base := filepath.Split(name)
	temp := filepath.Join(dir, "."+base+".tmp-"+rand.Text()[:12])
	if err := step.Before("create"); err != nil {
		return err
	}
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
	if statErr == nil {
		if err := keepMode(f, old); err != nil {
			return err
		}
	}
	if err := step.Before("write"); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := step.Before("fsync"); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := step.Before("close"); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := step.Before("rename"); err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		return err
	}
	return syncDir(root, filepath.Clean(dir))
}

// keepMode gives the new file the mode of the old one. The owner is kept where the process may do that: a run as root must not
// take a plan away from its user.
func keepMode(f *os.File, old fs.FileInfo) error {
	if err := step.Before("chmod"); err != nil {
		return err
	}
	chownLike(f, old)
	return f.Chmod(old.Mode().Perm())
}

// syncDir makes the names in a folder durable. Systems that can't sync a folder are left alone.
func syncDir(root *os.Root, dir string) error {
	if !canSyncDir {
		return nil
	}
	if err := step.Before("fsync folder"); err != nil {
		return err
	}
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !notSyncable(err) {
		return err
	}
	return nil
}

// Sweep removes what writes of the file left that were killed before their rename. Its caller makes sure, by a lock, that
// no write of the file is under way. It is a courtesy: what can't be removed stays.
func Sweep(path string) {
	path, err := target(path)
	if err != nil {
		return
	}
	dir, base := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+base+".tmp-") && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
