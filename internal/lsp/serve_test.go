package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan/check"
)

const uri = "file:///w/docs/plans/p.md"

// say sends one message; id "" makes it a notification.
func (s *session) say(id jsonrpc.ID, method string, params any) {
	s.t.Helper()
	raw, err := jsonrpc.Raw(params)
	require.NoError(s.t, err)
	body, err := jsonrpc.Encode(&jsonrpc.Message{ID: id, Method: method, Params: raw})
	require.NoError(s.t, err)
	require.NoError(s.t, jsonrpc.Write(s.in, body))
}

// open begins a session with one document.
func (s *session) open(text string) {
	s.t.Helper()
	s.say("0", "initialize", map[string]any{"capabilities": map[string]any{"textDocument": map[string]any{
		"codeAction": map[string]any{"codeActionLiteralSupport": map[string]any{}}, "publishDiagnostics": map[string]any{"versionSupport": true}}}})
	s.say("", "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "markdown", "version": 1, "text": text}})
}

func (s *session) change(version int, text string) {
	s.t.Helper()
	s.say("", "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": []any{map[string]any{"text": text}}})
}

func (s *session) actions(id jsonrpc.ID) {
	s.t.Helper()
	s.say(id, "textDocument/codeAction", codeActionParams{Document: documentID{URI: uri}})
}

// heard is what the server has said by now, in short.
func (s *session) heard() []string {
	s.t.Helper()
	said, err := s.Settle(0)
	require.NoError(s.t, err)
	out := []string{}
	for _, m := range said {
		switch {
		case m.Method == "textDocument/publishDiagnostics":
			var p publishParams
			require.NoError(s.t, json.Unmarshal(m.Params, &p))
			what := "clean"
			if len(p.Diagnostics) > 0 {
				what = "found"
				if p.Diagnostics[0].Code == "document-lost" {
					what = "lost"
				}
			}
			out = append(out, fmt.Sprintf("v%d: %s", *p.Version, what))
		case m.Method != "":
			out = append(out, m.Method)
		case m.Error != nil:
			out = append(out, fmt.Sprintf("%s: error %d", idText(m.ID), m.Error.Code))
		default:
			out = append(out, idText(m.ID)+": ok")
		}
	}
	return out
}

func idText(id jsonrpc.ID) string {
	if id == "" {
		return "null"
	}
	return string(id)
}

// slowly makes checks wait, so that a test can do something meanwhile: each check takes one value from the channel,
// and panics if it is true.
func slowly(gate <-chan bool) Options {
	o := Options{}
	o.Project = func(string) Project {
		return Project{Check: check.Options{Deep: true, LookPath: func(string) (string, error) {
			if <-gate {
				panic("on purpose")
			}
			return "", nil
		}}}
	}
	return o
}

const slowPlan = "# P\n\n## Validation Commands\n- `thing`\n\n### Task 1: a\n- [ ] b\n"

func TestCancelledRequestsAreAnsweredAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan bool)
		s := connect(t, slowly(gate))
		s.open(slowPlan) // a check is at work from here on, and another seat is free
		s.actions("1")
		s.actions("2")
		s.actions(`"three"`)
		assert.Equal(t, []string{"0: ok"}, s.heard(), "all wait for the check")

		s.say("", "$/cancelRequest", map[string]any{"id": 2})
		s.say("", "$/cancelRequest", map[string]any{"id": "three"})
		assert.Equal(t, []string{"2: error -32800", `"three": error -32800`}, s.heard())

		s.actions("2") // the id is free again, and means another request now
		close(gate)
		assert.ElementsMatch(t, []string{"v1: found", "1: ok", "2: ok"}, s.heard())
		s.End()
	})
}

func TestAnAnswerAfterTheCancelIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan bool)
		s := connect(t, slowly(gate))
		s.open(slowPlan)
		s.actions("1")
		require.Equal(t, []string{"0: ok"}, s.heard(), "it is being worked on")
		s.say("", "$/cancelRequest", map[string]any{"id": 1})
		require.Equal(t, []string{"1: error -32800"}, s.heard())
		close(gate)
		assert.Equal(t, []string{"v1: found"}, s.heard(), "there is no second answer")
		s.End()
	})
}

func TestAnIDInUseIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan bool)
		s := connect(t, slowly(gate))
		s.open(slowPlan)
		s.actions("1")
		s.actions("1")
		assert.Equal(t, []string{"0: ok", "1: error -32600"}, s.heard())
		close(gate)
		assert.ElementsMatch(t, []string{"v1: found", "1: ok"}, s.heard())
		s.End()
	})
}

func TestAFloodOfRequestsIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan bool)
		s := connect(t, slowly(gate))
		s.open(slowPlan)
		for i := range maxCalls {
			s.actions(jsonrpc.ID(fmt.Sprint(i + 1)))
		}
		assert.Equal(t, []string{"0: ok"}, s.heard())
		s.actions("9999")
		assert.Equal(t, []string{"9999: error -32803"}, s.heard())
		close(gate)
		assert.Len(t, s.heard(), maxCalls+1)
		s.End()
	})
}

func TestAPanicIsTheErrorOfOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan bool, 1)
		gate <- true
		s := connect(t, slowly(gate))
		s.open(slowPlan)
		s.actions("1")
		assert.Equal(t, []string{"0: ok", "1: error -32603"}, s.heard(), "and no diagnostics of half a check")
		close(gate)
		s.change(2, slowPlan+"\n")
		s.Wait(time.Second)
		s.actions("2")
		assert.ElementsMatch(t, []string{"v2: found", "2: ok"}, s.heard())
		s.End()
		assert.Contains(t, s.log.String(), "on purpose")
	})
}

// TestOneCheckAtATime types on while a check runs: its result is outdated and not shown, and one check of the newest
// text follows, however many changes there were.
func TestOneCheckAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan bool)
		s := connect(t, slowly(gate))
		s.open(slowPlan)
		for v := 2; v < 9; v++ {
			s.change(v, slowPlan+strings.Repeat("- [ ] \n", v))
			s.Wait(time.Second)
		}
		assert.Equal(t, []string{"0: ok"}, s.heard())
		gate <- false
		assert.Empty(t, s.heard(), "the check of version 1 says nothing")
		gate <- false
		assert.Equal(t, []string{"v8: found"}, s.heard())
		s.End()
	})
}

// TestManyFindings bounds what is shown.
func TestManyFindings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, Options{})
		s.open("# P\n\n### Task 1: a\n" + strings.Repeat("* [ ] x\n", 2*maxDiagnostics))
		said, err := s.Settle(0)
		require.NoError(t, err)
		var p publishParams
		require.NoError(t, json.Unmarshal(said[len(said)-1].Params, &p))
		require.Len(t, p.Diagnostics, maxDiagnostics+1)
		assert.Contains(t, p.Diagnostics[maxDiagnostics].Message, "more findings are not shown")
		s.End()
	})
}

func TestDocumentsBeyondTheLimitAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, Options{maxDocument: 1000})
		s.open(strings.Repeat("x", 1001))
		assert.Equal(t, []string{"0: ok", "v1: lost"}, s.heard())
		s.say("", "textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 2},
			"contentChanges": []any{map[string]any{"text": "y", "range": Range{}}}})
		s.actions("1")
		s.Wait(time.Second)
		assert.Equal(t, []string{"1: ok", "v2: lost"}, s.heard(), "a part of it is not known either")
		s.change(3, slowPlan)
		s.Wait(time.Second)
		assert.Equal(t, []string{"v3: found"}, s.heard(), "a whole text is")
		s.End()
	})
}

// TestAMessageThatIsTooLarge is skipped. It may have been a change, so that documents are not trusted until they come
// whole.
func TestAMessageThatIsTooLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 10_000
		s := connect(t, Options{maxMessage: most})
		s.open(slowPlan)
		require.Equal(t, []string{"0: ok", "v1: found"}, s.heard())
		require.NoError(t, s.Send(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", most+1)))
		_, err := io.CopyN(s.in, zeros{}, most+1)
		require.NoError(t, err)
		assert.Equal(t, []string{"null: error -32600", "v1: lost"}, s.heard())
		s.actions("1")
		assert.Equal(t, []string{"1: ok"}, s.heard())
		s.change(2, slowPlan)
		s.Wait(time.Second)
		assert.Equal(t, []string{"v2: found"}, s.heard())
		s.End()
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestTheEndOfTheContextIsTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("interrupted")
		s := connect(t, Options{})
		s.open(slowPlan)
		s.heard()
		s.cancel(why)
		assert.ErrorIs(t, <-s.ended, why)
		s.ended <- nil
		s.End()
	})
}

// TestAClientThatDoesNotRead is waited for, and does not hold up the end.
func TestAClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		in, client := io.Pipe()
		deaf, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, in, out, Options{}) }()
		go func() {
			for range queueLength + 10 {
				if jsonrpc.Write(client, []byte("{}")) != nil {
					return
				}
			}
		}()
		synctest.Wait()
		why := errors.New("enough")
		cancel(why)
		assert.ErrorIs(t, <-ended, why)
		deaf.Close() // a process would end here, and take its streams with it
		in.Close()
		synctest.Wait()
	})
}

// TestAClientThatHasGone is seen when something is to be written to it.
func TestAClientThatHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, Options{})
		s.out.Close()
		s.say("0", "initialize", map[string]any{"capabilities": map[string]any{}})
		assert.ErrorIs(t, <-s.ended, io.ErrClosedPipe)
		s.ended <- nil
		s.End()
	})
}
