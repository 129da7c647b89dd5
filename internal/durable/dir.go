package durable

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is a folder that can't be left: no name with "..", no absolute name and no symlink leads out of it.
type Dir struct {
	root *os.Root
	path string
}

// OpenDir opens a folder, and makes it (mode 0750 less the umask) with those above it where they are missing.
func OpenDir(path string) (*Dir, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o750); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{root, path}, nil
}

// Path returns the absolute path.
func (d *Dir) Path() string { return d.path }

// Root returns what reads and lists the folder. The Dir owns it.
func (d *Dir) Root() *os.Root { return d.root }

// WriteFile is the package's WriteFile for a file below the folder, whose own folder exists. A symlink is replaced, not
// followed.
func (d *Dir) WriteFile(name string, data []byte, perm fs.FileMode) error {
	if err := writeIn(d.root, name, data, perm); err != nil {
		return told("write", d.path, name, blocked(d.root, d.path, name, err))
	}
	return nil
}

// OpenLog is the package's OpenLog for a file below the folder.
func (d *Dir) OpenLog(name string, perm fs.FileMode) (*Log, error) {
	return openLog(filepath.Join(d.path, name), func() (*os.File, error) {
		f, err := d.root.OpenFile(name, logFlags, perm)
		if err != nil {
			return nil, told("open", d.path, name, err)
		}
		return f, nil
	})
}

// Close closes the folder. Logs that were opened in it stay open.
func (d *Dir) Close() error { return d.root.Close() }
