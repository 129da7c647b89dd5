//go:build unix

package control

import (
	"io/fs"
	"os"
	"syscall"
)

// shortTemp is for systems whose own temporary folder has a long name.
const shortTemp = "/tmp"

// ownedAlone tells whether a folder is this user's, and nobody else may do anything in it.
func ownedAlone(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && fi.Mode().Perm()&0o077 == 0
}
