//go:build unix

package vcs

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command into a process group of its own. Its end is asked for politely: git removes its lock files on SIGTERM,
// on SIGKILL it leaves them behind.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// killGroup ends what is left of the group.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // nobody left is fine
	}
}
