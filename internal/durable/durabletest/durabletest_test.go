package durabletest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
)

// A write that fails at any of its steps leaves the old bytes or the new ones, and no temporary file.
func TestFailingWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	write := func(text string) error { return durable.WriteFile(path, []byte(text), 0o600) }
	require.NoError(t, write("old"))
	steps := Steps(func() { require.NoError(t, write("old")) })
	assert.Subset(t, steps, []string{"create", "chmod", "write", "fsync", "close", "rename"})
	for i, name := range steps {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, write("old"))
			FailBefore(t, i+1, syscall.ENOSPC)
			assert.ErrorIs(t, write("new"), syscall.ENOSPC)
			want := "old"
			if name == "fsync folder" {
				want = "new"
			}
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, want, string(got))
			entries, err := os.ReadDir(filepath.Dir(path))
			require.NoError(t, err)
			assert.Len(t, entries, 1)
		})
	}
}
