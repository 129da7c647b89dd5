//go:build unix

package cli

import (
	"errors"
	"syscall"
)

// alive tells whether a process is there, whoever owns it.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
