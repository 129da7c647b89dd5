package vcs_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// hgRepo is a Mercurial repository with one public commit, opened.
func hgRepo(t *testing.T, config ...string) (*vcstest.HgRepo, vcs.Repo) {
	t.Helper()
	r := vcstest.NewHgRepo(t, config...)
	r.Write("a", "1\n")
	r.Public("base")
	return r, openHg(t, r)
}

// evolves is asked once: each answer is a process.
var evolves = sync.OnceValue(func() bool {
	return exec.Command("hg", "--config", "extensions.evolve=", "--config", "extensions.topic=", "help", "evolve").Run() == nil
})

// needEvolve skips a test where the extension isn't installed; in the project's own check it must be.
func needEvolve(t *testing.T) {
	t.Helper()
	vcstest.NeedHg(t)
	switch {
	case evolves():
	case os.Getenv("RALPHEX_CI") == "1":
		t.Fatal("the evolve extension is not installed, and RALPHEX_CI=1 says that it must be")
	default:
		t.Skip("the evolve extension is not installed")
	}
}

func openHg(t *testing.T, r *vcstest.HgRepo) vcs.Repo {
	t.Helper()
	v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env})
	require.NoError(t, err)
	require.Equal(t, "hg", v.Kind())
	return v
}

func branchOf(t *testing.T, v vcs.Repo) vcs.Branch {
	t.Helper()
	h, err := v.Head(t.Context())
	require.NoError(t, err)
	return h.Branch
}

func commitHg(t *testing.T, v vcs.Repo, message string, paths ...string) vcs.CommitResult {
	t.Helper()
	res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: message, Paths: paths})
	require.NoError(t, err)
	require.NotEmpty(t, res.Rev)
	return res
}

// The model, from one public commit over a draft that grows to the next public one; with the extensions that change how amending works, too.
func TestHgOneDraftGrows(t *testing.T) {
	for name, config := range map[string][]string{
		"plain":      nil,
		"evolve":     {"[extensions]", "evolve =", "[experimental]", "evolution = all"},
		"topic":      {"[extensions]", "topic =", "evolve ="},
		"no publish": {"[phases]", "publish = false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(strings.Join(config, ""), "evolve") {
				needEvolve(t)
			}
			r, v := hgRepo(t, config...)
			ctx := t.Context()
			start, err := v.Head(ctx)
			require.NoError(t, err)
			assert.Equal(t, vcs.Branch("master"), start.Branch)
			require.NoError(t, v.CreateBranch(ctx, "feature"))
			assert.Equal(t, vcs.Branch("master"), branchOf(t, v), "a bookmark makes no draft")

			r.Write("a", "1\n2\n")
			one := commitHg(t, v, "the plan", "a")
			assert.Empty(t, one.Replaced)
			assert.Equal(t, vcs.Branch("feature"), branchOf(t, v))
			r.Write("b", "1\n")
			two := commitHg(t, v, "task 2", "b")
			assert.Equal(t, one.Rev, two.Replaced)
			require.NoError(t, os.Remove(r.Path("a")))
			three := commitHg(t, v, "task 3", "a")
			assert.Equal(t, two.Rev, three.Replaced)
			assert.Equal(t, []string{"the plan"}, r.Drafts(), "one commit, and its first message")

			for _, a := range []vcs.Rev{start.Rev, one.Rev, two.Rev} {
				yes, err := v.IsAncestor(ctx, a, three.Rev)
				require.NoError(t, err)
				assert.True(t, yes, "what was amended is no surprise")
			}
			d, err := v.DiffStat(ctx, one.Rev, three.Rev)
			require.NoError(t, err)
			assert.Equal(t, vcs.DiffStat{Files: 2, Additions: 1, Deletions: 1}, d, "from a commit that is gone: since what is public")

			r.Hg("phase", "--public", "-r", ".")
			assert.Equal(t, vcs.Branch("master"), branchOf(t, v))
			r.Write("b", "2\n")
			four := commitHg(t, v, "next plan", "b")
			assert.Empty(t, four.Replaced)
			assert.Equal(t, []string{"next plan"}, r.Drafts())
		})
	}
}

