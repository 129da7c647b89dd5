package proc

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup keeps the console's Ctrl+C from the child.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func signalName(*os.ProcessState) string { return "" }
func startTime(int) uint64               { return 0 }

// askGroup asks windows of the tree to close; a console program does not hear it and is killed after the grace.
func (ch *child) askGroup() { taskkill(ch.proc.PID) }

// killTree kills the child with all that taskkill finds below it.
func (ch *child) killTree() {
	taskkill(ch.proc.PID, "/F")
	_ = ch.cmd.Process.Kill()
}

func taskkill(pid int, more ...string) {
	_ = exec.Command("taskkill", append([]string{"/T", "/PID", strconv.Itoa(pid)}, more...)...).Run()
}

// sweep has nothing to go by: once the root is gone, its children can't be told from others.
func (ch *child) sweep() []Survivor { return nil }

// EndMarked does nothing here: the environment of a process can't be read, and a pid alone proves nothing.
func EndMarked(ctx context.Context, _ string, _ int, _ uint64, _ EndOptions) ([]Survivor, error) {
	return nil, context.Cause(ctx)
}
