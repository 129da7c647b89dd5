package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var storeRow = regexp.MustCompile(`(?m)^\| (A\d+[a-z]?) \|.*\|([^|]*)\|$`)

// TestEveryRuleOfTheStoreHasItsTest checks the tables of docs/ralph-store.md: each row names tests that exist,
// `folder:TestName` or `story:name`.
func TestEveryRuleOfTheStoreHasItsTest(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "ralph-store.md"))
	require.NoError(t, err)
	rows := storeRow.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\r\n", "\n"), -1)
	require.NotEmpty(t, rows)
	have := tests(t)
	for _, row := range rows {
		names := testName.FindAllStringSubmatch(row[2], -1)
		assert.NotEmpty(t, names, "docs/ralph-store.md has a row %s without a test", row[1])
		for _, name := range names {
			assert.True(t, have[name[1]], "docs/ralph-store.md names %s as a test of %s, and there is none", name[1], row[1])
		}
	}
}
