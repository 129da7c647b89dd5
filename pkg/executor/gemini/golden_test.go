package gemini

import (
	"testing"

	"ralphex/internal/proc"
	"ralphex/pkg/executor/session/sessiontest"
)

// exits are how the recorded sessions ended; all others ended with 0.
var exits = map[string]proc.Exit{
	"api-401": {Code: 145}, "api-drop-mid": {Code: 1},
}

// TestRecorded says what we understand of streams that the real CLI printed. Each golden file is a page to be read.
func TestRecorded(t *testing.T) { sessiontest.Recorded(t, "testdata", exits, Dialect) }

func FuzzStream(f *testing.F) { sessiontest.Fuzz(f, "testdata", Dialect) }

// Signals and words of failures count where the agent itself speaks, and nowhere else. SIG stands for both.
func TestWhoseWordCounts(t *testing.T) {
	sessiontest.Words(t, Dialect, `{"type":"message","role":"assistant","content":"SIG","delta":true}`, map[string]string{
		"the prompt": `{"type":"message","role":"user","content":"SIG"}`,
		"a tool": `{"type":"tool_use","tool_name":"run_shell_command","tool_id":"t","parameters":{"command":"echo SIG"}}
{"type":"tool_result","tool_id":"t","status":"success","output":"SIG"}`,
		"no JSON": `SIG`,
	})
}
