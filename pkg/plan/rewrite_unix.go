//go:build unix

package plan

import (
	"errors"
	"os"
	"syscall"
)

// keepOwner gives f the owner and group of the file it will replace. Only a privileged process may; for
// anybody else the new file is theirs, as with any editor that saves by renaming.
func keepOwner(f *os.File, st os.FileInfo) {
	if s, ok := st.Sys().(*syscall.Stat_t); ok && (int(s.Uid) != os.Geteuid() || int(s.Gid) != os.Getegid()) {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}

// syncDir makes a rename durable. File systems that cannot sync a folder say so with EINVAL.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
