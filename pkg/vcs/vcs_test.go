package vcs_test

import (
	"context"
	"testing"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

func TestConformance(t *testing.T) {
	for _, backend := range []string{"auto", "git"} {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			vcstest.Run(t, func(ctx context.Context, dir string, env []string) (vcs.Repo, error) {
				return vcs.Open(ctx, dir, vcs.Options{Env: env, Backend: backend})
			})
		})
	}
}
