package vcstest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

var placeStories = []story{
	{"open/from a subfolder", func(t *testing.T, s *stage) {
		s.Write("a/b c/ü/x.txt", "x")
		assert.Equal(t, s.Dir, s.at(t, s.Path("a/b c/ü")).Root())
	}},
	{"open/through a link", func(t *testing.T, s *stage) {
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(s.Dir, link))
		v := s.at(t, link)
		assert.Equal(t, s.Dir, v.Root())
		rel, err := v.Rel(filepath.Join(link, "docs", "plan.md"))
		require.NoError(t, err)
		assert.Equal(t, "docs/plan.md", rel)
	}},
	{"open/no repository", func(t *testing.T, s *stage) {
		_, err := s.open(t.Context(), t.TempDir(), s.Env)
		require.ErrorIs(t, err, vcs.ErrNotRepo)
	}},
	{"open/bare", func(t *testing.T, s *stage) {
		dir := filepath.Join(t.TempDir(), "bare.git")
		s.Git("init", "-q", "--bare", dir)
		_, err := s.open(t.Context(), dir, s.Env)
		require.ErrorIs(t, err, vcs.ErrBare)
	}},
	{"open/a broken link is not passed over", func(t *testing.T, s *stage) {
		s.Write("inner/.git", "gitdir: /nowhere\n")
		_, err := s.open(t.Context(), s.Path("inner"), s.Env)
		require.ErrorIs(t, err, vcs.ErrNotRepo)
		assert.ErrorContains(t, err, "nowhere")
	}},
	{"open/an empty .git folder is passed over", func(t *testing.T, s *stage) {
		require.NoError(t, os.MkdirAll(s.Path("inner/.git"), 0o755))
		assert.Equal(t, s.Dir, s.at(t, s.Path("inner")).Root())
	}},
	{"open/deepest", func(t *testing.T, s *stage) {
		inner := NewRepoAt(t, s.Path("inner"))
		assert.Equal(t, inner.Dir, s.at(t, s.Path("inner")).Root())
	}},
	{"open/submodule", func(t *testing.T, s *stage) {
		sub := NewRepo(t)
		sub.Write("f", "1")
		sub.Commit("first")
		s.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.Dir, "lib/sub")
		v := s.at(t, s.Path("lib/sub"))
		assert.Equal(t, s.Path("lib/sub"), v.Root())
		h, err := v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Rev(sub.Head()), h.Rev)
	}},
	{"open/an outer git's variables don't leak in", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Commit("first")
		other := NewRepo(t)
		s.Write("b", "1")
		env := append(s.Env[:len(s.Env):len(s.Env)], "GIT_DIR="+other.Path(".git"), "GIT_WORK_TREE="+other.Dir, "GIT_INDEX_FILE="+other.Path(".git/index"))
		v, err := s.open(t.Context(), s.Dir, env)
		require.NoError(t, err)
		assert.Equal(t, []string{"b"}, paths(t, v))
	}},
	{"rel/outside", func(t *testing.T, s *stage) {
		v := s.repo(t)
		for _, p := range []string{filepath.Dir(s.Dir), s.Dir, filepath.Join(filepath.Dir(s.Dir), "other", "x")} {
			_, err := v.Rel(p)
			require.ErrorIs(t, err, vcs.ErrOutside, p)
		}
	}},
	{"rel/a link is itself", func(t *testing.T, s *stage) {
		require.NoError(t, os.Symlink("/nowhere", s.Path("l")))
		rel, err := s.repo(t).Rel(s.Path("l"))
		require.NoError(t, err)
		assert.Equal(t, "l", rel)
	}},
	{"head/unborn", func(t *testing.T, s *stage) {
		h, err := s.repo(t).Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Head{Branch: "main", Unborn: true}, h)
	}},
	{"head/on a branch", func(t *testing.T, s *stage) {
		rev := s.Commit("first")
		s.Git("checkout", "-q", "-b", "feature/ünï")
		v := s.repo(t)
		h, err := v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Head{Rev: vcs.Rev(rev), Branch: "feature/ünï"}, h)
		next := s.Commit("second")
		h, err = v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Rev(next), h.Rev, "the open handle sees what git wrote")
	}},
	{"head/detached", func(t *testing.T, s *stage) {
		rev := s.Commit("first")
		s.Git("checkout", "-q", "--detach")
		h, err := s.repo(t).Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Head{Rev: vcs.Rev(rev), Detached: true}, h)
	}},
	{"head/packed and repacked", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		rev := s.Commit("first")
		v := s.repo(t)
		tree, err := v.TreeHash(t.Context(), vcs.Rev(rev))
		require.NoError(t, err)
		s.Git("gc", "-q")
		s.Write("a", "2")
		rev2 := s.Commit("second")
		s.Git("gc", "-q", "--prune=now")
		h, err := v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Rev(rev2), h.Rev)
		tree2, err := v.TreeHash(t.Context(), h.Rev)
		require.NoError(t, err)
		assert.NotEqual(t, tree, tree2)
		assert.Equal(t, s.Git("rev-parse", "HEAD^{tree}"), tree2)
	}},
	{"head/linked worktree", func(t *testing.T, s *stage) {
		rev := s.Commit("first")
		dir := filepath.Join(t.TempDir(), "tree")
		s.Git("worktree", "add", "-q", dir, "-b", "side")
		dir, err := filepath.EvalSymlinks(dir)
		require.NoError(t, err)
		v := s.at(t, dir)
		assert.Equal(t, dir, v.Root())
		h, err := v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Head{Rev: vcs.Rev(rev), Branch: "side"}, h)
		held, err := v.BranchHolder(t.Context(), "main")
		require.NoError(t, err)
		assert.Equal(t, s.Dir, held)
		held, err = v.BranchHolder(t.Context(), "side")
		require.NoError(t, err)
		assert.Empty(t, held, "its own branch isn't held by another")
		held, err = s.repo(t).BranchHolder(t.Context(), "side")
		require.NoError(t, err)
		assert.Equal(t, dir, held)
	}},
	{"unfinished/merge", func(t *testing.T, s *stage) {
		conflict(s)
		_, err := s.TryGit("merge", "side")
		require.Error(t, err)
		assert.Equal(t, "merge", unfinished(t, s))
	}},
	{"unfinished/rebase", func(t *testing.T, s *stage) {
		conflict(s)
		_, err := s.TryGit("rebase", "side")
		require.Error(t, err)
		assert.Equal(t, "rebase", unfinished(t, s))
	}},
	{"unfinished/cherry-pick", func(t *testing.T, s *stage) {
		conflict(s)
		_, err := s.TryGit("cherry-pick", "side")
		require.Error(t, err)
		assert.Equal(t, "cherry-pick", unfinished(t, s))
	}},
	{"unfinished/revert", func(t *testing.T, s *stage) {
		conflict(s)
		_, err := s.TryGit("revert", "HEAD~1")
		require.Error(t, err)
		assert.Equal(t, "revert", unfinished(t, s))
	}},
	{"unfinished/bisect", func(t *testing.T, s *stage) {
		conflict(s)
		assert.Empty(t, unfinished(t, s))
		s.Git("bisect", "start")
		assert.Equal(t, "bisect", unfinished(t, s))
	}},
	{"unfinished/am", func(t *testing.T, s *stage) {
		conflict(s)
		patch := s.Git("format-patch", "-1", "--stdout", "side")
		s.Write("../p.patch", patch+"\n")
		_, err := s.TryGit("am", s.Path("../p.patch"))
		require.Error(t, err)
		assert.Equal(t, "am", unfinished(t, s))
	}},
	{"identity", func(t *testing.T, s *stage) {
		require.NoError(t, s.repo(t).Identity(t.Context()))
		s.Git("config", "--unset", "user.email")
		s.Git("config", "user.useConfigOnly", "true")
		err := s.repo(t).Identity(t.Context())
		var ie *vcs.IdentityError
		require.ErrorAs(t, err, &ie)
		assert.NotEmpty(t, ie.Hint())
	}},
}

// conflict makes main and side differ in one line.
func conflict(s *stage) {
	s.Write("f", "base\n")
	s.Commit("base")
	s.Git("checkout", "-q", "-b", "side")
	s.Write("f", "side\n")
	s.Commit("side")
	s.Git("checkout", "-q", "main")
	s.Write("f", "one\n")
	s.Commit("one")
	s.Write("f", "two\n")
	s.Commit("two")
}

func unfinished(t *testing.T, s *stage) string {
	t.Helper()
	what, err := s.repo(t).InProgress(t.Context())
	require.NoError(t, err)
	return what
}

// paths lists the paths of the status.
func paths(t *testing.T, v vcs.Repo) []string {
	t.Helper()
	st, err := v.Status(t.Context())
	require.NoError(t, err)
	return st.Paths()
}
