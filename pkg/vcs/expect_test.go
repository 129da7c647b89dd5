package vcs_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// Somebody moves HEAD after it was looked at, while new files are added: nothing is committed, and nothing of ours stays in the index.
func TestHeadMovesDuringACommit(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	require.NoError(t, err)
	for name, move := range map[string]string{
		"another branch": "checkout -q other",
		"another commit": "commit -q --allow-empty --only -m theirs",
		"a commit that takes along what we staged": "commit -q -m theirs",
		"detached": "checkout -q --detach",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := vcstest.NewRepo(t)
			r.Write("a", "1")
			start := vcs.Head{Rev: vcs.Rev(r.Commit("first")), Branch: "main"}
			r.Git("branch", "other")
			tool := filepath.Join(t.TempDir(), "git")
			require.NoError(t, os.WriteFile(tool, fmt.Appendf(nil,
				"#!/bin/sh\n'%s' \"$@\" || exit\ntest \"$1\" != add || '%s' -C '%s' %s\n", real, real, r.Dir, move), 0o755))
			v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: r.Env, Command: tool})
			require.NoError(t, err)
			r.Write("a", "2")
			r.Write("new", "2")
			res, err := v.Commit(t.Context(), vcs.CommitRequest{Message: "ours", Paths: []string{"a", "new"}, Expect: &start})
			se, ok := errors.AsType[*vcs.SurpriseError](err)
			require.True(t, ok, "%v", err)
			now, err := v.Head(t.Context())
			require.NoError(t, err)
			want, got := string(start.Branch), string(now.Branch)
			if want == got {
				want, got = string(start.Rev), string(now.Rev)
			}
			assert.Equal(t, [2]string{want, got}, [2]string{se.Want, se.Got})
			assert.Empty(t, res)
			assert.Empty(t, r.Git("log", "--all", "--format=%s", "--grep=ours"))
			status := " M a\n?? new"
			if _, taken := r.TryGit("cat-file", "-e", "HEAD:new"); taken == nil {
				status = " M a"
			}
			assert.Equal(t, status, r.Status())
		})
	}
}
