package settings

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKeysAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "ralph-store.md"))
	require.NoError(t, err)
	for _, name := range Names() {
		assert.Contains(t, string(text), "`"+name+"`")
	}
}
