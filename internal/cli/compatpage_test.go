package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
)

var (
	compatRow  = regexp.MustCompile("(?m)^\\| (`.+?`) \\| (same|better|different|open) \\|")
	compatName = regexp.MustCompile("`([^`]+)`")
)

// compatRows are the names of a table of docs/compat.md with what the page says of them.
func compatRows(t *testing.T, title string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "compat.md"))
	require.NoError(t, err)
	_, from, found := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n## "+title+"\n")
	require.True(t, found, title)
	table, _, _ := strings.Cut(from, "\n## ")
	says := map[string]string{}
	for _, row := range compatRow.FindAllStringSubmatch(table, -1) {
		for _, name := range compatName.FindAllStringSubmatch(row[1], -1) {
			says[name[1]] = row[2]
		}
	}
	require.NotEmpty(t, says, title)
	return says
}

// The page speaks of flags that are there, and of the settings as the table of keys does.
func TestCompatPageIsTrueToTheCode(t *testing.T) {
	var grammar root
	parser, err := newParser(&grammar, Proc{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}})
	require.NoError(t, err)
	have := map[string]bool{}
	for _, flags := range [][]*kong.Flag{parser.Model.Flags, child(parser.Model.Node, "run").Flags} {
		for _, f := range flags {
			have["--"+f.Name] = true
			if f.Short != 0 {
				have["-"+string(f.Short)] = true
			}
		}
	}
	for name := range compatRows(t, "Flags") {
		assert.True(t, have[name], "docs/compat.md speaks of the flag %s, and run has none", name)
	}

	says := compatRows(t, "Settings")
	for _, k := range config.Keys() {
		verdict, there := says[k.Name]
		assert.Equal(t, !k.Ours, there, "%s: docs/compat.md has a row for each public key, and for no other", k.Name)
		if k.Note != "" && there {
			assert.NotEqual(t, "same", verdict, "%s: docs/compat.md says same, and the table of keys says that it differs: %s", k.Name, k.Note)
		}
		delete(says, k.Name)
	}
	assert.Empty(t, says, "docs/compat.md speaks of keys that are not there")
}
