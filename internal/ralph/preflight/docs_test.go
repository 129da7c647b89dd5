package preflight

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the table in docs/ralph-store.md")

// TestCodesAreDocumented holds the table of docs/ralph-store.md to the one in the code.
func TestCodesAreDocumented(t *testing.T) {
	const begin, end = "<!-- codes -->\n", "<!-- /codes -->"
	path := filepath.Join("..", "..", "..", "docs", "ralph-store.md")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	before, rest, ok := strings.Cut(text, begin)
	require.True(t, ok)
	have, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	var want strings.Builder
	want.WriteString("| code | category | severity | when |\n|---|---|---|---|\n")
	for _, c := range Codes {
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s |\n", c.Name, c.Category.Label(), c.Severity, c.When)
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+want.String()+end+after), 0o644))
		return
	}
	assert.Equal(t, want.String(), have, "go test ./internal/ralph/preflight -update")
}

func TestCodesAreDistinct(t *testing.T) {
	assert.Len(t, codeByName, len(Codes))
	for _, c := range Codes {
		assert.Contains(t, Categories, c.Category)
		assert.NotEmpty(t, c.When)
	}
}
