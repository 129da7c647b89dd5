package vcs

import (
	"context"
	"fmt"
	"strings"
)

func (r *base) DefaultBranch(ctx context.Context) (Branch, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	_, target, err := r.reader.ref(ctx, "refs/remotes/origin/HEAD")
	if err != nil {
		return "", fmt.Errorf("find default branch: %w", err)
	}
	if name, ok := strings.CutPrefix(target, "refs/remotes/origin/"); ok {
		local, err := r.BranchExists(ctx, Branch(name))
		if err != nil || local {
			return Branch(name), err
		}
		return Branch("origin/" + name), nil
	}
	for _, b := range []Branch{"main", "master", "trunk", "develop"} {
		ok, err := r.BranchExists(ctx, b)
		if err != nil || ok {
			return b, err
		}
	}
	return "master", nil
}

func (r *base) BranchExists(ctx context.Context, b Branch) (bool, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	if !b.Legal() {
		return false, nil
	}
	rev, target, err := r.reader.ref(ctx, "refs/heads/"+string(b))
	if err != nil {
		return false, fmt.Errorf("look for branch %s: %w", b, err)
	}
	return rev != "" || target != "", nil
}

func (r *base) BranchHolder(ctx context.Context, b Branch) (string, error) {
	ctx, cancel := r.within(ctx)
	defer cancel()
	held, err := r.reader.holders(ctx)
	if err != nil {
		return "", fmt.Errorf("look who has branch %s: %w", b, err)
	}
	dir, ok := held[b]
	if !ok || sameFile(dir, r.root) {
		return "", nil
	}
	return dir, nil
}

// CreateBranch writes two refs and no index: a branch at HEAD has HEAD's tree, so there is nothing to check out. That takes the same 5 ms in a
// repository of any size, where "checkout -b" reads every file's state.
func (r *repository) CreateBranch(ctx context.Context, b Branch) error {
	if err := r.createBranch(ctx, b); err != nil {
		return fmt.Errorf("create branch %s: %w", b, err)
	}
	return nil
}

func (r *repository) createBranch(ctx context.Context, b Branch) error {
	h, err := r.newBranch(ctx, b)
	if err != nil {
		return err
	}
	from := string(h.Branch)
	if h.Detached {
		from = string(h.Rev)
	}
	create := fmt.Sprintf("create refs/heads/%s %s\n", b, h.Rev)
	_, err = r.run.run(ctx, call{access: writes, stdin: []byte(create),
		args: []string{"update-ref", "--create-reflog", "-m", "branch: Created from HEAD", "--stdin"}})
	if err != nil {
		return err
	}
	_, err = r.run.run(ctx, call{access: writes,
		args: []string{"symbolic-ref", "-m", fmt.Sprintf("checkout: moving from %s to %s", from, b), "HEAD", "refs/heads/" + string(b)}})
	if err != nil {
		// Nobody can have seen the branch yet; the old value makes sure of it.
		undo := fmt.Sprintf("delete refs/heads/%s %s\n", b, h.Rev)
		_, _ = r.run.run(context.WithoutCancel(ctx), call{access: writes, stdin: []byte(undo), args: []string{"update-ref", "--stdin"}})
		return err
	}
	return nil
}

// newBranch looks whether the branch can be made, and returns where from.
func (r *base) newBranch(ctx context.Context, b Branch) (Head, error) {
	if !b.Legal() {
		return Head{}, ErrBadName
	}
	h, err := r.reader.head(ctx)
	if err != nil {
		return Head{}, err
	}
	if h.Unborn {
		return Head{}, ErrUnborn
	}
	exists, err := r.BranchExists(ctx, b)
	if err != nil {
		return Head{}, err
	}
	if exists {
		return Head{}, ErrExists
	}
	// A branch that isn't there may be checked out all the same, unborn.
	dir, err := r.BranchHolder(ctx, b)
	if err != nil || dir != "" {
		return Head{}, orHeld(err, b, dir)
	}
	return h, nil
}

func (r *repository) Switch(ctx context.Context, b Branch) error {
	if err := r.switchTo(ctx, b); err != nil {
		return fmt.Errorf("switch to branch %s: %w", b, err)
	}
	return nil
}

func (r *repository) switchTo(ctx context.Context, b Branch) error {
	exists, err := r.BranchExists(ctx, b)
	if err != nil {
		return err
	}
	if !exists {
		return fmt.Errorf("no such branch: %w", ErrBadName)
	}
	if dir, err := r.BranchHolder(ctx, b); err != nil || dir != "" {
		return orHeld(err, b, dir)
	}
	// The user's post-checkout hook runs. "--" makes sure that no file of that name is meant.
	_, err = r.run.run(ctx, call{access: hooks, args: []string{"checkout", "-q", string(b), "--"}})
	return err
}

func orHeld(err error, b Branch, dir string) error {
	if err != nil {
		return err
	}
	return &HeldError{Branch: b, Dir: dir}
}

// Legal is "git check-ref-format --branch", without its short cuts.
func (b Branch) Legal() bool {
	return b != "HEAD" && !strings.HasPrefix(string(b), "-") && legalRef("refs/heads/"+string(b))
}

// legalRef is "git check-ref-format".
func legalRef(ref string) bool {
	if strings.HasSuffix(ref, ".") || strings.Contains(ref, "..") || strings.Contains(ref, "@{") || !strings.Contains(ref, "/") {
		return false
	}
	for part := range strings.SplitSeq(ref, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for i := range len(ref) {
		if c := ref[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return false
		}
	}
	return true
}
