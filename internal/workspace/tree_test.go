package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// trees is the repository as one with worktrees.
func trees(t *testing.T, r *vcstest.Repo) workspace.TreeRepo {
	t.Helper()
	repo, err := workspace.Trees(r.Open(t))
	require.NoError(t, err)
	return repo
}

// base is where the worktrees of a test lie.
func base(r *vcstest.Repo) string { return filepath.Join(filepath.Dir(r.Dir), "trees") }

func treeOptions(r *vcstest.Repo) workspace.TreeOptions {
	return workspace.TreeOptions{Base: base(r), Derived: "x", Plan: r.Path(planFile),
		Open: func(ctx context.Context, dir string) (workspace.Repo, error) {
			return vcs.Open(ctx, dir, vcs.Options{Env: r.Env})
		}}
}

func choose(t *testing.T, r *vcstest.Repo, o workspace.TreeOptions) *workspace.Tree {
	t.Helper()
	tree, err := workspace.ChooseTree(t.Context(), trees(t, r), o)
	require.NoError(t, err)
	return tree
}

func makeTree(t *testing.T, r *vcstest.Repo, o workspace.TreeOptions) *workspace.Tree {
	t.Helper()
	tree := choose(t, r, o)
	require.NoError(t, tree.Make(t.Context()))
	return tree
}

func TestChooseTreeTouchesNothing(t *testing.T) {
	r := repoWithPlan(t)
	r.Write("a.go", "staged\n")
	r.Git("add", "a.go")
	r.Write(planFile, "# X\n\n### Task 1: New\n- [ ] b\n")
	untouched(t, r, func() {
		tree := choose(t, r, treeOptions(r))
		assert.Equal(t, workspace.TreeRef{Dir: filepath.Join(base(r), "x"), Branch: "x"}, tree.TreeRef)
		assert.True(t, tree.Add && tree.Create && tree.BringPlan)
		assert.Equal(t, filepath.Join(base(r), "x", planFile), tree.PlanPath)
		assert.Empty(t, tree.Warnings)
	})
	assert.NoDirExists(t, base(r))
}

func TestMakeTreeBringsThePlanAsItIs(t *testing.T) {
	r := repoWithPlan(t)
	text := "# X\r\n\r\n### Task 1: New\r\n- [ ] b"
	r.Write(planFile, text)
	tree := makeTree(t, r, treeOptions(r))
	got, err := os.ReadFile(tree.PlanPath)
	require.NoError(t, err)
	assert.Equal(t, text, string(got))

	// Killed right behind it, the start is made again: the copy is no reason to go elsewhere.
	again := choose(t, r, treeOptions(r))
	assert.Equal(t, tree.TreeRef, again.TreeRef)
	assert.False(t, again.Add || again.Create)
	require.NoError(t, again.Make(t.Context()))
	assert.Equal(t, "?? docs/plans/y.md", status(t, r, func() { r.Write("docs/plans/y.md", "") }))
}

// status is what git says of the main checkout after a change.
func status(t *testing.T, r *vcstest.Repo, change func()) string {
	t.Helper()
	r.Git("restore", "--", planFile)
	change()
	return r.Status()
}

func TestTreeOfARunThatWorksIsNeverTaken(t *testing.T) {
	r := repoWithPlan(t)
	first := makeTree(t, r, treeOptions(r))
	lock, err := durable.Acquire(workspace.LockFile(first.Dir), durable.Holder{Run: "r1", What: "run", Since: time.Now()})
	require.NoError(t, err)
	defer func() { require.NoError(t, lock.Release()) }()
	o := treeOptions(r)
	o.Last = &first.TreeRef
	second := choose(t, r, o)
	assert.Equal(t, vcs.Branch("x-2"), second.Branch)
	assert.Equal(t, filepath.Join(base(r), "x-2"), second.Dir)
	require.Len(t, second.Warnings, 1)
	assert.Contains(t, second.Warnings[0], "not x: a run works there: pid")
}

func TestResumeFindsAWorktreeThatWasMoved(t *testing.T) {
	r := repoWithPlan(t)
	tree := makeTree(t, r, treeOptions(r))
	elsewhere := filepath.Join(filepath.Dir(r.Dir), "elsewhere")
	r.Git("worktree", "move", tree.Dir, elsewhere)
	o := treeOptions(r)
	o.Last, o.Resume = &tree.TreeRef, true
	found := choose(t, r, o)
	assert.Equal(t, workspace.TreeRef{Dir: elsewhere, Branch: "x"}, found.TreeRef)
	assert.False(t, found.Add)
}

