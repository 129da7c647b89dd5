package vcs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// layout is where the parts of a Git repository lie. All paths are absolute.
type layout struct {
	root   string // top of the working tree
	gitDir string // HEAD and index; of a linked worktree its own
	common string // refs, objects, config; the same as gitDir but in a linked worktree
}

// find walks up from dir to the first folder that is the top of a repository: the deepest wins, and in one folder Git does.
// hg is the root of a Mercurial repository; the layout is empty then.
func find(dir string) (l layout, hg string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return layout{}, "", err
	}
	for at := abs; ; at = filepath.Dir(at) {
		l, ok, err := gitAt(at)
		if ok || err != nil {
			return l, "", err
		}
		if fi, err := os.Stat(filepath.Join(at, ".hg")); err == nil && fi.IsDir() {
			return layout{}, at, nil
		}
		if isGitDir(at) {
			return layout{}, "", ErrBare
		}
		if at == filepath.Dir(at) {
			return layout{}, "", ErrNotRepo
		}
	}
}

// Top is the top folder of the repository that dir lies in, "" if there is none that could be opened. It starts no process and reads
// nothing but the folders on the way up.
func Top(dir string) string {
	l, hg, err := find(dir)
	if err != nil {
		return ""
	}
	return l.root + hg // one of them is empty
}

// gitAt looks for a repository whose top is exactly at. A ".git" folder that isn't one is passed over as git does; a ".git" file that
// leads nowhere is an error, as it is for git: what lies further up is another repository.
func gitAt(at string) (layout, bool, error) {
	dot := filepath.Join(at, ".git")
	fi, err := os.Stat(dot)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return layout{}, false, nil
	}
	if err != nil {
		return layout{}, false, err
	}
	gitDir := dot
	if !fi.IsDir() {
		if gitDir, err = readLink(dot); err != nil {
			return layout{}, false, err
		}
		if !isGitDir(gitDir) {
			return layout{}, false, fmt.Errorf("%s points to %s: %w", dot, gitDir, ErrNotRepo)
		}
	} else if !isGitDir(dot) {
		return layout{}, false, nil
	}
	l := layout{root: at, gitDir: gitDir, common: commonDir(gitDir)}
	return l, true, l.checkTree()
}

// readLink reads a ".git" file: "gitdir: PATH".
func readLink(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(b), "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%s is no link to a repository: %w", file, ErrNotRepo)
	}
	target = strings.TrimRight(target, "\r\n")
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(file), target)
	}
	return target, nil
}

// isGitDir asks what git asks: a HEAD, and refs and objects here or in the common folder.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDir(dir)
	for _, sub := range []string{"refs", "objects"} {
		if fi, err := os.Stat(filepath.Join(common, sub)); err != nil || !fi.IsDir() {
			return false
		}
	}
	return true
}

// commonDir is the folder that a linked worktree shares with the others.
func commonDir(gitDir string) string {
	b, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	dir := string(bytes.TrimRight(b, "\r\n"))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(gitDir, dir)
	}
	return filepath.Clean(dir)
}

// checkTree refuses a repository whose working tree isn't where its ".git" lies.
func (l layout) checkTree() error {
	switch setting, value := l.treeElsewhere(); setting {
	case "core.worktree":
		return fmt.Errorf("%w: core.worktree is %s", ErrUnsupported, value)
	case "core.bare":
		return ErrBare
	}
	return nil
}

// treeElsewhere names the setting by which git would take another folder than root for the working tree, or none at all; "" if there is none.
func (l layout) treeElsewhere() (setting, value string) {
	shared := readConfig(filepath.Join(l.common, "config"))
	// What the shared file says of the tree says nothing about a linked worktree: it has a tree by its nature.
	tree, bare := "", ""
	if !l.linked() {
		tree, bare = shared.Section("core").Option("worktree"), shared.Section("core").Option("bare")
	}
	if yes(shared.Section("extensions").Option("worktreeconfig")) {
		own := readConfig(filepath.Join(l.gitDir, "config.worktree")).Section("core")
		tree, bare = cmp.Or(own.Option("worktree"), tree), cmp.Or(own.Option("bare"), bare)
	}
	if tree != "" {
		at := tree
		if !filepath.IsAbs(at) {
			at = filepath.Join(l.gitDir, at)
		}
		if sameFile(at, l.root) {
			return "", ""
		}
		return "core.worktree", at
	}
	if yes(bare) {
		return "core.bare", bare
	}
	return "", ""
}

func (l layout) linked() bool { return l.gitDir != l.common }

// sameFile reports whether two paths lead to one file, whatever their spelling.
func sameFile(a, b string) bool {
	fa, err := os.Stat(a)
	if err != nil {
		return false
	}
	fb, err := os.Stat(b)
	return err == nil && os.SameFile(fa, fb)
}

// stillHere makes sure, before a write and before a status, that the root still is the top of the repository that was opened: the link of a linked
// worktree can break or be moved, and git would climb on into the repository around it; a setting can send git to another folder, and it would
// take all that isn't there for deleted.
func (l layout) stillHere() error {
	dot := filepath.Join(l.root, ".git")
	now, fi, err := dot, fs.FileInfo(nil), error(nil)
	if fi, err = os.Stat(dot); err == nil && !fi.IsDir() {
		now, err = readLink(dot)
	}
	what := "repository of " + l.root
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &SurpriseError{What: what, Want: l.gitDir}
	case err != nil:
		return err
	case now != l.gitDir && !sameFile(now, l.gitDir):
		return &SurpriseError{What: what, Want: l.gitDir, Got: now}
	case !isGitDir(now):
		return &SurpriseError{What: what, Want: l.gitDir, Got: "a folder that is no repository any more"}
	}
	if setting, value := l.treeElsewhere(); setting != "" {
		return &SurpriseError{What: "working tree", Want: l.root, Got: setting + " = " + value,
			Next: "somebody changed the repository's settings: look at them (git config --show-origin " + setting + "), take it back (git config --unset " + setting +
				") and run the same command; the files are where they were, and nothing was written"}
	}
	return nil
}
