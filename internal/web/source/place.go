package source

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"

	"ralphex/internal/web/view"
)

// file is what a path says by its name alone.
type file struct {
	path   string
	source view.Source
}

// match tells whether a file of this path may be a run's.
func match(path string) (file, bool) {
	name, dir := filepath.Base(path), filepath.Dir(path)
	if run, ok := strings.CutSuffix(name, ".jsonl"); ok {
		return file{path, view.Journal}, isEvents(dir) && runName(run)
	}
	log := name == "progress.txt" || strings.HasPrefix(name, "progress-") && strings.HasSuffix(name, ".txt")
	return file{path, view.Progress}, log
}

// runName tells whether a journal may have the name.
func runName(run string) bool {
	for _, c := range run {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' {
			return false
		}
	}
	return run != ""
}

func isEvents(dir string) bool {
	return filepath.Base(dir) == "events" && filepath.Base(filepath.Dir(dir)) == ".ralph"
}

// id is the name of a session: a journal's run, and for a progress file what the public ralphex calls it.
func (f file) id() string {
	name := filepath.Base(f.path)
	if f.source == view.Journal {
		return strings.TrimSuffix(name, ".jsonl")
	}
	h := fnv.New64a()
	h.Write([]byte(filepath.Clean(f.path)))
	return fmt.Sprintf("%s-%016x", strings.TrimSuffix(strings.TrimPrefix(name, "progress-"), ".txt"), h.Sum64())
}

// otherID tells a journal from one of another repository that has the same run.
func (f file) otherID() string {
	h := fnv.New32a()
	h.Write([]byte(filepath.Clean(f.path)))
	return fmt.Sprintf("%s-%08x", f.id(), h.Sum32())
}

// root is the checkout that the file belongs to, and main the repository's: another one if that is a linked worktree. A project above the folder
// that is watched is not looked for, but for the one whose place for such files it is.
func (f file) root(watched string) (root, main string) {
	dir := filepath.Dir(f.path)
	if f.source == view.Journal {
		root = filepath.Dir(filepath.Dir(dir))
		return root, mainOf(root)
	}
	if root = filepath.Dir(filepath.Dir(dir)); filepath.Base(dir) == "progress" && filepath.Base(filepath.Dir(dir)) == ".ralphex" {
		return root, mainOf(root)
	}
	for root = dir; ; root = filepath.Dir(root) {
		if isProject(root) {
			return root, mainOf(root)
		}
		if root == watched || filepath.Dir(root) == root {
			return dir, dir
		}
	}
}

// projectSigns are what the root of a project has.
var projectSigns = []string{".git", ".hg", ".ralph", ".ralphex"}

func isProject(dir string) bool {
	for _, name := range projectSigns {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// mainOf is the checkout that a linked worktree belongs to; of any other folder it is the folder.
func mainOf(root string) string {
	if main := ofOurWorktree(root); main != "" {
		return main
	}
	fi, err := os.Lstat(filepath.Join(root, ".git"))
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > 4<<10 {
		return root
	}
	text, err := os.ReadFile(filepath.Join(root, ".git"))
	if err != nil {
		return root
	}
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return root
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if git := filepath.Dir(filepath.Dir(dir)); filepath.Base(git) == ".git" && filepath.Base(filepath.Dir(dir)) == "worktrees" {
		return filepath.Dir(git)
	}
	return root
}

// ofOurWorktree is the checkout of a worktree that ralphex made; empty = it is none. Such a worktree goes when its run is over.
func ofOurWorktree(root string) string {
	sep := string(filepath.Separator)
	main, _, ok := strings.Cut(root, sep+".ralphex"+sep+"worktrees"+sep)
	if !ok {
		return ""
	}
	return main
}
