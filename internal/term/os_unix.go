//go:build unix

package term

import (
	"os"
	"os/signal"
	"syscall"
)

func understands(*os.File) bool { return true }

// resized sends to the channel when the window changes its size. stop ends that.
func resized(ch chan os.Signal) (stop func()) {
	signal.Notify(ch, syscall.SIGWINCH)
	return func() { signal.Stop(ch) }
}
