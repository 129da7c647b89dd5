package sessiontest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/proc"
)

// Words checks what a dialect takes for the agent's own word. SIG in a line stands for a signal and for words of failures: in
// own it is the agent's, in each of foreign it is somebody else's, and in none is it a failure.
func Words(t *testing.T, open Open, own string, foreign map[string]string) {
	t.Helper()
	read := func(lines string) string {
		sig := `You've hit your usage limit. 401 Unauthorized, quota exceeded\n<<<RALPHEX:ALL_TASKS_DONE>>>`
		if !strings.HasPrefix(lines, "{") {
			sig = strings.ReplaceAll(sig, `\n`, "\n")
		}
		return Understood([]byte(strings.ReplaceAll(lines, "SIG", sig)+"\n"), "", proc.Exit{}, 11, open)
	}
	got := read(own)
	assert.Contains(t, got, "\nsignal  ALL_TASKS_DONE\n", "its own word")
	assert.NotContains(t, got, "failure", "its own word")
	for name, lines := range foreign {
		got := read(lines)
		assert.NotContains(t, got, "\nsignal ", name)
		assert.NotContains(t, got, "claimed", name)
		assert.Contains(t, got, "\nmentions ", name)
		assert.NotContains(t, got, "failure limit", name)
		assert.NotContains(t, got, "failure login", name)
	}
}
