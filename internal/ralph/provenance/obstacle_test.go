package provenance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A latest copy is a copy: what stands in its place costs the copy, is told once, stays as it is, and leaves the session's own evidence whole.
func TestAPointerThatCantBeWrittenCostsThePointer(t *testing.T) {
	l, w := workspace(t)
	for _, path := range l.Latest().Paths() {
		require.NoError(t, os.MkdirAll(filepath.Join(path, "mine"), 0o750))
	}
	s, err := Prepare(w, iteration(l, 1), preparation("do it\n"))
	require.NoError(t, err)
	text, err := s.Prompt()
	require.NoError(t, err)
	require.NoError(t, s.Payload(text))
	_, err = s.Finish(outcome())
	require.NoError(t, err)
	v, err := Verify(l, s.ID())
	require.NoError(t, err)
	assert.Empty(t, v.Differences)
	assert.Equal(t, Executed, v.Status)
	var told []string
	for _, err := range s.Show() {
		told = append(told, err.Error())
	}
	assert.Len(t, told, 10, "as many as were to be written: %q", told)
	assert.Contains(t, strings.Join(told, "\n"), l.Latest().PreflightReport+" is a folder, expected a file")
	assert.Empty(t, s.Show(), "told once")
	for _, e := range s.Entries() {
		assert.Empty(t, e.LatestAlias, "what was not written is not registered")
	}
	for _, path := range l.Latest().Paths() {
		assert.DirExists(t, filepath.Join(path, "mine"))
	}
}

// A file of the iteration that can't be written is an error; all others are there, and the check says which is missing.
func TestAFileThatCantBeWrittenDoesNotCostTheOthers(t *testing.T) {
	l, w := workspace(t)
	it := iteration(l, 1)
	for _, path := range []string{it.Paths.Stdout, it.Paths.Stderr} {
		require.NoError(t, os.MkdirAll(path, 0o750))
	}
	s, err := Prepare(w, it, preparation("do it\n"))
	require.NoError(t, err)
	text, err := s.Prompt()
	require.NoError(t, err)
	require.NoError(t, s.Payload(text))
	res, err := s.Finish(outcome())
	require.ErrorContains(t, err, it.Paths.Stdout+" is a folder, expected a file")
	require.ErrorContains(t, err, "1 more files could not be written")
	assert.Equal(t, 1, res.Number, "the result is as it would be")
	v, err := Verify(l, s.ID())
	require.NoError(t, err)
	assert.Equal(t, Executed, v.Status)
	var names []string
	for _, d := range v.Differences {
		names = append(names, d.Path)
	}
	assert.ElementsMatch(t, []string{l.Rel(it.Paths.Stdout), l.Rel(it.Paths.Stderr)}, names)
	assert.FileExists(t, it.Paths.Result)
}

// What lies in the place of a file of a bundle costs the check no time, however large it is or however long nothing comes of it.
func TestHugeFilesAndPipesInABundleAreNamed(t *testing.T) {
	l, w := workspace(t)
	s := finished(t, l, w, 1, "do it\n")
	dir, err := l.Bundle(s.ID())
	require.NoError(t, err)
	it := iteration(l, 1).Paths
	huge := []string{filepath.Join(dir, "prompt.md"), it.Stdout, it.ExecutionPlan}
	for _, path := range huge {
		require.NoError(t, os.Truncate(path, 20<<30))
	}
	pipe := filepath.Join(dir, "iteration-result.json")
	require.NoError(t, os.Remove(pipe))
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no pipes here:", err)
	}
	v, err := Verify(l, s.ID())
	require.NoError(t, err)
	said := map[string]string{}
	for _, d := range v.Differences {
		said[d.Path] = d.What
	}
	for _, path := range huge {
		assert.Contains(t, said[l.Rel(path)], "more than 256 MiB", path)
	}
	assert.Contains(t, said[l.Rel(pipe)], "is a pipe, expected a file")
	assert.Len(t, said, 4)
}
