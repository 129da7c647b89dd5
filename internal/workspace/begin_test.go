package workspace_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/workspace"
	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

func begin(t *testing.T, r *vcstest.Repo, o workspace.Options) workspace.Started {
	t.Helper()
	p, err := workspace.Check(t.Context(), r.Open(t), o)
	require.NoError(t, err)
	s, err := p.Begin(t.Context())
	require.NoError(t, err)
	return s
}

func TestBeginMakesBranchAndCommitsThePlan(t *testing.T) {
	r := repoWithPlan(t)
	main := r.Head()
	r.Write("docs/plans/größer 2.md", "# Y\n")
	o := options(r)
	o.PlanPath, o.DerivedBranch, o.Trailer = r.Path("docs/plans/größer 2.md"), "groesser-2", "Made-for: tests"
	s := begin(t, r, o)
	assert.Equal(t, workspace.Started{Head: vcs.Head{Rev: vcs.Rev(r.Head()), Branch: "groesser-2"}, Branch: "groesser-2",
		Created: true, PlanCommit: vcs.Rev(r.Head()), PlanMessage: "add plan: groesser-2"}, s)
	assert.Equal(t, main, r.Git("rev-parse", "main"), "the default branch stays")
	assert.Equal(t, main, r.Git("rev-parse", "HEAD~1"))
	assert.Equal(t, "add plan: groesser-2\n\nMade-for: tests\n", r.Git("log", "-1", "--format=%B"))
	assert.Equal(t, []string{"A\tdocs/plans/größer 2.md"}, r.Committed())
	assert.Empty(t, r.Status())
}

func TestBeginFromASubfolderThroughALink(t *testing.T) {
	r := repoWithPlan(t)
	r.Write(planFile, "changed")
	v, err := vcs.Open(t.Context(), r.Path("docs/plans"), vcs.Options{Env: r.Env})
	require.NoError(t, err)
	p, err := workspace.Check(t.Context(), v, options(r))
	require.NoError(t, err)
	_, err = p.Begin(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"M\t" + planFile}, r.Committed())
}

func TestBeginKeepsWhatIsTheUsers(t *testing.T) {
	r := repoWithPlan(t)
	r.Git("checkout", "-q", "-b", "feature")
	r.Write("a.go", "staged\n")
	r.Git("add", "a.go")
	r.Write("a.go", "worked\n")
	r.Write("notes", "mine")
	r.Write(planFile, "changed")
	o := options(r)
	s := begin(t, r, o)
	assert.Equal(t, "refs/ralphex/wip/run1/start", s.SnapshotRef)
	assert.Equal(t, "worked", r.Git("show", s.SnapshotRef+":a.go"))
	assert.Equal(t, "staged", r.Git("show", s.SnapshotRef+"^2:a.go"))
	assert.Equal(t, "mine", r.Git("show", s.SnapshotRef+":notes"))
	assert.Equal(t, "MM a.go\n?? notes", r.Status(), "index and tree are as they were")
	assert.Equal(t, []string{"M\t" + planFile}, r.Committed())
	assert.Equal(t, "add plan: feature", r.Git("log", "-1", "--format=%s"))

	s = begin(t, r, o)
	assert.Equal(t, "refs/ralphex/wip/run1/start-2", s.SnapshotRef, "started again: the first snapshot stays")
	assert.Empty(t, s.PlanCommit)
}

func TestBeginSwitches(t *testing.T) {
	r := repoWithPlan(t)
	r.Git("branch", "-q", "x")
	s := begin(t, r, options(r))
	assert.True(t, s.Switched)
	assert.Equal(t, vcs.Branch("x"), s.Head.Branch)
	assert.Empty(t, s.PlanCommit, "the plan needs no commit")
}

func TestBeginRefusesWhenTheRepositoryMoved(t *testing.T) {
	r := repoWithPlan(t)
	p, err := workspace.Check(t.Context(), r.Open(t), options(r))
	require.NoError(t, err)
	r.Commit("somebody else's")
	_, err = p.Begin(t.Context())
	require.ErrorIs(t, err, workspace.ErrMoved)
	assert.Equal(t, "main", r.Git("for-each-ref", "--format=%(refname:short)"), "nothing was made")
}

func TestBeginTellsWhatAHookRefused(t *testing.T) {
	r := repoWithPlan(t)
	r.Hook("pre-commit", "echo 'plans need a ticket' >&2; exit 1")
	r.Write(planFile, "changed")
	p, err := workspace.Check(t.Context(), r.Open(t), options(r))
	require.NoError(t, err)
	s, err := p.Begin(t.Context())
	var he *vcs.HookError
	require.ErrorAs(t, err, &he)
	require.ErrorContains(t, err, "plans need a ticket")
	assert.True(t, s.Created)

	r.Hook("pre-commit", "exit 0")
	s = begin(t, r, options(r))
	assert.NotEmpty(t, s.PlanCommit, "starting again goes on from there")
	assert.False(t, s.Created)
}

// overtaken is a repository in which somebody is faster than a commit of ours.
type overtaken struct {
	vcs.Repo
	move func()
}

func (o *overtaken) Commit(ctx context.Context, r vcs.CommitRequest) (vcs.CommitResult, error) {
	o.move()
	return o.Repo.Commit(ctx, r)
}

// surprised demands that a write was refused with what was expected and what was found.
func surprised(t *testing.T, err error, want, got string) {
	t.Helper()
	se, ok := errors.AsType[*vcs.SurpriseError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, [2]string{want, got}, [2]string{se.Want, se.Got})
}

func TestBeginCommitsWhereItLooked(t *testing.T) {
	for name, row := range map[string]struct{ move, want, got string }{
		"another branch": {"checkout -q main", "x", "main"},
		"another commit": {"commit -q --allow-empty -m theirs", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := repoWithPlan(t)
			r.Write(planFile, "# changed\n")
			start := r.Head()
			v := &overtaken{Repo: r.Open(t), move: func() { r.Git(strings.Fields(row.move)...) }}
			p, err := workspace.Check(t.Context(), v, options(r))
			require.NoError(t, err)
			_, err = p.Begin(t.Context())
			if row.want == "" {
				row.want, row.got = start, r.Head()
			}
			surprised(t, err, row.want, row.got)
			assert.Empty(t, r.Git("log", "--all", "--format=%s", "--grep=add plan"))
			assert.Equal(t, "# changed\n", r.Read(planFile))
		})
	}
}

func TestArchiveCommitsWhereItLooked(t *testing.T) {
	r := repoWithPlan(t)
	r.Git("checkout", "-q", "-b", "x")
	v := &overtaken{Repo: r.Open(t), move: func() { r.Git("symbolic-ref", "HEAD", "refs/heads/main") }}
	a, err := workspace.Archive(t.Context(), v, r.Path(planFile), workspace.ArchiveOptions{Branch: "x"})
	surprised(t, err, "x", "main")
	assert.False(t, a.Committed)
	assert.FileExists(t, a.To, "where it says that the plan is")
	assert.Empty(t, r.Git("log", "--all", "--format=%s", "--grep=move"))
}
