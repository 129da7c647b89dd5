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

var _ Worktrees = (*hg)(nil)

// Worktrees lists this history's main checkout and the shares that AddWorktree made. The branch of a share is the bookmark that is active in it.
func (h *hg) Worktrees(context.Context) ([]Worktree, error) {
	shares, err := hgShares(h.store())
	if err != nil {
		return nil, err
	}
	main := Worktree{Dir: h.main(), Main: true}
	if err := standing(h.store(), &main); err != nil {
		return nil, err
	}
	list := []Worktree{main}
	for _, s := range shares {
		w := Worktree{Dir: s.Dir, Branch: s.Branch, Rev: s.Start}
		meta := filepath.Join(s.Dir, ".hg")
		if _, err := os.Lstat(s.Dir); errors.Is(err, fs.ErrNotExist) {
			w.Missing = true
		} else if sameFile(sharedWith(meta), h.store()) {
			if err := standing(meta, &w); err != nil {
				return nil, err
			}
		} // else its link is broken: what we remember counts
		if w.Missing {
			if rev, err := h.branchRev(s.Branch); err == nil && rev != "" {
				w.Rev = rev
			}
		}
		list = append(list, w)
	}
	return list, nil
}

// standing fills in where a checkout stands.
func standing(meta string, w *Worktree) error {
	parents, err := hgParents(meta)
	if err != nil {
		return err
	}
	if len(parents) > 0 {
		w.Rev = notNull(string(parents[0]))
	}
	w.Branch, err = hgActive(meta)
	return err
}

// AddWorktree makes a share, with a bookmark that is active in it. Each share has bookmarks of its own: those of `hg share --bookmarks` are
// written without a look at what another checkout wrote meanwhile. The main checkout gets one of the same name; see publish.
func (h *hg) AddWorktree(ctx context.Context, dir string, b Branch, start Rev) error {
	if err := h.addWorktree(ctx, dir, b, start); err != nil {
		return fmt.Errorf("make worktree %s on branch %s: %w", dir, b, err)
	}
	return nil
}

func (h *hg) addWorktree(ctx context.Context, dir string, b Branch, start Rev) error {
	if !b.Legal() || !filepath.IsAbs(dir) {
		return ErrBadName
	}
	exists, err := h.BranchExists(ctx, b)
	if err != nil {
		return err
	}
	holder, err := h.BranchHolder(ctx, b)
	if err != nil {
		return err
	}
	if active, err := hgActive(h.meta); err == nil && active == b {
		holder = h.root
	}
	switch {
	case start != "" && exists:
		return ErrExists
	case start == "" && !exists:
		return fmt.Errorf("no such branch: %w", ErrBadName)
	case holder != "":
		return &HeldError{Branch: b, Dir: holder}
	case start == "":
		if start, err = h.branchRev(b); err != nil {
			return err
		}
	}
	if entries, err := os.ReadDir(dir); len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &StateError{Why: dir + " holds files, or can't be read", Next: "move it away, or choose another folder"} // hg share would take it
	}
	s := hgShare{Dir: dir, Branch: b}
	if own, err := h.own(start, exists); err != nil {
		return err
	} else if !own {
		s.Start = start
	}
	if err := s.write(h.store()); err != nil {
		return err
	}
	if err := h.makeShare(ctx, s, start, exists); err != nil {
		// It was empty before, and nobody was told of it.
		return errors.Join(err, os.RemoveAll(dir), os.Remove(s.file(h.store())))
	}
	return nil
}

// own reports whether a run may let a branch's commit grow: not where it begins, and not where the main checkout stands.
func (h *hg) own(rev Rev, exists bool) (bool, error) {
	if !exists {
		return false, nil
	}
	parents, err := hgParents(h.store())
	return !slices.Contains(parents, rev), err
}

// inShare starts Mercurial in a share.
func (h *hg) inShare(dir string) runner {
	r := h.ask
	r.dir, r.prefix = dir, slices.Clone(r.prefix)
	r.prefix[1] = dir
	return r
}

func (h *hg) makeShare(ctx context.Context, s hgShare, at Rev, exists bool) error {
	if _, err := h.ask.run(ctx, call{access: writes, args: []string{"--config", "extensions.share=", "share", "-q", "-U", h.main(), s.Dir}}); err != nil {
		return err
	}
	if err := h.shareSettings(s.Dir); err != nil {
		return err
	}
	in := h.inShare(s.Dir)
	name := []string{"-q", "bookmark", "-r", string(at)} // Mercurial refuses that of a named branch, or a number
	if exists {
		name = append(name, "-f")
	}
	for _, c := range []call{
		{access: writes, args: append(name, "--", string(s.Branch))},
		{access: hooks, args: []string{"-q", "update", "-r", string(at)}, slow: true},
		{access: writes, args: []string{"-q", "bookmark", "-f", "--", string(s.Branch)}}, // it is active then
	} {
		if _, err := in.run(ctx, c); err != nil {
			return err
		}
	}
	return h.publish(ctx, s, at)
}

