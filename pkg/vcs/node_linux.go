package vcs

import (
	"io/fs"
	"syscall"
)

func nodeOf(fi fs.FileInfo) (node, bool) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return node{}, false
	}
	return node{uint32(st.Ctim.Sec), uint32(st.Ctim.Nsec), uint32(st.Dev), uint32(st.Ino), st.Uid, st.Gid}, true
}
