package workspace

import (
	"context"
	"path/filepath"

	"ralphex/pkg/vcs"
)

// TreeState says what a worktree is good for.
type TreeState string

// The states, the first that holds.
const (
	TreeMissing  TreeState = "missing"  // its folder is gone; its branch may be there
	TreeBroken   TreeState = "broken"   // its folder does not lead back to the repository, or can't be read
	TreeRunning  TreeState = "running"  // a run works in it
	TreeDirty    TreeState = "dirty"    // it holds something that no branch has
	TreeUnmerged TreeState = "unmerged" // clean, and its branch has commits that the default branch and the main checkout lack
	TreeMerged   TreeState = "merged"   // clean, and its branch holds nothing of its own
)

// TreeLook is what is found out about a worktree.
type TreeLook struct {
	State   TreeState
	Why     string   // what makes it dirty or broken, or who runs in it
	Ignored []string // of a merged or unmerged one: what would go with it
}

// LookAt finds out what a worktree is good for and touches nothing. into are revisions that count as merged into.
func LookAt(ctx context.Context, repo TreeRepo, w vcs.Worktree, into []vcs.Rev, open func(ctx context.Context, dir string) (LeaveRepo, error)) (TreeLook, error) {
	if w.Missing {
		return TreeLook{State: TreeMissing}, nil
	}
	holder, busy, err := Busy(w.Dir)
	if err != nil {
		return TreeLook{}, err
	}
	if busy {
		return TreeLook{State: TreeRunning, Why: holder.String()}, nil
	}
	tree, err := open(ctx, w.Dir)
	if err != nil {
		return TreeLook{State: TreeBroken, Why: err.Error()}, nil
	}
	if top, ok := tree.(Place); ok && Settled(w.Dir) != top.Root() {
		return TreeLook{State: TreeBroken, Why: "its top is " + top.Root() + ": the link to the repository is gone"}, nil
	}
	l, err := Examine(ctx, tree, w.Dir, "")
	if err != nil {
		return TreeLook{State: TreeBroken, Why: err.Error()}, nil
	}
	if l.Why != "" {
		return TreeLook{State: TreeDirty, Why: l.Why}, nil
	}
	look := TreeLook{State: TreeUnmerged, Ignored: l.Ignored}
	if p, ok := tree.(vcs.Publisher); ok {
		public, err := p.IsPublic(ctx, w.Rev)
		if err != nil {
			return TreeLook{}, err
		}
		if public {
			look.State = TreeMerged
		}
	}
	for _, r := range into {
		merged, err := repo.IsAncestor(ctx, w.Rev, r)
		if err != nil {
			return TreeLook{}, err
		}
		if merged {
			look.State = TreeMerged
		}
	}
	return look, nil
}

// TreeName is the short name of a worktree: its path below the folder of the worktrees, "feature/login", or else its last element.
func TreeName(base, dir string) string {
	if rel, err := filepath.Rel(base, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(dir)
}
