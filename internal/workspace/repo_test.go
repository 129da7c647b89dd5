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
