package vcs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
)

// hgShare is a share that AddWorktree made. Mercurial keeps no list of the shares of a repository, so we do, one file each, in the
// repository that is shared:
//
//	.hg/ralphex/shares/3f2a91c07be4.json
type hgShare struct {
	Version int    `json:"version"`
	Dir     string `json:"dir"`
	Branch  Branch `json:"branch"`
	// Start is where the run began. It is the person's, also where it is a draft: the run's own commit grows on top.
	Start Rev `json:"start"`
	// Tip is the run's newest commit, for the day when the folder is gone and the main checkout was not told of it.
	Tip Rev `json:"tip,omitempty"`
}

// sharesDir is the folder of those files.
func sharesDir(store string) string { return filepath.Join(store, "ralphex", "shares") }

func (s hgShare) file(store string) string {
	sum := sha256.Sum256([]byte(s.Dir))
	return filepath.Join(sharesDir(store), hex.EncodeToString(sum[:6])+".json")
}

func (s hgShare) write(store string) error {
	s.Version = 1
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(sharesDir(store), 0o700); err != nil {
		return err
	}
	return durable.WriteFile(s.file(store), append(text, '\n'), 0o600)
}

// hgShares reads them all, in the order of their folders.
func hgShares(store string) ([]hgShare, error) {
	entries, err := os.ReadDir(sharesDir(store))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list shares: %w", err)
	}
	var list []hgShare
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".json" {
			continue // what a killed write left
		}
		file := filepath.Join(sharesDir(store), e.Name())
		text, err := durable.ReadFile(file, 1<<20)
		var s hgShare
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err == nil && (s.Version != 1 || !filepath.IsAbs(s.Dir)) {
			err = fmt.Errorf("expected version 1 and an absolute folder, found version %d and %q", s.Version, s.Dir)
		}
		if err != nil {
			return nil, &StateError{Why: fmt.Sprintf("%s, which remembers a share, can't be read: %v", file, err),
				Next: "move the file away; the share that it stood for is then one that you made yourself"}
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b hgShare) int { return strings.Compare(a.Dir, b.Dir) })
	return list, nil
}

// share is what is remembered of a folder, nil if it is no share that we made.
func (h *hg) share(dir string) (*hgShare, error) {
	list, err := hgShares(h.store())
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Dir == dir || sameFile(list[i].Dir, dir) {
			return &list[i], nil
		}
	}
	return nil, nil
}

// others lists the other checkouts of this history that are known: the repository that this one is a share of, the shares that we made, and
// those that a person made in the folder where runs have theirs. Mercurial itself keeps no list of shares.
func (h *hg) others() ([]string, error) {
	main := h.main()
	dirs, err := filepath.Glob(filepath.Join(main, ".ralphex", "worktrees", "*"))
	if err != nil {
		return nil, err
	}
	ours, err := hgShares(h.store())
	if err != nil {
		return nil, err
	}
	for _, s := range ours {
		dirs = append(dirs, s.Dir)
	}
	slices.Sort(dirs)
	dirs = append([]string{main}, slices.Compact(dirs)...)
	return slices.DeleteFunc(dirs, func(dir string) bool {
		return sameFile(dir, h.root) || dir != main && !sameFile(sharedWith(filepath.Join(dir, ".hg")), h.store())
	}), nil
}

// main is the checkout that the others are shares of.
func (h *hg) main() string { return filepath.Dir(h.store()) }

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

// hgBookmarks reads the bookmarks of a checkout. They are not read by a call, since that would run what its configuration names.
func hgBookmarks(meta string) (map[Branch]Rev, error) {
	b, err := os.ReadFile(hgBookmarkFile(meta))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the bookmarks of %s: %w", filepath.Dir(meta), err)
	}
	all := map[Branch]Rev{}
	for line := range strings.Lines(string(b)) {
		if at, name, ok := strings.Cut(strings.TrimRight(line, "\n"), " "); ok {
			all[Branch(name)] = Rev(at)
		}
	}
	return all, nil
}

// hgBookmarkFile is the checkout's own, or, with format.bookmarks-in-store or `hg share --bookmarks`, one that it has together with others.
func hgBookmarkFile(meta string) string {
	store := meta
	if dir := sharedWith(meta); dir != "" {
		store = dir
	}
	for _, requires := range []string{filepath.Join(meta, "requires"), filepath.Join(store, "requires"), filepath.Join(store, "store", "requires")} {
		if text, err := os.ReadFile(requires); err == nil && slices.Contains(strings.Fields(string(text)), "bookmarksinstore") {
			return filepath.Join(store, "store", "bookmarks")
		}
	}
	if text, err := os.ReadFile(filepath.Join(meta, "shared")); err == nil && slices.Contains(strings.Fields(string(text)), "bookmarks") {
		return filepath.Join(store, "bookmarks")
	}
	return filepath.Join(meta, "bookmarks")
}

// hgActive is the bookmark that goes along with the next commit of a checkout, "" if none does.
func hgActive(meta string) (Branch, error) {
	name, err := os.ReadFile(filepath.Join(meta, "bookmarks.current"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the active bookmark: %w", err)
	}
	return Branch(strings.TrimSpace(string(name))), nil
}
