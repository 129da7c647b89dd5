//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package term

import "golang.org/x/sys/unix"

const readQueue = 1 // FREAD of <sys/fcntl.h>

// Not a terminal: an error, and nothing to drop.
func forgetInput(fd int) { _ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, readQueue) }
