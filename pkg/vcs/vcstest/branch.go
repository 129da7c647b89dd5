package vcstest

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

var branchStories = []story{
	{"default/by what exists", func(t *testing.T, s *stage) {
		v := s.repo(t)
		def := func() vcs.Branch {
			b, err := v.DefaultBranch(t.Context())
			require.NoError(t, err)
			return b
		}
		assert.Equal(t, vcs.Branch("master"), def(), "nothing exists yet")
		s.Commit("first")
		assert.Equal(t, vcs.Branch("main"), def())
		s.Git("branch", "-q", "-m", "main", "develop")
		assert.Equal(t, vcs.Branch("develop"), def())
		s.Git("branch", "-q", "trunk")
		assert.Equal(t, vcs.Branch("trunk"), def())
	}},
	{"default/by origin", func(t *testing.T, s *stage) {
		rev := s.Commit("first")
		s.Git("update-ref", "refs/remotes/origin/prod/eu", rev)
		s.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/prod/eu")
		v := s.repo(t)
		b, err := v.DefaultBranch(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Branch("origin/prod/eu"), b)
		s.Git("branch", "-q", "prod/eu")
		b, err = v.DefaultBranch(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Branch("prod/eu"), b)
	}},
	{"branch/exists", func(t *testing.T, s *stage) {
		s.Commit("first")
		s.Git("branch", "-q", "a/b")
		s.Git("pack-refs", "--all")
		v := s.repo(t)
		for name, want := range map[vcs.Branch]bool{"main": true, "a/b": true, "a": false, "HEAD": false, "": false, "-x": false, "a/b/c": false, "../x": false} {
			got, err := v.BranchExists(t.Context(), name)
			require.NoError(t, err, name)
			assert.Equal(t, want, got, "%q", name)
		}
	}},
	{"branch/create keeps index and tree", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write("b", "1")
		rev := s.Commit("first")
		s.Write("a", "2")
		s.Git("add", "a")
		s.Write("a", "3")
		s.Write("new", "x")
		before := s.Status()
		v := s.repo(t)
		require.NoError(t, v.CreateBranch(t.Context(), "feature/ü"))
		assert.Equal(t, before, s.Status())
		h, err := v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Head{Rev: vcs.Rev(rev), Branch: "feature/ü"}, h)
		assert.Equal(t, "checkout: moving from main to feature/ü", s.Git("log", "-g", "-1", "--format=%gs", "HEAD"), "HEAD's reflog")
		assert.Equal(t, "branch: Created from HEAD", s.Git("log", "-g", "-1", "--format=%gs", "feature/ü"), "the branch's reflog")
		s.Git("checkout", "-q", "-") // works off the reflog
		assert.Equal(t, "main", s.Git("symbolic-ref", "--short", "HEAD"))
	}},
	{"branch/create from a detached HEAD", func(t *testing.T, s *stage) {
		s.Commit("first")
		s.Git("checkout", "-q", "--detach")
		require.NoError(t, s.repo(t).CreateBranch(t.Context(), "x"))
		assert.Equal(t, "x", s.Git("symbolic-ref", "--short", "HEAD"))
	}},
	{"branch/create never overwrites", func(t *testing.T, s *stage) {
		first := s.Commit("first")
		s.Git("branch", "-q", "taken")
		s.Commit("second")
		err := s.repo(t).CreateBranch(t.Context(), "taken")
		require.ErrorIs(t, err, vcs.ErrExists)
		require.ErrorIs(t, err, fs.ErrExist)
		assert.Equal(t, first, s.Git("rev-parse", "taken"))
		assert.Equal(t, "main", s.Git("symbolic-ref", "--short", "HEAD"))
	}},
	{"branch/create beside a folder of that name", func(t *testing.T, s *stage) {
		s.Commit("first")
		s.Git("branch", "-q", "a/b")
		require.Error(t, s.repo(t).CreateBranch(t.Context(), "a"))
		require.Error(t, s.repo(t).CreateBranch(t.Context(), "a/b/c"))
		assert.Equal(t, "main", s.Git("symbolic-ref", "--short", "HEAD"))
	}},
	{"branch/create refuses bad names", func(t *testing.T, s *stage) {
		s.Commit("first")
		for _, b := range []vcs.Branch{"", "-x", "HEAD", "a b", "a..b", "a/", "/a", "a.lock", "a~1", "a\nb", "@{x", ".a", "a//b", "a*"} {
			require.ErrorIs(t, s.repo(t).CreateBranch(t.Context(), b), vcs.ErrBadName, "%q", b)
		}
	}},
	{"branch/create before the first commit", func(t *testing.T, s *stage) {
		require.ErrorIs(t, s.repo(t).CreateBranch(t.Context(), "x"), vcs.ErrUnborn)
	}},
	{"branch/held by another worktree", func(t *testing.T, s *stage) {
		s.Commit("first")
		dir := filepath.Join(t.TempDir(), "tree")
		s.Git("worktree", "add", "-q", dir, "-b", "side")
		err := s.repo(t).Switch(t.Context(), "side")
		var held *vcs.HeldError
		require.ErrorAs(t, err, &held)
		assert.Equal(t, "tree", filepath.Base(held.Dir))
		assert.NotEmpty(t, held.Hint())
	}},
	{"branch/switch", func(t *testing.T, s *stage) {
		s.Write("f", "main")
		s.Commit("first")
		s.Git("checkout", "-q", "-b", "f") // a branch named as a file
		s.Write("f", "side")
		s.Commit("second")
		s.Git("checkout", "-q", "main", "--")
		v := s.repo(t)
		require.NoError(t, v.Switch(t.Context(), "f"))
		assert.Equal(t, "side", s.Read("f"))
		require.Error(t, v.Switch(t.Context(), "nowhere"))
	}},
	{"branch/switch keeps changed files", func(t *testing.T, s *stage) {
		s.Write("f", "main")
		s.Commit("first")
		s.Git("checkout", "-q", "-b", "side")
		s.Write("f", "side")
		s.Commit("second")
		s.Git("checkout", "-q", "main")
		s.Write("f", "mine")
		err := s.repo(t).Switch(t.Context(), "side")
		var ce *vcs.CommandError
		require.ErrorAs(t, err, &ce)
		assert.Contains(t, ce.Stderr, "f")
		assert.Equal(t, "mine", s.Read("f"))
		assert.Equal(t, "main", s.Git("symbolic-ref", "--short", "HEAD"))
	}},
	{"move", func(t *testing.T, s *stage) {
		s.Write("docs/-a ü.md", "1")
		s.Write("docs/done/other.md", "2")
		s.Commit("first")
		v := s.repo(t)
		require.NoError(t, v.Move(t.Context(), "docs/-a ü.md", "docs/done/-a ü.md"))
		assert.Equal(t, "1", s.Read("docs/done/-a ü.md"))
		s.Write("docs/b.md", "3")
		s.Git("add", "-A")
		require.ErrorIs(t, v.Move(t.Context(), "docs/b.md", "docs/done/other.md"), fs.ErrExist)
		assert.Equal(t, "2", s.Read("docs/done/other.md"))
		assert.Equal(t, "3", s.Read("docs/b.md"))
	}},
	{"snapshot/keeps everything and touches nothing", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Write("gone", "1")
		s.Write(".gitignore", "*.o\n")
		head := s.Commit("first")
		s.Write("a", "2")
		s.Git("add", "a")
		s.Write("a", "3")
		s.Remove("gone")
		s.Write("dir/new ü\n.txt", "new")
		s.Write("x.o", "ignored")
		before, index := s.Status(), s.Read(".git/index")
		v := s.repo(t)
		rev, err := v.Snapshot(t.Context(), "refs/ralphex/wip/r1/1", "before the run")
		require.NoError(t, err)
		assert.Equal(t, before, s.Status())
		assert.Equal(t, index, s.Read(".git/index"))
		assert.Equal(t, string(rev), s.Git("rev-parse", "refs/ralphex/wip/r1/1"))
		assert.Equal(t, "3", s.Git("show", string(rev)+":a"))
		assert.Equal(t, "new", s.Git("show", string(rev)+":dir/new ü\n.txt"))
		assert.Equal(t, head, s.Git("rev-parse", string(rev)+"^1"))
		assert.Equal(t, "2", s.Git("show", string(rev)+"^2:a"), "the staged version")
		assert.Equal(t, ".gitignore a dir", strings.Join(strings.Fields(s.Git("ls-tree", "--name-only", string(rev))), " "))
		left, err := filepath.Glob(s.Path(".git/ralphex-*"))
		require.NoError(t, err)
		assert.Empty(t, left)
	}},
	{"snapshot/never overwrites", func(t *testing.T, s *stage) {
		s.Write("a", "1")
		s.Commit("first")
		s.Write("a", "2")
		v := s.repo(t)
		rev, err := v.Snapshot(t.Context(), "refs/ralphex/wip/x", "m")
		require.NoError(t, err)
		_, err = v.Snapshot(t.Context(), "refs/ralphex/wip/x", "m")
		require.ErrorIs(t, err, vcs.ErrExists)
		assert.Equal(t, string(rev), s.Git("rev-parse", "refs/ralphex/wip/x"))
		_, err = v.Snapshot(t.Context(), "refs/heads/x", "m")
		require.ErrorIs(t, err, vcs.ErrBadName)
	}},
	{"snapshot/before the first commit, without a name", func(t *testing.T, s *stage) {
		s.Git("config", "--unset", "user.email")
		s.Git("config", "user.useConfigOnly", "true")
		s.Write("a", "1")
		rev, err := s.repo(t).Snapshot(t.Context(), "refs/ralphex/wip/x", "m")
		require.NoError(t, err)
		assert.Equal(t, "1", s.Git("show", string(rev)+":a"))
		assert.Equal(t, "?? a", s.Status())
	}},
}
