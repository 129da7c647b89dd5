package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

const planFile = "docs/plans/x.md"

// repoWithPlan has one commit, with a plan in it, on main.
func repoWithPlan(t *testing.T) *vcstest.Repo {
	t.Helper()
	r := vcstest.NewRepo(t)
	r.Write(planFile, "# X\n\n### Task 1: a\n\n- [ ] a\n")
	r.Write("a.go", "package a\n")
	r.Commit("first")
	return r
}

func options(r *vcstest.Repo) workspace.Options {
	return workspace.Options{PlanPath: r.Path(planFile), DerivedBranch: "x", RunID: "run1"}
}

// untouched fails the test if anything of the repository changes while f runs.
func untouched(t *testing.T, r *vcstest.Repo, f func()) {
	t.Helper()
	look := func() string {
		out, err := r.TryGit("for-each-ref")
		require.NoError(t, err)
		head, err := os.ReadFile(r.Path(".git/HEAD"))
		require.NoError(t, err)
		index, err := os.ReadFile(r.Path(".git/index"))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		return out + string(head) + string(index) + r.Status()
	}
	before := look()
	f()
	assert.Equal(t, before, look(), "Check touches nothing")
}

func TestCheckRefuses(t *testing.T) {
	for _, row := range []struct {
		name  string
		setup func(t *testing.T, r *vcstest.Repo, o *workspace.Options)
		kind  error
		why   string
		hint  string
	}{
		{"detached", func(_ *testing.T, r *vcstest.Repo, _ *workspace.Options) { r.Git("checkout", "-q", "--detach") },
			workspace.ErrDetached, "detached at", "git switch -c"},
		{"unborn", func(_ *testing.T, r *vcstest.Repo, _ *workspace.Options) { r.Git("checkout", "-q", "--orphan", "new") },
			workspace.ErrUnborn, "no commit yet", "git commit"},
		{"merging", func(t *testing.T, r *vcstest.Repo, _ *workspace.Options) {
			diverge(r)
			_, err := r.TryGit("merge", "side")
			require.Error(t, err)
		}, workspace.ErrUnfinished, "a merge is unfinished", "git merge --abort"},
		{"rebasing", func(t *testing.T, r *vcstest.Repo, _ *workspace.Options) {
			diverge(r)
			_, err := r.TryGit("rebase", "side")
			require.Error(t, err)
		}, workspace.ErrUnfinished, "a rebase is unfinished", "git rebase --abort"},
		{"conflict left by a stash", func(t *testing.T, r *vcstest.Repo, _ *workspace.Options) {
			r.Write("a.go", "stashed\n")
			r.Git("stash", "-q")
			r.Write("a.go", "other\n")
			r.Commit("other")
			_, err := r.TryGit("stash", "pop")
			require.Error(t, err)
		}, workspace.ErrConflict, "a.go is in conflict", "git add"},
		{"no name", func(_ *testing.T, _ *vcstest.Repo, o *workspace.Options) { o.DerivedBranch = "" },
			workspace.ErrBranch, "no name for a branch", "--branch"},
		{"named like the default branch", func(_ *testing.T, _ *vcstest.Repo, o *workspace.Options) { o.DerivedBranch = "main" },
			workspace.ErrBranch, "named like the default branch main", "--branch"},
		{"the branch lacks the plan", func(_ *testing.T, r *vcstest.Repo, _ *workspace.Options) {
			r.Git("checkout", "-q", "-b", "x")
			r.Git("rm", "-q", planFile)
			r.Commit("gone")
			r.Git("checkout", "-q", "main")
		}, workspace.ErrPlanOther, "does not have the plan", "--branch"},
		{"the branch has another plan, and ours is changed", func(_ *testing.T, r *vcstest.Repo, _ *workspace.Options) {
			r.Git("checkout", "-q", "-b", "x")
			r.Write(planFile, "theirs\n")
			r.Commit("theirs")
			r.Git("checkout", "-q", "main")
			r.Write(planFile, "ours\n")
		}, workspace.ErrPlanOther, "another version", "commit yours first"},
		{"the branch has the plan, and ours is untracked", func(_ *testing.T, r *vcstest.Repo, _ *workspace.Options) {
			r.Git("branch", "-q", "x")
			r.Git("rm", "-q", planFile)
			r.Commit("gone")
			r.Write(planFile, "ours\n")
		}, workspace.ErrPlanOther, "another version", "--branch"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := repoWithPlan(t)
			o := options(r)
			row.setup(t, r, &o)
			untouched(t, r, func() {
				_, err := workspace.Check(t.Context(), r.Open(t), o)
				require.ErrorIs(t, err, row.kind)
				require.ErrorContains(t, err, row.why)
				var h interface{ Hint() string }
				require.ErrorAs(t, err, &h)
				assert.Contains(t, h.Hint(), row.hint)
			})
		})
	}
}

