package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type folder string

func (f folder) Root() string                    { return string(f) }
func (f folder) Rel(path string) (string, error) { return filepath.Rel(string(f), path) }

// A file system that ignores case can't be had everywhere; two hard links are the same thing to os.SameFile.
func TestSamePath(t *testing.T) {
	dir := folder(t.TempDir())
	for _, f := range []string{"plan.md", "Other.md", "other.md"} {
		require.NoError(t, os.WriteFile(onDisk(dir, f), nil, 0o644))
	}
	if err := os.Link(onDisk(dir, "plan.md"), onDisk(dir, "PLAN.md")); err != nil {
		t.Skip("no hard links, or case is ignored here already")
	}
	require.NoError(t, os.Link(onDisk(dir, "plan.md"), onDisk(dir, "copy.md")))
	assert.True(t, samePath(dir, "plan.md", "plan.md"))
	assert.True(t, samePath(dir, "plan.md", "PLAN.md"))
	assert.False(t, samePath(dir, "other.md", "Other.md"), "two files")
	assert.False(t, samePath(dir, "plan.md", "copy.md"), "another name")
}

func TestSpelled(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "docs", "plan.md"), nil, 0o644))
	if err := os.Link(filepath.Join(dir, "docs", "plan.md"), filepath.Join(dir, "docs", "PLAN.md")); err != nil {
		t.Skip("no hard links, or case is ignored here already")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "docs", "Plan.md"), nil, 0o644))
	hidden := func(names ...string) func(string) []string { // what a file system that ignores case would list
		return func(at string) []string {
			if at == dir {
				return []string{"docs"}
			}
			return names
		}
	}
	assert.Equal(t, "docs/plan.md", spelled(dir, "docs/PLAN.md", hidden("plan.md")))
	assert.Equal(t, "docs/PLAN.md", spelled(dir, "docs/PLAN.md", listDir), "it is there")
	assert.Equal(t, "docs/Plan.md", spelled(dir, "docs/Plan.md", hidden("plan.md")), "another file")
	assert.Equal(t, "no/such", spelled(dir, "no/such", listDir))
}