func TestHgDraftWithoutBookmark(t *testing.T) {
	t.Parallel()
	r, v := hgRepo(t)
	r.Write("a", "mine\n")
	mine := r.Draft("mine")
	assert.Equal(t, vcs.Branch("draft"), branchOf(t, v))
	r.Write("a", "ours\n")
	res := commitHg(t, v, "ours", "a")
	assert.Equal(t, mine, res.Replaced, "the user's own draft is amended, and the caller is told which it was")
	assert.Equal(t, []string{"mine"}, r.Drafts())
}

func TestHgRefusals(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, v vcs.Repo, word string) {
		t.Helper()
		ready, ok := v.(vcs.Readier)
		require.True(t, ok)
		err := ready.Ready(t.Context())
		se, ok := errors.AsType[*vcs.StateError](err)
		require.True(t, ok, "%v", err)
		assert.Contains(t, se.Error(), word)
		assert.NotEmpty(t, se.Hint())
	}
	commitRefused := func(t *testing.T, r *vcstest.HgRepo, v vcs.Repo, word string) {
		t.Helper()
		before := r.Node()
		r.Write("a", "other\n")
		_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: []string{"a"}})
		require.ErrorContains(t, err, word)
		assert.Equal(t, before, r.Node())
		assert.Equal(t, "other\n", r.Read("a"))
	}
	t.Run("secret", func(t *testing.T) {
		t.Parallel()
		r, v := hgRepo(t)
		r.Write("a", "2\n")
		r.Draft("secret")
		r.Hg("phase", "--secret", "--force", "-r", ".")
		_, err := v.Head(t.Context())
		require.ErrorContains(t, err, "secret")
		refused(t, v, "secret")
		commitRefused(t, r, v, "secret")
	})
	t.Run("new commits are secret", func(t *testing.T) {
		t.Parallel()
		r, v := hgRepo(t)
		r.Configure("[phases]", "new-commit = secret")
		refused(t, v, "phases.new-commit")
		commitRefused(t, r, v, "phases.new-commit")
	})
	t.Run("children", func(t *testing.T) {
		t.Parallel()
		r, v := hgRepo(t)
		r.Write("a", "2\n")
		below := r.Draft("below")
		r.Write("a", "3\n")
		r.Draft("above")
		r.Hg("update", "-q", "-r", string(below))
		refused(t, v, "children")
		commitRefused(t, r, v, "children")
	})
	t.Run("unfinished histedit", func(t *testing.T) {
		t.Parallel()
		r, v := hgRepo(t)
		r.Write("a", "2\n")
		r.Draft("one")
		plan := filepath.Join(t.TempDir(), "plan")
		require.NoError(t, os.WriteFile(plan, []byte("edit "+string(r.Node())+"\n"), 0o644))
		_, err := r.TryHg("--config", "extensions.histedit=", "histedit", "-r", ".", "--commands", plan)
		require.Error(t, err, "histedit stops to let us edit")
		what, err := v.InProgress(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "histedit", what)
		commitRefused(t, r, v, "histedit")
	})
	for name, args := range map[string][]string{"rebase": {"rebase", "-q", "-s", "side", "-d", "main"}, "graft": {"graft", "-q", "-r", "side"}, "merge": {"merge", "-q", "-r", "side"}} {
		t.Run("unfinished "+name, func(t *testing.T) {
			t.Parallel()
			r, v := hgRepo(t, "[extensions]", "rebase =")
			conflict(r)
			_, err := r.TryHg(append(args, "--config", "ui.merge=:fail")...)
			require.Error(t, err, "it must stop at the conflict")
			what, err := v.InProgress(t.Context())
			require.NoError(t, err)
			assert.Equal(t, name, what)
			commitRefused(t, r, v, "")
			r.Hg("resolve", "--mark", "-q", "--all")
			what, err = v.InProgress(t.Context())
			require.NoError(t, err)
			assert.Equal(t, name, what, "resolved is not finished")
			commitRefused(t, r, v, name)
		})
	}
	t.Run("conflicts that an update left", func(t *testing.T) {
		t.Parallel()
		r, v := hgRepo(t)
		conflict(r)
		r.Write("a", "mine\n")
		_, err := r.TryHg("update", "-q", "--merge", "--config", "ui.merge=:fail", "-r", "side")
		require.Error(t, err, "it must stop at the conflict")
		what, err := v.InProgress(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "merge", what)
		commitRefused(t, r, v, "unresolved")
		r.Hg("resolve", "--mark", "-q", "--all")
		what, err = v.InProgress(t.Context())
		require.NoError(t, err)
		assert.Empty(t, what, "an update has nothing to finish but its conflicts")
	})
	t.Run("subrepository", func(t *testing.T) {
		t.Parallel()
		r, v := hgRepo(t)
		r.Hg("init", "lib/sub")
		r.Write("lib/sub/x", "1")
		r.Hg("--cwd", "lib/sub", "commit", "-q", "-A", "-m", "inside")
		r.Write(".hgsub", "lib/sub = lib/sub\n")
		r.Public("with a subrepository")
		before := r.Node()
		r.Write("lib/sub/x", "2")
		r.Write("a", "2")
		for _, paths := range [][]string{{"lib/sub/x"}, {"a", "lib/sub/new"}} {
			_, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "m", Paths: paths})
			require.ErrorContains(t, err, "the subrepository lib/sub")
			assert.Equal(t, before, r.Node())
		}
		assert.Equal(t, "2", r.Read("lib/sub/x"))
		commitHg(t, v, "beside it", "a")
		r.Write("a", "3")
		commitHg(t, v, "beside it", "a")
		assert.Equal(t, "M x", r.Hg("--cwd", "lib/sub", "status"), "what is in it stays as it is")
	})
}

