package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
		return "make " + e.Path + " a folder of the workspace instead of a link out of it"
	}
	return "set ralphCodex." + e.Key + " to a path inside the workspace"
}

// CheckInside refuses a layout that would write outside the workspace: through a setting, "..", or a symlink. Call it before anything is
// written. Places that do not exist yet are judged by the nearest folder above them that does.
func (l Layout) CheckInside() error {
	root, err := filepath.EvalSymlinks(l.Root)
	if err != nil {
		return fmt.Errorf("workspace root: %w", err)
	}
	for _, m := range append([]moved{{"", l.Ralph}, {"", l.Doctrine}}, l.moved...) {
		if !within(l.Root, m.path) {
			return &OutsideError{Key: m.key, Path: m.path, Root: l.Root}
		}
		real, err := resolve(m.path)
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		if !within(root, real) {
			return &OutsideError{Key: m.key, Path: m.path, Real: real, Root: l.Root}
		}
	}
	return nil
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

// resolve follows symlinks as far as the path exists.
func resolve(path string) (string, error) {
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
