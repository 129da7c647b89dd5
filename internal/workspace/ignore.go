package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

// ours are the names that a run makes in its folders. A folder that holds nothing else may be ignored as a whole.
var ours = []string{"events", "runs", "artifacts", "run.lock", "daemon", "worktree.json", "worktrees.lock"}

// EnsureSelfIgnored makes a folder that the user's repository doesn't see: it holds a .gitignore with "*". A .gitignore that is there is
// left as it is. A folder that holds files of somebody else's is left as it is, too: the star would hide them; call it for a folder inside.
func EnsureSelfIgnored(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(entries, foreign) {
		return nil
	}
	return IgnoreFolder(dir)
}

// SelfIgnored tells whether a folder is as EnsureSelfIgnored makes it.
func SelfIgnored(dir string) bool {
	text, err := durable.ReadFile(filepath.Join(dir, ".gitignore"), 1<<20)
	return err == nil && string(text) == star
}

const star = "*\n"

// IgnoreFolder is EnsureSelfIgnored for a folder in which everything is ours, whatever it is called.
func IgnoreFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	file := filepath.Join(dir, ".gitignore")
	fi, err := os.Lstat(file)
	if err == nil && fi.Size() > 0 { // an empty one is what a crash left
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := durable.WriteFile(file, []byte(star), 0o644); err != nil {
		return fmt.Errorf("make %s ignore itself: %w", dir, err)
	}
	return nil
}

func foreign(e os.DirEntry) bool {
	name := e.Name()
	return name != ".gitignore" && !strings.HasPrefix(name, "progress") && !slices.Contains(ours, name)
}

// sameFile reports whether two paths lead to one file, whatever their spelling.
func sameFile(a, b string) bool {
	fa, err := os.Stat(a)
	if err != nil {
		return false
	}
	fb, err := os.Stat(b)
	return err == nil && os.SameFile(fa, fb)
}