// conflict makes two drafts on top of the first commit that can't be merged, bookmarks "main" and "side", and goes to the former.
func conflict(r *vcstest.HgRepo) {
	base := r.Node()
	r.Write("a", "side\n")
	r.Draft("side")
	r.Hg("bookmark", "-i", "side")
	r.Hg("update", "-q", "-r", string(base))
	r.Write("a", "main\n")
	r.Draft("main")
	r.Hg("bookmark", "-i", "main")
}

// Named branches are where commits lie; the run's own names are bookmarks. A commit stays on the branch that it is made on, and a closed head
// is a commit like any other.
func TestHgNamedBranches(t *testing.T) {
	t.Parallel()
	r, v := hgRepo(t)
	ctx := t.Context()
	r.Hg("branch", "-q", "stable")
	r.Write("a", "stable\n")
	r.Public("on stable")
	assert.Equal(t, vcs.Branch("master"), branchOf(t, v), "public, on whatever branch")
	require.NoError(t, v.CreateBranch(ctx, "feature"))
	r.Write("a", "1\n2\n")
	commitHg(t, v, "one", "a")
	assert.Equal(t, vcs.Branch("feature"), branchOf(t, v))
	assert.Equal(t, "stable", r.Hg("log", "-r", ".", "-T", "{branch}"))
	r.Write("a", "1\n2\n3\n")
	commitHg(t, v, "two", "a")
	assert.Equal(t, []string{"one"}, r.Drafts())
	assert.Equal(t, "stable", r.Hg("log", "-r", ".", "-T", "{branch}"), "amending keeps it")

	r.Hg("phase", "--public", "-r", ".")
	r.Hg("commit", "-q", "--close-branch", "-m", "stable is closed")
	r.Hg("phase", "--public", "-r", ".")
	closed := r.Node()
	require.NoError(t, v.(vcs.Readier).Ready(ctx))
	r.Write("a", "reopened\n")
	res := commitHg(t, v, "on a closed head", "a")
	assert.Empty(t, res.Replaced)
	yes, err := v.IsAncestor(ctx, closed, res.Rev)
	require.NoError(t, err)
	assert.True(t, yes)
	assert.Equal(t, "stable", r.Hg("log", "-r", ".", "-T", "{branch}"))
	assert.Equal(t, []string{"on a closed head"}, r.Drafts())
}

