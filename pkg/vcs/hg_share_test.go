package vcs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// share makes a share of a repository by hand, at a commit, and opens it.
func share(t *testing.T, r *vcstest.HgRepo, at vcs.Rev) vcs.Repo {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "other")
	r.Hg("--config", "extensions.share=", "share", "-q", "-U", "--bookmarks", r.Dir, dir)
	r.Hg("-R", dir, "update", "-q", "-r", string(at))
	v, err := vcs.Open(t.Context(), dir, vcs.Options{Env: r.Env})
	require.NoError(t, err)
	return v
}

// checkout remembers a person's checkout, what they see and the bytes that Mercurial keeps of it, and returns the check that it is as it was.
// The bytes are read last before and first after, since a person's own `hg status` may write some of them.
func checkout(t *testing.T, r *vcstest.HgRepo) (untouched func()) {
	t.Helper()
	look := func() []string {
		return []string{r.Hg("log", "-r", ".", "-T", "{node} {activebookmark}"), r.Hg("status"), r.Hg("diff", "--nodates"), r.Hg("log", "-r", "mine", "-T", "{node}")}
	}
	read := func() map[string]string {
		bytes := map[string]string{}
		for _, name := range []string{".hg/dirstate", ".hg/bookmarks.current", "a"} {
			b, err := os.ReadFile(r.Path(name))
			if !errors.Is(err, fs.ErrNotExist) { // no bookmark is active
				require.NoError(t, err)
			}
			bytes[name] = string(b)
		}
		return bytes
	}
	seen, bytes := look(), read()
	return func() {
		t.Helper()
		assert.Equal(t, bytes, read())
		assert.Equal(t, seen, look())
	}
}

func grow(t *testing.T, v vcs.Repo, text string) vcs.CommitResult {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(v.Root(), "x"), []byte(text), 0o644))
	res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "task " + text, Title: "plan " + text, Paths: []string{"x"}})
	require.NoError(t, err)
	require.NotEmpty(t, res.Rev)
	return res
}

// A run in a share must not amend a commit away that the other checkout stands on: Mercurial would let it, and leave that checkout with
// an unknown parent.
func TestHgShareLeavesTheOtherCheckoutAlone(t *testing.T) {
	for name, c := range map[string]struct {
		config  []string
		upgrade []string
	}{
		"plain":    {},
		"evolve":   {config: []string{"[extensions]", "evolve =", "[experimental]", "evolution = all"}},
		"sharing":  {config: []string{"[extensions]", "share ="}},
		"dirstate": {config: []string{"[storage]", "dirstate-v2.slow-path = allow"}, upgrade: []string{"--config", "format.use-dirstate-v2=yes", "debugupgraderepo", "-q", "--run", "--no-backup"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "evolve" {
				needEvolve(t)
			}
			r, _ := hgRepo(t, c.config...)
			if c.upgrade != nil {
				r.Hg(c.upgrade...)
				require.Contains(t, r.Hg("debugrequires"), "dirstate-v2")
			}
			r.Hg("bookmark", "mine")
			r.Write("a", "mine\n")
			mine := r.Draft("mine")
			r.Write("a", "not committed\n")
			untouched := checkout(t, r)

			v := share(t, r, mine)
			one := grow(t, v, "1")
			assert.Empty(t, one.Replaced, "on top of what the other checkout stands on")
			assert.True(t, one.Titled)
			two := grow(t, v, "2")
			assert.Equal(t, one.Rev, two.Replaced, "its own draft grows")
			assert.Equal(t, []string{"mine", "plan 1"}, r.Drafts())
			untouched()

			// They go and look at what the run has so far.
			r.Hg("bookmark", "-q", "--inactive", "mine")
			r.Hg("update", "-q", "-r", string(two.Rev))
			untouched = checkout(t, r)
			three := grow(t, v, "3")
			assert.Empty(t, three.Replaced)
			untouched()

			// They go away, but keep its name.
			r.Hg("bookmark", "-q", "-r", string(three.Rev), "keep")
			four := grow(t, v, "4")
			assert.Empty(t, four.Replaced)
			assert.Equal(t, string(three.Rev), r.Hg("log", "-r", "keep", "-T", "{node}"))
			five := grow(t, v, "5")
			assert.Equal(t, four.Rev, five.Replaced)
		})
	}
}
