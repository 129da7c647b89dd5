package vcs_test

import (
	"context"
	"os"
	"testing"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

func TestMain(m *testing.M) { os.Exit(vcstest.Main(m)) }

// opener opens with one backend.
func opener(backend string) vcstest.Opener {
	return func(ctx context.Context, dir string, env []string) (vcs.Repo, error) {
		return vcs.Open(ctx, dir, vcs.Options{Env: env, Backend: backend})
	}
}

func TestConformance(t *testing.T) {
	t.Run("auto", func(t *testing.T) { vcstest.Run(t, opener("auto")) })
	t.Run("git", func(t *testing.T) { vcstest.RunReads(t, opener("git")) })
	t.Run("go-git", func(t *testing.T) {
		vcstest.RunOrRefuse(t, opener("go-git"), "hook/", "branch/switch",
			"commit/submodule", "commit/very many paths", "fingerprint",
			"status/submodule", "status/warnings", "tracked/no index", "history/alternates", "history/formats only git reads", "history/a format", "snapshot/keeps every byte")
	})
}

func TestContract(t *testing.T) {
	contract(t, vcstest.Backend{Name: "git", New: vcstest.NewGitPerson, Open: opener("git")})
	vcstest.RunContract(t, vcstest.Backend{Name: "auto", New: vcstest.NewGitPerson, Open: opener("auto")})
	contract(t, vcstest.Backend{Name: "go-git", New: vcstest.NewGitPerson, Open: opener("go-git"), Lacks: []string{"switch branches", "hooks run", "status tells a rename"}})
}
