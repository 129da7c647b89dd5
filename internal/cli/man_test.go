package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each command has a page, and a page names each flag of its command. Where groff is installed it has nothing to say about them.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man 1")
	assert.Contains(t, run(t, 0, "man", dir), "pages in ")
	again := run(t, 0, "man", dir) // replaced
	assert.Contains(t, again, "ralphex.1")
	var grammar root
	parser, err := newParser(&grammar, Proc{Out: &strings.Builder{}, Err: &strings.Builder{}})
	require.NoError(t, err)
	nodes := manNodes(parser.Model.Node)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, len(nodes))
	groff, _ := exec.LookPath("groff")
	for _, n := range nodes {
		path := filepath.Join(dir, manName(n)+".1")
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, f := range shownFlags(n) {
			assert.Contains(t, string(text), roff("--"), "%s", f.Name)
			assert.Contains(t, string(text), roff(f.Name), typed(n))
		}
		if groff == "" {
			continue
		}
		out, err := exec.Command(groff, "-man", "-ww", "-Tutf8", "-z", path).CombinedOutput()
		require.NoError(t, err)
		assert.Empty(t, string(out), typed(n))
	}
	assert.Contains(t, run(t, 0, "man"), ".SH EXIT STATUS")
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		".SH evil": `\&.SH evil`, "'quoted": `\&'quoted`, "--flag": `\-\-flag`, `a\b`: `a\eb`, "a\n.b": "a .b", "größer": `gr\[u00F6]\[u00DF]er`, "": "",
	} {
		assert.Equal(t, want, roff(text))
	}
}
