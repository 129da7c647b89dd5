package session

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/proc"
	"ralphex/pkg/executor"
)

func TestRefusalsAreSorted(t *testing.T) {
	for _, tt := range []struct {
		kind, message string
		status        int
		want          executor.Class
	}{
		{"", "You’ve hit your usage limit. Try again later.", 0, executor.ClassLimit},
		{"", "exceeded retry limit, last status: 429 Too Many Requests", 0, executor.ClassLimit},
		{"", "something", 429, executor.ClassLimit},
		{"", "Rate limit reached. Please try again in 2s.", 429, executor.ClassOverload},
		{"", "Rate limit reached. Please try again in 2h.", 429, executor.ClassLimit},
		{"", "You've hit your usage limit. Try again in 30s.", 0, executor.ClassLimit},
		{"", "Quota exceeded. Check your plan and billing details.", 0, executor.ClassMoney},
		{"insufficient_quota", "no", 429, executor.ClassMoney},
		{"", "You've hit your org's monthly usage limit", 0, executor.ClassMoney},
		{"", "unexpected status 401 Unauthorized: Incorrect API key provided", 0, executor.ClassLogin},
		{"", "Missing environment variable: `FAKE_KEY`.", 0, executor.ClassLogin},
		{"authentication", "failed", 0, executor.ClassLogin},
		{"", "[API Error: {\"error\":{\"code\":401,\"message\":\"no\"}}]", 0, executor.ClassLogin},
		{"", "We’re currently experiencing high demand", 0, executor.ClassOverload},
		{"", "529 Overloaded", 0, executor.ClassOverload},
		{"", "[API Error: terminated (cause: read ECONNRESET)]", 0, executor.ClassOverload},
		{"", "stream disconnected before completion", 0, executor.ClassOverload},
		{"", "502 Bad Gateway", 0, executor.ClassOverload},
		{"", "Input exceeds the maximum length of 1048576 characters.", 0, executor.ClassContext},
		{"context_length_exceeded", "too much", 400, executor.ClassContext},
		{"content_policy_violation", "no", 400, executor.ClassRefused},
		{"", "The requested model does not exist.", 0, executor.ClassRequest},
		{"", "[API Error: models/gemini-nine is not found for API version v1beta]", 0, executor.ClassRequest},
		{"", "Model 'nine' not found on provider at http://127.0.0.1/v1 (HTTP 404).", 0, executor.ClassRequest},
		{"", "[API Error: The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).]", 0, executor.ClassContext},
		{"", "odd", 400, executor.ClassRequest},
		{"", "odd", 0, executor.ClassCrash},
	} {
		f := Refusal{Kind: tt.kind, Message: tt.message, Status: tt.status}.Failure(Help{tt.want: "do"})
		assert.Equal(t, tt.want, f.Class, tt.message)
		assert.Equal(t, "do", f.Help, tt.message)
	}
}

// Whoever meets a failure that has the same way out everywhere is told of it, and what the agent knows better comes first.
func TestHelpForAll(t *testing.T) {
	for message, want := range map[string]string{"prompt is too long": ContextHelp, "this violates our content policy": RefusedHelp, "odd": ""} {
		assert.Equal(t, want, Refusal{Message: message}.Failure(nil).Help, message)
	}
	assert.Equal(t, "mine", Refusal{Message: "prompt is too long"}.Failure(Help{executor.ClassContext: "mine"}).Help)
}

func TestRefusalsAreReadable(t *testing.T) {
	for message, want := range map[string]string{
		"no": "no",
		`{"error":{"code":null,"message":"The model does not exist","type":"x"}}`: "The model does not exist",
		"{\n  \"error\": {\n    \"message\": \"No such model\"\n  }\n}":           "No such model",
		`unexpected status 401: {"error":{"message":"Bad key"}}, url: /responses`: "unexpected status 401: Bad key, url: /responses",
		`too long, data: {"max_chars":9}`:                                         `too long, data: {"max_chars":9}`,
		`{"error":"no object"}`:                                                   `{"error":"no object"}`,
		`the template {{name}} is cut: {`:                                         `the template {{name}} is cut: {`,
	} {
		assert.Equal(t, want, Refusal{Message: message}.Failure(nil).Message)
	}
}

func TestResetTimeOfARefusal(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	want := time.Date(2026, 12, 1, 13, 0, 0, 0, time.UTC)
	r := Refusal{Message: "You’ve hit your usage limit. Try again at Dec 1st, 2026 1:00 PM.", At: now}
	f := r.Failure(nil)
	assert.Zero(t, f.ResetAt, "no zone: nobody knows")
	assert.Equal(t, want, f.About)
	r.LocalClock = true
	assert.Equal(t, want, r.Failure(nil).ResetAt)
	r.Message = "usage limit, resets 2pm (UTC)"
	r.LocalClock = false
	assert.Equal(t, now.Add(2*time.Hour), r.Failure(nil).ResetAt)
}

func TestUnstarted(t *testing.T) {
	for _, tt := range []struct {
		stderr, message string
		want            executor.Class
	}{
		{"error: unexpected argument '--no-such-flag' found\n\n  tip: x\n", "error: unexpected argument '--no-such-flag' found", executor.ClassUsage},
		{"Warning: x\nerror: unknown option '--zz'", "error: unknown option '--zz'", executor.ClassUsage},
		{"starting\n401 Incorrect API key provided: dummy.", "401 Incorrect API key provided: dummy.", executor.ClassLogin},
		{"one\nboom", "the agent ended with exit 1: boom", executor.ClassCrash},
		{"", "the agent ended with exit 1", executor.ClassCrash},
	} {
		f := Unstarted(End{Exit: proc.Exit{Code: 1}, Stderr: tt.stderr}, nil)
		assert.Equal(t, tt.want, f.Class, tt.stderr)
		assert.Equal(t, tt.message, f.Message)
	}
}

func TestVersions(t *testing.T) {
	v, ok := ParseVersion("codex-cli 0.171.0\n")
	assert.True(t, ok)
	assert.Equal(t, "0.171.0", v.String())
	assert.True(t, v.Less(Version{1, 0, 0}))
	assert.False(t, v.Less(Version{0, 171, 0}))
	assert.True(t, Version{0, 99, 9}.Less(v))
	_, ok = ParseVersion("no number")
	assert.False(t, ok)
}
