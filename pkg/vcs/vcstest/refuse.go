package vcstest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/vcs"
)

// refusing opens repositories whose refusals end the test: as a skip if one is expected, else as a failure.
func refusing(t *testing.T, open Opener, expected bool) Opener {
	return func(ctx context.Context, dir string, env []string) (vcs.Repo, error) {
		v, err := open(ctx, dir, env)
		r := &refusable{t: t, expected: expected, env: env}
		r.check(err)
		if err != nil {
			return nil, err
		}
		r.Repo, r.SnapshotStore, r.DeletionReader = v, v.(vcs.SnapshotStore), v.(vcs.DeletionReader)
		return r, nil
	}
}

// refusable passes everything on, and looks at errors.
type refusable struct {
	vcs.Repo
	vcs.SnapshotStore
	vcs.DeletionReader
	t        *testing.T
	expected bool
	env      []string
}

func (r *refusable) check(err error) {
	r.t.Helper()
	if !errors.Is(err, vcs.ErrUnsupported) {
		return
	}
	if !r.expected {
		r.t.Fatalf("refused unexpectedly: %v", err)
	}
	hinted, ok := errors.AsType[*vcs.UnsupportedError](err)
	if assert.True(r.t, ok, "a refusal says why: %v", err) {
		assert.NotEmpty(r.t, hinted.Why)
		assert.NotEmpty(r.t, hinted.Hint())
	}
	r.t.Skipf("refused, as it should be: %v", err)
}

// writing checks a call that writes: a refusal leaves index, refs and tree as they were.
func (r *refusable) writing(do func() error) error {
	r.t.Helper()
	before := r.look()
	err := do()
	if errors.Is(err, vcs.ErrUnsupported) {
		assert.Equal(r.t, before, r.look(), "a refusal touches nothing")
	}
	r.check(err)
	return err
}

// look is what git says of the repository, and the index to the byte.
func (r *refusable) look() string {
	var out []byte
	for _, args := range [][]string{{"status", "--porcelain", "-uall"}, {"for-each-ref"}, {"rev-parse", "--git-dir"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = r.Root(), append(r.env[:len(r.env):len(r.env)], "GIT_OPTIONAL_LOCKS=0")
		b, _ := cmd.Output() // an unreadable repository is unreadable before and after
		out = append(out, b...)
	}
	index, _ := os.ReadFile(filepath.Join(r.Root(), ".git", "index"))
	return string(append(out, index...))
}

func (r *refusable) Status(ctx context.Context) (vcs.Status, error) {
	s, err := r.Repo.Status(ctx)
	r.check(err)
	return s, err
}

func (r *refusable) Tracked(ctx context.Context, path string) (bool, error) {
	ok, err := r.Repo.Tracked(ctx, path)
	r.check(err)
	return ok, err
}

func (r *refusable) Ignored(ctx context.Context, path string) (bool, error) {
	ok, err := r.Repo.Ignored(ctx, path)
	r.check(err)
	return ok, err
}

func (r *refusable) Fingerprint(ctx context.Context) (vcs.Fingerprint, error) {
	f, err := r.Repo.Fingerprint(ctx)
	r.check(err)
	return f, err
}

func (r *refusable) TreeHash(ctx context.Context, rev vcs.Rev) (string, error) {
	tree, err := r.Repo.TreeHash(ctx, rev)
	r.check(err)
	return tree, err
}

func (r *refusable) CreateBranch(ctx context.Context, b vcs.Branch) error {
	return r.writing(func() error { return r.Repo.CreateBranch(ctx, b) })
}

func (r *refusable) Switch(ctx context.Context, b vcs.Branch) error {
	return r.writing(func() error { return r.Repo.Switch(ctx, b) })
}

func (r *refusable) Move(ctx context.Context, src, dst string) error {
	return r.writing(func() error { return r.Repo.Move(ctx, src, dst) })
}

func (r *refusable) Commit(ctx context.Context, req vcs.CommitRequest) (res vcs.CommitResult, err error) {
	err = r.writing(func() error { res, err = r.Repo.Commit(ctx, req); return err })
	return res, err
}

func (r *refusable) Snapshot(ctx context.Context, ref, message string) (rev vcs.Rev, err error) {
	err = r.writing(func() error { rev, err = r.Repo.Snapshot(ctx, ref, message); return err })
	return rev, err
}
