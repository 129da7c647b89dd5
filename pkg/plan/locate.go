package plan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CompletedDir is the folder, beside the plans, that finished plans are moved to.
const CompletedDir = "completed"

// Locate finds a plan that may have been renamed or archived since path was noted. It looks for path itself,
// then for the other form of its date prefix, then for both in the folder completed; if there is none, the
// answer is path. An error other than "does not exist" ends the search, is returned, and the answer is path.
func Locate(path string) (actual string, err error) {
	dir, base := filepath.Split(path)
	candidates := []string{path}
	alternate, ok := AlternateName(base)
	if ok {
		candidates = append(candidates, filepath.Join(dir, alternate))
	}
	candidates = append(candidates, filepath.Join(dir, CompletedDir, base))
	if ok {
		candidates = append(candidates, filepath.Join(dir, CompletedDir, alternate))
	}
	for _, c := range candidates {
		_, err := os.Stat(c)
		if err == nil {
			return c, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
	}
	return path, nil
}

// AlternateName turns YYYY-MM-DD-rest.md into YYYYMMDD-rest.md and back. Digits are not checked for a date.
func AlternateName(base string) (string, bool) {
	if !strings.HasSuffix(base, ".md") {
		return "", false
	}
	rest := func(from int) bool { return len(base) > from+len(".md") }
	switch {
	case shaped(base, "dddd-dd-dd-") && rest(11):
		return base[:4] + base[5:7] + base[8:], true
	case shaped(base, "dddddddd-") && rest(9):
		return base[:4] + "-" + base[4:6] + "-" + base[6:], true
	}
	return "", false
}

// shaped tells whether s begins with shape, in which d is any digit.
func shaped(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := range len(shape) {
		digit := s[i] >= '0' && s[i] <= '9'
		if shape[i] == 'd' && !digit || shape[i] != 'd' && s[i] != shape[i] {
			return false
		}
	}
	return true
}