// shareSettings gives a share the settings of its repository, where Mercurial does not (format.use-share-safe).
func (h *hg) shareSettings(dir string) error {
	requires, err := os.ReadFile(filepath.Join(h.store(), "requires"))
	theirs := filepath.Join(h.store(), "hgrc")
	if _, serr := os.Stat(theirs); err != nil || serr != nil || slices.Contains(strings.Fields(string(requires)), "share-safe") {
		return nil
	}
	own := filepath.Join(dir, ".hg", "hgrc")
	text, err := os.ReadFile(own) // where to pull from
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(own, append([]byte("%include "+theirs+"\n"), text...), 0o644)
}

// publish puts the bookmark of a share's branch into the main checkout, so that it is seen there, and is there when the share is gone. A bookmark
// of that name that is active in the main checkout, or that a person put elsewhere, stays where it is.
func (h *hg) publish(ctx context.Context, s hgShare, rev Rev) error {
	store := h.store()
	if hgBookmarkFile(filepath.Join(s.Dir, ".hg")) == hgBookmarkFile(store) {
		return nil // there is one list for all checkouts
	}
	marks, err := hgBookmarks(store)
	if err != nil {
		return err
	}
	at, way := marks[s.Branch], fmt.Sprintf("give the work another name: hg -R %q bookmark -r %s NAME", h.main(), rev.Short())
	if at == rev {
		return nil
	}
	if active, err := hgActive(store); err != nil || active == s.Branch {
		return errors.Join(err, &StateError{Why: fmt.Sprintf("bookmark %s is the active one of %s and stays where it is", s.Branch, h.main()), Next: way})
	}
	if at != "" && h.became(at) != rev {
		ahead, err := h.IsAncestor(ctx, at, rev)
		if err != nil && exitCode(err) < 0 {
			return err
		}
		if err == nil && !ahead { // an error: the commit is gone, and Mercurial passes over such a bookmark
			return &StateError{Why: fmt.Sprintf("bookmark %s of %s is at %s, where no run put it, and stays there", s.Branch, h.main(), at.Short()), Next: way}
		}
	}
	_, err = h.inShare(h.main()).run(ctx, call{access: writes, args: []string{"-q", "bookmark", "-f", "-r", string(rev), "--", string(s.Branch)}})
	if err != nil {
		return fmt.Errorf("put bookmark %s into %s: %w", s.Branch, h.main(), err)
	}
	return nil
}

// FastForward moves the share and its bookmark on to a commit that has it as an ancestor. It never merges: where the two went apart, or a changed
// file is in the way, it is an error and nothing is touched.
func (h *hg) FastForward(ctx context.Context, to Rev) error {
	if err := h.fastForward(ctx, to); err != nil {
		return fmt.Errorf("bring %s up to %s: %w", h.root, to.Short(), err)
	}
	return nil
}

func (h *hg) fastForward(ctx context.Context, to Rev) error {
	s, err := h.share(h.root)
	if err != nil {
		return err
	}
	active, err := hgActive(h.meta)
	if err != nil || s == nil || active != s.Branch {
		return errors.Join(err, &StateError{Why: "it is no share of a run with its bookmark active", Next: "hg update " + string(to)})
	}
	now, err := h.state(ctx)
	if err != nil {
		return err
	}
	if ahead, err := h.IsAncestor(ctx, now.rev, to); err != nil || !ahead {
		return errors.Join(err, &StateError{Why: fmt.Sprintf("%s does not stand on %s", to.Short(), now.rev.Short()), Next: "hg rebase or hg merge"})
	}
	s.Start = to // before the step: what it stands on then is not the run's
	if err := s.write(h.store()); err != nil {
		return err
	}
	update := []string{"-q", "update", "--config", "commands.update.check=noconflict", "--config", "merge.checkunknown=abort", "-r", string(to)}
	if _, err := h.ask.run(ctx, call{access: hooks, args: update, slow: true}); err != nil {
		return err
	}
	if _, err := h.ask.run(ctx, call{access: writes, args: []string{"-q", "bookmark", "-f", "--", string(active)}}); err != nil {
		return err
	}
	return h.publish(ctx, *s, to)
}

// BranchInTheWay: bookmarks called "a" and "a/b" could both be, but not the folders of their shares, one inside of the other.
func (h *hg) BranchInTheWay(_ context.Context, b Branch) (Branch, error) {
	shares, err := hgShares(h.store())
	if err != nil {
		return "", err
	}
	for _, s := range shares {
		if strings.HasPrefix(string(b), string(s.Branch)+"/") || strings.HasPrefix(string(s.Branch), string(b)+"/") {
			return s.Branch, nil
		}
	}
	return "", nil
}
