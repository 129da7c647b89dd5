package config

import (
	"errors"
	"io/fs"
)

// FileError says that a file of settings, a prompt or an agent can't be read.
type FileError struct {
	Origin Origin
	Err    error // why, without the place
}

func (e *FileError) Error() string { return e.Origin.Place() + ": " + e.reason() }
func (e *FileError) Unwrap() error { return e.Err }

// reason leaves the path out that an error of the system has in it: the place is named already.
func (e *FileError) reason() string {
	if at, ok := errors.AsType[*fs.PathError](e.Err); ok {
		return at.Op + ": " + at.Err.Error()
	}
	return e.Err.Error()
}

// Hint says how such a file has to be; "" where the reason itself does.
func (e *FileError) Hint() string {
	switch {
	case errors.Is(e.Err, errNoFile):
		return "put a plain text file there, or take it away"
	case errors.Is(e.Err, errNoText):
		return "save it as UTF-8; editors call it so in their dialog"
	}
	return ""
}

// What a file of settings must not be.
var (
	errNoFile = errors.New("no regular file")
	errNoText = errors.New("no UTF-8 text: there are zero bytes in it, as in a file of another encoding (UTF-16) or a binary one")
)
