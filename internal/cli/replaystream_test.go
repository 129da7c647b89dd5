package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A journal is a file that an agent can write: what it names as a stream may not lead out of the repository.
func TestStreamOf(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "repo")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "streams"), 0o700))
	secret := filepath.Join(top, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("s"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "streams", "1"), []byte("s"), 0o600))

	for _, name := range []string{"streams/1", "streams/gone"} {
		path, err := streamOf(root, filepath.FromSlash(name))
		require.NoError(t, err)
		assert.Equal(t, filepath.Join(root, filepath.FromSlash(name)), path)
	}
	bad := []string{filepath.Join("..", "secret"), secret, "streams"}
	if os.Symlink(secret, filepath.Join(root, "streams", "link")) == nil {
		bad = append(bad, filepath.Join("streams", "link"))
	}
	for _, name := range bad {
		_, err := streamOf(root, name)
		assert.ErrorContains(t, err, "no file of this repository", name)
	}
}
