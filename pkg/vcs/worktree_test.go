package vcs_test

import (
	"testing"

	"ralphex/pkg/vcs/vcstest"
)

func TestWorktrees(t *testing.T) {
	for _, backend := range []string{"auto", "git"} {
		t.Run(backend, func(t *testing.T) { vcstest.RunWorktrees(t, opener(backend)) })
	}
}
