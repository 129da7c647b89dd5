package vcs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// base is what a Git working tree answers by reading alone, with git at hand or without.
type base struct {
	layout
	reader   reader
	exclude  []string
	nameLen  int // of an object name, in bytes
	settings *settings
	limit    time.Duration // of one call; 0 = none
}

// within gives one call its deadline: a network file system that hangs, or a history without end, must not hang the run. What
// walks looks at the context on its way.
func (r *base) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, r.limit, fmt.Errorf("no answer within %v: %w", r.limit, context.DeadlineExceeded))
}

func (r *base) Root() string { return r.root }

func (r *base) Rel(path string) (string, error) { return relTo(r.root, path) }

// relTo is Repo.Rel for the root of a repository.
func relTo(root, path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s: path is not absolute", path)
	}
	dir, err := resolveDir(filepath.Dir(filepath.Clean(path)))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, filepath.Join(dir, filepath.Base(path)))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", fmt.Errorf("%s: %w %s", path, ErrOutside, root)
	}
	return filepath.ToSlash(rel), nil
}

// resolveDir resolves the links of a folder; what doesn't exist of it stays as it is written.
func resolveDir(dir string) (string, error) {
	resolved, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		up, err := resolveDir(filepath.Dir(dir))
		return filepath.Join(up, filepath.Base(dir)), err
	}
	return resolved, err
}

// abs is the place of a path of ours on disk.
func (r *base) abs(path string) string {
	return filepath.Join(r.root, filepath.FromSlash(path))
}

func (r *base) Head(ctx context.Context) (Head, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	h, err := r.reader.head(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	return h, nil
}

func (r *base) IsAncestor(ctx context.Context, a, b Rev) (bool, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	if err := checkRevs(a, b); err != nil {
		return false, err
	}
	if a == b {
		return true, nil
	}
	yes, err := r.reader.isAncestor(ctx, a, b)
	if err != nil {
		return false, fmt.Errorf("ask whether %s is an ancestor of %s: %w", a, b, err)
	}
	return yes, nil
}

func (r *base) TreeHash(ctx context.Context, rev Rev) (string, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	if err := checkRevs(rev); err != nil {
		return "", err
	}
	c, err := r.reader.commit(ctx, rev)
	if err != nil {
		return "", fmt.Errorf("read tree of %s: %w", rev, err)
	}
	return c.tree, nil
}

func (r *base) PathAt(ctx context.Context, rev Rev, path string) (string, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	if err := checkRevs(rev); err != nil {
		return "", err
	}
	hash, err := r.reader.pathAt(ctx, rev, path)
	if err != nil {
		return "", fmt.Errorf("look %s up in %s: %w", path, rev, err)
	}
	return hash, nil
}

func (r *base) Log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	if err := checkRevs(to); err != nil {
		return nil, err
	}
	if err := checkRevs(from); err != nil && from != "" {
		return nil, err
	}
	l, err := r.reader.log(ctx, from, to, max)
	if err != nil {
		return nil, fmt.Errorf("read log %s..%s: %w", from, to, err)
	}
	return l, nil
}

// checkRevs refuses names that a command would take for an option or a range.
func checkRevs(revs ...Rev) error {
	for _, rev := range revs {
		if rev == "" || rev[0] == '-' || rev[0] == '^' || strings.Contains(string(rev), "..") || strings.ContainsAny(string(rev), "\x00\n ") {
			return fmt.Errorf("revision %q: %w", string(rev), ErrBadName)
		}
	}
	return nil
}

func (r *base) inHead(ctx context.Context, p string) (bool, error) {
	h, err := r.reader.head(ctx)
	if err != nil || h.Unborn {
		return false, err
	}
	hash, err := r.reader.pathAt(ctx, h.Rev, p)
	return hash != "", err
}

// expected reads HEAD before a write and makes sure that repository, branch and commit are what the caller believes them to be.
func (r *base) expected(ctx context.Context, want *Head) (Head, error) {
	if err := r.stillHere(); err != nil {
		return Head{}, err
	}
	h, err := r.reader.head(ctx)
	switch {
	case err != nil || want == nil:
		return h, err
	case h.Branch != want.Branch:
		return h, &SurpriseError{What: "branch", Want: string(want.Branch), Got: string(h.Branch)}
	case h.Rev != want.Rev:
		return h, &SurpriseError{What: "commit of HEAD", Want: string(want.Rev), Got: string(h.Rev)}
	}
	return h, nil
}

// ignores are the rules as they are now. Configuration that only git reads may add to them.
func (r *base) ignores() *ignores {
	cfg, _ := r.settings.merged()
	return newIgnores(r.layout, cfg, r.settings.env)
}

// notIgnored refuses to add a file that the user's rules leave out.
func notIgnored(rules *ignores, path string) error {
	if rules.ignored(path, false) {
		return fmt.Errorf("%s is ignored by the repository's rules, so it is not committed", path)
	}
	return nil
}