func diverge(r *vcstest.Repo) {
	r.Git("checkout", "-q", "-b", "side")
	r.Write("a.go", "side\n")
	r.Commit("side")
	r.Git("checkout", "-q", "main")
	r.Write("a.go", "main\n")
	r.Commit("main")
}

func TestCheckListsWhatIsDirty(t *testing.T) {
	r := repoWithPlan(t)
	for _, f := range []string{"del", "both", "staged"} {
		r.Write(f, "1\n")
	}
	r.Write("old", "a text to be known again\n")
	r.Commit("more")
	r.Write("a.go", "changed\n")
	r.Write("staged", "2\n")
	r.Write("both", "2\n")
	r.Git("add", "staged", "both")
	r.Write("both", "3\n")
	r.Remove("del")
	r.Git("mv", "old", "new")
	r.Write("notes ü.txt", "1")
	r.Write(planFile, "changed too\n")
	untouched(t, r, func() {
		_, err := workspace.Check(t.Context(), r.Open(t), options(r))
		var d *workspace.DirtyError
		require.ErrorAs(t, err, &d)
		assert.Equal(t, "commit them, or put them away with `git stash -u -- :/ ':/!"+planFile+"'`\n"+
			"or take them along on a branch of your own: git switch -c NAME\n"+
			"or leave them as they are: --worktree runs the plan in a folder of its own", d.Hint())
		assert.Equal(t, strings.TrimSpace(`
cannot start on main: 6 paths besides the plan have changes
  modified             a.go  (differs from the index)
  staged and modified  both  (index differs from HEAD, and the file from the index)
  deleted              del  (differs from the index)
  staged               new  (index differs from HEAD: renamed from old)
  staged               staged  (index differs from HEAD: modified)
  untracked            notes ü.txt  (is neither committed nor ignored)`), err.Error())
	})
}

// What the hint says is typed, from a subfolder too: the plan stays, ralphex's own folders stay, and the run can begin.
func TestWhatIsPutAwayIsNotThePlan(t *testing.T) {
	r := repoWithPlan(t)
	plan := "docs/plans/it's new.md"
	r.Write(plan, "# N\n\n### Task 1: a\n\n- [ ] a\n")
	r.Write("a.go", "changed\n")
	r.Write("notes.txt", "1")
	o := workspace.Options{PlanPath: r.Path(plan), DerivedBranch: "n", RunID: "run1"}
	_, err := workspace.Check(t.Context(), r.Open(t), o)
	var d *workspace.DirtyError
	require.ErrorAs(t, err, &d)

	sh := exec.Command("sh", "-c", d.PutAway)
	sh.Dir, sh.Env = r.Path("docs"), r.Env
	out, err := sh.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "?? "+`"docs/plans/it's new.md"`, strings.TrimSpace(r.Status()))
	_, err = workspace.Check(t.Context(), r.Open(t), o)
	require.NoError(t, err)
}

func TestWhatIsShelvedIsNotThePlanNorTheJournal(t *testing.T) {
	r := vcstest.NewHgRepo(t)
	r.Write("a.go", "package a\n")
	r.Public("first")
	r.Write(planFile, "# X\n\n### Task 1: a\n\n- [ ] a\n")
	r.Write("a.go", "changed\n")
	r.Write("notes.txt", "1")
	r.Write(".ralph/events/run.jsonl", "{}\n")
	r.Write(".ralphex/progress/x.txt", "log\n")
	repo, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env})
	require.NoError(t, err)
	_, err = workspace.Check(t.Context(), repo, workspace.Options{PlanPath: r.Path(planFile), DerivedBranch: "x", RunID: "run1", Verbs: vcs.HgVerbs()})
	var d *workspace.DirtyError
	require.ErrorAs(t, err, &d)

	sh := exec.Command("sh", "-c", d.PutAway)
	sh.Dir, sh.Env = r.Path("docs"), r.Env
	out, err := sh.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "? .ralph/events/run.jsonl\n? .ralphex/progress/x.txt\n? "+planFile, strings.TrimSpace(r.Hg("status")))
}

