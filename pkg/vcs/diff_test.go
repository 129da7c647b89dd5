package vcs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// TestDiffAppliesAgain: git makes of the base and the patch what the patch was made of, whoever wrote it.
func TestDiffAppliesAgain(t *testing.T) {
	for _, backend := range []string{"git", "go-git"} {
		t.Run(backend, func(t *testing.T) {
			r := vcstest.NewRepo(t)
			long := strings.Repeat("a line that is there many times\n", 40)
			r.Write("changed", "1\n"+long+"2\n"+long+"3")
			r.Write("gone", "1\n2\n")
			r.Write("dir/old name", "a long enough text\nto be known again\nwhen it moved\n")
			r.Write("empty", "")
			base := vcs.Rev(r.Commit("base"))
			r.Write("changed", "one\n"+long+"two\n"+long+"3\n")
			r.Remove("gone")
			r.Git("mv", "dir/old name", "new name")
			r.Write("ü/new", "1\n")
			head := vcs.Rev(r.Commit("head"))
			want := r.Git("rev-parse", "HEAD^{tree}")

			v, err := opener(backend)(t.Context(), r.Dir, r.Env)
			require.NoError(t, err)
			p, err := vcs.Diff(t.Context(), v, base, head, 0)
			require.NoError(t, err)
			assert.Contains(t, p.Text, "rename from dir/old name\nrename to new name\n")
			r.Write("gone", "kept in the tree only\n")
			tree, err := vcs.Diff(t.Context(), v, base, "", 0)
			require.NoError(t, err)
			assert.Equal(t, p, tree, "what the repository doesn't know is no part of the change")

			r.Remove("gone")
			patch := filepath.Join(t.TempDir(), "patch")
			require.NoError(t, os.WriteFile(patch, []byte(p.Text), 0o600))
			r.Git("reset", "-q", "--hard", string(base))
			r.Git("apply", "--index", patch)
			assert.Equal(t, want, r.Git("write-tree"))
		})
	}
}

// TestDiffOfAWrapperWithoutOne: a script that keeps the protocol and no more has no findings of ours, and no error either.
func TestDiffOfAWrapperWithoutOne(t *testing.T) {
	r := vcstest.NewRepo(t)
	r.Write("a", "1\n")
	base := vcs.Rev(r.Commit("base"))
	v, err := openWrapper(wrapperOf(t, "case \"$1 $2\" in\n\"diff --numstat\") ;;\ndiff*) exit 129 ;;\nesac\nexec git \"$@\"\n"))(t.Context(), r.Dir, r.Env)
	require.NoError(t, err)
	_, err = vcs.Diff(t.Context(), v, base, "", 0)
	assert.True(t, errors.Is(err, vcs.ErrUnsupported), "%v", err)
}
