package vcs_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// hgTrees is a Mercurial repository as one with several working trees.
type hgTrees interface {
	vcs.Repo
	vcs.Worktrees
	CheckTop(ctx context.Context) error
	FastForward(ctx context.Context, to vcs.Rev) error
	IgnoredFiles(ctx context.Context) ([]string, error)
	IgnoredMatching(ctx context.Context, patterns string) ([]string, error)
	FileAt(ctx context.Context, rev vcs.Rev, path string) ([]byte, error)
	BranchInTheWay(ctx context.Context, b vcs.Branch) (vcs.Branch, error)
	Keeps(ctx context.Context) (string, error)
	Ready(ctx context.Context) error
}

func treesOf(t *testing.T, r *vcstest.HgRepo, dir string) hgTrees {
	t.Helper()
	v, err := vcs.Open(t.Context(), dir, vcs.Options{Env: r.Env})
	require.NoError(t, err)
	require.True(t, v.Caps().Worktrees)
	return v.(hgTrees)
}

// hgKinds are the repositories in which shares differ.
func hgKinds(t *testing.T, tell func(t *testing.T, r *vcstest.HgRepo)) {
	for name, c := range map[string]struct{ config, upgrade []string }{
		"plain":  {},
		"evolve": {config: []string{"[extensions]", "evolve =", "[experimental]", "evolution = all"}},
		"unsafe": {upgrade: []string{"--config", "format.use-share-safe=no"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "evolve" {
				needEvolve(t)
			}
			r, _ := hgRepo(t, c.config...)
			if c.upgrade != nil {
				r.Hg(append(c.upgrade, "debugupgraderepo", "-q", "--run", "--no-backup")...)
			}
			tell(t, r)
		})
	}
}

