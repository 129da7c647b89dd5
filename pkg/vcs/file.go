package vcs

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
)

// FileReader reads a file of a commit, whatever is checked out. A backend that isn't one gets ErrUnsupported from [File].
type FileReader interface {
	// File returns what the file at path holds in a commit, as it is stored. What isn't there, or is a folder, is fs.ErrNotExist. A file with more
	// than max bytes is an error.
	File(ctx context.Context, rev Rev, path string, max int) ([]byte, error)
}

var (
	_ FileReader = (*repository)(nil)
	_ FileReader = (*alone)(nil)
	_ FileReader = (*hg)(nil)
)

// File asks a repository what a file held in a commit; see FileReader.
func File(ctx context.Context, r Repo, rev Rev, path string, max int) ([]byte, error) {
	f, ok := r.(FileReader)
	if !ok {
		return nil, &UnsupportedError{What: "read a file of a commit", Why: "this backend (" + r.Kind() + ") has no word for it", Next: "check the branch out"}
	}
	text, err := f.File(ctx, rev, path, max)
	if err == nil && len(text) > max {
		err = fmt.Errorf("it has more than %d bytes", max)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, rev, err)
	}
	return text, nil
}

func (r *repository) File(ctx context.Context, rev Rev, path string, max int) ([]byte, error) {
	if err := checkRevs(rev); err != nil {
		return nil, err
	}
	name, err := r.reader.pathAt(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, fs.ErrNotExist
	}
	kind, err := r.run.look(ctx, "cat-file", "-t", name)
	if err != nil {
		return nil, err
	}
	if line(kind) != "blob" {
		return nil, fs.ErrNotExist
	}
	return r.run.run(ctx, call{access: looks, args: []string{"cat-file", "blob", name}, slow: true, keep: max + 1})
}

func (a *alone) File(ctx context.Context, rev Rev, path string, _ int) ([]byte, error) {
	if err := checkRevs(rev); err != nil {
		return nil, err
	}
	name, err := a.objects.pathAt(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, fs.ErrNotExist
	}
	text, err := a.objects.read(plumbing.BlobObject, name)
	if err != nil {
		return nil, fs.ErrNotExist // a folder
	}
	return text, nil
}

func (h *hg) File(ctx context.Context, rev Rev, path string, _ int) ([]byte, error) {
	at, names, err := h.filesAt(ctx, rev, path)
	if err != nil {
		return nil, err
	}
	if names != path+"\x00" {
		return nil, fs.ErrNotExist
	}
	text, err := h.hg(ctx, "cat", "-r", at, "path:"+path)
	return []byte(text), err
}
