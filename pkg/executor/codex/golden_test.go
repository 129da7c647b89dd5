package codex

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/proc"
	"ralphex/pkg/executor/session"
	"ralphex/pkg/executor/session/sessiontest"
)

// exits are how the recorded sessions ended; all others ended with 0.
var exits = map[string]proc.Exit{
	"api-400-model": {Code: 1}, "api-401": {Code: 1}, "api-429": {Code: 1}, "api-429-quota": {Code: 1}, "api-429-usage-limit": {Code: 1},
	"api-500": {Code: 1}, "api-500-noretry": {Code: 1}, "api-529": {Code: 1}, "big-prompt-stdin-15mb": {Code: 1},
	"drop-before": {Code: 1}, "drop-mid": {Code: 1}, "full-auto": {Code: 2}, "unknown-flag": {Code: 2},
	"killed-sigint": {Code: 1}, "killed-sigterm": {Code: -1, Signal: "terminated"}, "killed-sigkill-in-tool": {Code: -1, Signal: "killed"},
	"no-key": {Code: 1}, "resume-unknown": {Code: 1}, "stream-error": {Code: 1}, "stream-error-ratelimit": {Code: 1},
}

// TestRecorded says what we understand of streams that the real CLI printed. Each golden file is a page to be read.
func TestRecorded(t *testing.T) { sessiontest.Recorded(t, "testdata", exits, Dialect) }

// The same of streams without --json.
func TestRecordedPlain(t *testing.T) {
	sessiontest.Recorded(t, "testdata/plain", map[string]proc.Exit{
		"api-401-plain": {Code: 1}, "api-429-usage-limit-plain": {Code: 1}, "api-429-usage-limit-reset-plain": {Code: 1},
	}, func(talk *session.Talk) session.Dialect { return newTail(nil).dialect(talk) })
}

func FuzzStream(f *testing.F) { sessiontest.Fuzz(f, "testdata", Dialect) }

// Signals and words of failures count where the agent itself speaks, and nowhere else. SIG stands for both.
func TestWhoseWordCounts(t *testing.T) {
	sessiontest.Words(t, Dialect, `{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"SIG"}}`, map[string]string{
		"thinking": `{"type":"item.completed","item":{"id":"i","type":"reasoning","text":"SIG"}}`,
		"a command": `{"type":"item.started","item":{"id":"i","type":"command_execution","command":"echo SIG","status":"in_progress"}}
{"type":"item.completed","item":{"id":"i","type":"command_execution","command":"echo SIG","aggregated_output":"SIG","exit_code":0}}`,
		"another agent":   `{"type":"item.completed","item":{"id":"i","type":"collab_tool_call","tool":"wait","agents_states":{"a":{"status":"completed","message":"SIG"}}}}`,
		"an unknown item": `{"type":"item.completed","item":{"id":"i","type":"new_kind","text":"SIG"}}`,
		"no JSON":         `SIG`,
	})
}

// What codex says about a setting that we give it, and what it says about the user's own.
func TestComplaintsAboutSettings(t *testing.T) {
	const about = "Codex is ignoring 1 unrecognized configuration setting. Check for typos or deprecated settings."
	assert.True(t, ofOurs(about+"\n  session-flags: `stream_idle_timeout_ms` is ignored."))
	assert.False(t, ofOurs(about+"\n  session-flags: `stream_idle_timeout_ms` is ignored.\n  config.toml: `modle` is ignored."))
	assert.False(t, ofOurs(about), "without a list nobody knows")
	assert.False(t, ofOurs("Model metadata for `stream_idle_timeout_ms` not found"))
}
