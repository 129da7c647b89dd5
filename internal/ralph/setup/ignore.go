package setup

import (
	"errors"
	"io/fs"
	"strings"

	"ralphex/internal/ralph/stable"
)

// ignoreLines are what git must not see of a workspace. The first six are those of the format; the others are files of plan runs and of
// writers at work, which lie in the same folder.
var ignoreLines = []string{"/artifacts", "/done-task-audit*.md", "/logs", "/prompts", "/runs", "/state.json",
	"/events", "/daemon", "/*.lock"}

// selfIgnore is the whole of a .gitignore that hides its folder: a plan run leaves it where nobody asked for a workspace.
const selfIgnore = "*"

// ignore writes .ralph/.gitignore if it is missing, or is the one with the star, which would hide PRD and tasks from git.
func (w *worker) ignore() error {
	text := []byte(strings.Join(ignoreLines, "\n") + "\n")
	rel, err := w.rel(w.l.Ignore)
	if err != nil {
		return err
	}
	old, err := w.ws.ReadFile(rel, maxSize)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w.file(w.l.Ignore, text)
	case err != nil:
		return err
	case stable.Trim(string(old)) != selfIgnore && len(old) > 0:
		w.told(w.l.Ignore, false)
		return nil
	}
	if err := w.ws.WriteFile(rel, text, 0o644); err != nil {
		return err
	}
	w.made.Replaced = append(w.made.Replaced, w.l.Rel(w.l.Ignore))
	return nil
}
