package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAJournalThatOnlyGrewIsWhole(t *testing.T) {
	was := strings.Repeat(`{"seq":1,"type":"note"}`+"\n", 400)
	for name, c := range map[string]struct {
		then func(t *testing.T, path string)
		cut  bool
	}{
		"left alone": {func(*testing.T, string) {}, false},
		"grown":      {appended("more\n"), false},
		"emptied":    {emptied, true},
		"emptied, and grown beyond what it was": {func(t *testing.T, path string) {
			emptied(t, path)
			appended(strings.Repeat(`{"seq":2,"type":"note"}`+"\n", 500))(t, path)
		}, true},
		"removed": {func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }, true},
		"replaced by its copy": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path+".new", []byte(was), 0o600))
			require.NoError(t, os.Rename(path+".new", path))
		}, true},
		"a folder": {func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o700))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "events.jsonl")
			require.NoError(t, os.WriteFile(path, []byte(was), 0o600))
			g, err := lookAtEnd(path)
			require.NoError(t, err)
			c.then(t, path)
			assert.Equal(t, c.cut, g.cut(path))
		})
	}
}

func emptied(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 0)) }

func appended(text string) func(*testing.T, string) {
	return func(t *testing.T, path string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteString(text)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
}