func TestHgWorktree(t *testing.T) {
	hgKinds(t, func(t *testing.T, r *vcstest.HgRepo) {
		r.Configure("[ui]", "username = of the repository <x@example.org>")
		r.Write("a", "1\n")
		start := r.Public("start")
		r.Hg("bookmark", "mine")
		r.Write("a", "mine\n")
		mine := r.Draft("mine")
		r.Write("a", "not committed\n")
		untouched := checkout(t, r)
		main, dir := treesOf(t, r, r.Dir), filepath.Join(t.TempDir(), "tree ü")

		require.NoError(t, main.AddWorktree(t.Context(), dir, "feature/x", mine))
		untouched()
		list, err := main.Worktrees(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []vcs.Worktree{{Dir: r.Dir, Branch: "mine", Rev: mine, Main: true}, {Dir: dir, Branch: "feature/x", Rev: mine}}, list)
		require.ErrorIs(t, main.AddWorktree(t.Context(), dir+"2", "feature/x", start), vcs.ErrExists)
		var held *vcs.HeldError
		require.ErrorAs(t, main.AddWorktree(t.Context(), dir+"2", "feature/x", ""), &held)
		assert.Equal(t, dir, held.Dir)
		require.ErrorAs(t, main.AddWorktree(t.Context(), dir+"2", "mine", ""), &held)
		assert.Equal(t, r.Dir, held.Dir)
		require.ErrorIs(t, main.AddWorktree(t.Context(), dir+"2", "none", ""), vcs.ErrBadName)
		assert.NoDirExists(t, dir+"2")
		way, err := main.BranchInTheWay(t.Context(), "feature")
		require.NoError(t, err)
		assert.Equal(t, vcs.Branch("feature/x"), way)

		// The person goes away from their draft and takes its name along: it is theirs all the same.
		tree := treesOf(t, r, dir)
		r.Hg("bookmark", "-q", "--delete", "mine")
		r.Write("a", "mine\n")
		r.Hg("update", "-q", "-r", string(start))
		require.NoError(t, tree.Ready(t.Context()))
		one := grow(t, tree, "1")
		assert.Empty(t, one.Replaced)
		two := grow(t, tree, "2")
		assert.Equal(t, one.Rev, two.Replaced)
		assert.Equal(t, []string{"mine", "plan 1"}, r.Drafts())
		assert.Equal(t, string(two.Rev), r.Hg("log", "-r", "feature/x", "-T", "{node}"), "seen from the main checkout")
		assert.Equal(t, "of the repository <x@example.org>", r.Hg("log", "-r", "feature/x", "-T", "{author}"))

		// What a person has there keeps it.
		for name, c := range map[string]struct {
			file, want string
			undo       func()
		}{
			"new":      {"theirs", "a file that is not committed: theirs", nil},
			"settings": {".hg/hgrc", "its .hg/hgrc has settings of its own", nil},
			"shelf":    {".hg/shelved/x.patch", "its .hg has shelved", func() { os.RemoveAll(filepath.Join(dir, ".hg/shelved")) }},
			"nested":   {"out/.hg/requires", "a repository of its own is in out", func() { os.RemoveAll(filepath.Join(dir, "out")) }},
		} {
			file := filepath.Join(dir, c.file)
			was, rerr := os.ReadFile(file)
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, append(was, "[x]\ny = 1\n"...), 0o644))
			var refused *vcs.StateError
			require.ErrorAs(t, main.RemoveWorktree(t.Context(), dir), &refused, name)
			assert.Contains(t, refused.Why, c.want)
			switch {
			case c.undo != nil:
				c.undo()
			case rerr != nil:
				require.NoError(t, os.Remove(file))
			default:
				require.NoError(t, os.WriteFile(file, was, 0o644))
			}
		}
		r.Hg("-R", dir, "bookmark", "-q", "-i", "-r", string(start), "keep")
		if why, err := tree.Keeps(t.Context()); assert.NoError(t, err) && why != "" {
			assert.Contains(t, why, "bookmark keep is only there")
			r.Hg("-R", dir, "bookmark", "-q", "--delete", "keep")
		}

		backups, err := filepath.Glob(filepath.Join(dir, ".hg/strip-backup/*"))
		require.NoError(t, err)
		require.NoError(t, main.RemoveWorktree(t.Context(), dir))
		assert.NoDirExists(t, dir)
		for _, b := range backups {
			assert.FileExists(t, r.Path(".hg/strip-backup/"+filepath.Base(b)))
		}
		assert.Equal(t, string(two.Rev), r.Hg("log", "-r", "feature/x", "-T", "{node}"), "the branch stays")
		list, err = main.Worktrees(t.Context())
		require.NoError(t, err)
		assert.Len(t, list, 1)

		// Once more: it goes on with its draft.
		require.NoError(t, main.AddWorktree(t.Context(), dir, "feature/x", ""))
		three := grow(t, treesOf(t, r, dir), "3")
		assert.Equal(t, two.Rev, three.Replaced)
		assert.Equal(t, string(three.Rev), r.Hg("log", "-r", "feature/x", "-T", "{node}"))
	})
}

// A folder that was deleted by hand is forgotten, and its branch stays, also where the main checkout was not told of its last commit.
func TestHgWorktreeGone(t *testing.T) {
	{
		r, _ := hgRepo(t)
		r.Write("a", "1\n")
		start := r.Public("start")
		main, dir := treesOf(t, r, r.Dir), filepath.Join(t.TempDir(), "tree")
		require.NoError(t, main.AddWorktree(t.Context(), dir, "x", start))
		tree := treesOf(t, r, dir)
		one := grow(t, tree, "1")
		r.Hg("bookmark", "-q", "--delete", "x") // as if it had been killed before it was put there
		require.NoError(t, os.RemoveAll(dir))
		var top *vcs.TopError
		require.ErrorAs(t, tree.CheckTop(t.Context()), &top)
		assert.True(t, top.Gone)

		list, err := main.Worktrees(t.Context())
		require.NoError(t, err)
		require.Len(t, list, 2)
		assert.Equal(t, vcs.Worktree{Dir: dir, Branch: "x", Rev: one.Rev, Missing: true}, list[1])
		require.NoError(t, main.RemoveWorktree(t.Context(), dir))
		require.NoError(t, main.AddWorktree(t.Context(), dir, "x", ""))
		two := grow(t, treesOf(t, r, dir), "2")
		assert.Equal(t, one.Rev, two.Replaced)
	}
}

