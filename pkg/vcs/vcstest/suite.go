package vcstest

import (
	"context"
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
	var all []story
	for _, part := range [][]story{placeStories, branchStories, statusStories, commitStories, hookStories, historyStories} {
		all = append(all, part...)
	}
	for _, st := range all {
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			st.tell(t, &stage{Repo: NewRepo(t), open: open})
		})
	}
}
