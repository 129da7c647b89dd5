package progress

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

// ignored are the lines that make .ralphex ignore what runs leave in it.
var ignored = []string{".gitignore", "progress/", "worktrees/"}

// Ignore sees to it that the .ralphex folder ignores itself: its .gitignore is made, or gets the lines that it lacks. Lines of
// the user's own stay. It tells whether it wrote.
func Ignore(ralphexDir string) (wrote bool, err error) {
	path := filepath.Join(ralphexDir, ".gitignore")
	old, err := durable.ReadFile(path, 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read ignore file: %w", err)
	}
	have := strings.FieldsFunc(string(old), func(r rune) bool { return r == '\n' || r == '\r' })
	text := string(old)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	lacks := false
	for _, line := range ignored {
		if !slices.Contains(have, line) {
			text += line + "\n"
			lacks = true
		}
	}
	if !lacks {
		return false, nil
	}
	if err := os.MkdirAll(ralphexDir, 0o750); err != nil {
		return false, err
	}
	return true, durable.WriteFile(path, []byte(text), 0o644)
}