// A branch that somebody moved in the main checkout, or went to, stays there.
func TestHgWorktreeNameIsTheirs(t *testing.T) {
	r, _ := hgRepo(t)
	r.Write("a", "1\n")
	start := r.Public("start")
	r.Write("a", "2\n")
	other := r.Draft("other")
	main, dir := treesOf(t, r, r.Dir), filepath.Join(t.TempDir(), "tree")
	require.Error(t, main.AddWorktree(t.Context(), dir, "default", start), "a named branch is called so")
	assert.NoDirExists(t, dir)
	list, err := main.Worktrees(t.Context())
	require.NoError(t, err)
	assert.Len(t, list, 1)
	require.NoError(t, main.AddWorktree(t.Context(), dir, "x", start))
	tree := treesOf(t, r, dir)
	r.Hg("bookmark", "-q", "-f", "-r", string(other), "x")
	one := grow(t, tree, "1")
	assert.Equal(t, string(other), r.Hg("log", "-r", "x", "-T", "{node}"))
	var refused *vcs.StateError
	require.ErrorAs(t, main.RemoveWorktree(t.Context(), dir), &refused)
	assert.Contains(t, refused.Hint(), "bookmark -r "+one.Rev.Short()+" NAME")
	assert.DirExists(t, dir)

	r.Hg("bookmark", "-q", "-f", "-r", string(one.Rev), "x")
	r.Hg("update", "-q", "x") // active now
	two := grow(t, tree, "2")
	assert.Empty(t, two.Replaced, "the person stands on it")
	assert.Equal(t, string(one.Rev), r.Hg("log", "-r", "x", "-T", "{node}"))
	require.ErrorAs(t, main.RemoveWorktree(t.Context(), dir), &refused)
	assert.Contains(t, refused.Why, "is the active one of "+r.Dir)
	r.Hg("update", "-q", "-r", string(start))
	require.NoError(t, main.RemoveWorktree(t.Context(), dir))
	assert.Equal(t, string(two.Rev), r.Hg("log", "-r", "x", "-T", "{node}"))
}

func TestHgWorktreeBrokenLink(t *testing.T) {
	r, _ := hgRepo(t)
	r.Write("a", "1\n")
	start := r.Public("start")
	main, dir := treesOf(t, r, r.Dir), r.Path("inside/t")
	require.NoError(t, main.AddWorktree(t.Context(), dir, "x", start))
	tree := treesOf(t, r, dir)
	require.NoError(t, tree.CheckTop(t.Context()))
	var top *vcs.TopError
	require.NoError(t, os.Rename(filepath.Join(dir, ".hg"), filepath.Join(dir, "hg")))
	require.ErrorAs(t, tree.CheckTop(t.Context()), &top)
	assert.Equal(t, r.Path(".hg"), top.Want)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), []byte("x"), 0o644))
	_, err := tree.Commit(t.Context(), vcs.CommitRequest{Message: "astray", Paths: []string{"b"}})
	require.Error(t, err)
	require.Error(t, main.RemoveWorktree(t.Context(), dir))
	assert.Equal(t, start, r.Node(), "nothing was committed around it")
	assert.FileExists(t, filepath.Join(dir, "b"))
	require.NoError(t, os.Rename(filepath.Join(dir, "hg"), filepath.Join(dir, ".hg")))
	require.NoError(t, tree.CheckTop(t.Context()))
}

