package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

func archive(t *testing.T, r *vcstest.Repo, plan string) workspace.Archived {
	t.Helper()
	a, err := workspace.Archive(t.Context(), r.Open(t), plan, workspace.ArchiveOptions{Trailer: "Made-for: tests"})
	require.NoError(t, err)
	return a
}

func TestArchiveTracked(t *testing.T) {
	r := repoWithPlan(t)
	r.Write("a.go", "staged\n")
	r.Git("add", "a.go")
	r.Write(planFile, "# X\n\n### Task 1: a\n\n- [x] a\n")
	a := archive(t, r, r.Path(planFile))
	assert.Equal(t, workspace.Archived{From: r.Path(planFile), To: r.Path("docs/plans/completed/x.md"), Moved: true, Committed: true, Rev: vcs.Rev(r.Head()), Message: "move completed plan: x.md"}, a)
	assert.Equal(t, "move completed plan: x.md\n\nMade-for: tests\n", r.Git("log", "-1", "--format=%B"))
	assert.Equal(t, []string{"A\tdocs/plans/completed/x.md", "D\tdocs/plans/x.md"}, r.Committed())
	assert.Contains(t, r.Read("docs/plans/completed/x.md"), "- [x]", "the ticked copy")
	assert.Equal(t, "M  a.go", r.Status(), "what the user staged stays staged")
}

func TestArchiveNeverOverwrites(t *testing.T) {
	r := repoWithPlan(t)
	r.Write("docs/plans/completed/x.md", "an older one\n")
	r.Write("docs/plans/completed/x-2.md", "another one\n")
	r.Write("docs/plans/completed/x-3.md", "removed, but known\n")
	r.Commit("older")
	r.Remove("docs/plans/completed/x-3.md")
	r.Write("docs/plans/completed/x-4.md", "untracked\n")
	a := archive(t, r, r.Path(planFile))
	assert.Equal(t, r.Path("docs/plans/completed/x-5.md"), a.To)
	assert.Equal(t, "an older one\n", r.Read("docs/plans/completed/x.md"))
	assert.Equal(t, "another one\n", r.Read("docs/plans/completed/x-2.md"))
	assert.Equal(t, "untracked\n", r.Read("docs/plans/completed/x-4.md"))
	assert.Equal(t, " D docs/plans/completed/x-3.md\n?? docs/plans/completed/x-4.md", r.Status())
}

func TestArchiveIgnoredOrUntracked(t *testing.T) {
	for _, ignored := range []bool{true, false} {
		r := vcstest.NewRepo(t)
		if ignored {
			r.Write(".gitignore", "/plans/\n")
		}
		head := r.Commit("first")
		r.Write("plans/p ü.md", "mine\n")
		r.Write("plans/completed/p ü.md", "older\n")
		a := archive(t, r, r.Path("plans/p ü.md"))
		assert.Equal(t, workspace.Archived{From: r.Path("plans/p ü.md"), To: r.Path("plans/completed/p ü-2.md"), Moved: true}, a)
		assert.Equal(t, head, r.Head(), "no commit")
		assert.Equal(t, "mine\n", r.Read("plans/completed/p ü-2.md"))
		assert.Equal(t, "older\n", r.Read("plans/completed/p ü.md"))
		assert.NoFileExists(t, r.Path("plans/p ü.md"))
	}
}

func TestArchiveOutside(t *testing.T) {
	r := repoWithPlan(t)
	r.Write("../plans/p.md", "mine\n")
	from := filepath.Join(filepath.Dir(r.Dir), "plans", "p.md")
	a := archive(t, r, from)
	assert.Equal(t, filepath.Join(filepath.Dir(from), "completed", "p.md"), a.To)
	assert.FileExists(t, a.To)
}

