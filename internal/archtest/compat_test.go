package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	weakRow  = regexp.MustCompile(`(?m)^\| (W\d+) \|.*\|([^|]*)\|$`)
	testName = regexp.MustCompile("`([^`]+)`")
)

// TestEveryAnsweredWeaknessHasItsTest checks the table of docs/compat.md: each row names tests that exist,
// `folder:TestName` or `story:name` for cmd/ralphex/testdata/script/name.txtar.
func TestEveryAnsweredWeaknessHasItsTest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "compat.md"))
	require.NoError(t, err)
	rows := weakRow.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\r\n", "\n"), -1)
	require.NotEmpty(t, rows)
	have := tests(t)
	seen := map[string]bool{}
	for _, row := range rows {
		assert.False(t, seen[row[1]], "docs/compat.md answers %s twice", row[1])
		seen[row[1]] = true
		names := testName.FindAllStringSubmatch(row[2], -1)
		assert.NotEmpty(t, names, "docs/compat.md says that %s is answered, and names no test", row[1])
		for _, name := range names {
			assert.True(t, have[name[1]], "docs/compat.md names %s as a test of %s, and there is none", name[1], row[1])
		}
	}
	assert.Len(t, rows, strings.Count(string(text), "\n| W"), "a row of docs/compat.md is not of the form | W1 | … | … | `tests` |")
}

// tests lists all tests, fuzz targets and stories of the project.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	have := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test && f.Recv == nil {
				have[s.pkg+":"+f.Name.Name] = true
			}
		}
	}
	stories, err := filepath.Glob(filepath.Join(root(t), "cmd", "ralphex", "testdata", "script", "*.txtar"))
	require.NoError(t, err)
	for _, story := range stories {
		have["story:"+strings.TrimSuffix(filepath.Base(story), ".txtar")] = true
	}
	return have
}
