//go:build unix

package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/session/sessiontest"
)

// fake writes a codex of a version; body is what "exec" does.
func fake(t *testing.T, version, body string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "codex")
	text := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo codex-cli " + version + "; exit; fi\n" + body + "\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o755))
	return file
}

const id = "01a22c5b-1533-7db1-94dd-de79461d33df"

func TestArgv(t *testing.T) {
	multi := `-c features.multi_agent=true -c agents.reviewer.description="Reviews code changes and reports findings; edits nothing" `
	for _, tt := range []struct {
		name string
		o    Options
		req  executor.Request
		want string
	}{
		{"nothing set", Options{}, executor.Request{},
			"codex exec " + multi + "--dangerously-bypass-approvals-and-sandbox --sandbox danger-full-access -c stream_idle_timeout_ms=3600000 --json"},
		{"all set", Options{Model: "a", Effort: "low", ReadClaudeMD: true, Sandbox: WorkspaceWrite, StreamIdle: time.Second}, executor.Request{Effort: "high"},
			"codex exec " + multi + `-c project_doc_fallback_filenames=["CLAUDE.md"] --sandbox workspace-write -c model="a" -c model_reasoning_effort=high -c stream_idle_timeout_ms=1000 --json`},
		{"external", Options{External: true}, executor.Request{Model: "b"},
			`codex exec --sandbox read-only -c model="b" -c stream_idle_timeout_ms=3600000 --json`},
		{"gone on with", Options{External: true}, executor.Request{Resume: id},
			"codex exec --sandbox read-only -c stream_idle_timeout_ms=3600000 resume --json " + id + " -"},
		{"effort max is the CLI's own", Options{External: true}, executor.Request{Effort: "Max"},
			"codex exec --sandbox read-only -c stream_idle_timeout_ms=3600000 --json"},
	} {
		assert.Equal(t, tt.want, strings.Join(New(tt.o).Argv(tt.req, true), " "), tt.name)
	}
}

func TestSession(t *testing.T) {
	dir := t.TempDir()
	command := fake(t, "0.171.0", `cat >prompt; env >env
echo 'Reading prompt from stdin...' >&2
cat <<'EOF'
{"type":"thread.started","thread_id":"`+id+`"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"done\n<<<RALPHEX:ALL_TASKS_DONE>>>"}}
{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":7}}
EOF`)
	var log sessiontest.Recorder
	r, err := New(Options{Command: command}).Run(t.Context(), executor.Request{
		Prompt: "do it", Dir: dir, Emit: log.Emit, Env: append(os.Environ(), "CLAUDECODE=1", "ANTHROPIC_API_KEY=k", "CODEX_HOME=/x"),
	})
	require.NoError(t, err)
	assert.Nil(t, r.Failure)
	assert.Equal(t, id, r.SessionID)
	assert.Equal(t, int64(40), r.Usage.InputTokens, "what came from the cache is counted apart")
	assert.Equal(t, int64(60), r.Usage.CacheReadTokens)
	assert.Empty(t, r.Models, "which model its own settings name is not told")
	require.Len(t, r.Signals, 1)
	prompt, err := os.ReadFile(filepath.Join(dir, "prompt"))
	require.NoError(t, err)
	assert.Equal(t, "do it", string(prompt))
	env, err := os.ReadFile(filepath.Join(dir, "env"))
	require.NoError(t, err)
	assert.NotContains(t, string(env), "CLAUDECODE=")
	assert.NotContains(t, string(env), "ANTHROPIC_API_KEY=")
	assert.Contains(t, string(env), "CODEX_HOME=/x")
	assert.NotContains(t, log.String(), "Reading prompt", "we arranged that ourselves")
}

// The CLI's events name no model. The one that was asked for is known, so that it can be priced.
func TestUsageOfTheModelThatWasAskedFor(t *testing.T) {
	command := fake(t, "0.171.0", `cat >prompt
echo '{"type":"thread.started","thread_id":"`+id+`"}'
echo '{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"done"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":7}}'`)
	var told []event.Spent
	emit := func(d event.Data) {
		if s, ok := d.(event.Spent); ok {
			told = append(told, s)
		}
	}
	r, err := New(Options{Command: command, Model: "usual"}).Run(t.Context(), executor.Request{Dir: t.TempDir(), Model: "big", Emit: emit})
	require.NoError(t, err)
	want := map[string]event.Usage{"big": r.Usage}
	assert.Equal(t, int64(100), r.Usage.InputTokens)
	assert.Equal(t, want, r.Models)
	require.NotEmpty(t, told)
	assert.Equal(t, want, told[len(told)-1].Models, "a budget is told while it runs, too")
}

