//go:build linux

package e2e

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ralphex/internal/fakemodel"
)

type fail = fakemodel.Fail

// noRetry keeps claude from asking again for three minutes.
var noRetry = map[string]string{"x-should-retry": "false"}

// exhausted are the headers of a subscription that has nothing left until reset.
func exhausted(reset time.Time) map[string]string {
	epoch := strconv.FormatInt(reset.Unix(), 10)
	return map[string]string{
		"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": epoch, "anthropic-ratelimit-unified-representative-claim": "five_hour",
		"anthropic-ratelimit-unified-5h-status": "rejected", "anthropic-ratelimit-unified-5h-reset": epoch, "anthropic-ratelimit-unified-5h-utilization": "1.0",
		"anthropic-ratelimit-unified-overage-status": "rejected", "x-should-retry": "false",
	}
}

// broken is one way in which a model refuses to work, and what ralphex has to make of it.
type broken struct {
	name  string
	fail  fail // without a message: the model refuses instead
	code  int
	class string // as the journal has it
	says  string // what a person must be told
}

func tomorrow() time.Time { return time.Now().Add(5 * time.Hour) }

// broke is what the agents that must never break are told, each in the words of its own provider.
var broke = map[string][]broken{
	"claude": {
		{"login", fail{Status: 401, Type: "authentication_error", Message: "invalid x-api-key", Headers: noRetry}, 5, "login", "log"},
		{"money", fail{Status: 400, Type: "invalid_request_error", Message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}, 5, "money", "redit"},
		{"limit", fail{Status: 429, Type: "rate_limit_error", Message: "This request would exceed your account's rate limit.", Headers: exhausted(tomorrow())}, 4, "limit", "You've hit your"},
		{"unknown model", fail{Status: 404, Type: "not_found_error", Message: "model: claude-nine"}, 1, "request", "model"},
		{"refusal", fail{}, 1, "refused", "safeguards"},
	},
	"codex": {
		{"login", fail{Status: 401, Type: "invalid_request_error", Code: "invalid_api_key", Message: "Incorrect API key provided"}, 5, "login", "log"},
		{"money", fail{Status: 429, Type: "insufficient_quota", Code: "insufficient_quota", Message: "You exceeded your current quota"}, 5, "money", "uota exceeded"},
		{"limit", fail{Status: 429, Type: "usage_limit_reached", Message: "The usage limit has been reached", Fields: map[string]any{"plan_type": "plus", "resets_at": tomorrow().Unix()}}, 4, "limit", "hit your usage limit"},
		{"unknown model", fail{Status: 400, Type: "invalid_request_error", Message: "The requested model does not exist"}, 1, "request", "The requested model does not exist"},
		{"refusal", fail{Status: 400, Type: "invalid_request_error", Code: "content_policy_violation", Message: "This violates our content policy."}, 1, "refused", "content policy"},
	},
	// gemini asks again and again at a 429 or a 5xx, for longer than anybody waits in a test.
	"gemini": {
		{"login", fail{Status: 400, Type: "INVALID_ARGUMENT", Message: "API key not valid. Please pass a valid API key."}, 5, "login", "API key not valid"},
		{"unknown model", fail{Status: 404, Type: "NOT_FOUND", Message: "models/gemini-nine is not found for API version v1beta"}, 1, "request", "is not found"},
		{"context", fail{Status: 400, Type: "INVALID_ARGUMENT", Message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}, 1, "context", "exceeds the maximum"},
	},
	"copilot":  append(chatBroke, tooLong),
	"pi":       append(chatBroke, tooLong),
	"qwen":     chatBroke,
	"opencode": chatBroke, // it makes a conversation that is too long shorter by itself, as often as it is told so
}

// tooLong is what three sessions are told, one after the other.
var tooLong = broken{"context", fail{Status: 400, Type: "invalid_request_error", Code: "context_length_exceeded",
	Message: "This model's maximum context length is 200000 tokens, and your messages have 210000."}, 1, "context", "maximum context length"}

