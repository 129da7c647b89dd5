package vcs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// What an agent amends in a worktree of Mercurial is recognized as that, from the worktree and from the main checkout; what it strips or leaves is not.
func TestHgAmendedInAWorktree(t *testing.T) {
	hgKinds(t, func(t *testing.T, r *vcstest.HgRepo) {
		ctx := t.Context()
		r.Write("a", "1\n")
		start := r.Public("start")
		main, dir := treesOf(t, r, r.Dir), filepath.Join(t.TempDir(), "tree")
		require.NoError(t, main.AddWorktree(ctx, dir, "x", start))
		tree := treesOf(t, r, dir)
		hg := func(args ...string) {
			r.Hg(append([]string{"-R", dir, "--cwd", dir, "--config", "extensions.amend=", "--config", "extensions.strip="}, args...)...)
		}
		at := func() vcs.Rev {
			head, err := tree.Head(ctx)
			require.NoError(t, err)
			return head.Rev
		}
		follows := func(from vcs.Rev, amended, ancestor bool, why string) {
			t.Helper()
			now := at()
			got, err := tree.(vcs.Grower).Amended(ctx, from, now)
			require.NoError(t, err)
			assert.Equal(t, amended, got, why)
			got, err = tree.IsAncestor(ctx, from, now)
			require.NoError(t, err)
			assert.Equal(t, ancestor, got, why)
		}

		first := grow(t, tree, "1").Rev
		require.Equal(t, first, at())
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("2\n"), 0o644))
		hg("amend", "-q")
		second := at()
		require.NotEqual(t, first, second)
		follows(first, true, true, "amended once")

		require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("3\n"), 0o644))
		hg("commit", "-q", "-m", "the agent's own")
		follows(second, false, true, "a commit on top")

		own := at()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("4\n"), 0o644))
		hg("amend", "-q", "-m", "in other words")
		follows(own, true, true, "amended, with another message")
		follows(second, false, true, "what it stands on is there")

		main = treesOf(t, r, r.Dir) // another process, which has not seen the commits before
		worded := at()
		files, err := vcs.Changed(ctx, main, start, worded)
		require.NoError(t, err)
		assert.Contains(t, files, "a", "the main checkout can tell what was changed")

		hg("update", "-q", "-r", string(second))
		follows(worded, false, false, "gone back")
		hg("update", "-q", "-r", string(worded))
		require.Equal(t, worded, at())
		hg("strip", "-q", "-r", string(worded))
		follows(worded, false, false, "stripped")
	})
}
