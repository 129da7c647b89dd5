package durable

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadFileReadsFilesOnly(t *testing.T) {
	dir, err := OpenDir(t.TempDir())
	require.NoError(t, err)
	defer dir.Close()
	at := func(name string) string { return filepath.Join(dir.Path(), name) }
	require.NoError(t, os.WriteFile(at("a"), []byte("four"), 0o600))
	require.NoError(t, os.Mkdir(at("folder"), 0o750))

	for limit, ok := range map[int64]bool{4: true, 3: false} {
		for _, read := range []func() ([]byte, error){
			func() ([]byte, error) { return ReadFile(at("a"), limit) },
			func() ([]byte, error) { return dir.ReadFile("a", limit) },
		} {
			data, err := read()
			assert.Equal(t, ok, err == nil)
			if ok {
				assert.Equal(t, "four", string(data))
			} else {
				assert.ErrorContains(t, err, "more than 3 bytes")
			}
		}
	}
	var not *NotRegularError
	_, err = ReadFile(at("folder"), 9)
	require.ErrorAs(t, err, &not)
	assert.Contains(t, err.Error(), "a folder")
	_, err = dir.ReadFile("folder", 9)
	assert.ErrorAs(t, err, &not)
	_, err = ReadFile(at("none"), 9)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.NoError(t, CheckRegular(at("none")))
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(os.DevNull, at("link")))
		_, err = ReadFile(at("link"), 9)
		assert.ErrorContains(t, err, "a device")
		_, err = dir.ReadFile("link", 9)
		assert.Error(t, err, "no link leads out")
	}
}
