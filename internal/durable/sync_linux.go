package durable

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData makes the bytes durable, and the length; not the time stamps, which would cost a second write.
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err != unix.EINTR {
			return err
		}
	}
}
