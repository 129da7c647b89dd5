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

// others lists the other checkouts of this history that are known: the repository that this one is a share of, and the shares in the
// folder where runs have theirs. Mercurial itself keeps no list of shares.
func (h *hg) others() ([]string, error) {
	main := filepath.Dir(h.store())
	shares, err := filepath.Glob(filepath.Join(main, ".ralphex", "worktrees", "*"))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(append(shares, main), func(dir string) bool {
		return sameFile(dir, h.root) || dir != main && !sameFile(sharedWith(filepath.Join(dir, ".hg")), h.store())
	}), nil
}

// BranchHolder asks the checkouts that are known.
func (h *hg) BranchHolder(_ context.Context, b Branch) (string, error) {
	others, err := h.others()
	if err != nil {
		return "", err
	}
	for _, dir := range others {
		if current, err := os.ReadFile(filepath.Join(dir, ".hg", "bookmarks.current")); err == nil && string(current) == string(b) {
			return dir, nil
		}
	}
	return "", nil
}

// usedBy returns another checkout that stands on a commit or has a bookmark of its own there, "" if there is none. Amending would pull the
// commit away from under it: every file there would show as added to nothing ("unknown working parent"), and the bookmark would be lost or
// moved. own is the bookmark that is active here; it goes along.
func (h *hg) usedBy(rev Rev, own string) (string, error) {
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
func hgNamed(meta string, rev Rev, own string) (bool, error) {
	b, err := os.ReadFile(filepath.Join(meta, "bookmarks"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read the bookmarks of %s: %w", filepath.Dir(meta), err)
	}
	for line := range strings.Lines(string(b)) {
		at, name, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if Rev(at) == rev && name != own {
			return true, nil
		}
	}
	return false, nil
}

// store is the folder that keeps the history; a share's is that of the repository it shares with.
func (h *hg) store() string {
	if dir := sharedWith(h.meta); dir != "" {
		return dir
	}
	return h.meta
}

// sharedWith returns the folder that a share points to, "" if it is none.
func sharedWith(meta string) string {
	b, err := os.ReadFile(filepath.Join(meta, "sharedpath"))
	if err != nil {
		return ""
	}
	dir := filepath.FromSlash(strings.TrimRight(string(b), "\r\n"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(meta, dir)
	}
	return filepath.Clean(dir)
}
