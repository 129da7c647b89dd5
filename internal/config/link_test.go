package config

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// link makes path a symbolic link to target, in place of what was there.
func link(t *testing.T, target, path string) {
	t.Helper()
	_ = os.Remove(path)
	if err := os.Symlink(target, path); err != nil {
		require.ErrorIs(t, err, os.ErrPermission)
		t.Skip("no right to make links here")
	}
}
