package vcs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// alone is a Git working tree without git: go-git's storage reads and writes objects, and what lies around them (index, refs, reflogs,
// ignore rules) is read and written here, by git's own lock files. What it can't do as git would, it refuses with *UnsupportedError.
//
//	status, ignored    alone_status.go  ignore.go      index and lstat, HEAD's tree, .gitignore
//	commit, move       alone_commit.go  indexfile.go   index.lock ─► blobs, trees, commit ─► branch (compare-and-set) ─► index
//	branch             alone_refs.go                   NAME.lock ─► reflog ─► rename
//	content            content.go                      refuses what filters and line ends would change
type alone struct {
	base
	objects *objects
	rules   *conversions
}

var _ Repo = (*alone)(nil)

// aloneNote is what a person should know before relying on it.
const aloneNote = "git is not used: no hooks, no signing, no worktrees, no switching between branches, and no repository with submodules, filters or a sparse checkout"

// needGit is what a person can do about it.
const needGit = "install git, or set vcs_backend = auto where it is installed"

// needsGit is a refusal of this backend.
func needsGit(what, why string) *UnsupportedError {
	return &UnsupportedError{What: what, Why: why, Next: needGit}
}

func openAlone(_ context.Context, l layout, o Options) (*alone, error) {
	const what = "work without git"
	if err := readable(l); err != nil {
		return nil, needsGit(what, fmt.Sprintf("only git reads this repository (%v)", err))
	}
	store, err := openObjects(l)
	if err != nil {
		return nil, err
	}
	a := &alone{objects: store}
	none := func(context.Context, ...string) ([]byte, error) {
		return nil, needsGit(what, "the configuration has parts that only git reads (includes, hooks in other places)")
	}
	a.base = base{layout: l, exclude: o.Exclude, nameLen: 20, settings: newSettings(l, "", none, o.Env), reader: &complete{objects: store}, limit: o.HookTimeout}
	cfg, certain := a.settings.merged()
	switch core := cfg.Section("core"); {
	case !certain:
		return nil, needsGit(what, "the configuration includes other files, which only git follows")
	case yes(core.Option("sparsecheckout")):
		return nil, needsGit(what, "the checkout is sparse")
	case core.Option("symlinks") != "" && !yes(core.Option("symlinks")):
		return nil, needsGit(what, "core.symlinks is off")
	case cfg.Section("extensions").Option("partialclone") != "":
		return nil, needsGit(what, "the clone is partial, and missing objects would have to be fetched")
	}
	if fi, err := os.Stat(filepath.Join(l.common, "objects", "info", "alternates")); err == nil && fi.Size() > 0 {
		return nil, needsGit(what, "it borrows objects from another repository (alternates)")
	}
	a.rules = newConversions(l, cfg, a.settings.env)
	return a, nil
}

func (a *alone) Kind() string { return "go-git" }

func (a *alone) Caps() Caps { return Caps{Note: aloneNote} }

func (a *alone) Identity(context.Context) error {
	_, err := a.settings.signature("COMMITTER")
	return err
}

// Switch goes to a branch that has the same files; to write others is git's business.
func (a *alone) Switch(ctx context.Context, b Branch) error {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := a.switchTo(ctx, b); err != nil {
		return fmt.Errorf("switch to branch %s: %w", b, err)
	}
	return nil
}

func (a *alone) switchTo(ctx context.Context, b Branch) error {
	if err := a.stillHere(); err != nil {
		return err
	}
	exists, err := a.BranchExists(ctx, b)
	if err != nil {
		return err
	}
	if !exists {
		return fmt.Errorf("no such branch: %w", ErrBadName)
	}
	if dir, err := a.BranchHolder(ctx, b); err != nil || dir != "" {
		return orHeld(err, b, dir)
	}
	h, err := a.reader.head(ctx)
	if err != nil || h.Branch == b {
		return err
	}
	rev, _, err := a.reader.ref(ctx, "refs/heads/"+string(b))
	if err != nil {
		return err
	}
	there, err := a.reader.commit(ctx, rev)
	if err != nil {
		return err
	}
	here := commit{}
	if !h.Unborn {
		if here, err = a.reader.commit(ctx, h.Rev); err != nil {
			return err
		}
	}
	if here.tree != there.tree {
		return needsGit("check files out", "the branch has other files, and only git writes them with filters and line ends")
	}
	return a.moveHead(h, b, rev)
}

// Move renames in the tree first: if the index can't be written then, the file is taken back.
func (a *alone) Move(ctx context.Context, src, dst string) error {
	ctx, cancel := a.within(ctx)
	defer cancel()
	if err := a.move(ctx, src, dst); err != nil {
		return fmt.Errorf("move %s to %s: %w", src, dst, err)
	}
	return nil
}

func (a *alone) move(ctx context.Context, src, dst string) error {
	paths, err := cleanPaths([]string{src, dst})
	if err != nil {
		return err
	}
	if len(paths) != 2 {
		return errors.New("both names are the same")
	}
	src, dst = paths[0], paths[1]
	if err := a.stillHere(); err != nil {
		return err
	}
	if _, err := os.Lstat(a.abs(dst)); err == nil && !sameFile(a.abs(src), a.abs(dst)) {
		return fs.ErrExist
	}
	lock, err := a.lockIndex(ctx)
	if err != nil {
		return err
	}
	defer lock.abort()
	e, ok := lock.index.get(src)
	if !ok {
		return fmt.Errorf("%s is not under version control", src)
	}
	if lock.index.holdsBelow(dst) {
		return fmt.Errorf("%s is a folder in the index: %w", dst, fs.ErrExist)
	}
	if err := os.Rename(a.abs(src), a.abs(dst)); err != nil {
		return err
	}
	lock.index.remove(src)
	e.name = dst
	lock.index.put(e)
	if err := lock.commit(); err != nil {
		return errors.Join(err, os.Rename(a.abs(dst), a.abs(src)))
	}
	return nil
}

// write stores an object and returns its name.
func (o *objects) write(t plumbing.ObjectType, content []byte) (string, error) {
	obj := &plumbing.MemoryObject{}
	obj.SetType(t)
	if _, err := obj.Write(content); err != nil {
		return "", err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	h, err := o.store.SetEncodedObject(obj)
	if err != nil {
		return "", fmt.Errorf("store a %s: %w", t, err)
	}
	return h.String(), nil
}

// blobName is the name that content would have in the repository.
func blobName(content []byte) string {
	return plumbing.ComputeHash(plumbing.BlobObject, content).String()
}

// parents are the folders that a path lies in, the outermost first, without the root.
func parents(path string) []string {
	var dirs []string
	for i, c := range path {
		if c == '/' {
			dirs = append(dirs, path[:i])
		}
	}
	return dirs
}

// folderOf is the folder that a path lies in, "" at the root.
func folderOf(path string) string {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)]
}
