package vcs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Keeper is a working tree that may hold what its status doesn't show. Keeps says what would be lost with it, "" if nothing would.
type Keeper interface {
	Keeps(ctx context.Context) (string, error)
}

// Publisher is a repository that knows which commits are out of its hands: others have them.
type Publisher interface {
	IsPublic(ctx context.Context, rev Rev) (bool, error)
}

var (
	_ Keeper    = (*hg)(nil)
	_ Publisher = (*hg)(nil)
)

// IsPublic asks for the phase.
func (h *hg) IsPublic(ctx context.Context, rev Rev) (bool, error) {
	if err := checkRevs(rev); err != nil {
		return false, err
	}
	phase, err := h.hg(ctx, "log", "-r", revset(rev), "-T", "{phase}")
	if err != nil {
		return false, fmt.Errorf("ask whether %s is public: %w", rev, err)
	}
	return phase == "public", nil
}

// hgPassing are the files of a share's own .hg that hold nothing of a person's: what Mercurial makes anew, and what is in the history. All
// else keeps the share: shelves, patch queues, local tags, and whatever an extension has there.
var hgPassing = []string{"requires", "sharedpath", "shared", "00changelog.i", "dirstate", "dirstate-v1", "dirstate-docket", "branch", "bookmarks",
	"bookmarks.current", "cache", "wcache", "last-message.txt", "merge", "strip-backup", "ralphex", "hgrc", "topic", "blackbox.log"}

func passing(name string) bool {
	return slices.Contains(hgPassing, name) || strings.HasPrefix(name, "undo.") || strings.HasPrefix(name, "dirstate.")
}

// Keeps looks at all that a share has of its own: its changes, ours aside, repositories inside of it, its bookmarks, and its .hg.
func (h *hg) Keeps(ctx context.Context) (string, error) {
	what, err := h.InProgress(ctx)
	if err != nil {
		return "", err
	}
	if what != "" {
		return "a " + what + " is unfinished in it", nil
	}
	for _, ask := range []func(context.Context) (string, error){h.changed, h.ownBookmarks, h.ownFiles, h.ownSettings, h.nested} {
		if why, err := ask(ctx); why != "" || err != nil {
			return why, err
		}
	}
	return "", nil
}

// hgOurs are the files of ours that lie in .ralphex, beside those of a person.
var hgOurs = regexp.MustCompile(`^\.ralphex/(progress/|worktrees/|wip/|\.gitignore$)`)

// changed is Status without exceptions for what is tracked.
func (h *hg) changed(ctx context.Context) (string, error) {
	out, err := h.hg(ctx, "status", "-mardu", "-T", `{status}{path}\0`)
	if err != nil {
		return "", err
	}
	for _, entry := range split0([]byte(out)) {
		path, unknown := strings.CutPrefix(entry, "?")
		if !unknown {
			return "uncommitted changes: " + entry[1:], nil
		}
		if !strings.HasPrefix(path, ".ralph/") && !hgOurs.MatchString(path) {
			return "a file that is not committed: " + path, nil
		}
	}
	return "", nil
}

// ownBookmarks looks for those that the main checkout lacks, or has elsewhere; the run's own one is put there at the end.
func (h *hg) ownBookmarks(context.Context) (string, error) {
	if hgBookmarkFile(h.meta) == hgBookmarkFile(h.store()) {
		return "", nil
	}
	s, err := h.share(h.root)
	if err != nil {
		return "", err
	}
	mine, err := hgBookmarks(h.meta)
	if err != nil {
		return "", err
	}
	theirs, err := hgBookmarks(h.store())
	if err != nil {
		return "", err
	}
	for name, at := range mine {
		if theirs[name] != at && (s == nil || name != s.Branch) {
			return fmt.Sprintf("bookmark %s is only there: hg -R %q bookmark -r %s %s", name, h.main(), at.Short(), name), nil
		}
	}
	return "", nil
}

func (h *hg) ownFiles(context.Context) (string, error) {
	entries, err := os.ReadDir(h.meta)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if !passing(e.Name()) {
			return "its .hg has " + e.Name() + ", which goes with it", nil
		}
	}
	return "", nil
}

// ownSettings looks for more than a new share's hgrc has: an include, and where to pull from.
func (h *hg) ownSettings(context.Context) (string, error) {
	text, err := os.ReadFile(filepath.Join(h.meta, "hgrc"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && line != "[paths]" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "%include ") && !strings.HasPrefix(line, "default =") {
			return "its .hg/hgrc has settings of its own: " + line, nil
		}
	}
	return "", nil
}

// nested looks for repositories inside of the share: Mercurial passes over them without a word.
func (h *hg) nested(ctx context.Context) (string, error) { return nestedIn(ctx, h.root) }

// RemoveWorktree removes a share that Keeps nothing. Its branch stays as a bookmark of the main checkout, its backups of amended commits go
// to those of the main checkout.
func (h *hg) RemoveWorktree(ctx context.Context, dir string) error {
	if err := h.removeWorktree(ctx, dir); err != nil {
		return fmt.Errorf("remove worktree %s: %w", dir, err)
	}
	return nil
}

func (h *hg) removeWorktree(ctx context.Context, dir string) error {
	s, err := h.share(dir)
	if err != nil {
		return err
	}
	if s == nil {
		return &StateError{Why: "ralphex did not make it", Next: "rm -r it yourself when `hg status` is empty there"}
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return h.forgetShare(ctx, *s)
	}
	r, err := openHg(ctx, dir, h.opts)
	if err != nil {
		return err
	}
	share := r.(*hg)
	if err := share.CheckTop(ctx); err != nil {
		return err
	}
	if !sameFile(share.store(), h.store()) {
		return &TopError{Root: dir, Want: h.store(), Got: share.store(), hg: true}
	}
	why, err := share.Keeps(ctx)
	if err != nil {
		return err
	}
	if why != "" {
		return &StateError{Why: why, Next: "see to it there, or remove the folder yourself"}
	}
	marks, err := hgBookmarks(share.meta)
	if err != nil {
		return err
	}
	if at := marks[s.Branch]; at != "" {
		if err := h.publish(ctx, *s, at); err != nil {
			return err
		}
	}
	if err := moveFiles(filepath.Join(share.meta, "strip-backup"), filepath.Join(h.store(), "strip-backup")); err != nil {
		return fmt.Errorf("move the backups of amended commits to %s: %w", h.main(), err)
	}
	return errors.Join(removeShare(dir), os.Remove(s.file(h.store())))
}

// forgetShare forgets one whose folder is gone. Its branch stays.
func (h *hg) forgetShare(ctx context.Context, s hgShare) error {
	rev, err := h.branchRev(s.Branch)
	if err != nil {
		return err
	}
	if rev == "" {
		rev = s.Start
	}
	if rev != "" {
		if err := h.publish(ctx, s, rev); err != nil {
			return err
		}
	}
	return os.Remove(s.file(h.store()))
}

// removeShare deletes the files first and .hg at last: whoever is killed in between leaves a share whose status names what is missing.
func removeShare(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != ".hg" {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(dir)
}

// moveFiles moves the files of a folder into another one, on another disk if need be. A name that is there already is the same backup: Mercurial
// names them after what they hold.
func moveFiles(from, to string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) > 0 {
		err = os.MkdirAll(to, 0o755)
	}
	for _, e := range entries {
		if err != nil {
			return err
		}
		src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		if os.Rename(src, dst) != nil {
			err = copyFile(src, dst)
		}
	}
	return err
}

func copyFile(src, dst string) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(dst)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
