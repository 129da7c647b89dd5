package vcs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// maxSteps bounds a walk through history in this process: so many steps take about as long as it takes to start git, which has a
// commit-graph and generation numbers for longer ones.
const maxSteps = 32

// openPacks is how many packs stay open. Without any, go-git opens the pack anew for each object, which takes twenty times as long as reading it.
const openPacks = 16

// objects reads refs and objects through go-git's storage layer, in this process. It is opened once and kept: refs are read afresh at each
// question, objects never change. Whatever it doesn't find is a question for the CLI, which also knows replaced, grafted, promised and
// just repacked objects.
type objects struct {
	layout layout
	mu     sync.Mutex // the storage builds its pack index at first use
	store  *filesystem.Storage
}

// openObjects refuses a repository that go-git might misread.
func openObjects(l layout) (*objects, error) {
	if err := readable(l); err != nil {
		return nil, err
	}
	var dirs = osfs.New(l.common)
	full := dotgit.NewRepositoryFilesystem(osfs.New(l.gitDir), nil)
	if l.linked() {
		full = dotgit.NewRepositoryFilesystem(osfs.New(l.gitDir), dirs)
	}
	return &objects{layout: l, store: filesystem.NewStorageWithOptions(full, cache.NewObjectLRU(4*cache.MiByte), filesystem.Options{MaxOpenDescriptors: openPacks})}, nil
}

// readable returns nil if the repository has nothing about it that go-git reads wrongly or not at all: another hash, another ref store,
// extensions that nobody has told us of, folders that are links (go-git stays inside of its folder), replaced objects.
func readable(l layout) error {
	cfg := readConfig(filepath.Join(l.common, "config"))
	if v := cfg.Section("core").Option("repositoryformatversion"); v != "" && v != "0" && v != "1" {
		return fmt.Errorf("format version %s", v)
	}
	for _, o := range cfg.Section("extensions").Options {
		switch key, value := strings.ToLower(o.Key), strings.ToLower(o.Value); key {
		case "noop", "partialclone", "preciousobjects", "worktreeconfig", "relativeworktrees":
		case "objectformat":
			if value != "sha1" {
				return fmt.Errorf("object format %s", value)
			}
		case "refstorage":
			if value != "files" {
				return fmt.Errorf("ref storage %s", value)
			}
		default:
			return fmt.Errorf("extension %s", o.Key)
		}
	}
	for _, name := range []string{"refs", "refs/heads", "refs/remotes", "objects", "packed-refs"} {
		fi, err := os.Lstat(filepath.Join(l.common, filepath.FromSlash(name)))
		if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a link", name)
		}
	}
	if fi, err := os.Lstat(filepath.Join(l.gitDir, "HEAD")); err != nil || !fi.Mode().IsRegular() {
		return errors.New("HEAD is no plain file")
	}
	if _, err := os.Stat(filepath.Join(l.common, "refs", "replace")); err == nil {
		return errors.New("replaced objects")
	}
	return nil
}

func (o *objects) head(ctx context.Context) (Head, error) {
	rev, target, err := o.ref(ctx, "HEAD")
	if err != nil {
		return Head{}, err
	}
	if target == "" {
		if rev == "" {
			return Head{}, errAsk
		}
		return Head{Rev: rev, Detached: true}, nil
	}
	name, ok := strings.CutPrefix(target, "refs/heads/")
	if !ok {
		return Head{}, errAsk
	}
	rev, further, err := o.ref(ctx, target)
	if err != nil || further != "" {
		return Head{}, errAsk // a branch that is a symbolic ref itself
	}
	return Head{Rev: rev, Branch: Branch(name), Unborn: rev == ""}, nil
}

func (o *objects) ref(_ context.Context, name string) (Rev, string, error) {
	ref, err := o.store.Reference(plumbing.ReferenceName(name))
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return "", "", o.surelyMissing(name)
	}
	if err != nil {
		return "", "", err
	}
	if ref.Type() == plumbing.SymbolicReference {
		return "", string(ref.Target()), nil
	}
	if ref.Hash().IsZero() {
		return "", "", errAsk
	}
	return Rev(ref.Hash().String()), "", nil
}

// surelyMissing makes sure that a ref isn't merely one that go-git could not read: an empty file that a crash left is not "no such branch".
func (o *objects) surelyMissing(name string) error {
	fi, err := os.Lstat(filepath.Join(o.layout.common, filepath.FromSlash(name)))
	if err == nil && !fi.IsDir() {
		return errAsk
	}
	return nil
}

