//go:build !windows

package lock

import (
	"errors"
	"io/fs"
	"strings"
)

// contended tells whether somebody has the lock.
func contended(err error) bool { return errors.Is(err, fs.ErrExist) }

func removeCommand(path string) string {
	return "rm '" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
