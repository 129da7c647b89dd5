package vcs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func (w *wrapper) Commit(ctx context.Context, req CommitRequest) (CommitResult, error) {
	before, err := expected(ctx, w, req.Expect)
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	titled := w.Public() != "" && before.Branch == w.Public() && req.titled()
	p, err := w.prepare(ctx, req)
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	if err := refuseIgnored(ctx, w, req.Paths, p.paths); err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	if len(p.paths) == 0 {
		return CommitResult{Left: p.left}, nil
	}
	if err := w.add(ctx, p.fresh); err != nil {
		return CommitResult{}, fmt.Errorf("commit: %w", err)
	}
	if _, err := w.run.run(ctx, call{access: hooks, args: append([]string{"commit", "-m", p.message, "--"}, p.paths...)}); err != nil {
		return CommitResult{}, fmt.Errorf("commit: %w", refusal(err, false)) // exit 1 is a no, since there is something to commit
	}
	res, err := w.made(ctx, before, p)
	res.Titled = titled && res.Rev != ""
	return res, err
}

// prepared is a commit of which is known what it will hold.
type prepared struct {
	message string
	paths   []string // differ from HEAD
	fresh   []string // those of them that the repository doesn't know yet
	left    []string // what can't be committed
}

// prepare looks at the named paths, and touches nothing. Only what differs goes to the commit: a wrapper may call anything else a mistake.
func (w *wrapper) prepare(ctx context.Context, req CommitRequest) (prepared, error) {
	p := prepared{message: strings.TrimSpace(req.Message)}
	if p.message == "" {
		return p, errors.New("the message is empty")
	}
	if t := strings.TrimSpace(req.Trailer); t != "" {
		p.message += "\n\n" + t
	}
	paths, err := cleanPaths(req.Paths)
	if err != nil || len(paths) == 0 {
		return p, err
	}
	for _, path := range paths {
		if fi, err := os.Lstat(w.abs(path)); err == nil && fi.IsDir() {
			return p, fmt.Errorf("%s is a folder", path)
		}
	}
	paths = p.beforeLinks(w.root, paths)
	if len(paths) == 0 {
		return p, nil
	}
	s, err := w.status(ctx, paths...)
	if err != nil {
		return p, err
	}
	for _, c := range s.Changes {
		for _, path := range c.Paths() {
			if !slices.Contains(paths, path) || slices.Contains(p.paths, path) {
				continue
			}
			p.paths = append(p.paths, path)
			if c.Untracked() {
				p.fresh = append(p.fresh, path)
			}
		}
	}
	return p, nil
}

// beforeLinks leaves out what lies behind a link: it goes when the link comes, and where that is no part of the commit it can't be told.
func (p *prepared) beforeLinks(root string, paths []string) []string {
	links := map[string]string{}
	var plain []string
	for _, path := range paths {
		switch link := behindLink(root, path, links); {
		case link == "":
			plain = append(plain, path)
		case !slices.Contains(paths, link):
			p.left = append(p.left, path)
		}
	}
	return plain
}

// refuseIgnored finds files that are there and don't differ because nobody looks at them.
func refuseIgnored(ctx context.Context, r Repo, paths, dirty []string) error {
	for _, path := range paths {
		if slices.Contains(dirty, path) || behindLink(r.Root(), path, nil) != "" {
			continue
		}
		if _, err := os.Lstat(filepath.Join(r.Root(), filepath.FromSlash(path))); err != nil {
			continue
		}
		ignored, err := r.Ignored(ctx, path)
		if err != nil {
			return err
		}
		if ignored {
			return fmt.Errorf("%s is ignored: take it out of the ignore file, or leave it out of the commit", path)
		}
	}
	return nil
}

func (w *wrapper) add(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := w.run.run(ctx, call{access: writes, args: append([]string{"add", "--"}, paths...)})
	return err
}

// made looks at the result: where HEAD is now, whether the commit grew or is a new one, and what of ours is still not clean.
func (w *wrapper) made(ctx context.Context, before Head, p prepared) (CommitResult, error) {
	now, err := w.Head(ctx)
	if err != nil {
		return CommitResult{}, err
	}
	if now.Rev == before.Rev {
		return CommitResult{}, fmt.Errorf("commit: %s reported success, but HEAD is still at %s", w.run.shown(), orUnborn(now.Rev))
	}
	res := CommitResult{Rev: now.Rev, Left: p.left}
	if out, perr := w.run.look(ctx, "rev-parse", "--verify", "--quiet", "HEAD^"); perr == nil && before.Rev != "" && Rev(line(out)) != before.Rev {
		res.Replaced = before.Rev
	}
	s, err := w.status(ctx, p.paths...)
	for _, c := range s.Changes {
		res.Left = append(res.Left, c.Path)
	}
	return res, err
}

func orUnborn(r Rev) string {
	if r == "" {
		return "no commit"
	}
	return r.Short()
}

func (w *wrapper) Move(ctx context.Context, src, dst string) error {
	if _, err := os.Lstat(w.abs(dst)); err == nil && !sameFile(w.abs(src), w.abs(dst)) {
		return fmt.Errorf("move %s to %s: %w", src, dst, fs.ErrExist)
	}
	if _, err := w.run.run(ctx, call{access: writes, args: []string{"mv", "--", src, dst}}); err != nil {
		return fmt.Errorf("move %s to %s: %w", src, dst, err)
	}
	return nil
}
