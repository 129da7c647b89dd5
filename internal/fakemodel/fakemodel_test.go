package fakemodel

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dialects is each protocol as an agent would use it: a request that offers a shell and a tool that writes files.
var dialects = map[string]struct{ path, body string }{
	"anthropic": {"/v1/messages?beta=true", `{"model":"m","stream":true,"tools":[
		{"name":"Bash","input_schema":{"properties":{"command":{"type":"string"},"description":{"type":"string"},"run_in_background":{"type":"boolean"}},"required":["command"]}},
		{"name":"Write","input_schema":{"properties":{"file_path":{"type":"string"},"content":{"type":"string"}},"required":["file_path","content"]}}]}`},
	"responses": {"/v1/responses", `{"model":"m","stream":true,"tools":[
		{"type":"function","name":"exec_command","parameters":{"properties":{"cmd":{"type":"string"}},"required":["cmd"]}},{"type":"custom","name":"apply_patch"}]}`},
	"chat": {"/v1/chat/completions", `{"model":"m","stream":true,"tools":[
		{"type":"function","function":{"name":"bash","parameters":{"properties":{"command":{"type":"string"},"description":{"type":"string"}},"required":["command","description"]}}},
		{"type":"function","function":{"name":"write","parameters":{"properties":{"filePath":{},"content":{}}}}}]}`},
	"gemini": {"/v1beta/models/m:streamGenerateContent?alt=sse", `{"tools":[{"functionDeclarations":[
		{"name":"run_shell_command","parametersJsonSchema":{"properties":{"command":{"type":"string"},"is_background":{"type":"boolean"}},"required":["command","is_background"]}},
		{"name":"write_file","parameters":{"properties":{"file_path":{},"content":{}}}}]}]}`},
}

func start(t *testing.T, script string) *Server {
	t.Helper()
	s, err := Parse([]byte(script))
	require.NoError(t, err)
	srv, err := Start(s)
	require.NoError(t, err)
	t.Cleanup(srv.Close)
	return srv
}

func post(t *testing.T, srv *Server, path, body string) (*http.Response, string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL()+path, strings.NewReader(body))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res, string(text), err
}

// sent are the JSON objects of an answer in events.
func sent(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.SplitSeq(text, "\n") {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(data), &o), data)
		all = append(all, o)
	}
	return all
}

func TestEachProtocolSaysTheSameTurn(t *testing.T) {
	const script = `{"turns":[{"thinking":"hm","text":"Grüße, I write.","calls":[{"write":{"path":"a.txt","content":"a\n"}},{"bash":"cat a.txt"}],"usage":{"input":90,"cached":5,"output":30}}]}`
	want := map[string][]string{
		"anthropic": {`"name":"Write"`, `{\"content\":\"a\\n\",\"`, `"name":"Bash"`, `"stop_reason":"tool_use"`, `"cache_read_input_tokens":5`, `"output_tokens":30`, "event: message_stop"},
		"responses": {`"custom_tool_call"`, `*** Add File: a.txt\n+a\n*** End Patch`, `"name":"exec_command"`, `{\"cmd\":\"cat a.txt\"}`, `"input_tokens":95`, `"cached_tokens":5`, "event: response.completed"},
		"chat":      {`"name":"write"`, `\"filePath\":\"a.txt\"`, `\"description\":\"next step\"`, `"finish_reason":"tool_calls"`, `"prompt_tokens":95`, "data: [DONE]"},
		"gemini":    {`"name":"write_file"`, `"is_background":false`, `"finishReason":"STOP"`, `"promptTokenCount":95`},
	}
	for name, d := range dialects {
		t.Run(name, func(t *testing.T) {
			srv := start(t, script)
			res, text, err := post(t, srv, d.path, d.body)
			require.NoError(t, err)
			assert.Equal(t, http.StatusOK, res.StatusCode)
			assert.NotEmpty(t, sent(t, text))
			for _, w := range want[name] {
				assert.Contains(t, text, w)
			}
			assert.Empty(t, srv.Unused())
			assert.Equal(t, 1, srv.Answered())
		})
	}
}

