package vcstest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// RunWorktrees holds a backend that has Caps.Worktrees to vcs.Worktrees.
func RunWorktrees(t *testing.T, open Opener) { run(t, open, nil, worktreeStories) }

// trees is the stage's repository as one with several working trees.
func (s *stage) trees(t *testing.T) vcs.Worktrees {
	t.Helper()
	w, ok := s.repo(t).(vcs.Worktrees)
	require.True(t, ok, "Caps.Worktrees is set")
	return w
}

// beside is a folder outside of the repository.
func (s *stage) beside(name string) string { return filepath.Join(filepath.Dir(s.Dir), name) }

// worktree makes a second working tree, which leaves the first as it is, and removes it when nothing in it would be lost.
func (s *scene) worktree(t *testing.T, w vcs.Worktrees) {
	t.Helper()
	s.Write("a", "1\n")
	first := s.Commit("first")
	s.Write("a", "2\n")
	s.Write("new", "1")
	before, dir := s.Pending(), filepath.Join(s.tb.TempDir(), "tree ü")
	require.NoError(t, w.AddWorktree(t.Context(), dir, "side/x", first))
	assert.Equal(t, before, s.Pending())
	list, err := w.Worktrees(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, s.Dir, list[0].Dir)
	assert.Equal(t, vcs.Worktree{Dir: dir, Branch: "side/x", Rev: first}, list[1])

	tree, err := s.b.Open(t.Context(), dir, s.Env)
	require.NoError(t, err)
	theirs := filepath.Join(dir, "theirs")
	require.NoError(t, os.WriteFile(theirs, []byte("x"), 0o644))
	require.Error(t, w.RemoveWorktree(t.Context(), dir))
	res, err := tree.Commit(t.Context(), vcs.CommitRequest{Message: "feat: there", Paths: []string{"theirs"}})
	require.NoError(t, err)
	require.NoError(t, w.RemoveWorktree(t.Context(), dir))
	assert.NoDirExists(t, dir)
	assert.Equal(t, before, s.Pending())
	text, ok := s.Show(res.Rev, "theirs")
	assert.True(t, ok && text == "x", "what was committed there is here")
	require.NoError(t, w.AddWorktree(t.Context(), dir, "side/x", ""))
	assert.FileExists(t, theirs, "its branch stayed")
}

