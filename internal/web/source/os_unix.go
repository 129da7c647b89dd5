//go:build unix

package source

import "syscall"

// noWait keeps opening a pipe from waiting for its writer.
const noWait = syscall.O_NONBLOCK