func TestResumeRefusesABranchThatIsCheckedOutInTheMainCheckout(t *testing.T) {
	r := repoWithPlan(t)
	tree := makeTree(t, r, treeOptions(r))
	r.Git("worktree", "remove", tree.Dir)
	r.Git("switch", "-q", "x")
	o := treeOptions(r)
	o.Last, o.Resume = &tree.TreeRef, true
	_, err := workspace.ChooseTree(t.Context(), trees(t, r), o)
	require.ErrorIs(t, err, workspace.ErrBranch)
	var refused *workspace.RefusedError
	require.ErrorAs(t, err, &refused)
	assert.Contains(t, refused.Why, "is checked out in "+r.Dir)
	assert.Contains(t, refused.Hint(), "git -C "+r.Dir+" switch -")
}

func TestNameThatIsAFolderOfBranches(t *testing.T) {
	r := repoWithPlan(t)
	r.Git("branch", "-q", "x/y")
	tree := makeTree(t, r, treeOptions(r))
	assert.Equal(t, vcs.Branch("x-2"), tree.Branch)
	assert.Equal(t, []string{"not x: there is a branch x/y, and one name can't be both"}, tree.Warnings)

	o := treeOptions(r)
	o.Branch = "x-2/z"
	_, err := workspace.ChooseTree(t.Context(), trees(t, r), o)
	require.ErrorIs(t, err, workspace.ErrBranch)
}

// A locked worktree, on a disk that is not there, say, is neither forgotten nor written to.
func TestLockedWorktreeIsLeftAlone(t *testing.T) {
	r := repoWithPlan(t)
	tree := makeTree(t, r, treeOptions(r))
	r.Git("worktree", "lock", tree.Dir)
	require.NoError(t, os.RemoveAll(tree.Dir))
	next := makeTree(t, r, treeOptions(r))
	assert.Equal(t, vcs.Branch("x-2"), next.Branch)
	assert.Contains(t, r.Git("worktree", "list", "--porcelain"), tree.Dir+"\n")
}

func TestTreesNeedABackendThatHasThem(t *testing.T) {
	r := repoWithPlan(t)
	_, err := workspace.Trees(without{r.Open(t)})
	require.ErrorIs(t, err, workspace.ErrNoTrees)
	var refused *workspace.RefusedError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "no worktrees with wrapper: they need Git or Mercurial, and its command", refused.Why)
	assert.Contains(t, refused.Hint(), "a second checkout by hand")
}

// without is a backend that has no worktrees.
type without struct{ vcs.Repo }

func (without) Kind() string   { return "wrapper" }
func (without) Caps() vcs.Caps { return vcs.Caps{} }

// A link in the branch must not lead a copy out of the worktree, and what is there already stays.
func TestBringNeverLeavesTheWorktree(t *testing.T) {
	r := repoWithPlan(t)
	outside := filepath.Join(filepath.Dir(r.Dir), "outside")
	require.NoError(t, os.MkdirAll(outside, 0o755))
	require.NoError(t, os.Symlink(outside, r.Path("conf")))
	r.Write(".gitignore", "*.secret\n")
	r.Commit("a link")
	tree := makeTree(t, r, treeOptions(r))
	r.Git("rm", "-q", "conf")
	r.Write("conf/a.secret", "mine")
	_, err := tree.Bring(t.Context(), r.Dir, []string{"*.secret"})
	require.Error(t, err)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, entries)

	r.Remove("conf")
	r.Write("b.secret", "mine")
	r.Write("c.secret", "mine")
	require.NoError(t, os.WriteFile(filepath.Join(tree.Dir, "b.secret"), []byte("theirs"), 0o644))
	brought, err := tree.Bring(t.Context(), r.Dir, []string{"*.secret"})
	require.NoError(t, err)
	assert.Len(t, brought, 1)
	assert.Contains(t, brought, "c.secret")
	text, err := os.ReadFile(filepath.Join(tree.Dir, "b.secret"))
	require.NoError(t, err)
	assert.Equal(t, "theirs", string(text))
}

