package vcs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// waiting lists the files by which git remembers an unfinished operation, the more telling first.
var waiting = []struct{ file, what string }{
	{"rebase-apply/applying", "am"},
	{"rebase-apply", "rebase"},
	{"rebase-merge", "rebase"},
	{"MERGE_HEAD", "merge"},
	{"CHERRY_PICK_HEAD", "cherry-pick"},
	{"REVERT_HEAD", "revert"},
	{"BISECT_LOG", "bisect"},
}

func (r *base) InProgress(context.Context) (string, error) {
	for _, w := range waiting {
		_, err := os.Lstat(filepath.Join(r.gitDir, filepath.FromSlash(w.file)))
		if err == nil {
			return w.what, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("look for an unfinished operation: %w", err)
		}
	}
	// Between two picks of a series only the list of what is left says so.
	todo, err := os.ReadFile(filepath.Join(r.gitDir, "sequencer", "todo"))
	if err != nil {
		return "", nil
	}
	if strings.HasPrefix(string(todo), "revert") {
		return "revert", nil
	}
	return "cherry-pick", nil
}