func TestArchiveIsThereAlready(t *testing.T) {
	r := repoWithPlan(t)
	first := archive(t, r, r.Path(planFile))
	head := r.Head()
	a := archive(t, r, r.Path("docs/plans/completed/x.md"))
	assert.Equal(t, workspace.Archived{From: first.To, To: first.To}, a)
	a = archive(t, r, r.Path(planFile))
	assert.Equal(t, workspace.Archived{From: r.Path(planFile), To: first.To}, a)
	assert.Equal(t, head, r.Head())
	_, err := workspace.Archive(t.Context(), r.Open(t), r.Path("docs/plans/never.md"), workspace.ArchiveOptions{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A run that was killed between the move and its commit is finished by the next one.
func TestArchiveFinishesAKilledMove(t *testing.T) {
	for _, row := range []struct {
		name string
		kill func(r *vcstest.Repo)
		dst  string
		ask  string
	}{
		{"moved by the repository", func(r *vcstest.Repo) { r.Git("mv", planFile, "docs/plans/completed/x.md") }, "docs/plans/completed/x.md", planFile},
		{"asked by its new name", func(r *vcstest.Repo) { r.Git("mv", planFile, "docs/plans/completed/x.md") }, "docs/plans/completed/x.md", "docs/plans/completed/x.md"},
		{"numbered", func(r *vcstest.Repo) { r.Git("mv", planFile, "docs/plans/completed/x-2.md") }, "docs/plans/completed/x-2.md", "docs/plans/completed/x-2.md"},
		{"by hand", func(r *vcstest.Repo) {
			r.Write("docs/plans/completed/x-2.md", r.Read(planFile))
			r.Remove(planFile)
		}, "docs/plans/completed/x-2.md", planFile},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := repoWithPlan(t)
			r.Write("docs/plans/completed/other.md", "1")
			r.Commit("other")
			row.kill(r)
			a := archive(t, r, r.Path(row.ask))
			assert.Equal(t, workspace.Archived{From: r.Path(planFile), To: r.Path(row.dst), Committed: true, Rev: vcs.Rev(r.Head()), Message: "move completed plan: x.md"}, a)
			assert.Empty(t, r.Status())
			assert.Equal(t, "move completed plan: x.md", r.Git("log", "-1", "--format=%s"))
		})
	}
}

func TestArchiveOnTheRunsBranchOnly(t *testing.T) {
	r := repoWithPlan(t)
	a, err := workspace.Archive(t.Context(), r.Open(t), r.Path(planFile), workspace.ArchiveOptions{Branch: "x"})
	require.ErrorIs(t, err, workspace.ErrMoved)
	assert.Equal(t, r.Path(planFile), a.To)
	assert.FileExists(t, r.Path(planFile))
}

func TestArchiveTellsWhereThePlanIsAfterARefusal(t *testing.T) {
	r := repoWithPlan(t)
	r.Hook("pre-commit", "exit 1")
	a, err := workspace.Archive(t.Context(), r.Open(t), r.Path(planFile), workspace.ArchiveOptions{})
	var he *vcs.HookError
	require.ErrorAs(t, err, &he)
	assert.Equal(t, r.Path("docs/plans/completed/x.md"), a.To)
	assert.True(t, a.Moved)
	assert.False(t, a.Committed)
	r.Hook("pre-commit", "exit 0")
	assert.True(t, archive(t, r, a.To).Committed)
}

func TestArchiveLeavesALink(t *testing.T) {
	r := repoWithPlan(t)
	require.NoError(t, os.Symlink("x.md", r.Path("docs/plans/link.md")))
	_, err := workspace.Archive(t.Context(), r.Open(t), r.Path("docs/plans/link.md"), workspace.ArchiveOptions{})
	require.ErrorContains(t, err, "is a link")
}

func TestEnsureSelfIgnored(t *testing.T) {
	r := repoWithPlan(t)
	r.Write(".ralph/.gitignore", "") // what a crash left
	r.Write("own/.gitignore", "/mine\n")
	r.Write("store/tasks.json", "{}")
	for _, dir := range []string{".ralph", ".ralphex/progress", "own", "store", "store/events"} {
		for range 2 {
			require.NoError(t, workspace.EnsureSelfIgnored(r.Path(dir)))
		}
		r.Write(dir+"/x", "1")
	}
	assert.Equal(t, "*\n", r.Read(".ralph/.gitignore"))
	assert.Equal(t, "/mine\n", r.Read("own/.gitignore"), "somebody's own is left alone")
	assert.Equal(t, "?? own/.gitignore\n?? own/x\n?? store/tasks.json\n?? store/x", r.Status(), "files of somebody else's are not hidden")
}
