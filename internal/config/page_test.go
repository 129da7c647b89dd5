package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPromptsPageIsCurrent compares the table of docs/prompts.md with the variables there are.
func TestPromptsPageIsCurrent(t *testing.T) {
	const begin, end = "change them there -->\n", "<!-- end -->"
	path := filepath.Join("..", "..", "docs", "prompts.md")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	text := strings.ReplaceAll(string(raw), "\r\n", "\n")
	head, rest, ok := strings.Cut(text, begin)
	require.True(t, ok)
	have, tail, ok := strings.Cut(rest, end)
	require.True(t, ok)

	var want strings.Builder
	want.WriteString("\n| variable | value | in |\n|---|---|---|\n")
	for _, v := range Variables() {
		in := "all, and agents"
		if v.In != nil {
			in = "`" + strings.Join(v.In, "`, `") + "`"
		}
		fmt.Fprintf(&want, "| `{{%s}}` | %s | %s |\n", v.Name, v.Doc, in)
	}
	want.WriteString("\n")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(head+begin+want.String()+end+tail), 0o644))
		return
	}
	assert.Equal(t, want.String(), have, "run make golden")
	for _, name := range PromptNames() {
		assert.Contains(t, head+tail, "`"+name+"`", "docs/prompts.md does not tell of the prompt")
	}
	for _, name := range EmbeddedAgents() {
		assert.Contains(t, head+tail, "`"+name+"`", "docs/prompts.md does not tell of the agent")
	}
}
