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
)

// snapshotAuthor signs snapshots: they are ours, and must not fail because the user has no name yet.
var snapshotAuthor = []string{
	"GIT_AUTHOR_NAME=ralphex", "GIT_AUTHOR_EMAIL=ralphex@localhost",
	"GIT_COMMITTER_NAME=ralphex", "GIT_COMMITTER_EMAIL=ralphex@localhost",
}

func (r *repository) Snapshot(ctx context.Context, ref, message string) (Rev, error) {
	rev, err := r.snapshot(ctx, ref, message)
	if err != nil {
		return "", fmt.Errorf("snapshot the working tree as %s: %w", ref, err)
	}
	return rev, nil
}

// snapshot works on a copy of the index. Like git's stash it makes one commit of the tree; if the index holds something else than HEAD,
// the index is kept, too, as that commit's second parent: a staged version that the tree no longer has is work as well.
func (r *repository) snapshot(ctx context.Context, ref, message string) (Rev, error) {
	if !strings.HasPrefix(ref, "refs/ralphex/") || !legalRef(ref) {
		return "", ErrBadName
	}
	if rev, target, err := r.reader.ref(ctx, ref); err != nil {
		return "", err
	} else if rev != "" || target != "" {
		return "", ErrExists
	}
	h, err := r.reader.head(ctx)
	if err != nil {
		return "", err
	}
	index, err := r.copyIndex()
	if err != nil {
		return "", err
	}
	defer os.Remove(index)
	defer os.Remove(index + ".lock")

	s := snapshotter{run: r.run, ctx: ctx, env: append([]string{"GIT_INDEX_FILE=" + index}, snapshotAuthor...)}
	parents := []string{}
	headTree := ""
	if !h.Unborn {
		parents = append(parents, "-p", string(h.Rev))
		if headTree, err = r.TreeHash(ctx, h.Rev); err != nil {
			return "", err
		}
	}
	// An index in conflict has no tree; the files with their markers are kept all the same.
	if staged, err := s.git("write-tree"); err == nil && staged != headTree {
		kept, err := s.git(append([]string{"commit-tree", staged, "-m", "index: " + message}, parents...)...)
		if err != nil {
			return "", err
		}
		parents = append(parents, "-p", kept)
	}
	if err := s.addAll(); err != nil {
		return "", err
	}
	if err := s.keepBytes(r, h.Rev); err != nil {
		return "", err
	}
	tree, err := s.git("write-tree")
	if err != nil {
		return "", err
	}
	rev, err := s.git(append([]string{"commit-tree", tree, "-m", message}, parents...)...)
	if err != nil {
		return "", err
	}
	_, err = r.run.run(ctx, call{access: writes, args: []string{"update-ref", "--stdin"}, stdin: fmt.Appendf(nil, "create %s %s\n", ref, rev)})
	return Rev(rev), err
}

// copyIndex puts a copy beside the index: with git's cache of file states, so that only what changed is read.
func (r *repository) copyIndex() (string, error) {
	out, err := os.CreateTemp(r.gitDir, "ralphex-index-*")
	if err != nil {
		return "", err
	}
	in, err := os.Open(filepath.Join(r.gitDir, "index"))
	if err == nil {
		_, err = io.Copy(out, in)
		in.Close()
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		return out.Name(), nil
	}
	os.Remove(out.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return out.Name(), nil // no index yet: git wants no file rather than an empty one
	}
	return "", err
}

// snapshotter runs git on the copied index.
type snapshotter struct {
	run runner
	ctx context.Context
	env []string
}

func (s snapshotter) git(args ...string) (string, error) {
	out, err := s.run.run(s.ctx, call{access: writes, args: args, env: s.env, slow: true})
	return line(out), err
}
