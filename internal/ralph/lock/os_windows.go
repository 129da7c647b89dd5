package lock

import (
	"errors"
	"io/fs"
)

// contended tells whether somebody has the lock. A file that is about to be deleted can't be created anew: access is
// denied until its last handle is closed.
func contended(err error) bool {
	return errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrPermission)
}

func removeCommand(path string) string { return `del "` + path + `"` }
