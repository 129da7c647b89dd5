package notify

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// call1 is a request that a server got.
type call1 struct {
	path   string
	header http.Header
	body   string
}

// web is a server that notes what it gets and answers as it is told, in order; then with 200.
type web struct {
	*httptest.Server
	mu      sync.Mutex
	answers []func(http.ResponseWriter)
	calls   []call1
}

func newWeb(t *testing.T, answers ...func(http.ResponseWriter)) *web {
	w := &web{answers: answers}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.calls = append(w.calls, call1{r.Method + " " + r.URL.String(), r.Header, string(body)})
		if n := len(w.calls); n <= len(w.answers) {
			w.answers[n-1](rw)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

func (w *web) got() []call1 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls
}

// status answers with a code and a text.
func status(code int, text string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { w.WriteHeader(code); _, _ = io.WriteString(w, text) }
}

// one sends a message to one channel.
func one(t *testing.T, c channel, m Message) error {
	t.Helper()
	tmpl, err := parseTemplate("")
	require.NoError(t, err)
	n := &Notifier{channels: []channel{c}, timeout: 10 * time.Second, template: tmpl, safe: func(s string) string { return s }}
	return n.Send(t.Context(), m)[0].Err
}

func fields(t *testing.T, body string) map[string]any {
	t.Helper()
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &m), "%s", body)
	return m
}

func TestTelegram(t *testing.T) {
	t.Parallel()
	w := newWeb(t, status(200, `{"ok":true}`), status(403, `{"ok":false,"description":"Forbidden: bot was blocked"}`))
	c, err := newTelegram(w.Client(), "123:secret-token", "@team")
	require.NoError(t, err)
	c.(*telegram).api = w.URL
	require.NoError(t, one(t, c, Sample(Success)))
	got := w.got()[0]
	assert.Equal(t, "POST /bot123:secret-token/sendMessage", got.path)
	f := fields(t, got.body)
	assert.Equal(t, "@team", f["chat_id"])
	assert.Contains(t, f["text"], "ralphex completed on this-machine\n\nproject:  project\n")
	assert.NotContains(t, f, "parse_mode", "a text with < in it is shown as it is")

	err = one(t, c, Sample(Success))
	require.EqualError(t, err, "403 Forbidden: Forbidden: bot was blocked")
	w.Close()
	require.NotContains(t, one(t, c, Sample(Success)).Error(), "secret", "the address holds the token")
}

// A server that wants to be left alone for longer than there is time is told of as what it is: it did answer.
func TestBusyServerIsNoSilence(t *testing.T) {
	t.Parallel()
	w := newWeb(t, func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "3600")
		status(429, `{"message":"slow down"}`)(w)
	}, status(503, ""), status(200, `{"ok":true}`))
	c, err := newTelegram(w.Client(), "123:secret-token", "@team")
	require.NoError(t, err)
	c.(*telegram).api = w.URL
	require.EqualError(t, one(t, c, Sample(Success)), "429 Too Many Requests: slow down")
	require.Len(t, w.got(), 1, "it is not asked again too early")
	require.NoError(t, one(t, c, Sample(Success)), "one that may be asked soon is asked again")
	require.Len(t, w.got(), 3)
}

func TestSlack(t *testing.T) {
	t.Parallel()
	w := newWeb(t, status(200, `{"ok":true}`), status(200, `{"ok":false,"error":"not_in_channel"}`), status(200, "not json"))
	c, err := newSlack(w.Client(), "xoxb-1", "#runs")
	require.NoError(t, err)
	c.(*slack).api = w.URL + "/post"
	m := Sample(Failure)
	m.Reason = "a < b && c"
	require.NoError(t, one(t, c, m))
	got := w.got()[0]
	assert.Equal(t, "Bearer xoxb-1", got.header.Get("Authorization"))
	f := fields(t, got.body)
	assert.Equal(t, "#runs", f["channel"])
	assert.Contains(t, f["text"], "a &lt; b &amp;&amp; c")
	require.EqualError(t, one(t, c, m), "not_in_channel: invite the bot to the channel")
	require.ErrorContains(t, one(t, c, m), "not one of Slack's")
}

