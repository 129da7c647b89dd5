package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/workspace"
	"ralphex/pkg/vcs/vcstest"
)

// kept is a repository and a copy of its tree, which has a changed and a new file, a staged version, a link, a program, and lacks one.
func kept(t *testing.T) (*vcstest.Repo, string) {
	t.Helper()
	r := vcstest.NewRepo(t)
	r.Write("a", "1")
	r.Write("gone", "1")
	r.Write(".gitignore", "*.log\n")
	r.Commit("first")
	r.Write("a", "staged")
	r.Git("add", "a")
	r.Write("a", "mine\r\n\x00")
	r.Remove("gone")
	r.Write("dir/new ü.txt", "new")
	r.Write("dir/run.sh", "#!/bin/sh\n")
	require.NoError(t, os.Chmod(r.Path("dir/run.sh"), 0o755))
	require.NoError(t, os.Symlink("new ü.txt", r.Path("dir/link")))
	k, err := workspace.NewKeeper(r.Open(t), "run1").Keep(t.Context(), "why")
	require.NoError(t, err)
	return r, k.Ref
}

func restore(t *testing.T, r *vcstest.Repo, ref string, o workspace.RestoreOptions) (workspace.Restored, map[string]string) {
	t.Helper()
	res, err := workspace.Restore(t.Context(), r.Open(t), ref, o)
	require.NoError(t, err)
	did := map[string]string{}
	for _, f := range res.Files {
		did[f.Path] = f.Did
	}
	return res, did
}

func TestRestoreBringsBackWhatIsMissingAndNothingElse(t *testing.T) {
	r, ref := kept(t)
	before := r.Status()
	_, did := restore(t, r, ref, workspace.RestoreOptions{})
	assert.Equal(t, map[string]string{"a": "same", "gone": "same", "dir/new ü.txt": "same", "dir/run.sh": "same", "dir/link": "same"}, did)
	assert.Equal(t, before, r.Status())

	r.Write("a", "later work")
	r.Write("gone", "is back")
	require.NoError(t, os.RemoveAll(r.Path("dir")))
	res, did := restore(t, r, ref, workspace.RestoreOptions{})
	assert.Equal(t, map[string]string{"a": "left", "gone": "left", "dir/new ü.txt": "restored", "dir/run.sh": "restored", "dir/link": "restored"}, did)
	assert.Equal(t, 2, res.Left())
	assert.Equal(t, "later work", r.Read("a"))
	assert.Equal(t, "is back", r.Read("gone"))
	assert.Equal(t, "new", r.Read("dir/link"))
	fi, err := os.Stat(r.Path("dir/run.sh"))
	require.NoError(t, err)
	assert.NotZero(t, fi.Mode()&0o100)
}

func TestRestoreOverwritesOnlyWhatIsKept(t *testing.T) {
	r, ref := kept(t)
	r.Write("a", "later work")
	res, did := restore(t, r, ref, workspace.RestoreOptions{Overwrite: true, Run: "run1", Paths: []string{"a"}})
	assert.Equal(t, map[string]string{"a": "overwritten"}, did)
	assert.Equal(t, "mine\r\n\x00", r.Read("a"))
	assert.Equal(t, "refs/ralphex/wip/run1/2", res.Before.Ref)
	assert.Equal(t, "later work", r.Git("show", res.Before.Ref+":a"))

	r.Write(".gitignore", "*.log\n*.txt\n")
	r.Write("dir/new ü.txt", "ignored by now")
	res, did = restore(t, r, ref, workspace.RestoreOptions{Overwrite: true, Run: "run1", Paths: []string{"dir"}})
	assert.Equal(t, "left", did["dir/new ü.txt"], "no copy of it could be kept")
	assert.Equal(t, "ignored by now", r.Read("dir/new ü.txt"))
	assert.Empty(t, res.Before.Ref)
}

func TestRestoreStagedAndElsewhere(t *testing.T) {
	r, ref := kept(t)
	to := filepath.Join(t.TempDir(), "deep", "er")
	_, did := restore(t, r, ref, workspace.RestoreOptions{To: to, Staged: true})
	assert.Equal(t, map[string]string{"a": "restored"}, did)
	got, err := os.ReadFile(filepath.Join(to, "a"))
	require.NoError(t, err)
	assert.Equal(t, "staged", string(got))

	_, did = restore(t, r, ref, workspace.RestoreOptions{To: to, Overwrite: true})
	assert.Equal(t, "left", did["a"], "what lies elsewhere is never overwritten")
	assert.Equal(t, "restored", did["dir/run.sh"])
}

// A link in the place of a folder could lead out of the tree.
func TestRestoreNeverFollowsALink(t *testing.T) {
	r, ref := kept(t)
	out := t.TempDir()
	require.NoError(t, os.RemoveAll(r.Path("dir")))
	require.NoError(t, os.Symlink(out, r.Path("dir")))
	res, did := restore(t, r, ref, workspace.RestoreOptions{Overwrite: true, Run: "run1", Paths: []string{"dir"}})
	assert.Equal(t, map[string]string{"dir/new ü.txt": "left", "dir/run.sh": "left", "dir/link": "left"}, did)
	assert.Equal(t, "dir is in the way", res.Files[0].Why)
	left, err := os.ReadDir(out)
	require.NoError(t, err)
	assert.Empty(t, left)
}
