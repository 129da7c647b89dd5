//go:build unix && !linux

package proc

import (
	"context"
	"time"

	"golang.org/x/sys/unix"
)

func startTime(int) uint64 { return 0 }

// killTree kills the group.
func (ch *child) killTree() { _ = unix.Kill(-ch.proc.PID, unix.SIGKILL) }

// sweep ends what is left of the group. Its members are not known by pid, so none is reported.
func (ch *child) sweep() []Survivor {
	endGroup(ch.proc.PID, ch.Grace, ch.hard)
	return nil
}

func endGroup(pgid int, grace time.Duration, hard <-chan struct{}) {
	if unix.Kill(-pgid, unix.SIGTERM) != nil {
		return // nobody there
	}
	_ = unix.Kill(-pgid, unix.SIGCONT)
	end := time.Now().Add(grace)
	for unix.Kill(-pgid, 0) == nil {
		timer := time.NewTimer(10 * time.Millisecond)
		select {
		case <-timer.C:
		case <-hard:
			timer.Stop()
			end = time.Now()
		}
		if !time.Now().Before(end) {
			_ = unix.Kill(-pgid, unix.SIGKILL)
			return
		}
	}
}

// EndMarked does nothing here: neither the environment nor the start time of a process can be read, and a pid alone proves nothing.
func EndMarked(ctx context.Context, _ string, _ int, _ uint64, _ EndOptions) ([]Survivor, error) {
	return nil, context.Cause(ctx)
}
