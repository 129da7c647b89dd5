//go:build !linux && !darwin

package cli

import (
	"io/fs"
	"time"
)

// changeTime is when a file was last changed, as far as the system tells: the date of its content.
func changeTime(fi fs.FileInfo) time.Time { return fi.ModTime() }