func TestHgFastForward(t *testing.T) {
	r, _ := hgRepo(t)
	r.Write("a", "1\n")
	first := r.Public("first")
	main, dir := treesOf(t, r, r.Dir), filepath.Join(t.TempDir(), "tree")
	require.NoError(t, main.AddWorktree(t.Context(), dir, "x", first))
	r.Write("a", "2\n")
	second := r.Draft("second")
	tree := treesOf(t, r, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("theirs\n"), 0o644))
	require.Error(t, tree.FastForward(t.Context(), second), "a changed file is in the way")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("1\n"), 0o644))
	require.NoError(t, tree.FastForward(t.Context(), second))
	list, err := main.Worktrees(t.Context())
	require.NoError(t, err)
	assert.Equal(t, vcs.Worktree{Dir: dir, Branch: "x", Rev: second}, list[1])
	assert.Equal(t, string(second), r.Hg("log", "-r", "x", "-T", "{node}"))
	r.Hg("update", "-q", "-r", string(first))
	assert.Empty(t, grow(t, tree, "1").Replaced, "what it was brought up to is not its own")
	require.Error(t, tree.FastForward(t.Context(), first))
}

func TestHgIgnoredFiles(t *testing.T) {
	r, v := hgRepo(t)
	r.Write(".hgignore", "syntax: glob\n.env*\nout\n*.log\n")
	r.Write(".env.sample", "tracked\n")
	r.Hg("add", "-q", ".env.sample")
	rev := r.Public("first")
	for _, name := range []string{".env", "sub dir/.env.local", "out/a/b", "out/c", "x.log", "plain", ".ralph/run.log"} {
		r.Write(name, "x")
	}
	ig := v.(hgTrees)
	all, err := ig.IgnoredFiles(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{".env", "out/", "sub dir/", "x.log"}, all)
	for patterns, want := range map[string][]string{
		"":                             nil,
		"# nothing\n\n":                nil,
		".env*\n":                      {".env", "sub dir/.env.local"},
		"/.env\n":                      {".env"},
		"out/\n!out/c\n*.log\nplain\n": {"out/a/b", "out/c", "x.log"},
		"out/**\n!out/c\n":             {"out/a/b"},
		"none\n":                       nil,
	} {
		got, err := ig.IgnoredMatching(t.Context(), patterns)
		require.NoError(t, err)
		assert.ElementsMatch(t, want, got, "%q", patterns)
	}
	text, err := ig.FileAt(t.Context(), rev, ".env.sample")
	require.NoError(t, err)
	assert.Equal(t, "tracked\n", string(text))
	for _, name := range []string{".env", "out"} {
		text, err = ig.FileAt(t.Context(), rev, name)
		require.NoError(t, err)
		assert.Nil(t, text)
	}
}

// Two runs amend at once, and every look in between is true: an amend takes later commits out of the history for a moment.
func TestHgSharesGrowAtOnce(t *testing.T) {
	r, _ := hgRepo(t)
	r.Write("a", "1\n")
	start := r.Public("start")
	main := treesOf(t, r, r.Dir)
	const rounds = 5
	var wg sync.WaitGroup
	base := t.TempDir()
	for _, name := range []string{"one", "two"} {
		dir := filepath.Join(base, name)
		require.NoError(t, main.AddWorktree(t.Context(), dir, vcs.Branch(name), start))
		tree := treesOf(t, r, dir)
		wg.Go(func() {
			for n := range rounds {
				if !assert.NoError(t, os.WriteFile(filepath.Join(dir, "x"), []byte(name+strconv.Itoa(n)), 0o644)) {
					return
				}
				res, err := tree.Commit(t.Context(), vcs.CommitRequest{Message: name, Paths: []string{"x"}})
				if !assert.NoError(t, err) {
					return
				}
				for range 2 {
					head, err := tree.Head(t.Context())
					assert.NoError(t, err)
					assert.Equal(t, vcs.Head{Rev: res.Rev, Branch: vcs.Branch(name)}, head)
					status, err := tree.Status(t.Context())
					assert.NoError(t, err)
					assert.Empty(t, status.Changes)
				}
			}
		})
	}
	wg.Wait()
	assert.ElementsMatch(t, []string{"one", "two"}, r.Drafts(), "one draft each")
	for _, name := range []string{"one", "two"} {
		assert.Equal(t, name+strconv.Itoa(rounds-1), r.Hg("cat", "-r", name, "x"))
	}
}
