package vcs_test

import (
	"context"
	"testing"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// opener opens with one backend.
func opener(backend string) vcstest.Opener {
	return func(ctx context.Context, dir string, env []string) (vcs.Repo, error) {
		return vcs.Open(ctx, dir, vcs.Options{Env: env, Backend: backend})
	}
}

func TestConformance(t *testing.T) {
	t.Run("auto", func(t *testing.T) { vcstest.Run(t, opener("auto")) })
	t.Run("git", func(t *testing.T) { vcstest.RunReads(t, opener("git")) })
}

func TestContract(t *testing.T) {
	vcstest.RunContract(t, vcstest.Backend{Name: "git", New: vcstest.NewGitPerson, Open: opener("git")})
}
