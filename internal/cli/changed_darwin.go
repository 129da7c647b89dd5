package cli

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime is when a file was last changed in any way: content, name, mode or owner.
func changeTime(fi fs.FileInfo) time.Time {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctimespec.Unix())
	}
	return fi.ModTime()
}
