package vcs_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// Random histories: each commit of ours holds what it should and nothing of what isn't ours, one draft grows until it is published, and what
// the repository says of its files is what lies there. RALPHEX_HG_HISTORIES sets how many, 100 at most.
func TestHgHistories(t *testing.T) {
	histories := 1
	if n, err := strconv.Atoi(os.Getenv("RALPHEX_HG_HISTORIES")); err == nil {
		histories = min(n, 100)
	}
	names := []string{"a", "b c", "ü/é", "d/e/f", "-x", "q\"q", "d/*", "re:z", "#h", "back\\slash"}
	for seed := range uint64(histories) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 11))
			r, v := hgRepo(t)
			ctx := t.Context()
			for step := range 8 {
				var ours []string
				for _, n := range names {
					switch rnd.IntN(6) {
					case 0:
						r.Write(n, fmt.Sprint("ours", step, n))
						ours = append(ours, n)
					case 1:
						r.Remove(n)
						ours = append(ours, n)
					case 2:
						r.Write(n, fmt.Sprint("theirs", step))
					}
				}
				drafts := len(r.Drafts())
				before := pending(t, v, ours)
				res, err := v.Commit(ctx, vcs.CommitRequest{Message: fmt.Sprintf("step %d", step), Paths: ours})
				require.NoError(t, err, "step %d", step)
				assert.Empty(t, res.Left)
				assert.Equal(t, before, pending(t, v, ours), "step %d: what isn't ours stays as it was", step)
				s, err := v.Status(ctx)
				require.NoError(t, err)
				for _, p := range ours {
					assert.False(t, s.Has(p), "step %d: %q is clean after its commit", step, p)
				}
				if res.Rev != "" {
					assert.Equal(t, drafts == 1, res.Replaced != "", "step %d", step)
					assert.Len(t, r.Drafts(), 1, "step %d", step)
				}
				if rnd.IntN(4) == 0 {
					r.Hg("phase", "--public", "-r", ".")
				}
			}
		})
	}
}

// pending lists what is dirty apart from the given paths.
func pending(t *testing.T, v vcs.Repo, without []string) string {
	t.Helper()
	s, err := v.Status(t.Context())
	require.NoError(t, err)
	var lines []string
	for _, c := range s.Changes {
		if !slices.Contains(without, c.Path) {
			lines = append(lines, c.String())
		}
	}
	return strings.Join(lines, "\n")
}

// A commit of more names than a command line should hold goes through a file of names, and leaves none behind.
func TestHgManyPaths(t *testing.T) {
	t.Parallel()
	r, v := hgRepo(t)
	var paths []string
	for i := range 1500 {
		p := fmt.Sprintf("dir/%04d-%s", i, strings.Repeat("x", 80))
		r.Write(p, "1")
		paths = append(paths, p)
	}
	r.Write("other", "1")
	commitHg(t, v, "many", paths...)
	s, err := v.Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"other"}, s.Paths())
	for _, p := range paths {
		r.Remove(p)
	}
	commitHg(t, v, "fewer", paths...)
	s, err = v.Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"other"}, s.Paths())
	left, err := os.ReadDir(r.Path(".hg/ralphex"))
	require.NoError(t, err)
	for _, e := range left {
		assert.Equal(t, "amends", e.Name())
	}
}
