package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Worktree is one working tree of a repository.
type Worktree struct {
	Dir     string // absolute; the git folder itself when Bare
	Branch  Branch // empty when HEAD is detached
	Rev     Rev
	Main    bool // the one that the repository was made with
	Bare    bool // Main of a repository without a working tree of its own
	Missing bool // its folder is gone
	Locked  bool // by `git worktree lock`, or because it is being made right now
}

// Worktrees is a repository that can have several working trees. Ask Caps first: a backend may have the methods and
// not the power.
type Worktrees interface {
	// Worktrees lists all of them, the main one first.
	Worktrees(ctx context.Context) ([]Worktree, error)
	// AddWorktree makes a working tree in dir, which must be empty or not there. With start, branch b is made there; without,
	// b exists and is checked out. The user's post-checkout hook runs. ErrExists or *HeldError where that can't be.
	AddWorktree(ctx context.Context, dir string, b Branch, start Rev) error
	// RemoveWorktree removes a linked working tree that has nothing to lose: changed, staged or untracked files, submodules
	// and a lock are a *CommandError. Ignored files go with it. Where the folder is gone already, the repository forgets it.
	// The branch stays.
	RemoveWorktree(ctx context.Context, dir string) error
}

var _ Worktrees = (*repository)(nil)

// TopError says that a folder belongs to another repository than it did, or to none: its ".git" was deleted or changed.
type TopError struct {
	Root      string
	Want, Got string // the git folder; Got is empty if there is none
	Gone      bool   // the whole folder is not there
	hg        bool
}

func (e *TopError) Error() string {
	if e.Gone {
		return fmt.Sprintf("the folder %s is gone: it was deleted, or moved", e.Root)
	}
	got := e.Got
	if got == "" {
		got = "nothing"
	}
	return fmt.Sprintf("the link of %s to its repository is broken: expected %s, found %s", e.Root, e.Want, got)
}

// Hint tells the person what to do next.
func (e *TopError) Hint() string {
	switch {
	case e.hg && e.Gone:
		return "run the same command: a worktree is made again from its bookmark"
	case e.hg:
		return fmt.Sprintf("nothing was written; .hg/sharedpath must be there and hold %s: mend it, or move the folder away, and run the same command", e.Want)
	case e.Gone:
		return "run the same command: a worktree is found where `git worktree move` put it, and else made again from its branch"
	}
	return "nothing was written; mend the link from the main checkout (git worktree repair) and run the same command"
}

// CheckTop makes sure that the working tree is still the one that was opened. A child process asks the same question through
// GIT_CEILING_DIRECTORIES, but what is read in-process would go on reading the old place. *TopError if not.
func (r *repository) CheckTop(context.Context) error {
	l, ok, err := gitAt(r.root)
	if ok && err == nil && l.gitDir == r.gitDir && l.common == r.common {
		return nil
	}
	e := &TopError{Root: r.root, Want: r.gitDir}
	if _, serr := os.Lstat(r.root); errors.Is(serr, fs.ErrNotExist) {
		e.Gone = true
	}
	if ok {
		e.Got = l.gitDir
	}
	if target, lerr := readLink(filepath.Join(r.root, ".git")); lerr == nil {
		e.Got = target
	}
	return e
}

func (r *repository) Worktrees(ctx context.Context) ([]Worktree, error) {
	out, err := r.run.look(ctx, "worktree", "list", "--porcelain", "-z")
	end := "\x00"
	if exitCode(err) == 129 { // before 2.36
		out, err = r.run.look(ctx, "worktree", "list", "--porcelain")
		end = "\n"
	}
	if err != nil {
		return nil, fmt.Errorf("list worktrees: %w", err)
	}
	return parseWorktrees(string(out), end), nil
}

// parseWorktrees reads "worktree DIR", "HEAD REV", "branch REF" and marks; an empty line ends each entry.
func parseWorktrees(out, end string) []Worktree {
	var list []Worktree
	for entry := range strings.SplitSeq(out, end+end) {
		w := Worktree{Main: len(list) == 0}
		for line := range strings.SplitSeq(entry, end) {
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "worktree":
				w.Dir = filepath.FromSlash(rest)
			case "HEAD":
				w.Rev = Rev(rest)
			case "branch":
				w.Branch = Branch(strings.TrimPrefix(rest, "refs/heads/"))
			case "bare":
				w.Bare = true
			case "locked":
				w.Locked = true
			}
		}
		if w.Dir == "" {
			continue
		}
		if _, err := os.Lstat(w.Dir); errors.Is(err, os.ErrNotExist) {
			w.Missing = true // git's own word is "prunable", but that may be a folder full of files whose link is broken
		}
		list = append(list, w)
	}
	return list
}

func (r *repository) AddWorktree(ctx context.Context, dir string, b Branch, start Rev) error {
	if err := r.addWorktree(ctx, dir, b, start); err != nil {
		return fmt.Errorf("make worktree %s on branch %s: %w", dir, b, err)
	}
	return nil
}

// checkoutWorkers lets several processes write the files of a checkout, unless the user has set their number. More than there are cores,
// since they wait for the disk: 20,000 files on ext4 and two cores take 18 s with one, 4.8 with two and 3.2 with eight; in memory it is 0.34,
// 0.48 and 0.47 s. Below a hundred files git stays with one.
func (r *repository) checkoutWorkers(ctx context.Context) []string {
	if _, err := r.run.look(ctx, "config", "--get", "checkout.workers"); err == nil {
		return nil
	}
	return []string{"-c", "checkout.workers=8"}
}

