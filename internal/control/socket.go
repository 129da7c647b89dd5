package control

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxSocket is how long the path of a socket may be, in bytes: the smallest of the systems' limits (104 on macOS), with its final zero.
const maxSocket = 103

// SocketPath is where the socket of a run lies: in a short folder that only this user can enter, under a name made of the store and the run, so that a run
// which is gone on with has the same one. env is the process's environment.
func SocketPath(env []string, store, run string) string {
	sum := sha256.Sum256([]byte(store + "\x00" + run))
	name := hex.EncodeToString(sum[:8]) + ".sock"
	var path string
	for _, dir := range runtimeDirs(env) {
		if path = filepath.Join(dir, name); len(path) <= maxSocket {
			break
		}
	}
	return path
}

// runtimeDirs are the folders that may hold sockets, the best first.
func runtimeDirs(env []string) []string {
	var dirs []string
	if dir := lookup(env, "XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		dirs = append(dirs, filepath.Join(dir, "ralphex"))
	}
	own := fmt.Sprintf("ralphex-%d", os.Getuid())
	return append(dirs, filepath.Join(os.TempDir(), own), filepath.Join(shortTemp, own))
}

func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// makeRoom makes the folder of a socket, and refuses one that others could have a hand in.
func makeRoom(path string) error {
	if len(path) > maxSocket {
		return fmt.Errorf("the path of the socket is too long: %s", path)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	fi, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !fi.IsDir() || !ownedAlone(fi) {
		return fmt.Errorf("%s is not a folder of this user alone: remove it, or set XDG_RUNTIME_DIR", dir)
	}
	return nil
}
