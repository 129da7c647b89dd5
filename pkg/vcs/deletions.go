package vcs

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// DeletionReader says what a change takes away. Renames take nothing away. A backend that isn't one gets the plainer answers of [Deletions].
type DeletionReader interface {
	// Deleted lists the files that from has and to has neither under their name nor, much the same, under another one.
	Deleted(ctx context.Context, from, to Rev) ([]string, error)
	// CountFiles counts the files of a revision.
	CountFiles(ctx context.Context, r Rev) (int, error)
}

var _ DeletionReader = (*repository)(nil)

func (r *repository) Deleted(ctx context.Context, from, to Rev) ([]string, error) {
	if err := checkRevs(from, to); err != nil {
		return nil, err
	}
	out, err := r.run.look(ctx, "diff-tree", "-r", "-z", "-M40%", "-l4000", "--name-only", "--diff-filter=D", string(from), string(to))
	if err != nil {
		return nil, fmt.Errorf("list what %s has and %s hasn't: %w", from, to, err)
	}
	return split0(out), nil
}

func (r *repository) CountFiles(ctx context.Context, rev Rev) (int, error) {
	if err := checkRevs(rev); err != nil {
		return 0, err
	}
	out, err := r.run.look(ctx, "ls-tree", "-r", "-z", "--name-only", string(rev))
	if err != nil {
		return 0, fmt.Errorf("count the files of %s: %w", rev, err)
	}
	return bytes.Count(out, []byte{0}), nil
}

func split0(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// Deletions returns the part of r that reads deletions. For a backend without one it knows of no deletion between revisions, and counts the
// files of the working tree, ignored ones too: it then refuses less.
func Deletions(r Repo) DeletionReader {
	if d, ok := r.(DeletionReader); ok {
		return d
	}
	return treeCounter{r.Root()}
}

type treeCounter struct{ root string }

func (treeCounter) Deleted(context.Context, Rev, Rev) ([]string, error) { return nil, ErrUnsupported }

func (c treeCounter) CountFiles(ctx context.Context, _ Rev) (int, error) {
	n := 0
	err := filepath.WalkDir(c.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != c.root:
			return filepath.SkipDir
		case !d.IsDir():
			n++
		}
		return nil
	})
	return n, err
}
