package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ralphex/pkg/vcs"
)

// LeaveRepo is what is asked of a worktree before it is removed.
type LeaveRepo interface {
	Heads
	Status(ctx context.Context) (vcs.Status, error)
	CheckTop(ctx context.Context) error
	IgnoredFiles(ctx context.Context) ([]string, error)
}

// Leaving is what removing a worktree would mean. It may go only if Why is empty.
type Leaving struct {
	Why string // what keeps it: something that no branch has
	// Ignored are files that go with it: build outputs and the like, whole folders as one entry. Copies that were brought along and
	// are as they were are not listed.
	Ignored []string
}

// Examine finds out whether a worktree holds anything that would be lost: changes, an unfinished operation, commits that no branch
// has, a copy of an ignored file that differs from what was copied. branch is the one that belongs there; empty = any.
func Examine(ctx context.Context, repo LeaveRepo, dir string, branch vcs.Branch) (Leaving, error) {
	var l Leaving
	if err := repo.CheckTop(ctx); err != nil {
		var top *vcs.TopError
		if errors.As(err, &top) {
			l.Why = err.Error()
			return l, nil
		}
		return l, err
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return l, err
	}
	what, err := repo.InProgress(ctx)
	if err != nil {
		return l, err
	}
	status, err := repo.Status(ctx)
	if err != nil {
		return l, err
	}
	at, err := checkedOut(ctx, repo, head)
	if err != nil {
		return l, err
	}
	switch {
	case at == "":
		l.Why = "it stands on no branch: " + ways(repo).Nowhere + " " + head.Rev.Short()
	case branch != "" && at != branch:
		l.Why = fmt.Sprintf("branch %s is checked out in it, not %s", at, branch)
	case what != "":
		l.Why = "a " + what + " is unfinished in it"
	case len(status.Changes) == 1:
		l.Why = "1 uncommitted change: " + printable(status.Changes[0].Path)
	case len(status.Changes) > 1:
		l.Why = fmt.Sprintf("%d uncommitted changes, %s first", len(status.Changes), printable(status.Changes[0].Path))
	}
	if k, ok := repo.(vcs.Keeper); ok && l.Why == "" {
		if l.Why, err = k.Keeps(ctx); err != nil {
			return l, err
		}
	}
	if l.Why != "" {
		return l, nil
	}
	return l, l.ignored(ctx, repo, dir)
}

// checkedOut is the branch that a checkout is on. Where commits grow, Head has another name for it before the first one, and again when that
// was pushed.
func checkedOut(ctx context.Context, repo Heads, head vcs.Head) (vcs.Branch, error) {
	if g, ok := repo.(vcs.Grower); ok && g.Public() != "" {
		return g.Ahead(ctx)
	}
	return head.Branch, nil
}

// CheckedOut is the branch that a checkout is on, by its own name; empty if it is on none.
func CheckedOut(ctx context.Context, repo Heads) (vcs.Branch, error) {
	head, err := repo.Head(ctx)
	if err != nil {
		return "", err
	}
	return checkedOut(ctx, repo, head)
}

// ignored looks at what git does not look at when it removes a worktree.
func (l *Leaving) ignored(ctx context.Context, repo LeaveRepo, dir string) error {
	list, err := repo.IgnoredFiles(ctx)
	if err != nil {
		return err
	}
	m, _ := ReadMarker(dir)
	for p, hash := range m.Brought {
		now := fingerprint(filepath.Join(dir, filepath.FromSlash(p)))
		if now != "" && now != hash {
			l.Why = "its copy of " + printable(p) + ", which the repository ignores, was changed"
			return nil
		}
	}
	l.Ignored = slices.DeleteFunc(list, func(p string) bool { return m.Brought[p] != "" })
	return nil
}

// Remove removes a worktree and the folders above it, up to base, that are empty then. The repository looks once more and refuses what
// could be lost; nothing is forced.
func Remove(ctx context.Context, repo vcs.Worktrees, dir, base string) error {
	if _, err := os.Lstat(filepath.Join(dir, ".ralph", ".gitignore")); errors.Is(err, fs.ErrNotExist) {
		// The branch has files of its own in .ralph, so the folder could not be made to ignore itself: what is ours in it would be
		// an untracked file that keeps the worktree for ever.
		_ = os.Remove(markerFile(dir))
		_ = os.Remove(LockFile(dir))
	}
	if err := repo.RemoveWorktree(ctx, dir); err != nil {
		return err
	}
	for up := filepath.Dir(dir); inside(up, base); up = filepath.Dir(up) {
		if err := os.Remove(up); err != nil { // not empty: another worktree is in it
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			break
		}
	}
	return nil
}
