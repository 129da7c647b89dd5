package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// OutsideError says that something would be written outside the workspace.
type OutsideError struct {
	Key  string // the setting that names the place; empty = none, a symlink leads there
	Path string // as it is named
	Real string // where it leads, when that is another place
	Root string
}

func (e *OutsideError) Error() string {
	what := e.Path
	if e.Key != "" {
		what = e.Key + ": " + e.Path
	}
	if e.Real != "" && e.Real != e.Path {
		what += " leads to " + e.Real
	}
	return what + ": outside the workspace " + e.Root + ", where nothing is written"
}

// Hint says what to do.
func (e *OutsideError) Hint() string {
	if e.Key == "" {
		return "put a file or folder of the workspace at " + e.Path + " instead of a link out of it"
	}
	return "set ralphCodex." + e.Key + " to a path inside the workspace"
}

// NotFolderError says that something else is where a folder of the store belongs.
type NotFolderError struct {
	Path string
	Real string // where a link leads, if nothing is there; empty = something is
}

func (e *NotFolderError) Error() string {
	if e.Real != "" {
		return e.Path + " is a link to " + e.Real + ", where nothing is; expected a folder"
	}
	return e.Path + " is a file, expected a folder"
}

// Hint says what to do.
func (e *NotFolderError) Hint() string {
	return "move it away: the next command that needs the folder makes it"
}

// CheckInside refuses a layout that would write outside the workspace: through a setting, "..", or a symlink; and one of which a folder can't be had,
// since something else stands there. Call it before anything is written. Places that do not exist yet are judged by the nearest folder above them that does.
func (l Layout) CheckInside() error {
	root, err := filepath.EvalSymlinks(l.Root)
	if err != nil {
		return fmt.Errorf("workspace root: %w", err)
	}
	folders := []string{l.Ralph, l.Doctrine, l.Events, l.Prompts, l.Runs, l.Handoff, l.Handoffs, l.Logs, l.Outputs, l.Artifacts, l.Bundles, l.Watchdog, l.Seeding, l.Agents}
	places := slices.Clone(l.moved)
	for _, p := range append(folders, l.Claims, l.State, l.Ignore, l.PRD, l.Progress, l.Tasks, l.Memory, l.DeadLetter) {
		places = append(places, moved{"", p})
	}
	for _, m := range places {
		if !within(l.Root, m.path) {
			return &OutsideError{Key: m.key, Path: m.path, Root: l.Root}
		}
		real, err := resolve(m.path)
		if err != nil {
			return &UnresolvedError{m.path, err}
		}
		if !within(root, real) {
			return &OutsideError{Key: m.key, Path: m.path, Real: real, Root: l.Root}
		}
		if slices.Contains(folders, m.path) {
			if err := checkFolder(m.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFolder refuses what is there and is no folder: nothing can be made below it. resolve has taken the path for good.
func checkFolder(path string) error {
	switch fi, err := os.Stat(path); {
	case err == nil && !fi.IsDir():
		return &NotFolderError{Path: path}
	case !errors.Is(err, fs.ErrNotExist):
		return nil //nolint:nilerr // whoever may not look there is told by what wants to
	}
	if to, err := os.Readlink(path); err == nil {
		return &NotFolderError{path, to}
	}
	return nil
}

// UnresolvedError says that nobody can tell where a path of the store leads: its links go round in a circle, or a file is where a folder should be.
type UnresolvedError struct {
	Path string
	Err  error
}

func (e *UnresolvedError) Error() string {
	if errors.Is(e.Err, fs.ErrPermission) {
		return fmt.Sprintf("look at %s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s leads nowhere: %v", e.Path, e.Err)
}
func (e *UnresolvedError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *UnresolvedError) Hint() string {
	if errors.Is(e.Err, fs.ErrPermission) {
		return "" // nothing stands in the way: who may look there is another question
	}
	return "move away what stands there, or above it; a missing folder of the store is made"
}

// Rel returns a path as people read it: relative to the workspace, with slashes; one outside stays absolute.
func (l Layout) Rel(path string) string {
	if rel, err := filepath.Rel(l.Root, path); err == nil && within(l.Root, path) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// Within reports whether path is dir or lies below it. Both are absolute or both relative; symlinks are not followed.
func Within(dir, path string) bool { return within(dir, path) }

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolve follows symlinks as far as the path exists, and those that lead to nothing yet: whoever writes there makes what they name.
func resolve(path string) (string, error) {
	rest := ""
	for range maxLinks {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			return "", err
		}
		if to, err := os.Readlink(path); err == nil {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(path), to)
			}
			path = to
			continue
		}
		path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest)
	}
	return "", errors.New("too many symlinks, or too deep")
}

// maxLinks bounds the steps of resolve: folders up and links on.
const maxLinks = 4096
