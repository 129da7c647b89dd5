package durable

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// NotRegularError says that a name is no file with an end: a folder, a pipe, a device, or a link to one.
type NotRegularError struct {
	Path string
	Mode fs.FileMode
}

func (e *NotRegularError) Error() string {
	what := "no regular file"
	switch {
	case e.Mode.IsDir():
		what = "a folder"
	case e.Mode&fs.ModeSymlink != 0:
		what = "a link"
	case e.Mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case e.Mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return fmt.Sprintf("%s is %s, expected a file", e.Path, what)
}

// Hint says what to do.
func (e *NotRegularError) Hint() string {
	return "put the file back, or take away what stands in its place"
}

// TooBigError says that a file is larger than its reader ever expects.
type TooBigError struct {
	Path  string
	Limit int64 // bytes
}

func (e *TooBigError) Error() string {
	if e.Limit < 1<<20 {
		return fmt.Sprintf("%s has more than %d bytes", e.Path, e.Limit)
	}
	return fmt.Sprintf("%s has more than %d MiB", e.Path, e.Limit>>20)
}

// Hint says what to do.
func (e *TooBigError) Hint() string { return "look what made it so large; the file is left as it is" }

// CheckRegular refuses a path that is there and is no regular file, links followed. Reading a pipe would wait for ever, and a device may have
// no end; a repository can hold a link to one. A path that is not there is none of its business.
func CheckRegular(path string) error {
	fi, err := os.Stat(path)
	if err != nil || fi.Mode().IsRegular() {
		return nil //nolint:nilerr // whoever reads it next says what is wrong with it
	}
	return &NotRegularError{path, fi.Mode()}
}

// ReadFile reads a regular file of at most limit bytes; one that is larger, or anything else, is an error.
func ReadFile(path string, limit int64) ([]byte, error) {
	if err := CheckRegular(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var size int64
	if fi, err := f.Stat(); err == nil {
		size = fi.Size()
	}
	if size > limit {
		return nil, &TooBigError{path, limit}
	}
	var data bytes.Buffer
	data.Grow(int(size) + bytes.MinRead) // what is known to come is not copied again and again
	if n, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil || n <= limit {
		return data.Bytes(), err
	}
	return nil, &TooBigError{path, limit}
}

// ReadFile is the package's ReadFile for a file below the folder.
func (d *Dir) ReadFile(name string, limit int64) ([]byte, error) { return ReadIn(d.root, name, limit) }

// ReadIn is ReadFile for a file below root, out of which no link leads.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	fi, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, &NotRegularError{name, fi.Mode()}
	}
	if fi.Size() > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return root.ReadFile(name)
}
