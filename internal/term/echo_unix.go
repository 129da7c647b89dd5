//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package term

import "golang.org/x/sys/unix"

func hideControls(fd int) (restore func()) {
	mode, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil || mode.Lflag&unix.ECHOCTL == 0 {
		return func() {}
	}
	quiet := *mode
	quiet.Lflag &^= unix.ECHOCTL
	if unix.IoctlSetTermios(fd, setTermios, &quiet) != nil {
		return func() {}
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, mode) } // the terminal may be gone
}
