package vcs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
	"ralphex/scripts"
)

func TestLine(t *testing.T) {
	git := vcs.LineOf(nil, "x")
	assert.True(t, git.Same("x", "x"))
	assert.False(t, git.Same("x", "master"))
	assert.False(t, git.Grows())
	for _, row := range []struct {
		own, a, b vcs.Branch
		same      bool
	}{
		{"x", "master", "x", true},
		{"x", "x", "master", true},
		{"x", "master", "draft", false},
		{"x", "x", "y", false},
		{"master", "master", "draft", true},
		{"draft", "draft", "master", true},
	} {
		assert.Equal(t, row.same, vcs.LineOf(grows{}, row.own).Same(row.a, row.b), "%+v", row)
	}
}

// grows is a repository as far as LineOf looks.
type grows struct{ vcs.Grower }

func (grows) Public() vcs.Branch { return "master" }

// Two backends over Mercurial: ours, and a person's own copy of the script as vcs_command.
func overHg(t *testing.T, try func(t *testing.T, r *vcstest.HgRepo, v vcs.Repo, g vcs.Grower)) {
	t.Helper()
	for name, config := range map[string][]string{"plain": nil, "evolve": {"[extensions]", "evolve ="}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if config != nil {
				needEvolve(t)
			}
			r, v := hgRepo(t, config...)
			try(t, r, v, v.(vcs.Grower))
		})
		t.Run(name+" through a wrapper", func(t *testing.T) {
			t.Parallel()
			if config != nil {
				needEvolve(t)
			}
			r, _ := hgRepo(t, config...)
			tool := filepath.Join(t.TempDir(), "my-hg2git.sh")
			require.NoError(t, os.WriteFile(tool, []byte(scripts.Hg2git), 0o755))
			v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Command: tool})
			require.NoError(t, err)
			require.Equal(t, "wrapper", v.Kind())
			assert.Equal(t, "Mercurial", vcs.VerbsOf(v).System)
			try(t, r, v, v.(vcs.Grower))
		})
	}
}

// What an agent does itself: amending is the way of the system, leaving is a surprise.
func TestHgAmendedByAnAgent(t *testing.T) {
	overHg(t, func(t *testing.T, r *vcstest.HgRepo, v vcs.Repo, g vcs.Grower) {
		ctx := t.Context()
		assert.Equal(t, vcs.Branch("master"), g.Public())
		ahead, err := g.Ahead(ctx)
		require.NoError(t, err)
		assert.Empty(t, ahead)
		require.NoError(t, v.CreateBranch(ctx, "x"))
		ahead, err = g.Ahead(ctx)
		require.NoError(t, err)
		assert.Equal(t, vcs.Branch("x"), ahead)

		r.Write("a", "2\n")
		first, err := v.Commit(ctx, vcs.CommitRequest{Message: "feat: one", Title: "The plan", Paths: []string{"a"}})
		require.NoError(t, err)
		assert.True(t, first.Titled)
		r.Write("a", "3\n")
		second, err := v.Commit(ctx, vcs.CommitRequest{Message: "feat: two", Title: "The plan", Paths: []string{"a"}})
		require.NoError(t, err)
		assert.False(t, second.Titled)
		assert.Equal(t, []string{"The plan"}, r.Drafts())
		require.Equal(t, "x", string(branchOf(t, v)))

		follows := func(from vcs.Rev, amended, ancestor bool, why string) {
			t.Helper()
			require.NotEmpty(t, branchOf(t, v)) // a run looks at HEAD before it asks
			now := r.Node()
			got, err := g.Amended(ctx, from, now)
			require.NoError(t, err)
			assert.Equal(t, amended, got, why)
			got, err = v.IsAncestor(ctx, from, now)
			require.NoError(t, err)
			assert.Equal(t, ancestor, got, why)
		}
		before := second.Rev
		r.Write("a", "4\n")
		r.Hg("--config", "extensions.amend=", "amend", "-q")
		follows(before, true, true, "amended once")

		before = r.Node()
		r.Write("b", "1\n")
		r.Draft("the agent's own")
		follows(before, false, true, "a commit on top")

		before = r.Node()
		r.Hg("update", "-q", "-r", "last(public())")
		follows(before, false, false, "gone back to what is public")

		r.Hg("update", "-q", "-r", string(before))
		require.NotEmpty(t, branchOf(t, v))
		r.Hg("--config", "extensions.strip=", "strip", "-q", "-r", string(before))
		follows(before, false, false, "stripped")
	})
}
