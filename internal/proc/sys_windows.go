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

// askGroup asks windows of the tree to close; a console program does not hear it and is killed after the grace.
func (ch *child) askGroup() { taskkill(ch.proc.PID) }

// killTree kills the child with all that its job holds, and all that taskkill finds below it.
func (ch *child) killTree() {
	if ch.killJob() {
		return
	}
	taskkill(ch.proc.PID, "/F")
	_ = ch.cmd.Process.Kill()
}

func taskkill(pid int, more ...string) {
	_ = exec.Command("taskkill", append([]string{"/T", "/PID", strconv.Itoa(pid)}, more...)...).Run()
}

// EndMarked does nothing here: a session's job has ended with the process that held it.
func EndMarked(ctx context.Context, _ string, _ int, _ uint64, _ EndOptions) ([]Survivor, error) {
	return nil, context.Cause(ctx)
}