func (o *objects) read(t plumbing.ObjectType, hash string) ([]byte, error) {
	if !plumbing.IsHash(hash) {
		return nil, errAsk
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	obj, err := o.store.EncodedObject(t, plumbing.NewHash(hash))
	if err != nil {
		return nil, err
	}
	r, err := obj.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func (o *objects) commit(_ context.Context, r Rev) (commit, error) {
	b, err := o.read(plumbing.CommitObject, string(r))
	if err != nil {
		return commit{}, err
	}
	return parseCommit(r, b)
}

func (o *objects) pathAt(ctx context.Context, r Rev, path string) (string, error) {
	c, err := o.commit(ctx, r)
	if err != nil {
		return "", err
	}
	hash, folder := c.tree, true
	for name := range strings.SplitSeq(path, "/") {
		if !folder {
			return "", nil
		}
		tree, err := o.read(plumbing.TreeObject, hash)
		if err != nil {
			return "", err
		}
		if hash, folder, err = treeEntry(tree, name); hash == "" || err != nil {
			return "", err
		}
	}
	return hash, nil
}

func (o *objects) isAncestor(ctx context.Context, a, b Rev) (bool, error) {
	if !plumbing.IsHash(string(a)) || !plumbing.IsHash(string(b)) {
		return false, errAsk
	}
	if o.shallow() {
		return false, errAsk
	}
	seen, queue := map[Rev]bool{b: true}, []Rev{b}
	for steps := 0; len(queue) > 0; steps++ {
		if queue[0] == a {
			return true, nil
		}
		if steps == maxSteps {
			return false, errAsk
		}
		c, err := o.commit(ctx, queue[0])
		if err != nil {
			return false, err
		}
		queue = queue[1:]
		for _, p := range c.parents {
			if !seen[p] {
				seen[p], queue = true, append(queue, p)
			}
		}
	}
	return false, nil
}

// log answers for linear history only; the order of merged lines is git's business.
func (o *objects) log(ctx context.Context, from, to Rev, max int) ([]LogEntry, error) {
	if o.shallow() || from != "" && !plumbing.IsHash(string(from)) {
		return nil, errAsk
	}
	var entries []LogEntry
	for at, steps := to, 0; at != from; steps++ {
		if steps == maxSteps {
			return nil, errAsk
		}
		c, err := o.commit(ctx, at)
		if err != nil {
			return nil, err
		}
		if max == 0 || len(entries) < max {
			entries = append(entries, c.entry)
		}
		if from == "" && len(entries) == max {
			return entries, nil
		}
		switch {
		case len(c.parents) > 1, len(c.parents) == 0 && from != "":
			return nil, errAsk
		case len(c.parents) == 0:
			return entries, nil
		}
		at = c.parents[0]
	}
	return entries, nil
}

// shallow reports whether history was cut off: parents are named there that nobody has.
func (o *objects) shallow() bool {
	fi, err := os.Stat(filepath.Join(o.layout.common, "shallow"))
	return err == nil && fi.Size() > 0
}

// holders reads HEAD of the main working tree and of each linked one.
func (o *objects) holders(context.Context) (map[Branch]string, error) {
	held := map[Branch]string{}
	add := func(gitDir, tree string) error {
		b, err := os.ReadFile(filepath.Join(gitDir, "HEAD"))
		if err != nil {
			return err
		}
		if name, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: refs/heads/"); ok {
			held[Branch(name)] = tree
		}
		return nil
	}
	if err := add(o.layout.common, strings.TrimSuffix(o.layout.common, string(filepath.Separator)+".git")); err != nil {
		return nil, err
	}
	trees, err := os.ReadDir(filepath.Join(o.layout.common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, t := range trees {
		dir := filepath.Join(o.layout.common, "worktrees", t.Name())
		link, err := os.ReadFile(filepath.Join(dir, "gitdir"))
		if err != nil {
			continue // half made or half removed: git doesn't count it either
		}
		tree := filepath.Dir(strings.TrimRight(string(link), "\r\n"))
		if !filepath.IsAbs(tree) {
			tree = filepath.Join(dir, tree)
		}
		if err := add(dir, tree); err != nil {
			return nil, err
		}
	}
	return held, nil
}
