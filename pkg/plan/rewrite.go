package plan

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// TempSuffix ends the name of the file that a write goes to before it is renamed. A crash may leave one
// behind; the next write to the same plan removes it.
const TempSuffix = ".ralphex-tmp"

// maxRewrites is how often a write starts anew because somebody else wrote in between.
const maxRewrites = 5

var errBusy = errors.New("somebody else keeps writing to this file")

// rewrite replaces a file by what change makes of its bytes. If change returns its argument as it got it,
// nothing is written. If the file changes while change works, it is called again with the new bytes.
func rewrite(path string, change func(src []byte) ([]byte, error)) error {
	real, err := filepath.EvalSymlinks(path) // the link itself must stay
	if err != nil {
		return err
	}
	for range maxRewrites {
		src, err := ReadFile(real)
		if err != nil {
			return err
		}
		out, err := change(src)
		if err != nil || bytes.Equal(out, src) {
			return err
		}
		done, err := replace(real, src, out)
		if done || err != nil {
			return err
		}
	}
	return errBusy
}

// replace puts out in the place of a file that still holds src: temporary file, sync, rename, sync of the
// folder. done is false if the file does not hold src any more; then nothing was changed.
func replace(path string, src, out []byte) (done bool, err error) {
	st, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	tmp, err := writeTemp(path, out, st)
	if err != nil {
		return false, err
	}
	defer func() {
		if !done {
			_ = os.Remove(tmp)
		}
	}()
	// What remains of the race is the moment between this look and the rename.
	if now, err := ReadFile(path); err != nil || !bytes.Equal(now, src) {
		return false, err
	}
	if err := os.Rename(tmp, path); err != nil {
		return false, err
	}
	return true, syncDir(filepath.Dir(path))
}

// writeTemp writes out to a new file beside path, with the mode and, where we may, the owner of path.
func writeTemp(path string, out []byte, st os.FileInfo) (name string, err error) {
	dir, base := filepath.Split(path)
	removeStale(dir, base)
	f, err := os.CreateTemp(filepath.Clean(dir+"."), "."+base+".*"+TempSuffix)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(out); err != nil {
		return "", err
	}
	keepOwner(f, st)
	if err = f.Chmod(st.Mode() & (os.ModePerm | os.ModeSetuid | os.ModeSetgid | os.ModeSticky)); err != nil {
		return "", err
	}
	if err = f.Sync(); err != nil {
		return "", fmt.Errorf("sync %s: %w", f.Name(), err)
	}
	return f.Name(), f.Close()
}

// removeStale removes what a crashed write to the same plan left behind. A write takes milliseconds, so a
// file that is older than a minute belongs to nobody.
func removeStale(dir, base string) {
	entries, err := os.ReadDir(filepath.Clean(dir + "."))
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "."+base+".") || !strings.HasSuffix(e.Name(), TempSuffix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
