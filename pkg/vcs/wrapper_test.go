package vcs_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// wrapperOf writes a wrapper: a shell script in which $git is the real one.
func wrapperOf(tb testing.TB, script string) string {
	tb.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		tb.Skip("git is not installed")
	}
	tool := filepath.Join(tb.TempDir(), "speaks-git")
	require.NoError(tb, os.WriteFile(tool, fmt.Appendf(nil, "#!/bin/sh\ngit='%s'\n%s\n", git, script), 0o755))
	return tool
}

const (
	thin  = `exec "$git" "$@"`
	noisy = `echo "warning: the moon is full" >&2; exec "$git" "$@"`
	// contractOnly knows what the contract lists, answers lines only, and takes what it doesn't know for a mistake.
	contractOnly = `case "$1 $*" in
*" -z "*|*"-z") exit 129 ;;
"rev-parse "*"^{tree}"|"rev-parse "*:*) exit 128 ;;
"rev-parse "*|"symbolic-ref "*|"show-ref "*|"checkout "*|"status "*|"add "*|"mv "*|"commit "*|"diff "*) exec "$git" "$@" ;;
*) echo "unknown command $1" >&2; exit 1 ;;
esac`
)

func openWrapper(tool string) vcstest.Opener {
	return func(ctx context.Context, dir string, env []string) (vcs.Repo, error) {
		return vcs.Open(ctx, dir, vcs.Options{Env: env, Command: tool})
	}
}

func TestWrapperContract(t *testing.T) {
	for name, script := range map[string]string{"thin": thin, "noisy": noisy} {
		t.Run(name, func(t *testing.T) {
			contract(t, vcstest.Backend{Name: "wrapper", New: vcstest.NewGitPerson, Open: openWrapper(wrapperOf(t, script)), Lacks: []string{"worktrees", "a file of a commit"}})
		})
	}
}

// A wrapper that has nothing but the contract still carries a run; what it lacks is told at the start, and nothing fails for it later.
func TestWrapperWithoutExtras(t *testing.T) {
	r := vcstest.NewRepo(t)
	r.Write("a", "1")
	first := vcs.Rev(r.Commit("first"))
	v, err := openWrapper(wrapperOf(t, contractOnly))(t.Context(), r.Dir, r.Env)
	require.NoError(t, err)
	assert.Equal(t, "wrapper", v.Kind())
	for _, word := range []string{"merge-base", "tree", "log", "check-ignore"} {
		assert.Contains(t, v.Caps().Note, word)
	}
	ctx := t.Context()
	require.NoError(t, v.CreateBranch(ctx, "work"))
	r.Write("a", "2")
	r.Write("b -> c", "1")
	r.Write("n\nl \"q\" ü", "1")
	s, err := v.Status(ctx)
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"a", "b -> c", "n\nl \"q\" ü"}, s.Paths())
	before, err := v.FingerprintOf(ctx, s)
	require.NoError(t, err)
	r.Write("b -> c", "2")
	after, err := v.Fingerprint(ctx)
	require.NoError(t, err)
	assert.NotEqual(t, before, after, "without hash-object the content is read here")
	res, err := v.Commit(ctx, vcs.CommitRequest{Message: "work", Paths: s.Paths()})
	require.NoError(t, err)
	assert.Empty(t, res.Left)
	assert.Empty(t, res.Replaced)
	assert.Empty(t, r.Status())
	yes, err := v.IsAncestor(ctx, first, res.Rev)
	require.NoError(t, err)
	assert.True(t, yes)
	yes, err = v.IsAncestor(ctx, "gone", res.Rev)
	require.NoError(t, err)
	assert.False(t, yes)
	d, err := v.DiffStat(ctx, first, res.Rev)
	require.NoError(t, err)
	assert.Equal(t, vcs.DiffStat{Files: 3, Additions: 3, Deletions: 1}, d)
	tree, err := v.TreeHash(ctx, res.Rev)
	require.NoError(t, err)
	assert.Equal(t, string(res.Rev), tree)
	_, err = v.PathAt(ctx, res.Rev, "a")
	require.ErrorIs(t, err, vcs.ErrUnsupported)
	l, err := v.Log(ctx, first, res.Rev, 0)
	require.NoError(t, err)
	assert.Empty(t, l)
}

func TestWrapperThatHangsIsEnded(t *testing.T) {
	r := vcstest.NewRepo(t)
	tool := wrapperOf(t, `case $1 in rev-parse) exec "$git" "$@" ;; esac; sleep 600`)
	_, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Command: tool, Timeout: 300 * time.Millisecond})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.ErrorContains(t, err, "speaks-git symbolic-ref")
}

func TestWrapperThatIsNotThere(t *testing.T) {
	r := vcstest.NewRepo(t)
	_, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Command: r.Path("nowhere/hg2git.sh")})
	require.ErrorIs(t, err, vcs.ErrNoTool)
	_, err = vcs.Open(t.Context(), t.TempDir(), vcs.Options{Env: r.Env, Command: wrapperOf(t, thin)})
	require.ErrorIs(t, err, vcs.ErrNotRepo)
}