// An old codex is read as text, and by the session file that it writes under CODEX_HOME.
func TestOldVersion(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	command := fake(t, "0.120.0", `printf '%s\n' "$*" >args
echo "session id: `+id+`" >&2
mkdir -p "$CODEX_HOME/sessions/2026/11/30"
cat >"$CODEX_HOME/sessions/2026/11/30/rollout-2026-11-30T12-08-16-`+id+`.jsonl" <<'EOF'
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"not this"}]}}
{"type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"**Planning**\nmore"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look at it.\n<<<RALPHEX:TASK_FAILED>>>"}]}}
EOF
echo 'ERROR: odd' >&2; echo 'noise' >&2
echo 'All done.'; echo '<<<RALPHEX:ALL_TASKS_DONE>>>'`)
	var log sessiontest.Recorder
	e := New(Options{Command: command})
	r, err := e.Run(t.Context(), executor.Request{Dir: dir, Emit: log.Emit, Env: append(os.Environ(), "CODEX_HOME="+home)})
	require.NoError(t, err)
	assert.Nil(t, r.Failure)
	assert.Equal(t, id, r.SessionID)
	assert.Equal(t, "All done.\n<<<RALPHEX:ALL_TASKS_DONE>>>\n", r.Text)
	require.Len(t, r.Signals, 1, "the file is shown, and searched for nothing")
	assert.Contains(t, log.String(), "tool    I look at it.\n")
	assert.Contains(t, log.String(), "tool    thinking: Planning\n")
	assert.NotContains(t, log.String(), "not this")
	assert.NotContains(t, log.String(), "noise")
	assert.Contains(t, log.String(), "warn    codex 0.120.0 is older than 0.130.0")
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	require.NoError(t, err)
	assert.NotContains(t, string(args), "--json")
	assert.NotContains(t, string(args), "multi_agent")
	v, err := e.Version(t.Context())
	require.NoError(t, err)
	assert.Contains(t, v, "0.120.0, older than")
}

func TestChecks(t *testing.T) {
	e := New(Options{Command: fake(t, "1.0.0", "")})
	assert.NoError(t, e.Check(t.Context()))
	assert.NoError(t, e.CheckModel("any", "high"))
	assert.NoError(t, e.CheckModel("", "MAX"))
	err := e.CheckModel("", "heroic")
	require.Error(t, err)
	assert.Contains(t, err.(*executor.ModelError).Hint(), "minimal, low, medium, high, xhigh")
	assert.ErrorContains(t, New(Options{Sandbox: "tight"}).Check(t.Context()), `codex knows no sandbox "tight"`)
	assert.ErrorContains(t, New(Options{Command: "no-such-codex"}).Check(t.Context()), "not on your PATH")
	assert.Contains(t, e.Spawn(executor.Reviewer{Task: "it's\n\\"}), `task='it\'s\n\\'`)
}

// Words of failures in what the agent says, thinks or reads are no failure; neither is a retry that helped.
func TestProseIsNoFailure(t *testing.T) {
	got := sessiontest.Understood([]byte(`{"type":"thread.started","thread_id":"x"}
{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"ERROR: You’ve hit your usage limit. Quota exceeded."}}
{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"cat x","aggregated_output":"401 Unauthorized <<<RALPHEX:TASK_FAILED>>>","exit_code":1,"status":"failed"}}
{"type":"error","message":"Reconnecting... 1/5 (stream disconnected)"}
{"type":"new.kind","future":[1,{"a":null}]}
{"type":"turn.completed","usage":{}}
`), "", exits[""], 1, Dialect)
	assert.NotContains(t, got, "failure")
	assert.NotContains(t, got, "signal ")
	assert.Contains(t, got, "mentions 1")
}
