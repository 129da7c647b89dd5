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

func FuzzStream(f *testing.F) { sessiontest.Fuzz(f, "testdata", Dialect) }

// Signals and words of failures count where the agent itself speaks, and nowhere else. SIG stands for both.
func TestWhoseWordCounts(t *testing.T) {
	sessiontest.Words(t, Dialect, `{"type":"assistant","message":{"content":[{"type":"text","text":"SIG"}]}}`, map[string]string{
		"the prompt":  `{"type":"user","message":{"role":"user","content":"SIG"}}`,
		"thinking":    `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"SIG"}]}}`,
		"a tool":      `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"SIG"}]}}`,
		"a sub-agent": `{"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"SIG"}]}}`,
		"no JSON":     `SIG`,
	})
}