func (r *repository) addWorktree(ctx context.Context, dir string, b Branch, start Rev) error {
	if !b.Legal() || !filepath.IsAbs(dir) {
		return ErrBadName
	}
	exists, err := r.BranchExists(ctx, b)
	if err != nil {
		return err
	}
	held, err := r.reader.holders(ctx)
	if err != nil {
		return err
	}
	args := append(r.checkoutWorkers(ctx), "worktree", "add", "-q")
	switch holder := held[b]; {
	case start != "" && exists:
		return ErrExists
	case start == "" && !exists:
		return fmt.Errorf("no such branch: %w", ErrBadName)
	case holder != "":
		return &HeldError{Branch: b, Dir: holder}
	case start != "":
		if err := checkRevs(start); err != nil {
			return err
		}
		args = append(args, "--no-track", "-b", string(b), "--", dir, string(start))
	default:
		args = append(args, "--", dir, string(b))
	}
	_, err = r.run.run(ctx, call{access: hooks, args: args, slow: true})
	return err
}

// BranchInTheWay returns a branch that keeps b from being made, since a name can't be a branch and a folder of branches: "a" and "a/b".
// It is empty if there is none.
func (r *repository) BranchInTheWay(ctx context.Context, b Branch) (Branch, error) {
	for up := path.Dir(string(b)); up != "."; up = path.Dir(up) {
		if exists, err := r.BranchExists(ctx, Branch(up)); exists || err != nil {
			return Branch(up), err
		}
	}
	out, err := r.run.look(ctx, "for-each-ref", "--count=1", "--format=%(refname:short)", "refs/heads/"+string(b)+"/")
	if err != nil {
		return "", fmt.Errorf("look for branches below %s: %w", b, err)
	}
	return Branch(line(out)), nil
}

func (r *repository) RemoveWorktree(ctx context.Context, dir string) error {
	// Without --force: git looks once more, and refuses whatever could be lost.
	if _, err := r.run.run(ctx, call{access: writes, args: []string{"worktree", "remove", "--", dir}, slow: true}); err != nil {
		return fmt.Errorf("remove worktree %s: %w", dir, err)
	}
	return nil
}

// FastForward moves the current branch and its tree on to a commit that has it as an ancestor. It never merges: where the two
// went apart, or a changed file is in the way, it is a *CommandError and nothing is touched.
func (r *repository) FastForward(ctx context.Context, to Rev) error {
	if err := checkRevs(to); err != nil {
		return err
	}
	if _, err := r.run.run(ctx, call{access: hooks, args: append(r.checkoutWorkers(ctx), "merge", "-q", "--ff-only", string(to)), slow: true}); err != nil {
		return fmt.Errorf("bring %s up to %s: %w", r.root, to.Short(), err)
	}
	return nil
}

// FileAt returns the bytes that a file has in a commit, nil if it isn't there.
func (r *repository) FileAt(ctx context.Context, rev Rev, path string) ([]byte, error) {
	hash, err := r.PathAt(ctx, rev, path)
	if err != nil || hash == "" {
		return nil, err
	}
	out, err := r.run.look(ctx, "cat-file", "blob", hash)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, rev, err)
	}
	return out, nil
}

// IgnoredFiles lists what the repository ignores, sorted: whole folders as one entry with a slash at its end, and single files.
// Options.Exclude is never in it.
func (r *repository) IgnoredFiles(ctx context.Context) ([]string, error) {
	out, err := r.run.run(ctx, call{access: looks, slow: true,
		args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}})
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	var list []string
	for _, p := range r.sift(out) {
		// git names what a folder of ignored files holds once more behind it.
		if n := len(list); n == 0 || !strings.HasSuffix(list[n-1], "/") || !strings.HasPrefix(p, list[n-1]) {
			list = append(list, p)
		}
	}
	return list, nil
}

// IgnoredMatching lists, one by one, the ignored files that patterns in .gitignore's own syntax name: ".env*\n/config/*.local\n".
// What is not ignored is never in it, whatever the patterns say.
func (r *repository) IgnoredMatching(ctx context.Context, patterns string) ([]string, error) {
	paths, err := r.ignoredMatching(ctx, patterns)
	if err != nil {
		return nil, fmt.Errorf("look for ignored files: %w", err)
	}
	return paths, nil
}

func (r *repository) ignoredMatching(ctx context.Context, patterns string) ([]string, error) {
	file, err := os.CreateTemp("", "ralphex-patterns-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(patterns)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	out, err := r.run.run(ctx, call{access: looks, slow: true,
		args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-from=" + file.Name()}})
	if err != nil {
		return nil, err
	}
	var names bytes.Buffer
	for _, p := range r.sift(out) {
		if !strings.HasSuffix(p, "/") { // a repository of its own
			names.WriteString("./" + p + "\x00") // see Ignored
		}
	}
	if names.Len() == 0 {
		return nil, nil
	}
	out, err = r.run.run(ctx, call{access: looks, args: []string{"check-ignore", "-z", "--stdin"}, stdin: names.Bytes(),
		env: []string{"GIT_LITERAL_PATHSPECS=0"}})
	if exitCode(err) == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.sift(out), nil
}

// sift splits NUL-separated paths and leaves out the folders that are never part of a status.
func (r *repository) sift(out []byte) []string {
	var paths []string
	for p := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		p = strings.TrimPrefix(p, "./")
		top, _, _ := strings.Cut(p, "/")
		if p == "" || slices.Contains(r.exclude, top) {
			continue
		}
		paths = append(paths, p)
	}
	return paths
}
