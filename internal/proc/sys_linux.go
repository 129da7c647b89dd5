package proc

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of what its descendants leave behind. It tells whether that works.
var adoptOrphans = sync.OnceValue(func() bool {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
})

// widen enlarges a pipe to the most that Linux gives everybody, so that a fast writer and we change places less often. A refusal
// doesn't matter.
func widen(f *os.File) {
	if rc, err := f.SyscallConn(); err == nil {
		_ = rc.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
	}
}

// awaitExit waits until the process is a zombie and leaves it so: as long as nobody reaped it, its pid and with it
// the id of its group can't become another's.
func (ch *child) awaitExit() {
	for {
		err := unix.Waitid(unix.P_PID, ch.proc.PID, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

func (ch *child) wait() { ch.waitErr = ch.cmd.Wait() }

// killTree kills the group and every descendant: an agent's tools have groups of their own and outlive it otherwise.
func (ch *child) killTree() {
	all := descend(map[int]bool{ch.proc.PID: true}, scan())
	_ = unix.Kill(-ch.proc.PID, unix.SIGKILL)
	for _, s := range all {
		_ = s.signal(unix.SIGKILL)
	}
}
