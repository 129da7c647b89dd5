package claude

import (
	"testing"
	"time"

	"ralphex/internal/proc"
	"ralphex/pkg/executor/session"
	"ralphex/pkg/executor/session/sessiontest"
)

// exits are how the recorded sessions ended; all others ended with 0.
var exits = map[string]proc.Exit{
	"api-401": {Code: 1}, "api-429-noretry": {Code: 1}, "api-500-retries2": {Code: 1}, "api-529-all-retries": {Code: 1}, "api-529-noretry": {Code: 1},
	"killed-sigterm":         {Code: 143},
	"killed-sigkill-in-tool": {Code: -1, Signal: "killed"},
	"unknown-flag":           {Code: 1}, "no-verbose": {Code: 1}, "root-without-sandbox": {Code: 1}, "empty-prompt": {Code: 1}, "big-prompt-stdin-15mb": {Code: 1},
	"drop-before": {Code: 1}, "refusal": {Code: 1}, "drop-mid": {Code: 1}, "no-key": {Code: 1}, "no-server": {Code: 1}, "api-limit-hit": {Code: 1},
	"sub-429-noretry": {Code: 1}, "sub-limit-hit": {Code: 1}, "sub-limit-hit-opus": {Code: 1}, "sub-limit-hit-overage": {Code: 1},
	"api-400-credit": {Code: 1}, "api-400-too-long": {Code: 1}, "api-401-retries2": {Code: 1}, "api-404-model": {Code: 1},
	"api-429-retries2": {Code: 1}, "api-500-noretry": {Code: 1}, "api-529-retries0": {Code: 1},
}

// TestRecorded says what we understand of streams that the real CLI printed. Each golden file is a page to be read.
func TestRecorded(t *testing.T) {
	sessiontest.Recorded(t, "testdata", exits, func(talk *session.Talk) session.Dialect {
		d := newDialect(talk)
		d.now = func() time.Time { return time.Date(2026, 11, 30, 12, 6, 49, 0, time.UTC) }
		return d
	})
}
