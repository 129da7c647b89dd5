package control

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// samePerson refuses orders of other users. The folder of the socket lets nobody else in; this is the second lock.
func samePerson(c net.Conn) error {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return errors.New("not a local connection")
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return err
	}
	var cred *syscall.Ucred
	var cerr error
	if err := raw.Control(func(fd uintptr) {
		cred, cerr = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if cerr != nil {
		return cerr
	}
	if uid := os.Geteuid(); int(cred.Uid) != uid && cred.Uid != 0 {
		return errors.New("the run is another user's")
	}
	return nil
}
