package vcs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/vcs"
	"ralphex/pkg/vcs/vcstest"
)

// Mercurial is asked where the folder stands once, and again when something of that has changed, whoever changed it.
func TestHgIsAskedAgainWhenSomethingChanged(t *testing.T) {
	t.Parallel()
	vcstest.NeedHg(t)
	r := vcstest.NewHgRepo(t)
	r.Public("first")
	real, err := exec.LookPath("hg")
	require.NoError(t, err)
	dir := t.TempDir()
	log, tool := filepath.Join(dir, "log"), filepath.Join(dir, "hg")
	require.NoError(t, os.WriteFile(tool, []byte(fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", log, real)), 0o755))
	v, err := vcs.Open(t.Context(), r.Dir, vcs.Options{Env: append(r.Env[:len(r.Env):len(r.Env)], "HG2GIT_HG="+tool)})
	require.NoError(t, err)
	asked := func() int {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return strings.Count(string(text), "{activebookmark}")
	}
	head := func() vcs.Head {
		t.Helper()
		h, err := v.Head(t.Context())
		require.NoError(t, err)
		return h
	}
	first := head()
	before := asked()
	for range 5 {
		assert.Equal(t, first, head())
	}
	assert.Equal(t, before, asked(), "nothing has changed")

	r.Draft("more")
	second := head()
	assert.NotEqual(t, first.Rev, second.Rev)
	r.Hg("bookmark", "mine")
	assert.Equal(t, vcs.Branch("mine"), head().Branch)
	r.Hg("bookmark", "-i")
	assert.Equal(t, vcs.Branch("draft"), head().Branch)
	r.Hg("phase", "--public", ".")
	assert.Equal(t, vcs.Branch("master"), head().Branch)
	r.Hg("update", "-q", ".^")
	assert.Equal(t, first.Rev, head().Rev)
	assert.LessOrEqual(t, asked(), before+5)
}