func TestExamineKeepsWhatNoBranchHas(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, r *vcstest.Repo, dir string)
		want   string // "" = it may go
	}{
		{"nothing", func(*testing.T, *vcstest.Repo, string) {}, ""},
		{"build outputs", func(t *testing.T, _ *vcstest.Repo, dir string) { put(t, dir, "out/built", "x") }, ""},
		{"untracked", func(t *testing.T, _ *vcstest.Repo, dir string) { put(t, dir, "new", "x") }, "1 uncommitted change: new"},
		{"changed", func(t *testing.T, _ *vcstest.Repo, dir string) { put(t, dir, "a.go", "x"); put(t, dir, "b", "x") },
			"2 uncommitted changes, a.go first"},
		{"detached", func(_ *testing.T, r *vcstest.Repo, dir string) { r.Git("-C", dir, "switch", "-q", "--detach") }, "it stands on no branch: a detached HEAD at "},
		{"another branch", func(_ *testing.T, r *vcstest.Repo, dir string) { r.Git("-C", dir, "switch", "-q", "-c", "other") },
			"branch other is checked out in it, not x"},
		{"amid a merge", func(t *testing.T, r *vcstest.Repo, dir string) {
			put(t, filepath.Join(r.Dir, ".git", "worktrees", "x"), "MERGE_HEAD", r.Head()+"\n")
		}, "a merge is unfinished in it"},
		{"broken link", func(t *testing.T, _ *vcstest.Repo, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, ".git")))
		},
			"is broken: expected "},
		{"a copy that was changed", func(t *testing.T, _ *vcstest.Repo, dir string) {
			require.NoError(t, workspace.Marker{Brought: map[string]string{"out/env": workspace.SetupHash("as it was")}}.Write(dir))
			put(t, dir, "out/env", "as it is")
		}, "its copy of out/env, which the repository ignores, was changed"},
		{"a copy as it was", func(t *testing.T, _ *vcstest.Repo, dir string) {
			require.NoError(t, workspace.Marker{Brought: map[string]string{"out/env": workspace.SetupHash("as it was")}}.Write(dir))
			put(t, dir, "out/env", "as it was")
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := repoWithPlan(t)
			r.Write(".gitignore", "out/\n")
			r.Commit("ignore")
			tree := makeTree(t, r, treeOptions(r))
			v, err := vcs.Open(t.Context(), tree.Dir, vcs.Options{Env: r.Env})
			require.NoError(t, err)
			tt.change(t, r, tree.Dir)
			l, err := workspace.Examine(t.Context(), v.(workspace.LeaveRepo), tree.Dir, "x")
			require.NoError(t, err)
			if tt.want != "" {
				assert.Contains(t, l.Why, tt.want)
				return
			}
			assert.Empty(t, l.Why)
			require.NoError(t, workspace.Remove(t.Context(), trees(t, r), tree.Dir, base(r)))
			assert.NoDirExists(t, base(r), "the empty folder above goes, too")
			r.Git("rev-parse", "--verify", "-q", "x")
		})
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func TestLookAt(t *testing.T) {
	r := repoWithPlan(t)
	tree := makeTree(t, r, treeOptions(r))
	look := func() workspace.TreeLook {
		t.Helper()
		list, err := trees(t, r).Worktrees(t.Context())
		require.NoError(t, err)
		l, err := workspace.LookAt(t.Context(), trees(t, r), list[1], []vcs.Rev{"refs/heads/main"}, func(ctx context.Context, dir string) (workspace.LeaveRepo, error) {
			v, err := vcs.Open(ctx, dir, vcs.Options{Env: r.Env})
			if err != nil {
				return nil, err
			}
			return v.(workspace.LeaveRepo), nil
		})
		require.NoError(t, err)
		return l
	}
	assert.Equal(t, workspace.TreeMerged, look().State)
	r.Git("-C", tree.Dir, "commit", "-q", "--allow-empty", "-m", "its own")
	assert.Equal(t, workspace.TreeUnmerged, look().State)
	put(t, tree.Dir, "new", "x")
	assert.Equal(t, workspace.TreeLook{State: workspace.TreeDirty, Why: "1 uncommitted change: new"}, look())
	lock, err := durable.Acquire(workspace.LockFile(tree.Dir), durable.Holder{What: "run", Since: time.Now()})
	require.NoError(t, err)
	assert.Equal(t, workspace.TreeRunning, look().State)
	require.NoError(t, lock.Release())
	require.NoError(t, os.Remove(filepath.Join(tree.Dir, ".git")))
	assert.Equal(t, workspace.TreeBroken, look().State)
	require.NoError(t, os.RemoveAll(tree.Dir))
	assert.Equal(t, workspace.TreeMissing, look().State)
}

func TestRemoveWhereTheBranchHasFilesInOurFolder(t *testing.T) {
	r := repoWithPlan(t)
	r.Write(".ralph/tasks.json", "{}")
	r.Commit("theirs")
	tree := makeTree(t, r, treeOptions(r))
	lock, err := durable.Acquire(workspace.LockFile(tree.Dir), durable.Holder{What: "run", Since: time.Now()})
	require.NoError(t, err)
	require.NoError(t, workspace.Marker{}.Write(tree.Dir))
	put(t, tree.Dir, ".ralph/theirs", "x")
	require.Error(t, workspace.Remove(t.Context(), trees(t, r), tree.Dir, base(r)), "theirs is untracked, and no branch has it")
	assert.FileExists(t, filepath.Join(tree.Dir, ".ralph", "theirs"))
	require.NoError(t, os.Remove(filepath.Join(tree.Dir, ".ralph", "theirs")))
	require.NoError(t, workspace.Remove(t.Context(), trees(t, r), tree.Dir, base(r)))
	require.NoError(t, lock.Release())
	assert.NoDirExists(t, tree.Dir)
}
