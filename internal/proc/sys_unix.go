//go:build unix

package proc

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// enclosure is nothing here: a session and its mark are what holds a tree together.
type enclosure struct{}

func (enclosure) enclose() {}

// ownGroup gives the child a session of its own: no terminal, and one id for all that stay in its group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func signalName(st *os.ProcessState) string {
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal().String()
	}
	return ""
}

// askGroup asks all members of the group to end. A stopped process gets the signal only when it goes on.
func (ch *child) askGroup() {
	_ = unix.Kill(-ch.proc.PID, unix.SIGTERM)
	_ = unix.Kill(-ch.proc.PID, unix.SIGCONT)
}
