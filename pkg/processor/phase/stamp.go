package phase

import (
	"fmt"
	"os"
	"path/filepath"
)

// stamp tells two states of a file apart without reading it: size, time and mode. Empty = no file.
type stamp string

func stampOf(root, path string) stamp {
	fi, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		return ""
	}
	return stamp(fmt.Sprintf("%d %d %o", fi.Size(), fi.ModTime().UnixNano(), fi.Mode()))
}

func stampsOf(root string, paths []string) map[string]stamp {
	m := make(map[string]stamp, len(paths))
	for _, p := range paths {
		m[p] = stampOf(root, p)
	}
	return m
}

// Stamps returns the stamp of each path, for the journal's RunEnd.
func Stamps(root string, paths []string) map[string]string {
	m := make(map[string]string, len(paths))
	for _, p := range paths {
		m[p] = string(stampOf(root, p))
	}
	return m
}

func firstLine(s string) string {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}

// planPath is the plan relative to the root, slash-separated; empty when it lies outside.
func (w *work) planPath() string {
	root, path := w.rules.Root, w.plans.Path()
	if r, err := filepath.EvalSymlinks(root); err == nil {
		root = r
	}
	if p, err := filepath.EvalSymlinks(path); err == nil {
		path = p
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}
