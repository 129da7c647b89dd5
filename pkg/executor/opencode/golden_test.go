package opencode

import (
	"testing"

	"ralphex/internal/proc"
	"ralphex/pkg/executor/session/sessiontest"
)

// exits are how the recorded sessions ended; all others ended with 0.
var exits = map[string]proc.Exit{
	"api-429": {Code: 1}, "api-drop-mid": {Code: -1, Signal: "terminated"}, "api-529": {Code: -1, Signal: "terminated"},
	"killed-sigterm": {Code: -1, Signal: "terminated"}, "killed-sigterm-in-tool": {Code: -1, Signal: "terminated"},
}

// TestRecorded says what we understand of streams that the real CLI printed. Each golden file is a page to be read.
func TestRecorded(t *testing.T) { sessiontest.Recorded(t, "testdata", exits, Dialect) }

func FuzzStream(f *testing.F) { sessiontest.Fuzz(f, "testdata", Dialect) }

// Signals and words of failures count where the agent itself speaks, and nowhere else. SIG stands for both.
func TestWhoseWordCounts(t *testing.T) {
	sessiontest.Words(t, Dialect, `{"type":"text","sessionID":"s","part":{"text":"SIG"}}`, map[string]string{
		"thinking": `{"type":"reasoning","sessionID":"s","part":{"text":"SIG"}}`,
		"a tool":   `{"type":"tool_use","sessionID":"s","part":{"tool":"bash","state":{"status":"completed","input":{"command":"echo SIG"},"output":"SIG"}}}`,
		"a sub-agent": `{"type":"step_start","sessionID":"s"}
{"type":"text","sessionID":"other","part":{"text":"SIG"}}`,
		"no JSON": `SIG`,
	})
}
