package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The home folder is what a container must not see: one that has no name is not the folder at hand.
func TestHomeOfAPerson(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "home"), 0o700))
	require.NoError(t, os.Symlink("home", link))
	assert.Equal(t, filepath.Join(dir, "home"), homeOf([]string{"HOME=/elsewhere", "HOME=" + link}), "the last one counts, as everywhere")
	assert.Empty(t, homeOf([]string{"HOME="}))
	assert.Empty(t, homeOf(nil))
	assert.Empty(t, homeOf([]string{"HOME=" + filepath.Join(dir, "none")}))
}