func TestDiscordAndNtfy(t *testing.T) {
	t.Parallel()
	w := newWeb(t)
	require.NoError(t, one(t, &discord{w.Client(), w.URL + "/api/webhooks/1/tok"}, Sample(Success)))
	f := fields(t, w.got()[0].body)
	assert.Contains(t, f["content"], "plan:     docs/plans/feature.md")
	assert.Equal(t, map[string]any{"parse": []any{}}, f["allowed_mentions"], "nobody is called by a text of an agent")

	m := Sample(Failure)
	m.Host = "größer"
	c, err := parseURL("ntfy://me:pw@"+strings.TrimPrefix(w.URL, "http://")+"/runs?scheme=http&tags=robot", Settings{}, w.Client())
	require.NoError(t, err)
	require.NoError(t, one(t, c, m))
	got := w.got()[1]
	assert.Equal(t, "POST /runs", got.path)
	assert.Equal(t, "=?utf-8?q?ralphex_failed_on_gr=C3=B6=C3=9Fer?=", got.header.Get("Title"))
	assert.Equal(t, "high", got.header.Get("Priority"))
	assert.Equal(t, "robot", got.header.Get("Tags"))
	assert.Equal(t, "Basic bWU6cHc=", got.header.Get("Authorization"))
	assert.Contains(t, got.body, "error:    this is a test")
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	w := newWeb(t)
	c, err := newWebhook(w.Client(), w.URL+"/hook?key=1", "shared", false)
	require.NoError(t, err)
	require.NoError(t, one(t, c, Sample(Success)))
	got := w.got()[0]
	assert.Equal(t, "POST /hook?key=1", got.path)
	assert.Equal(t, "application/json; charset=utf-8", got.header.Get("Content-Type"))
	assert.Equal(t, sign("shared", []byte(got.body)), got.header.Get(SignatureHeader))
	assert.Equal(t, "test", got.header.Get("X-Ralphex-Delivery"))
	f := fields(t, got.body)
	for name, want := range map[string]any{"status": "success", "mode": "full", "plan_file": "/project/docs/plans/feature.md", "branch": "feature", "duration": "5m30s",
		"files": 4.0, "additions": 120.0, "deletions": 8.0, "event": "success", "tasks_done": 3.0, "version": 1.0} {
		assert.Equal(t, want, f[name], name)
	}
	assert.NotContains(t, f, "error")
	assert.Contains(t, f["text"], "tasks:    3 of 3 done")

	c, err = newWebhook(w.Client(), w.URL, "", true)
	require.NoError(t, err)
	require.NoError(t, one(t, c, Sample(Failure)))
	got = w.got()[1]
	assert.Equal(t, "text/plain; charset=utf-8", got.header.Get("Content-Type"))
	assert.Empty(t, got.header.Get(SignatureHeader))
	assert.True(t, strings.HasPrefix(got.body, "ralphex failed on this-machine\n\n"), got.body)
}

// The signature is the usual one: a receiver that has a secret needs nothing of ours to check it.
func TestSignature(t *testing.T) {
	assert.Equal(t, "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8", sign("key", []byte("The quick brown fox jumps over the lazy dog")))
}

func TestBusyServersAreAskedAgain(t *testing.T) {
	t.Parallel()
	w := newWeb(t, status(503, ""), status(200, ""))
	c, err := newWebhook(w.Client(), w.URL, "", false)
	require.NoError(t, err)
	require.NoError(t, one(t, c, Sample(Success)))
	assert.Len(t, w.got(), 2)

	w = newWeb(t, status(404, "no such hook"))
	c, err = newWebhook(w.Client(), w.URL, "", false)
	require.NoError(t, err)
	require.EqualError(t, one(t, c, Sample(Success)), "404 Not Found: no such hook")
	assert.Len(t, w.got(), 1, "what is wrong stays wrong")
}

// What is sent stays with the host that was named.
func TestRedirectsAreNotFollowedElsewhere(t *testing.T) {
	t.Parallel()
	other := newWeb(t)
	w := newWeb(t, func(rw http.ResponseWriter) { rw.Header().Set("Location", other.URL); rw.WriteHeader(307) })
	n, err := New(Settings{Channels: []string{"webhook"}, WebhookURLs: []string{w.URL}})
	require.NoError(t, err)
	require.ErrorContains(t, n.Send(t.Context(), Sample(Success))[0].Err, "redirected to "+other.Listener.Addr().String())
	assert.Empty(t, other.got())
}

// script writes a program to a folder.
func writeScript(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	at := filepath.Join(t.TempDir(), "hook.sh")
	require.NoError(t, os.WriteFile(at, []byte("#!/bin/sh\n"+text), 0o700))
	return at
}

func TestScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := writeScript(t, "cat > got.json; echo \"$#\" > args; echo \"$WORD\" > word\n")
	n, err := New(Settings{Channels: []string{"custom"}, Script: at, Dir: dir, Env: append(os.Environ(), "WORD=sesame")})
	require.NoError(t, err)
	require.NoError(t, n.Send(t.Context(), Sample(Failure))[0].Err)
	got, err := os.ReadFile(filepath.Join(dir, "got.json"))
	require.NoError(t, err)
	f := fields(t, string(got))
	assert.Equal(t, "failure", f["status"])
	assert.Equal(t, "this is a test", f["error"])
	for name, want := range map[string]string{"args": "0\n", "word": "sesame\n"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
}

func TestScriptThatFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"says why", "echo out; echo why >&2; exit 3\n", "exit 3: why\nout"},
		{"takes too long", "sleep 60\n", "no answer within 200ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n, err := New(Settings{Channels: []string{"custom"}, Script: writeScript(t, tt.text), Timeout: 200 * time.Millisecond})
			require.NoError(t, err)
			if tt.name == "says why" {
				n.timeout = 10 * time.Second
			}
			require.ErrorContains(t, n.Send(t.Context(), Sample(Success))[0].Err, tt.want)
		})
	}
	n, err := New(Settings{Channels: []string{"custom"}, Script: "./not-there.sh"})
	require.NoError(t, err)
	require.ErrorContains(t, n.Send(t.Context(), Sample(Success))[0].Err, "not-there.sh")
}

func TestDesktop(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ system, command string }{{"linux", "notify-send"}, {"darwin", "osascript"}, {"windows", "powershell.exe"}} {
		d := &desktop{system: tt.system}
		ways := d.ways("title", "<text>")
		assert.Equal(t, tt.command, ways[0].Argv[0])
		for _, w := range ways {
			for _, arg := range w.Argv {
				if strings.Contains(arg, "text>") {
					assert.NotContains(t, arg, "display", "no word of a message is part of a program")
				}
			}
		}
	}
	d := &desktop{system: "linux"}
	assert.Equal(t, "&lt;text&gt;", d.ways("t", "<text>")[0].Argv[4], "the body is markup there")
	assert.Equal(t, "t\n<text>", d.ways("t", "<text>")[1].Stdin)
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	tests := []struct{ raw, kind, place, inside string }{
		{"telegram://123:abc@telegram?chats=@a", "telegram", "@a", "123:abc"},
		{"telegram://123:abc@telegram?channels=@a,-45", "telegram", "@a, -45", ""},
		{"slack://xoxb:1-2-3@C042", "slack", "C042", "xoxb-1-2-3"},
		{"slack://hook:T1-B2-xyz@webhook", "slack", "hooks.slack.com", "https://hooks.slack.com/services/T1/B2/xyz"},
		{"discord://tok_en@42?thread_id=7", "discord", "discord.com", "https://discord.com/api/webhooks/42/tok_en?thread_id=7"},
		{"ntfy://topic", "ntfy", "ntfy.sh", "https://ntfy.sh/topic"},
		{"ntfy://push.example.com/topic", "ntfy", "push.example.com", "https://push.example.com/topic"},
		{"smtp://me:pw@mail.example.com:465/?from=a@example.com&to=b@example.com,c@example.com", "email", "b@example.com, c@example.com", "implicit"},
		{"generic://example.com/hook?a=1&@X-Key=v", "webhook", "example.com", "https://example.com/hook?a=1"},
		{"generic+http://example.com/hook", "webhook", "example.com", "http://example.com/hook"},
		{"https://example.com/hook?@a=1", "webhook", "example.com", "https://example.com/hook?@a=1"},
		{"desktop://", "desktop", "this machine", ""},
	}
	for _, tt := range tests {
		c, err := parseURL(tt.raw, Settings{}, nil)
		require.NoError(t, err, tt.raw)
		assert.Equal(t, tt.kind, c.kind(), tt.raw)
		assert.Equal(t, tt.place, c.place(), tt.raw)
		var inside string
		switch c := c.(type) {
		case *telegram:
			inside = c.token
		case *slack:
			inside = c.token
			if inside == "" {
				inside = c.api
			}
		case *discord:
			inside = c.address
		case *ntfy:
			inside = c.address
		case *webhook:
			inside = c.address
		case *email:
			inside = string(c.TLS)
		}
		assert.Equal(t, tt.inside, inside, tt.raw)
	}
	c, err := parseURL("generic://example.com/?@X-Key=v", Settings{}, nil)
	require.NoError(t, err)
	assert.Equal(t, "v", c.(*webhook).header.Get("X-Key"))
}

func TestAddressesThatAreWrong(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"sesame":                            "not an address",
		"carrier-pigeon://sesame":           `no channel is called "carrier-pigeon"; there are telegram://`,
		"telegram://sesame":                 "the form is telegram://",
		"slack://sesame@x":                  "the form is slack://",
		"discord://sesame":                  "the form is discord://",
		"ntfy://":                           "the form is ntfy://",
		"smtp://sesame@h/?to=a@b":           "notify_email_from: is needed for the channel email; the form is smtp://",
		"https://%zz/sesame":                "not readable as an address; the form is https://",
		"smtp://h/?from=sesame%20x&to=a@b":  "is no mail address; the form is smtp://",
		"slack://hook:sesame@webhook":       "the form is slack://",
		"ntfy://host/two/levels":            "the form is ntfy://",
		"telegram://sesame@telegram?chats=": "the form is telegram://",
	} {
		_, err := New(Settings{URLs: []string{raw}})
		require.ErrorContains(t, err, "notify_urls: number 1: ", raw)
		require.ErrorContains(t, err, want, raw)
		if raw != "smtp://h/?from=sesame%20x&to=a@b" {
			assert.NotContains(t, err.Error(), "sesame", "addresses hold secrets")
		}
	}
}
