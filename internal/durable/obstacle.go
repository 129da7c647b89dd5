package durable

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// NotFolderError says that something else is where a folder above a file belongs.
type NotFolderError struct {
	Path string
	Mode fs.FileMode // of what is there; a link leads out of where files are written, or to nothing that is a folder
}

func (e *NotFolderError) Error() string {
	what := "a file"
	switch {
	case e.Mode&fs.ModeSymlink != 0:
		what = "a link that leads out, or to no folder"
	case e.Mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case !e.Mode.IsRegular():
		what = "no folder"
	}
	return e.Path + " is " + what + ", expected a folder"
}

// Hint says what to do.
func (e *NotFolderError) Hint() string { return "move it away: a missing folder is made" }

// blocked is what keeps a file below root from being written, in the words of a person, if that can be seen; else it is err. path is root's own.
func blocked(root *os.Root, path, name string, err error) error {
	if err == nil {
		return nil
	}
	elems := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	for i := range elems {
		at := filepath.Join(elems[:i+1]...)
		fi, no := root.Lstat(at)
		if no != nil {
			return err
		}
		if i == len(elems)-1 {
			if fi.IsDir() {
				return &NotRegularError{filepath.Join(path, at), fi.Mode()}
			}
			return err
		}
		if to, no := root.Stat(at); no != nil || !to.IsDir() {
			return &NotFolderError{filepath.Join(path, at), fi.Mode()}
		}
	}
	return err
}

// told says what failed with a file below dir. An error that names its path itself says all of it; one that names a path below a folder that is open gets the
// whole path, as far as it is there: a person has to look at it.
func told(verb, dir, name string, err error) error {
	switch err := err.(type) {
	case *NotFolderError, *NotRegularError:
		return fmt.Errorf("%s %s: %w", verb, filepath.Base(name), err)
	case *fs.PathError:
		at := filepath.Join(dir, name)
		for filepath.Dir(at) != at {
			if _, err := os.Lstat(filepath.Dir(at)); err == nil {
				break
			}
			at = filepath.Dir(at)
		}
		return fmt.Errorf("%s %s: %w", verb, filepath.Join(dir, name), &fs.PathError{Op: err.Op, Path: at, Err: err.Err})
	}
	return fmt.Errorf("%s %s: %w", verb, filepath.Join(dir, name), err)
}
