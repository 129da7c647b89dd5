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

// maxFolders is how many folders are looked through for repositories: half a million names take about a second.
const maxFolders = 100_000

// nestedIn looks for a repository inside of a working tree, wherever it lies: in a folder that is ignored, in one that is tracked, in one of ours.
// A status shows none of those, and who removes the tree removes their commits with it. It returns what keeps the tree, "" if nothing does.
//
// It reads names only. Of a node_modules it looks at the packages and not into them: package managers put hundreds of thousands of files there. A
// tree that is too big to be looked through is kept, too: what nobody has looked at may not be thrown away.
func nestedIn(ctx context.Context, root string) (string, error) {
	w := nestedWalk{ctx: ctx, root: root}
	err := w.folder("", deep)
	return w.why, err
}

// deep is a folder that is looked into however deep it goes.
const deep = -1

type nestedWalk struct {
	ctx     context.Context
	root    string
	folders int
	why     string // set = the search is over
}

// folder looks through one folder; depth is how many levels below it are looked at.
func (w *nestedWalk) folder(rel string, depth int) error {
	if w.folders++; w.folders > maxFolders {
		w.why = fmt.Sprintf("it has more than %d folders, too many to look for repositories in them", maxFolders)
		return nil
	}
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	entries, err := names(filepath.Join(w.root, rel))
	switch {
	case errors.Is(err, fs.ErrNotExist): // somebody else tidies up
		return nil
	case err != nil:
		w.why = "nobody can look into " + filepath.ToSlash(rel) + ": " + err.Error()
		return nil
	}
	for _, e := range entries {
		if rel != "" && (e.Name() == ".git" || e.Name() == ".hg" && e.IsDir()) {
			w.why = "a repository of its own is in " + filepath.ToSlash(rel)
			return nil
		}
	}
	for _, e := range entries {
		if !e.IsDir() || depth == 0 || rel == "" && (e.Name() == ".git" || e.Name() == ".hg") {
			continue
		}
		if err := w.folder(filepath.Join(rel, e.Name()), below(depth, e.Name())); err != nil || w.why != "" {
			return err
		}
	}
	return nil
}

// below is the depth of a folder in one of the given depth.
func below(depth int, name string) int {
	switch {
	case name == "node_modules" && depth == deep:
		return 1
	case depth == deep || strings.HasPrefix(name, "@"): // a scope holds packages
		return depth
	}
	return depth - 1
}

// names lists a folder, in no order.
func names(dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

var _ Keeper = (*repository)(nil)

// Keeps looks for repositories inside of the working tree: git removes them with it and says nothing.
func (r *repository) Keeps(ctx context.Context) (string, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	why, err := nestedIn(ctx, r.root)
	if err != nil {
		return "", fmt.Errorf("look for repositories in %s: %w", r.root, err)
	}
	return why, nil
}
