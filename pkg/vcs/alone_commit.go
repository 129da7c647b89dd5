package vcs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Commit makes its tree from HEAD's and the named files alone, so what else is staged is no part of it, and stays staged in the index.
// Objects come first, then the branch moves if it still is where it was, then the index: whenever this process dies, history and files
// are whole, and at worst the index tells of a difference that isn't one.
func (a *alone) Commit(ctx context.Context, req CommitRequest) (CommitResult, error) {
	ctx, cancel := a.within(ctx)
	defer cancel()
	message, err := commitMessage(req)
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	paths, err := cleanPaths(req.Paths)
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	head, err := a.expected(ctx, req.Expect)
	if err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	if len(paths) == 0 {
		return CommitResult{}, nil
	}
	if err := a.mayCommit(ctx); err != nil {
		return CommitResult{}, fmt.Errorf("prepare commit: %w", err)
	}
	res, err := a.commit(ctx, head, message, paths)
	if err != nil {
		return res, fmt.Errorf("commit: %w", err)
	}
	return res, nil
}

// mayCommit refuses what git would do at a commit and we can't.
func (a *alone) mayCommit(ctx context.Context) error {
	hooks, err := a.settings.hasHooks(ctx)
	if err != nil {
		return err
	}
	if hooks {
		return needsGit("commit", "the repository has commit hooks, and they would not run")
	}
	cfg, _ := a.settings.merged()
	if yes(cfg.Section("commit").Option("gpgsign")) {
		return needsGit("commit", "commits are to be signed (commit.gpgSign)")
	}
	what, err := a.InProgress(ctx)
	if err != nil {
		return err
	}
	if what != "" && what != "bisect" {
		return fmt.Errorf("a %s is in progress", what)
	}
	return nil
}

func (a *alone) commit(ctx context.Context, head Head, message string, paths []string) (CommitResult, error) {
	lock, err := a.lockIndex(ctx)
	if err != nil {
		return CommitResult{}, err
	}
	defer lock.abort()
	if lock.index.unmerged() {
		return CommitResult{}, errors.New("there are files in conflict")
	}
	s := &staging{a: a, index: lock.index, rules: a.rules.fresh(), ignores: a.ignores(), edits: map[string]leaf{}}
	for _, p := range paths {
		if ctx.Err() != nil {
			return CommitResult{}, context.Cause(ctx)
		}
		if err := s.add(p); err != nil {
			return CommitResult{}, err
		}
	}
	for _, f := range s.folders {
		if !slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, f+"/") }) {
			s.nested = append(s.nested, f)
		}
	}
	res := CommitResult{Left: s.nested}
	tree, err := a.headTree(ctx)
	if err != nil {
		return CommitResult{}, err
	}
	made, err := a.objects.edit(tree, s.edits)
	if err != nil {
		return CommitResult{}, err
	}
	if made == tree {
		if s.changed {
			return res, lock.commit()
		}
		return res, nil
	}
	if res.Rev, err = a.newCommit(ctx, head, made, message); err != nil {
		return CommitResult{}, err
	}
	return res, lock.commit()
}

// newCommit writes the commit and moves the branch to it.
func (a *alone) newCommit(ctx context.Context, head Head, tree, message string) (Rev, error) {
	if tree == "" {
		var err error
		if tree, err = a.objects.write(plumbing.TreeObject, nil); err != nil {
			return "", err
		}
	}
	author, err := a.settings.signature("AUTHOR")
	if err != nil {
		return "", err
	}
	committer, err := a.settings.signature("COMMITTER")
	if err != nil {
		return "", err
	}
	var parents []Rev
	why := "commit: " + message
	if head.Unborn {
		why = "commit (initial): " + message
	} else {
		parents = []Rev{head.Rev}
	}
	rev, err := a.objects.writeCommit(tree, parents, author, committer, message)
	if err != nil {
		return "", err
	}
	name, log := "refs/heads/"+string(head.Branch), filepath.Join(a.gitDir, "logs", "HEAD")
	if head.Detached {
		name = "HEAD"
	}
	at := a.common
	if head.Detached {
		at = a.gitDir
	}
	if err := a.setRefIn(ctx, at, name, head.Rev, rev, committer, why); err != nil {
		return "", err
	}
	if !head.Detached {
		err = a.logRef(log, head.Rev, rev, committer, why)
	}
	return rev, err
}

func (o *objects) writeCommit(tree string, parents []Rev, author, committer, message string) (Rev, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", author, committer, message)
	name, err := o.write(plumbing.CommitObject, []byte(b.String()))
	return Rev(name), err
}

// staging brings paths into the index and notes how the tree changes.
type staging struct {
	a       *alone
	index   *indexFile
	rules   *conversions
	ignores *ignores
	edits   map[string]leaf
	nested  []string
	folders []string // files that became folders: a commit of what lies in them removes them
	changed bool     // the index
}

// add takes a path as it lies in the tree.
func (s *staging) add(p string) error {
	fi, err := lstat(s.a.abs(p))
	if behindLink(s.a.root, p, nil) != "" { // what is there is another file, out of the repository perhaps
		err = fs.ErrNotExist
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	old, tracked := s.index.get(p)
	switch {
	case err != nil:
		s.edits[p] = leaf{}
		if tracked {
			s.index.remove(p)
			s.changed = true
		}
		return nil
	case fi.IsDir() && tracked:
		s.folders = append(s.folders, p)
		return nil
	case fi.IsDir():
		if _, ok, _ := gitAt(s.a.abs(p)); !ok {
			return fmt.Errorf("%s is a folder", p)
		}
		s.nested = append(s.nested, p+"/")
		return nil
	}
	if !tracked {
		if err := notIgnored(s.ignores, p); err != nil {
			return err
		}
	}
	content, mode, err := s.rules.stored(p, fi, old.mode, s.index)
	if err != nil {
		return err
	}
	name, err := s.a.objects.write(plumbing.BlobObject, content)
	if err != nil {
		return err
	}
	e, err := newEntry(p, name, mode, fi)
	if err != nil {
		return err
	}
	s.edits[p] = leaf{mode, name}
	if !tracked || old.object() != name || old.mode != mode || old.intend {
		s.changed = true
	}
	s.index.put(e)
	return nil
}

// commitMessage is the message with its trailer, cleaned as "git commit --cleanup=whitespace" does.
func commitMessage(req CommitRequest) (string, error) {
	m := strings.TrimSpace(req.Message)
	if m == "" {
		return "", errors.New("the message is empty")
	}
	if t := strings.TrimSpace(req.Trailer); t != "" {
		m += "\n\n" + t
	}
	var lines []string
	for l := range strings.SplitSeq(m, "\n") {
		lines = append(lines, strings.TrimRight(l, " \t\r\v\f"))
	}
	lines = slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
	return strings.Join(lines, "\n") + "\n", nil
}
