package durable

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateFile makes a file below the folder, whose own folder exists, and never touches one that is there: then created is false. The file is
// there whole or not at all, and of two that create it at once one does.
func (d *Dir) CreateFile(name string, data []byte, perm fs.FileMode) (created bool, err error) {
	created, err = createIn(d.root, name, data, perm)
	if err != nil {
		return created, fmt.Errorf("create %s: %w", filepath.Join(d.path, name), err)
	}
	return created, nil
}

func createIn(root *os.Root, name string, data []byte, perm fs.FileMode) (bool, error) {
	if _, err := root.Lstat(name); err == nil {
		return false, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	dir, base := filepath.Split(name)
	temp := filepath.Join(dir, "."+base+".tmp-"+rand.Text()[:12])
	if err := writeIn(root, temp, data, perm); err != nil {
		return false, err
	}
	defer root.Remove(temp)
	// A link fails where the name is taken, which a rename would not.
	switch err := root.Link(temp, name); {
	case errors.Is(err, fs.ErrExist):
		return false, nil
	case err != nil: // a file system without links: the bytes are no longer all or nothing, but still nobody's file is replaced
		return createPlain(root, name, data, perm)
	}
	return true, syncDir(root, filepath.Clean(dir))
}

func createPlain(root *os.Root, name string, data []byte, perm fs.FileMode) (bool, error) {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return false, errors.Join(err, root.Remove(name))
	}
	return true, syncDir(root, filepath.Dir(name))
}
