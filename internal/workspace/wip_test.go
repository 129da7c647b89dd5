package workspace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/workspace"
	"ralphex/pkg/vcs/vcstest"
)

func TestKeeperKeepsEachStateOnce(t *testing.T) {
	r := vcstest.NewRepo(t)
	r.Write("a", "1")
	r.Commit("first")
	k := workspace.NewKeeper(r.Open(t), "run1")

	kept, err := k.Keep(t.Context(), "nothing to keep")
	require.NoError(t, err)
	assert.Zero(t, kept, "a clean tree")

	r.Write("a", "2")
	r.Write("new", "n")
	first, err := k.Keep(t.Context(), "the session was cut off")
	require.NoError(t, err)
	assert.Equal(t, "refs/ralphex/wip/run1/1", first.Ref)
	assert.Equal(t, "2", r.Git("show", first.Ref+":a"))
	assert.Equal(t, "n", r.Git("show", first.Ref+":new"))
	assert.Equal(t, "the session was cut off", r.Git("log", "-1", "--format=%s", first.Ref))

	again, err := k.Keep(t.Context(), "the task was given up")
	require.NoError(t, err)
	assert.Equal(t, first, again, "the same tree")

	r.Write("a", "3")
	second, err := k.Keep(t.Context(), "once more")
	require.NoError(t, err)
	assert.Equal(t, "refs/ralphex/wip/run1/2", second.Ref)

	next, err := workspace.NewKeeper(r.Open(t), "run1").Keep(t.Context(), "the next process of the run")
	require.NoError(t, err)
	assert.Equal(t, "refs/ralphex/wip/run1/3", next.Ref)
	assert.Equal(t, "2", r.Git("show", first.Ref+":a"), "nothing is overwritten")
}
