package price

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prices")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestFind(t *testing.T) {
	strong := file(t, "date 2026-11-01\n# mine\nmy-model* $1 2\nmy-model-big 3 4 5 6 # exactly\nclaude-opus-4-5* 0 0\n")
	l, err := Load(strong, file(t, "my-model-big 9 9\nonly-weak 1 1"), filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	for _, tt := range []struct {
		model string
		input float64
		write float64
		known bool
	}{
		{"my-model", 1, 1, true},
		{"my-model-small", 1, 1, true},
		{"My-Model-Big", 3, 6, true},
		{"only-weak", 1, 1, true},
		{"claude-opus-4-5-20251101", 0, 0, true},
		{"claude-sonnet-4-5-20250929", 3, 3.75, true},
		{"gpt-5-mini", 0.25, 0.25, true},
		{"gpt-5-unheard-of", 0, 0, false},
		{"claude-haiku-5-5", 0, 0, false}, // its price depends on the length of each prompt, which nobody tells
		{"claude-haiku-5-5-20260901", 0, 0, false},
		{"", 0, 0, false},
	} {
		row, ok := l.Find(tt.model)
		assert.Equal(t, tt.known, ok, tt.model)
		assert.Equal(t, tt.input, row.Input, tt.model)
		assert.Equal(t, tt.write, row.CacheWrite, tt.model)
	}
	row, _ := l.Find("my-model")
	assert.Equal(t, "2026-11-01", row.Date)
	assert.Equal(t, strong+":3", row.Source)
}

func TestDollars(t *testing.T) {
	l, err := Load(file(t, "a 1 10 0.1 2\nb 100 100"))
	require.NoError(t, err)
	u := event.Usage{InputTokens: 1e6, OutputTokens: 2e6, CacheReadTokens: 3e6, CacheWriteTokens: 4e6}
	usd, ok := l.Dollars("a", u, nil)
	assert.True(t, ok)
	assert.InDelta(t, 1+20+0.3+8, usd, 1e-9)
	usd, ok = l.Dollars("unheard-of", u, map[string]event.Usage{"a": u, "b": {InputTokens: 1e6}})
	assert.True(t, ok, "the shares count")
	assert.InDelta(t, 29.3+100, usd, 1e-9)
	_, ok = l.Dollars("a", u, map[string]event.Usage{"a": u, "unheard-of": {InputTokens: 1}})
	assert.False(t, ok, "a part without a price leaves the whole unknown")
}

func TestBadLines(t *testing.T) {
	for _, line := range []string{"a", "a 1", "a 1 x", "a 1 2 3 4 5", "a -1 2", "a NaN 2", "*a* 1 2", "date soon", "date 2026-13-01"} {
		path := file(t, "# fine\n"+line+"\n")
		_, err := Load(path)
		var bad *Error
		require.ErrorAs(t, err, &bad, line)
		assert.EqualError(t, err, path+":2: \""+line+"\" is no price")
		assert.Contains(t, bad.Hint(), "MODEL INPUT OUTPUT")
	}
}