// chatBroke are the errors of a Chat Completions server.
var chatBroke = []broken{
	{"login", fail{Status: 401, Type: "invalid_request_error", Code: "invalid_api_key", Message: "Incorrect API key provided: dummy."}, 5, "login", "next: "},
	{"money", fail{Status: 402, Type: "insufficient_quota", Code: "insufficient_quota", Message: "You exceeded your current quota, please check your plan and billing details."}, 5, "money", "quota"},
	{"unknown model", fail{Status: 404, Type: "invalid_request_error", Code: "model_not_found", Message: "The model `fake-model` does not exist or you do not have access to it."}, 1, "request", "not "},
	{"refusal", fail{Status: 400, Type: "invalid_request_error", Code: "content_policy_violation", Message: "This violates our content policy."}, 1, "refused", "content policy"},
}

// TestErrorsOfTheModel runs into each of them for good: the exit code, the words and the journal say which it was, and the tree is as before.
func TestErrorsOfTheModel(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		for _, b := range broke[a.name] {
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				answer := turn{Fail: &b.fail, Times: -1}
				if b.fail.Message == "" {
					answer = turn{Stop: "refusal", Times: -1}
				}
				w := newWorld(t, a).plays(answer)
				code, said := w.run()
				assert.Equal(t, b.code, code, said)
				assert.Contains(t, said, b.says)
				assert.Contains(t, said, "next: ")
				assert.Contains(t, w.journal(), `"failure":"`+b.class+`"`)
				w.untouched()
			})
		}
	})
}

// untouched checks that nothing is there but what the person had, and the plan that ralphex commits at the start.
func (w *world) untouched() {
	w.t.Helper()
	assert.Empty(w.t, w.git("status", "--porcelain"))
	assert.Empty(w.t, w.git("diff", "main", "--stat"))
	assert.Equal(w.t, thePlan, w.read(planFile))
	assert.Empty(w.t, w.survivors())
}

// TestBusyServer is a server that answers at the second try: the run goes on by itself.
func TestBusyServer(t *testing.T) {
	busy := map[string]fail{
		"claude": {Status: 529, Type: "overloaded_error", Message: "Overloaded", Headers: noRetry},
		"codex":  {Status: http.StatusServiceUnavailable, Type: "server_error", Message: "We are busy"},
	}
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		f := busy[a.name]
		times := map[string]int{"claude": 1, "codex": 4}[a.name] // codex asks again by itself, twice two times
		code, said := w.plays(turns([]turn{{Fail: &f, Times: times}}, w.greets(), w.names())...).run()
		assert.Zero(t, code, said)
		assert.Contains(t, w.journal(), `"failure":"overload"`)
		assert.Contains(t, w.log(), "feat: Greet by name")
		assert.Empty(t, w.survivors())
	}, "claude", "codex")
}

// TestConnectionDrops is a connection that breaks in the middle of a word: the agent asks again by itself, and
// what it said twice is no failure.
func TestConnectionDrops(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		greets := w.greets()
		cut := greets[0]
		cut.Drop = "mid"
		code, said := w.plays(turns([]turn{cut}, greets, w.names())...).run()
		assert.Zero(t, code, said)
		assert.NotContains(t, w.journal(), `"failure":`)
		assert.Contains(t, w.log(), "feat: Greet by name")
	}, "claude", "codex")
}

// TestLimitOpensAgain waits until the hour that the agent names, and goes on.
func TestLimitOpensAgain(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		soon := time.Now().Add(3 * time.Second)
		f := fail{Status: 429, Type: "rate_limit_error", Message: "This request would exceed your account's rate limit.", Headers: exhausted(soon)}
		if a.name == "codex" {
			f = fail{Status: 429, Type: "usage_limit_reached", Message: "The usage limit has been reached", Fields: map[string]any{"plan_type": "plus", "resets_at": soon.Unix()}}
		}
		code, said := w.plays(turns([]turn{{Fail: &f}}, w.greets(), w.names())...).run("--wait", "1s")
		assert.Zero(t, code, said)
		assert.Contains(t, w.journal(), `"type":"wait"`)
		assert.Contains(t, w.log(), "feat: Greet by name")
	}, "claude", "codex")
}