func TestHgPlaces(t *testing.T) {
	t.Parallel()
	t.Run("deepest wins", func(t *testing.T) {
		t.Parallel()
		r, _ := hgRepo(t)
		r.Hg("init", "inner")
		v, err := vcs.Open(t.Context(), r.Path("inner"), vcs.Options{Env: r.Env})
		require.NoError(t, err)
		assert.Equal(t, r.Path("inner"), v.Root())
	})
	t.Run("beside git", func(t *testing.T) {
		t.Parallel()
		vcstest.NeedHg(t)
		r := vcstest.NewRepo(t)
		require.NoError(t, os.Mkdir(r.Path(".hg"), 0o755))
		assert.Equal(t, "git", r.Open(t).Kind())
	})
	t.Run("share", func(t *testing.T) {
		t.Parallel()
		r, v := hgRepo(t)
		require.NoError(t, v.CreateBranch(t.Context(), "held"))
		dir := r.Path(".ralphex/worktrees/x")
		require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o755))
		r.Hg("--config", "extensions.share=", "share", "-q", "--bookmarks", r.Dir, dir)
		s, err := vcs.Open(t.Context(), dir, vcs.Options{Env: r.Env})
		require.NoError(t, err)
		assert.Equal(t, dir, s.Root())
		held, err := s.BranchHolder(t.Context(), "held")
		require.NoError(t, err)
		assert.Equal(t, r.Dir, held)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("2\n"), 0o644))
		_, err = s.Snapshot(t.Context(), "refs/ralphex/wip/r/1", "why")
		require.NoError(t, err)
		store, err := vcs.Snapshots(v)
		require.NoError(t, err)
		list, err := store.Snapshots(t.Context(), vcs.SnapshotRoot)
		require.NoError(t, err)
		assert.Len(t, list, 1, "a snapshot outlives the share that it was made in")
	})
	t.Run("no home to write to", func(t *testing.T) {
		t.Parallel()
		r, _ := hgRepo(t)
		env := append(r.Env[:len(r.Env):len(r.Env)], "HOME=/nonexistent", "HG2GIT_HG=hg")
		v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: env})
		require.NoError(t, err)
		r.Write("a", "2\n")
		commitHg(t, v, "m", "a")
		s, err := v.Status(t.Context())
		require.NoError(t, err)
		assert.True(t, s.Clean(), "%v", s.Changes)
	})
}

func TestHgSnapshotIsReadBack(t *testing.T) {
	t.Parallel()
	r, v := hgRepo(t)
	r.Write("gone", "1")
	r.Public("second")
	r.Write("a", "changed\n")
	r.Write("dir/new *", "new")
	r.Remove("gone")
	_, err := v.Snapshot(t.Context(), "refs/ralphex/wip/run/start", "before")
	require.NoError(t, err)
	store, err := vcs.Snapshots(v)
	require.NoError(t, err)
	files, err := store.SnapshotFiles(t.Context(), "refs/ralphex/wip/run/start")
	require.NoError(t, err)
	got := map[string]string{}
	for _, f := range files {
		if f.Deleted {
			got[f.Path] = "deleted"
			continue
		}
		b, err := store.SnapshotContent(t.Context(), "refs/ralphex/wip/run/start", f)
		require.NoError(t, err)
		got[f.Path] = string(b)
	}
	assert.Equal(t, map[string]string{"a": "changed\n", "dir/new *": "new", "gone": "deleted"}, got)
	patch, err := os.ReadFile(r.Path(".hg/ralphex/wip/run/start/changes.patch"))
	require.NoError(t, err)
	assert.Contains(t, string(patch), "+changed")
	_, err = store.SnapshotFiles(t.Context(), "refs/ralphex/wip/run/other")
	require.ErrorIs(t, err, vcs.ErrNoSnapshot)
	list, err := store.Snapshots(t.Context(), vcs.SnapshotRoot+"run/")
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Error(t, store.DropSnapshot(t.Context(), list[0].Ref, "0123"))
	require.NoError(t, store.DropSnapshot(t.Context(), list[0].Ref, list[0].Rev))
	assert.Equal(t, "changed\n", r.Read("a"))
}
