//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly

package term

func hideControls(int) (restore func()) { return func() {} }