func TestWholeAnswers(t *testing.T) {
	for name, d := range dialects {
		t.Run(name, func(t *testing.T) {
			srv := start(t, `{"turns":[{"text":"Now whole.","calls":[{"bash":"true"}]}]}`)
			path := strings.Replace(d.path, ":streamGenerateContent?alt=sse", ":generateContent", 1)
			res, text, err := post(t, srv, path, strings.Replace(d.body, `"stream":true`, `"stream":false`, 1))
			require.NoError(t, err)
			assert.Equal(t, "application/json", res.Header.Get("Content-Type"))
			var o map[string]any
			require.NoError(t, json.Unmarshal([]byte(text), &o))
			assert.Contains(t, text, "Now whole.")
			assert.False(t, srv.Requests()[0].Stream)
		})
	}
}

func TestWhyAnAnswerEnds(t *testing.T) {
	for name, want := range map[string][2]string{
		"anthropic": {`"stop_reason":"refusal"`, `"stop_reason":"max_tokens"`}, "chat": {`"finish_reason":"content_filter"`, `"finish_reason":"length"`},
		"responses": {`"reason":"content_filter"`, `"reason":"max_output_tokens"`}, "gemini": {`"finishReason":"SAFETY"`, `"finishReason":"MAX_TOKENS"`},
	} {
		t.Run(name, func(t *testing.T) {
			srv := start(t, `{"turns":[{"text":"no","stop":"refusal"},{"text":"and so","stop":"length"}]}`)
			for _, reason := range want {
				_, text, err := post(t, srv, dialects[name].path, dialects[name].body)
				require.NoError(t, err)
				assert.Contains(t, text, reason)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for name, d := range dialects {
		t.Run(name, func(t *testing.T) {
			srv := start(t, `{"turns":[
				{"fail":{"status":429,"type":"limit","message":"later","headers":{"Retry-After":"7"},"fields":{"resets_at":99}}},
				{"text":"one half","fail":{"type":"api_error","message":"broke","late":true}},
				{"drop":"before"},
				{"text":"0123456789","drop":"mid"}]}`)
			res, text, err := post(t, srv, d.path, d.body)
			require.NoError(t, err)
			assert.Equal(t, http.StatusTooManyRequests, res.StatusCode)
			assert.Equal(t, "7", res.Header.Get("Retry-After"))
			assert.Contains(t, text, `"resets_at":99`)

			res, text, err = post(t, srv, d.path, d.body)
			require.NoError(t, err)
			assert.Equal(t, http.StatusOK, res.StatusCode)
			assert.Contains(t, text, "broke")
			assert.NotContains(t, text, "half")

			_, _, err = post(t, srv, d.path, d.body)
			require.Error(t, err, "the connection is closed without an answer")

			_, text, err = post(t, srv, d.path, d.body)
			require.Error(t, err, "the answer is cut")
			assert.Contains(t, text, "01234")
			assert.NotContains(t, text, "56789")

			res, text, err = post(t, srv, d.path, d.body)
			require.NoError(t, err)
			assert.Equal(t, http.StatusBadRequest, res.StatusCode, "nothing is left")
			assert.Contains(t, text, "no turn is left")
			assert.Equal(t, 4, srv.Answered())
		})
	}
}

func TestTurnsAreChosen(t *testing.T) {
	srv := start(t, `{"side":"a title","turns":[
		{"match":["second"],"text":"for the second"},
		{"unless":["third"],"text":"one"},
		{"times":-1,"text":"any"}]}`)
	d := dialects["chat"]
	ask := func(add string) string {
		_, text, err := post(t, srv, d.path, strings.Replace(d.body, `"model":"m"`, `"model":"m","messages":["`+add+`"]`, 1))
		require.NoError(t, err)
		var all strings.Builder
		for _, o := range sent(t, text) {
			for _, c := range o["choices"].([]any) {
				s, _ := c.(map[string]any)["delta"].(map[string]any)["content"].(string)
				all.WriteString(s)
			}
		}
		return all.String()
	}
	assert.Equal(t, "any", ask("third"))
	assert.Equal(t, "one", ask("first"))
	assert.Equal(t, []int{1}, srv.Unused())
	assert.Equal(t, "for the second", ask("second"))
	assert.Equal(t, "any", ask("second"))
	_, text, err := post(t, srv, d.path, `{"model":"small","stream":false}`)
	require.NoError(t, err)
	assert.Contains(t, text, "a title")
	last := srv.Requests()[4]
	assert.Zero(t, last.Turn, "a request without tools uses no turn up")
	assert.Equal(t, "small", last.Model)
}

func TestWhoWaitsIsTold(t *testing.T) {
	srv := start(t, `{"turns":[{"text":"half and no more","hang":true}]}`)
	d := dialects["anthropic"]
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL()+d.path, strings.NewReader(d.body))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	wait, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	require.NoError(t, srv.Await(wait, 1))
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "half") {
	}
	assert.Contains(t, lines.Text(), "half")
	cancel() // the agent goes away, and the server lets go
	_, err = io.ReadAll(res.Body)
	require.Error(t, err)

	done, end := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	end(enough)
	require.ErrorIs(t, srv.Await(done, 2), enough)
}

func TestSlowModel(t *testing.T) {
	srv := start(t, `{"turns":[{"text":"slowly","pause_ms":20}]}`)
	begin := time.Now()
	_, text, err := post(t, srv, dialects["gemini"].path, dialects["gemini"].body)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, time.Since(begin), time.Duration(len(sent(t, text)))*20*time.Millisecond)
}

func TestAsides(t *testing.T) {
	srv := start(t, `{}`)
	for path, want := range map[string]string{"/v1/messages/count_tokens": "input_tokens", "/v1beta/models/m:countTokens": "totalTokens", "/v1/odd": "fakemodel has no /v1/odd"} {
		_, text, err := post(t, srv, path, `{}`)
		require.NoError(t, err)
		assert.Contains(t, text, want)
	}
	res, err := http.Get(srv.URL() + "/v1/models")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
	res, err = http.Head(srv.URL() + "/api/hello")
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusOK, res.StatusCode)
}

