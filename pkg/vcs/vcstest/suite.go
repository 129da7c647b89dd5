package vcstest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
)

// Opener opens the repository that dir lies in with the given environment.
type Opener func(ctx context.Context, dir string, env []string) (vcs.Repo, error)

// story is one promise of vcs.Repo, told on a fresh repository.
type story struct {
	name string
	tell func(t *testing.T, s *stage)
}

// stage is what a story plays on.
type stage struct {
	*Repo
	open Opener
}

// repo opens the stage's repository.
func (s *stage) repo(t *testing.T) vcs.Repo {
	t.Helper()
	return s.at(t, s.Dir)
}

func (s *stage) at(t *testing.T, dir string) vcs.Repo {
	t.Helper()
	v, err := s.open(t.Context(), dir, s.Env)
	require.NoError(t, err)
	return v
}

// Run holds a backend to every promise.
func Run(t *testing.T, open Opener) {
	RunReads(t, open)
	run(t, open, nil, commitStories, hookStories)
}

// RunReads is Run without the stories of commits and hooks: for a backend that shares those with another one that Run is held to.
func RunReads(t *testing.T, open Opener) {
	run(t, open, nil, append(readStories(), renameStories)...)
}

// RunOrRefuse is Run for a backend that can't do everything: in the named stories ("hook/" names all that begin so) it must refuse
// something with vcs.ErrUnsupported, and touch nothing by that. All others it must tell to the end.
func RunOrRefuse(t *testing.T, open Opener, refuses ...string) {
	run(t, open, refuses, append(readStories(), commitStories, hookStories)...)
}

func readStories() [][]story {
	return [][]story{placeStories, branchStories, statusStories, historyStories, snapshotStories, deletionStories}
}

func run(t *testing.T, open Opener, refuses []string, parts ...[]story) {
	for _, st := range slices.Concat(parts...) {
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			s := &stage{Repo: NewRepo(t), open: open}
			expected := slices.ContainsFunc(refuses, func(name string) bool { return strings.HasPrefix(st.name, name) })
			if refuses != nil {
				s.open = refusing(t, open, expected)
			}
			st.tell(t, s)
			if expected {
				t.Errorf("nothing was refused: take %q out of the list", st.name)
			}
		})
	}
}
