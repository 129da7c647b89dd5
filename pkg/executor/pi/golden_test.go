package pi

import (
	"testing"

	"ralphex/internal/proc"
	"ralphex/pkg/executor/session/sessiontest"
)

// exits are how the recorded sessions ended; all others ended with 0.
var exits = map[string]proc.Exit{
	"api-401-plain": {Code: 1}, "killed-sigterm": {Code: 143}, "killed-sigterm-in-tool": {Code: 143},
}

// TestRecorded says what we understand of streams that the real CLI printed. Each golden file is a page to be read.
func TestRecorded(t *testing.T) { sessiontest.Recorded(t, "testdata", exits, Dialect) }

func FuzzStream(f *testing.F) { sessiontest.Fuzz(f, "testdata", Dialect) }

// Signals and words of failures count where the agent itself speaks, and nowhere else. SIG stands for both.
func TestWhoseWordCounts(t *testing.T) {
	sessiontest.Words(t, Dialect, `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"SIG"}]}}`, map[string]string{
		"the prompt": `{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"SIG"}]}}`,
		"thinking":   `{"type":"message_end","message":{"role":"assistant","content":[{"type":"thinking","thinking":"SIG"}]}}`,
		"a tool": `{"type":"tool_execution_start","toolCallId":"t","toolName":"bash","args":{"command":"echo SIG"}}
{"type":"message_end","message":{"role":"toolResult","content":[{"type":"text","text":"SIG"}]}}`,
		"no JSON": `SIG`,
	})
}