var worktreeStories = []story{
	{"worktree/new branch leaves the main checkout as it is", func(t *testing.T, s *stage) {
		s.Write("a", "1\n")
		rev := vcs.Rev(s.Commit("first"))
		s.Write("a", "staged\n")
		s.Git("add", "a")
		s.Write("a", "changed\n")
		s.Write("new", "x\n")
		index := s.Read(".git/index")
		dir := s.beside("tree ü")
		require.NoError(t, s.trees(t).AddWorktree(t.Context(), dir, "feature/x", rev))
		assert.Equal(t, index, s.Read(".git/index"))
		assert.Equal(t, "MM a\n?? new", s.Status())
		text, err := os.ReadFile(filepath.Join(dir, "a"))
		require.NoError(t, err)
		assert.Equal(t, "1\n", string(text))
		list, err := s.trees(t).Worktrees(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []vcs.Worktree{
			{Dir: s.Dir, Branch: "main", Rev: rev, Main: true},
			{Dir: dir, Branch: "feature/x", Rev: rev},
		}, list)
	}},
	{"worktree/more files than one process writes", func(t *testing.T, s *stage) {
		for i := range 300 {
			s.Write(fmt.Sprintf("d%d/f%d", i%7, i), strings.Repeat("x", i))
		}
		rev := vcs.Rev(s.Commit("many"))
		for dir, workers := range map[string]string{"ours": "", "theirs": "2"} {
			if workers != "" {
				s.Git("config", "checkout.workers", workers)
			}
			require.NoError(t, s.trees(t).AddWorktree(t.Context(), s.beside(dir), vcs.Branch(dir), rev))
			status, err := s.at(t, s.beside(dir)).Status(t.Context())
			require.NoError(t, err)
			assert.Empty(t, status.Changes)
		}
	}},
	{"worktree/existing branch", func(t *testing.T, s *stage) {
		rev := vcs.Rev(s.Commit("first"))
		s.Git("branch", "-q", "x")
		w := s.trees(t)
		require.ErrorIs(t, w.AddWorktree(t.Context(), s.beside("t"), "x", rev), vcs.ErrExists)
		require.ErrorIs(t, w.AddWorktree(t.Context(), s.beside("t"), "y", ""), vcs.ErrBadName)
		require.NoError(t, w.AddWorktree(t.Context(), s.beside("t"), "x", ""))
		var held *vcs.HeldError
		require.ErrorAs(t, w.AddWorktree(t.Context(), s.beside("u"), "x", ""), &held)
		assert.Equal(t, s.beside("t"), held.Dir)
		require.ErrorAs(t, w.AddWorktree(t.Context(), s.beside("u"), "main", ""), &held)
		assert.Equal(t, s.Dir, held.Dir)
		assert.NoDirExists(t, s.beside("u"))
	}},
	{"worktree/a folder with files is never taken", func(t *testing.T, s *stage) {
		rev := vcs.Rev(s.Commit("first"))
		require.NoError(t, os.MkdirAll(s.beside("t"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(s.beside("t"), "theirs"), []byte("x"), 0o644))
		require.Error(t, s.trees(t).AddWorktree(t.Context(), s.beside("t"), "x", rev))
		entries, err := os.ReadDir(s.beside("t"))
		require.NoError(t, err)
		assert.Len(t, entries, 1)
	}},
	{"worktree/remove takes nothing that could be lost", func(t *testing.T, s *stage) {
		s.Write("a", "1\n")
		s.Write(".gitignore", "out/\n")
		rev := vcs.Rev(s.Commit("first"))
		w, dir := s.trees(t), s.beside("t")
		require.NoError(t, w.AddWorktree(t.Context(), dir, "x", rev))
		for _, name := range []string{"untracked", "a"} {
			was, err := os.ReadFile(filepath.Join(dir, name))
			require.True(t, err == nil || os.IsNotExist(err))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("theirs"), 0o644))
			var refused *vcs.CommandError
			require.ErrorAs(t, w.RemoveWorktree(t.Context(), dir), &refused, name)
			assert.FileExists(t, filepath.Join(dir, name))
			if was == nil {
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
			} else {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), was, 0o644))
			}
		}
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "out"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "out", "built"), nil, 0o644))
		require.NoError(t, w.RemoveWorktree(t.Context(), dir))
		assert.NoDirExists(t, dir)
		assert.Equal(t, string(rev), s.Git("rev-parse", "x"), "the branch stays")
	}},
	{"worktree/a folder that is gone is forgotten, and only that one", func(t *testing.T, s *stage) {
		rev := vcs.Rev(s.Commit("first"))
		w := s.trees(t)
		for _, name := range []string{"mine", "theirs"} {
			require.NoError(t, w.AddWorktree(t.Context(), s.beside(name), vcs.Branch(name), rev))
			require.NoError(t, os.RemoveAll(s.beside(name)))
		}
		list, err := w.Worktrees(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 3)
		assert.True(t, list[1].Missing)
		require.NoError(t, w.RemoveWorktree(t.Context(), s.beside("mine")))
		list, err = w.Worktrees(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 2)
		assert.Equal(t, s.beside("theirs"), list[1].Dir)
		require.NoError(t, w.AddWorktree(t.Context(), s.beside("mine"), "mine", ""))
	}},
	{"worktree/locked", func(t *testing.T, s *stage) {
		rev := vcs.Rev(s.Commit("first"))
		w := s.trees(t)
		require.NoError(t, w.AddWorktree(t.Context(), s.beside("t"), "x", rev))
		s.Git("worktree", "lock", "--reason", "on a stick", s.beside("t"))
		require.NoError(t, os.RemoveAll(s.beside("t")))
		list, err := w.Worktrees(t.Context())
		require.NoError(t, err)
		assert.True(t, list[1].Locked)
		assert.True(t, list[1].Missing)
		require.Error(t, w.RemoveWorktree(t.Context(), s.beside("t")))
	}},
	{"worktree/a broken link is an error and never the repository around", func(t *testing.T, s *stage) {
		s.Write("a", "1\n")
		s.Write(".gitignore", "/inside/\n")
		rev := vcs.Rev(s.Commit("first"))
		dir := s.Path("inside/t")
		require.NoError(t, s.trees(t).AddWorktree(t.Context(), dir, "x", rev))
		v := s.at(t, dir)
		top, ok := v.(interface{ CheckTop(context.Context) error })
		require.True(t, ok)
		require.NoError(t, top.CheckTop(t.Context()))

		want := filepath.Join(s.Dir, ".git", "worktrees", "t")
		var broken *vcs.TopError
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+s.Path(".git")+"\n"), 0o644))
		require.ErrorAs(t, top.CheckTop(t.Context()), &broken)
		assert.Equal(t, vcs.TopError{Root: dir, Want: want, Got: s.Path(".git")}, *broken)

		require.NoError(t, os.Remove(filepath.Join(dir, ".git")))
		require.ErrorAs(t, top.CheckTop(t.Context()), &broken)
		assert.Equal(t, vcs.TopError{Root: dir, Want: want}, *broken)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), []byte("x"), 0o644))
		_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "astray", Paths: []string{"b"}})
		require.Error(t, err)
		assert.Equal(t, string(rev), s.Head(), "nothing was committed around it")
		assert.Empty(t, s.Status())
	}},
	{"worktree/fast-forward", func(t *testing.T, s *stage) {
		s.Write("a", "1\n")
		first := vcs.Rev(s.Commit("first"))
		require.NoError(t, s.trees(t).AddWorktree(t.Context(), s.beside("t"), "x", first))
		s.Write("a", "2\n")
		second := vcs.Rev(s.Commit("second"))
		v := s.at(t, s.beside("t"))
		f, ok := v.(interface {
			FastForward(context.Context, vcs.Rev) error
		})
		require.True(t, ok)
		require.NoError(t, os.WriteFile(filepath.Join(s.beside("t"), "a"), []byte("theirs\n"), 0o644))
		require.Error(t, f.FastForward(t.Context(), second), "a changed file is in the way")
		require.NoError(t, os.WriteFile(filepath.Join(s.beside("t"), "a"), []byte("1\n"), 0o644))
		require.NoError(t, f.FastForward(t.Context(), second))
		head, err := v.Head(t.Context())
		require.NoError(t, err)
		assert.Equal(t, vcs.Head{Rev: second, Branch: "x"}, head)
	}},
	{"worktree/ignored files", func(t *testing.T, s *stage) {
		s.Write(".gitignore", ".env*\nout/\n*.log\n!keep.log\n/trees/\n")
		s.Write(".env.sample", "tracked\n")
		s.Git("add", "-f", ".env.sample")
		rev := vcs.Rev(s.Commit("first"))
		for _, name := range []string{".env", "sub dir/.env.local", "out/a/b", "out/c", "x.log", "keep.log", "plain", ".ralph/run.lock"} {
			s.Write(name, "x")
		}
		require.NoError(t, s.trees(t).AddWorktree(t.Context(), s.Path("trees/t"), "x", rev))
		v := s.repo(t)
		ig, ok := v.(interface {
			IgnoredFiles(context.Context) ([]string, error)
			IgnoredMatching(context.Context, string) ([]string, error)
			FileAt(context.Context, vcs.Rev, string) ([]byte, error)
		})
		require.True(t, ok)
		all, err := ig.IgnoredFiles(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{".env", "out/", "sub dir/", "trees/", "x.log"}, all)
		for patterns, want := range map[string][]string{
			"":                               nil,
			"# nothing\n\n":                  nil,
			".env*\n":                        {".env", "sub dir/.env.local"},
			"/.env\n":                        {".env"},
			"out/\n!out/c\n*.log\nplain\n":   {"out/a/b", "out/c", "x.log"}, // as in .gitignore: a folder that is in takes its files along
			"out/**\n!out/c\n":               {"out/a/b"},
			"*\n":                            {".env", "out/a/b", "out/c", "sub dir/.env.local", "x.log"},
			"does-not-exist\nsub dir/none\n": nil,
		} {
			got, err := ig.IgnoredMatching(t.Context(), patterns)
			require.NoError(t, err)
			assert.Equal(t, want, got, "%q", patterns)
		}
		text, err := ig.FileAt(t.Context(), rev, ".env.sample")
		require.NoError(t, err)
		assert.Equal(t, "tracked\n", string(text))
		text, err = ig.FileAt(t.Context(), rev, ".env")
		require.NoError(t, err)
		assert.Nil(t, text)
	}},
}
