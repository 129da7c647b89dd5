package qwen

import (
	"testing"

	"ralphex/internal/proc"
	"ralphex/pkg/executor/session/sessiontest"
)

// exits are how the recorded sessions ended; all others ended with 0.
var exits = map[string]proc.Exit{
	"api-401": {Code: 1}, "api-drop-mid": {Code: 1}, "api-429": {Code: -1, Signal: "terminated"}, "api-529": {Code: -1, Signal: "terminated"}, "killed-sigterm": {Code: -1, Signal: "terminated"}, "killed-sigterm-in-tool": {Code: -1, Signal: "terminated"},
}

// TestRecorded says what we understand of streams that the real CLI printed. Each golden file is a page to be read.
func TestRecorded(t *testing.T) { sessiontest.Recorded(t, "testdata", exits, Dialect) }