func TestToolsThatAreNotOffered(t *testing.T) {
	srv := start(t, `{"turns":[{"calls":[{"agent":"review it"}]}]}`)
	d := dialects["chat"]
	res, text, err := post(t, srv, d.path, d.body)
	require.NoError(t, err)
	assert.Equal(t, http.StatusBadRequest, res.StatusCode)
	assert.Contains(t, text, "call 1: the agent offers no tool that does agent, only bash, write")
}

func TestEditsInAList(t *testing.T) {
	var s schema
	require.NoError(t, json.Unmarshal([]byte(`{"properties":{"path":{},"edits":{"type":"array"}},"required":["path","edits"]}`), &s))
	c, err := Call{Edit: &Edit{"a", "b", "c"}}.translate([]tool{{name: "edit", schema: s}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"path":"a","edits":[{"oldText":"b","newText":"c"}]}`, string(c.input))
}

func TestScriptsThatMeanNothing(t *testing.T) {
	for text, want := range map[string]string{
		`{"turns":[{"txt":"x"}]}`:                                       "unknown field",
		`{"turns":[{"stop":"soon"}]}`:                                   `turn 1: stop is "soon"; refusal and length are possible`,
		`{"turns":[{},{"drop":"late"}]}`:                                `turn 2: drop is "late"; before and mid are possible`,
		`{"turns":[{"fail":{"status":200,"message":""}}]}`:              "turn 1: fail has status 200",
		`{"turns":[{"fail":{"status":500,"message":""},"drop":"mid"}]}`: "exclude each other",
		`{"turns":[{"calls":[{"bash":"x","read":"y"}]}]}`:               "a call sets 2 of",
		`{"turns":[{"calls":[{"input":{}}]}]}`:                          "a call sets 0 of",
	} {
		_, err := Parse([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
	_, err := Start(Script{Turns: []Turn{{Drop: "x"}}})
	require.Error(t, err)
}

func TestToolsOfANamespace(t *testing.T) {
	srv := start(t, `{"turns":[{"calls":[{"agent":"review it"},{"write":{"path":"a","content":"b"}}]}]}`)
	_, text, err := post(t, srv, "/v1/responses", `{"stream":true,"tools":[{"type":"web_search"},{"type":"function","name":"exec_command","parameters":{"properties":{"cmd":{}}}},
		{"type":"namespace","name":"multi","tools":[{"type":"function","name":"spawn_agent","parameters":{"properties":{"message":{}}}}]}]}`)
	require.NoError(t, err)
	assert.Contains(t, text, `{\"message\":\"review it\"}`)
	assert.Contains(t, text, `"namespace":"multi"`)
	assert.Contains(t, text, `EOF'\\n*** Begin Patch\\n*** Add File: a\\n+b`, "what has no tool of its own goes through the shell")
	assert.Equal(t, []string{"web_search", "exec_command", "spawn_agent"}, srv.Requests()[0].Tools)
}