func TestCheckListsTenAtMost(t *testing.T) {
	r := repoWithPlan(t)
	for _, n := range strings.Split("abcdefghijkl", "") {
		r.Write("new-"+n, "1")
	}
	_, err := workspace.Check(t.Context(), r.Open(t), options(r))
	require.ErrorContains(t, err, "12 paths")
	require.ErrorContains(t, err, "new-j")
	require.ErrorContains(t, err, "... and 2 more")
	assert.NotContains(t, err.Error(), "new-k")
}

func TestCheckChooses(t *testing.T) {
	for _, row := range []struct {
		name  string
		setup func(r *vcstest.Repo, o *workspace.Options)
		want  workspace.Prepared
		warn  string
	}{
		{"clean on main", func(*vcstest.Repo, *workspace.Options) {}, workspace.Prepared{Branch: "x", Create: true}, ""},
		{"plan is new", func(r *vcstest.Repo, o *workspace.Options) {
			r.Write("docs/plans/new ü.md", "1")
			o.PlanPath = r.Path("docs/plans/new ü.md")
		}, workspace.Prepared{Branch: "x", Create: true, Plan: "docs/plans/new ü.md", PlanCommit: true}, ""},
		{"plan is changed", func(r *vcstest.Repo, _ *workspace.Options) { r.Write(planFile, "2") },
			workspace.Prepared{Branch: "x", Create: true, PlanCommit: true}, ""},
		{"plan is staged", func(r *vcstest.Repo, _ *workspace.Options) { r.Write(planFile, "2"); r.Git("add", planFile) },
			workspace.Prepared{Branch: "x", Create: true, PlanCommit: true}, ""},
		{"plan is renamed", func(r *vcstest.Repo, o *workspace.Options) {
			r.Git("mv", planFile, "docs/plans/y.md")
			o.PlanPath = r.Path("docs/plans/y.md")
		}, workspace.Prepared{Branch: "x", Create: true, Plan: "docs/plans/y.md", PlanCommit: true}, ""},
		{"plan is ignored", func(r *vcstest.Repo, o *workspace.Options) {
			r.Write(".gitignore", "secret/\n")
			r.Commit("ignore")
			r.Write("secret/p.md", "1")
			o.PlanPath = r.Path("secret/p.md")
		}, workspace.Prepared{Branch: "x", Create: true, Plan: "secret/p.md", PlanIgnored: true}, ""},
		{"plan lies outside", func(r *vcstest.Repo, o *workspace.Options) {
			r.Write("../p.md", "1")
			o.PlanPath = filepath.Join(filepath.Dir(r.Dir), "p.md")
		}, workspace.Prepared{Branch: "x", Create: true, Plan: "-"}, "outside"},
		{"the branch is there", func(r *vcstest.Repo, _ *workspace.Options) { r.Git("branch", "-q", "x") },
			workspace.Prepared{Branch: "x", Switch: true}, ""},
		{"the branch is there with a ticked plan", func(r *vcstest.Repo, _ *workspace.Options) {
			r.Git("checkout", "-q", "-b", "x")
			r.Write(planFile, "ticked")
			r.Commit("ticked")
			r.Git("checkout", "-q", "main")
		}, workspace.Prepared{Branch: "x", Switch: true, PlanChanges: true}, "another version"},
		{"the branch is there with the plan archived", func(r *vcstest.Repo, _ *workspace.Options) {
			r.Git("checkout", "-q", "-b", "x")
			r.Write("docs/plans/completed/x.md", "done")
			r.Remove(planFile)
			r.Commit("done")
			r.Git("checkout", "-q", "main")
		}, workspace.Prepared{Branch: "x", Switch: true, PlanChanges: true}, "docs/plans/completed"},
		{"on a branch of the user's", func(r *vcstest.Repo, _ *workspace.Options) {
			r.Git("checkout", "-q", "-b", "feature")
			r.Write("a.go", "mine")
			r.Write(planFile, "2")
		}, workspace.Prepared{Branch: "feature", PlanCommit: true, Dirty: []string{"a.go"}}, "working on branch feature"},
		{"on the plan's branch already", func(r *vcstest.Repo, _ *workspace.Options) { r.Git("checkout", "-q", "-b", "x") },
			workspace.Prepared{Branch: "x"}, ""},
		{"--branch on main", func(_ *vcstest.Repo, o *workspace.Options) { o.Branch = "mine" },
			workspace.Prepared{Branch: "mine", Create: true}, ""},
		{"--branch elsewhere", func(r *vcstest.Repo, o *workspace.Options) {
			r.Git("checkout", "-q", "-b", "feature")
			o.Branch = "mine"
		}, workspace.Prepared{Branch: "mine", Create: true}, "starts at feature"},
		{"--branch main", func(_ *vcstest.Repo, o *workspace.Options) { o.Branch = "main" },
			workspace.Prepared{Branch: "main"}, "as asked"},
		{"a default branch of one's own", func(r *vcstest.Repo, o *workspace.Options) {
			r.Git("checkout", "-q", "-b", "stable")
			o.DefaultBranch = "origin/stable"
		}, workspace.Prepared{Branch: "x", Create: true}, ""},
		{"no plan", func(r *vcstest.Repo, o *workspace.Options) { *o = workspace.Options{}; r.Write("a.go", "mine") },
			workspace.Prepared{Branch: "main", Plan: "-", Dirty: []string{"a.go"}}, ""},
		{"a killed run's ticks are not the plan", func(r *vcstest.Repo, o *workspace.Options) {
			r.Git("checkout", "-q", "-b", "x")
			r.Write(planFile, "ticked")
			o.Resume = true
		}, workspace.Prepared{Branch: "x"}, ""},
		{"a killed run on main, as asked", func(r *vcstest.Repo, o *workspace.Options) {
			r.Write("a.go", "half done")
			o.Branch, o.Resume = "main", true
		}, workspace.Prepared{Branch: "main", Dirty: []string{"a.go"}}, "as asked"},
		{"ours doesn't count", func(r *vcstest.Repo, _ *workspace.Options) {
			r.Write(".ralph/events/x", "1")
			r.Write(".ralphex/config", "1")
		}, workspace.Prepared{Branch: "x", Create: true}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := repoWithPlan(t)
			o := options(r)
			row.setup(r, &o)
			untouched(t, r, func() {
				p, err := workspace.Check(t.Context(), r.Open(t), o)
				require.NoError(t, err)
				if row.want.Plan == "" {
					row.want.Plan = planFile
				}
				got := workspace.Prepared{Branch: p.Branch, Create: p.Create, Switch: p.Switch, Dirty: p.Dirty, Plan: p.Plan,
					PlanCommit: p.PlanCommit, PlanIgnored: p.PlanIgnored, PlanChanges: p.PlanChanges}
				row.want.Plan = strings.TrimPrefix(row.want.Plan, "-")
				assert.Equal(t, row.want, got)
				warnings := strings.Join(p.Warnings, "\n")
				if row.warn == "" {
					assert.Empty(t, warnings)
				}
				assert.Contains(t, warnings, row.warn)
			})
		})
	}
}

func TestCheckBranchHeldElsewhere(t *testing.T) {
	r := repoWithPlan(t)
	dir := filepath.Join(t.TempDir(), "tree")
	r.Git("worktree", "add", "-q", dir, "-b", "x")
	_, err := workspace.Check(t.Context(), r.Open(t), options(r))
	var held *vcs.HeldError
	require.ErrorAs(t, err, &held)
	assert.Equal(t, vcs.Branch("x"), held.Branch)
}

func TestCheckNobodyToCommitAs(t *testing.T) {
	r := repoWithPlan(t)
	r.Git("config", "--unset", "user.email")
	r.Git("config", "user.useConfigOnly", "true")
	_, err := workspace.Check(t.Context(), r.Open(t), options(r))
	var ie *vcs.IdentityError
	require.ErrorAs(t, err, &ie)

	o := options(r)
	o.ReadOnly = true
	_, err = workspace.Check(t.Context(), r.Open(t), o)
	require.NoError(t, err, "a report commits nothing")
}
