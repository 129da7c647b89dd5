package source

import "golang.org/x/sys/unix"

// locksTell tells whether a lock on the file can be seen from here whoever holds it. On a share, a process of another machine may.
func locksTell(path string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(path, &fs) == nil && fs.Flags&unix.MNT_LOCAL != 0
}
