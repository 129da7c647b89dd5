package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Refusal says what is not done, why, and what to type instead.
type Refusal struct{ What, Why, Next string }

func (r *Refusal) Error() string { return r.What + ": " + r.Why }

// Hint says what to do next.
func (r *Refusal) Hint() string { return r.Next }

func refuse(what, why, next string) error { return &Refusal{what, why, next} }

// own are the places of a repository that ralphex and agents write to or read by themselves.
var own = []string{".git", ".hg", ".ralph", ".ralphex", ".ralphex/config", ".ralphex/prompts", ".ralphex/agents", ".ralphex/progress", ".claude", ".codex", "docs", "docs/plans"}

// check refuses what would give the container more than this repository, or less than what is asked for.
func (s Spec) check() error {
	if filepath.Dir(s.Root) == s.Root || s.Home != "" && within(s.Root, s.Home) {
		return refuse("the repository "+s.Root, "it holds your home folder: the container would see all of it", "put the work into a repository of its own")
	}
	for _, name := range own {
		if err := s.stays(name, filepath.Join(s.Root, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for _, a := range s.Args { // a plan, a script
		if strings.HasPrefix(a, "-") || a == "" {
			continue
		}
		at := a
		if !filepath.IsAbs(at) {
			at = filepath.Join(s.Dir, a)
		}
		if err := s.stays(a, at); err != nil {
			return err
		}
	}
	for _, e := range s.Env {
		if name, _, _ := strings.Cut(e, "="); name == "" {
			return refuse("--env "+e, "it has no name", "--env NAME, or --env NAME=value")
		}
	}
	return nil
}

// stays refuses a path that is there and leaves the repository: in the container it leads nowhere.
func (s Spec) stays(name, at string) error {
	to, err := filepath.EvalSymlinks(at)
	if errors.Is(err, fs.ErrNotExist) {
		fi, err := os.Lstat(at)
		if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return refuse(name, "it is a link to something that is not there", "put a file or folder in its place")
		}
		return nil // made later, or no path at all
	}
	if err != nil {
		return nil // a word that is no path
	}
	if !within(s.Root, to) {
		return refuse(name, "it lies outside of the repository, at "+to, "the container sees the repository only: put it there; a repository does not choose what else is mounted")
	}
	return nil
}

// within tells whether p is dir, or below it.
func within(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && filepath.IsLocal(rel)
}

// commonFolder is the git folder that a linked worktree belongs to, "" where the root has all of its own. Only a git folder that knows the
// worktree is taken: a file .git alone could name any folder of the machine.
func commonFolder(root string) (string, error) {
	if _, err := os.Stat(filepath.Join(root, ".hg", "sharedpath")); err == nil {
		return "", refuse("this folder", "it is a share of another Mercurial repository, whose store the container does not see", "use a clone: hg clone")
	}
	file := filepath.Join(root, ".git")
	fi, err := os.Lstat(file)
	if err != nil || fi.IsDir() {
		return "", nil
	}
	claim, err := line(file)
	dir, found := strings.CutPrefix(claim, "gitdir: ")
	if err != nil || !found {
		return "", refuse(file, "it does not say where the repository's git folder is", "use a clone")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	back, err := line(filepath.Join(dir, "gitdir"))
	if err == nil && !filepath.IsAbs(back) {
		back = filepath.Join(dir, back)
	}
	if err != nil || !same(back, file) {
		return "", refuse(file, fmt.Sprintf("it names %s, which does not know this folder as its worktree", dir), "git worktree repair, or use a clone")
	}
	common, err := line(filepath.Join(dir, "commondir"))
	if err != nil {
		return "", refuse(file, err.Error(), "git worktree repair, or use a clone")
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, common)
	}
	return filepath.EvalSymlinks(common)
}

func line(name string) (string, error) {
	text, err := os.ReadFile(name)
	return strings.TrimSpace(string(text)), err
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
