package archtest

import (
	"fmt"
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
	known := map[string]bool{}
	for _, row := range rows {
		known[row[1]] = true
		names := testName.FindAllStringSubmatch(row[2], -1)
		assert.NotEmpty(t, names, "docs/ralph-store.md has a row %s without a test", row[1])
		for _, name := range names {
			assert.True(t, have[name[1]], "docs/ralph-store.md names %s as a test of %s, and there is none", name[1], row[1])
		}
	}
	for _, id := range storeRules() {
		assert.True(t, known[id], "docs/ralph-store.md has no row %s: each rule of the store needs its test", id)
	}
}

// storeRules are the rules that the store promises to keep.
func storeRules() []string {
	ids := []string{"A47", "A48", "A49", "A50", "A51", "A52", "A53", "A54", "A55", "A56", "A57", "A58", "A59", "A60", "A61", "A62", "A63", "A64", "A65", "A66", "A67", "A68", "A69"}
	for n := 1; n <= 46; n++ {
		ids = append(ids, fmt.Sprintf("A%02d", n))
	}
	return ids
}

// TestEveryCommandOfTheFormatHasItsRow checks that docs/ralph-store.md says of each command of other programs which one is ours.
func TestEveryCommandOfTheFormatHasItsRow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "ralph-store.md"))
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(text), "| command there | here |")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n\n")
	for _, name := range []string{"Show Status", "Prepare Prompt", "Open Codex IDE", "Initialize Workspace", "Initialize Doctrine Pack", "New Project", "Add Task",
		"Seed Tasks from Feature Request", "Resolve Stale Task Claim", "Clean Up Old Run Artifacts", "Open Latest Ralph Summary", "Open Latest Provenance Bundle",
		"Open Latest Prompt Evidence", "Open Latest CLI Transcript", "Reveal Latest Provenance Bundle Directory"} {
		row := regexp.MustCompile(`(?m)^\| [^|]*` + name + `[^|]* \| [^|]*(ralphex [a-z]+|not in this build)`)
		assert.Regexp(t, row, table)
	}
}
