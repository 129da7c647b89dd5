package vcs

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// BranchHolder asks the checkouts that are known.
func (h *hg) BranchHolder(_ context.Context, b Branch) (string, error) {
	others, err := h.others()
	if err != nil {
		return "", err
	}
	for _, dir := range others {
		if active, err := hgActive(filepath.Join(dir, ".hg")); err == nil && active == b {
			return dir, nil
		}
	}
	return "", nil
}

// leftAlone reports whether the draft that a checkout stands on is left as it is, and gets the run's commit on top: since another checkout
// uses it, or since the share was begun there.
func (h *hg) leftAlone(s hgState) (bool, error) {
	share, err := h.share(h.root)
	if err != nil || share != nil && share.Start == s.rev {
		return err == nil, err
	}
	user, err := h.usedBy(s.rev, Branch(s.bookmark))
	return user != "", err
}

// follow lets the main checkout's bookmark go along with a commit in a share. It is best effort: that checkout may be locked for a while, the
// next commit does it, too, and RemoveWorktree insists on it.
func (h *hg) follow(ctx context.Context, rev Rev) {
	if s, err := h.share(h.root); err == nil && s != nil {
		if active, err := hgActive(h.meta); err == nil && active == s.Branch {
			s.Tip = rev
			_ = s.write(h.store())
			_ = h.publish(ctx, *s, rev)
		}
	}
}

// branchRev is where a branch is: in the checkout that has it active, else where the share that is gone had it, else here, followed through what
// we amended; "" if it is nowhere.
func (h *hg) branchRev(b Branch) (Rev, error) {
	metas := []string{h.meta}
	holder, err := h.BranchHolder(context.Background(), b)
	if err != nil {
		return "", err
	}
	if holder != "" {
		metas = append([]string{filepath.Join(holder, ".hg")}, metas...)
	} else if tip, err := h.lastTip(b); tip != "" || err != nil {
		return h.became(tip), err
	}
	for _, meta := range metas {
		marks, err := hgBookmarks(meta)
		if err != nil {
			return "", err
		}
		if at := marks[b]; at != "" {
			return h.became(at), nil
		}
	}
	return "", nil
}

// lastTip is the newest commit of a share whose folder is gone, "" if there is none on that branch.
func (h *hg) lastTip(b Branch) (Rev, error) {
	shares, err := hgShares(h.store())
	for _, s := range shares {
		if _, serr := os.Lstat(s.Dir); s.Branch == b && errors.Is(serr, fs.ErrNotExist) {
			return s.Tip, err
		}
	}
	return "", err
}

// named puts a branch's commit in the place of its full name.
func (h *hg) named(rev Rev) (Rev, error) {
	b, ok := strings.CutPrefix(string(rev), "refs/heads/")
	if !ok {
		return rev, nil
	}
	at, err := h.branchRev(Branch(b))
	if at == "" {
		return rev, err // it is in none of the files that we read: Mercurial says so in its words
	}
	return at, err
}

// BranchExists sees the bookmarks of the other checkouts, too.
func (h *hg) BranchExists(ctx context.Context, b Branch) (bool, error) {
	if !b.Legal() {
		return false, nil
	}
	rev, err := h.branchRev(b)
	if err != nil || rev == "" {
		return false, err
	}
	if _, err := h.hg(ctx, "log", "-r", revset(rev), "-T", "x"); err != nil && exitCode(err) < 0 {
		return false, fmt.Errorf("look for branch %s: %w", b, err)
	} else if err != nil {
		return false, nil // its commit is gone
	}
	return true, nil
}

// CheckTop makes sure that the folder still is a checkout of the history that was opened.
func (h *hg) CheckTop(context.Context) error {
	e := &TopError{Root: h.root, Want: h.link, hg: true}
	if _, err := os.Lstat(h.root); errors.Is(err, fs.ErrNotExist) {
		e.Gone = true
		return e
	}
	if fi, err := os.Stat(h.meta); err != nil || !fi.IsDir() {
		return e
	}
	e.Got = h.store()
	if fi, err := os.Stat(filepath.Join(e.Got, "store")); e.Got == e.Want && err == nil && fi.IsDir() {
		return nil
	}
	return e
}

// usedBy returns another checkout that stands on a commit or has a bookmark of its own there, "" if there is none. Amending would pull the
// commit away from under it: every file there would show as added to nothing ("unknown working parent"), and the bookmark would be lost or
// moved. own is the bookmark that is active here; it goes along.
func (h *hg) usedBy(rev Rev, own Branch) (string, error) {
	others, err := h.others()
	if err != nil {
		return "", err
	}
	for _, dir := range others {
		meta := filepath.Join(dir, ".hg")
		parents, err := hgParents(meta)
		if err != nil {
			return "", err
		}
		if slices.Contains(parents, rev) {
			return dir, nil
		}
		named, err := hgNamed(meta, rev, own)
		if named || err != nil {
			return dir, err
		}
	}
	return "", nil
}

// hgParents reads the commits that a checkout stands on, from the file that Mercurial keeps them in. Asking the other checkout by a call
// would run what its configuration names.
func hgParents(meta string) ([]Rev, error) {
	const node, slot = 20, 32
	b, err := os.ReadFile(filepath.Join(meta, "dirstate"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing was checked out yet
	}
	if err != nil {
		return nil, fmt.Errorf("read where %s stands: %w", filepath.Dir(meta), err)
	}
	step := node
	if rest, second := bytes.CutPrefix(b, []byte("dirstate-v2\n")); second {
		b, step = rest, slot
	}
	if len(b) < step+node {
		return nil, nil
	}
	return []Rev{Rev(hex.EncodeToString(b[:node])), Rev(hex.EncodeToString(b[step : step+node]))}, nil
}

// hgNamed reports whether a bookmark other than own is on a commit.
func hgNamed(meta string, rev Rev, own Branch) (bool, error) {
	marks, err := hgBookmarks(meta)
	if err != nil {
		return false, err
	}
	for name, at := range marks {
		if at == rev && name != own {
			return true, nil
		}
	}
	return false, nil
}
