package preflight

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/settings"
)

var noon = time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)

// system plays what only the system knows.
type system struct {
	name     string // of the agent; empty = claude
	state    ProviderState
	programs []string // that are there
	blind    bool     // nobody can look for programs
}

func (s system) Provider(context.Context) Provider {
	state := s.state
	if state == "" {
		state = ProviderVerified
	}
	name := cmp.Or(s.name, "claude")
	return Provider{Name: name, Command: name, State: state}
}

func (s system) Executable(_, word string) (bool, bool) {
	for _, p := range s.programs {
		if p == word {
			return true, true
		}
	}
	return false, !s.blind
}

// ws is a workspace under test.
type ws struct {
	t *testing.T
	layout.Layout
	settings settings.Settings
	sys      system
}

// workspace makes a whole one: PRD, progress, doctrine, and the tasks given.
func workspace(t *testing.T, tasks string) *ws {
	t.Helper()
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	w := &ws{t: t, Layout: l, settings: settings.Defaults()}
	w.write(".ralph/prd.md", "# Goal\n")
	w.write(".ralph/progress.md", "")
	w.write(".ralph/tasks.json", `{"version": 2, "tasks": [`+tasks+`]}`)
	_, err = doctrine.Adopt(l, noon)
	require.NoError(t, err)
	return w
}

func (w *ws) write(name, text string) {
	w.t.Helper()
	at := filepath.Join(w.Root, filepath.FromSlash(name))
	require.NoError(w.t, os.MkdirAll(filepath.Dir(at), 0o750))
	require.NoError(w.t, os.WriteFile(at, []byte(text), 0o600))
}

func (w *ws) read(path string) string {
	w.t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(w.t, err)
	return string(data)
}

func (w *ws) snapshot() Snapshot {
	w.t.Helper()
	return Read(w.t.Context(), w.Layout, w.settings, w.sys, noon)
}

func (w *ws) look(q Request) *Report {
	w.t.Helper()
	return Evaluate(w.snapshot(), q)
}

// messages are the texts of a code, a line each.
func messages(r *Report, code string) string {
	var out []string
	for _, d := range r.Diagnostics {
		if d.Code == code {
			out = append(out, d.Message)
		}
	}
	return strings.Join(out, "\n")
}

func codes(r *Report) []string {
	var out []string
	for _, d := range r.Diagnostics {
		out = append(out, d.Code)
	}
	return out
}

const (
	todoTask = `{"id": "T1", "title": "First", "status": "todo", "validation": "go test ./..."}`
	drift    = `{"id": "T1", "title": "Parent", "status": "done"}, {"id": "T2", "title": "Child", "status": "in_progress", "parentId": "T1"}`
)

func TestReadyWorkspace(t *testing.T) {
	w := workspace(t, todoTask)
	w.sys.programs = []string{"go"}
	r := w.look(Request{})
	assert.True(t, r.Ready, r.Render())
	assert.Equal(t, "Preflight ready: Selected task T1. Validation go test ./.... Executable token confirmed. Active claims none. "+
		"Task graph: ok | Claim graph: ok | Workspace/runtime: 1 info | Codex adapter: 1 info | Validation/verifier: 1 info | Agent Health: 2 info", r.Summary)
	assert.Nil(t, r.Blocked())
	assert.Equal(t, "go test ./...", r.Validation.Hint)
}

func TestA06_AMissingHeadingIsOneWarning(t *testing.T) {
	w := workspace(t, todoTask)
	risks := w.DoctrineFile("risks.md")
	w.write(".ralph/doctrine/risks.md", strings.Replace(w.read(risks), "## Watch Items\n", "", 1))
	r := w.look(Request{})
	assert.True(t, r.Ready)
	n := 0
	for _, d := range r.Diagnostics {
		if d.Code == "doctrine_required_heading_missing" {
			n++
			assert.Equal(t, Warning, d.Severity)
			assert.Equal(t, WorkspaceRuntime, d.Category)
		}
	}
	assert.Equal(t, 1, n)
	assert.NotContains(t, codes(r), "doctrine_pack_healthy")
}

func TestA39_EqualInputEqualReport(t *testing.T) {
	w := workspace(t, drift+`, {"id": "T3", "title": "x", "status": "todo", "dependsOn": ["T9", "T8"]}, {"id": "T3", "title": "y", "status": "todo"}`)
	w.write(".ralph/claims.json", claims("b", "a", "c"))
	w.settings.Warnings = []settings.Warning{{File: "f", Key: "k", Problem: "p"}, {File: "f", Key: "a", Problem: "p"}}
	first := w.look(Request{AgentID: "default"})
	for range 20 {
		again := w.look(Request{AgentID: "default"})
		assert.Equal(t, first, again)
	}
	for i := 1; i < len(first.Diagnostics); i++ {
		a, b := first.Diagnostics[i-1], first.Diagnostics[i]
		assert.LessOrEqual(t, severityOrder[a.Severity], severityOrder[b.Severity])
		if a.Severity == b.Severity && a.Category == b.Category {
			assert.LessOrEqual(t, a.Message, b.Message)
		}
	}
}

// claims are old active claims of the agents, on T1 each.
func claims(agents ...string) string {
	var all []string
	for _, a := range agents {
		all = append(all, `{"taskId":"T1","agentId":"`+a+`","provenanceId":"run-`+a+`","claimedAt":"2026-03-10T12:00:00.000Z","status":"active"}`)
	}
	return `{"version":1,"claims":[` + strings.Join(all, ",") + `]}`
}

func TestA40_AnyErrorBlocks(t *testing.T) {
	launches := 0
	run := func(r *Report) { // what every caller does: no process before this says nil
		if blocked := r.Blocked(); blocked == nil {
			launches++
		} else {
			assert.Contains(t, blocked.Error(), "preflight blocked: error [")
			assert.NotEmpty(t, blocked.Hint())
		}
	}
	for name, make := range map[string]func() *Report{
		"drift":   func() *Report { return workspace(t, drift).look(Request{}) },
		"no JSON": func() *Report { w := workspace(t, ""); w.write(".ralph/tasks.json", "{"); return w.look(Request{}) },
		"entry":   func() *Report { return workspace(t, `{"id": "T1"}`).look(Request{}) },
		"cycle": func() *Report {
			return workspace(t, `{"id":"a","title":"a","status":"todo","dependsOn":["a"]}`).look(Request{})
		},
		"provider": func() *Report {
			w := workspace(t, todoTask)
			w.sys.state = ProviderMissing
			return w.look(Request{})
		},
		"handoff": func() *Report {
			w := workspace(t, todoTask)
			w.write(".ralph/handoffs/h.json", `{"status":"contested"}`)
			return w.look(Request{})
		},
		"unreadable": func() *Report {
			w := workspace(t, todoTask)
			s := w.snapshot()
			s.Tasks, s.TasksErr = nil, errors.New("disk on fire")
			return Evaluate(s, Request{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := make()
			assert.False(t, r.Ready)
			run(r)
		})
	}
	assert.Zero(t, launches)
	run(workspace(t, todoTask).look(Request{}))
	assert.Equal(t, 1, launches)
}

func TestA41_CleanExhaustion(t *testing.T) {
	r := workspace(t, `{"id": "T1", "title": "x", "status": "done"}`).look(Request{})
	assert.True(t, r.Ready)
	assert.Contains(t, r.Summary, "Preflight ready: No task selected.")
	assert.True(t, r.Replenish)
	assert.Empty(t, of(r.Diagnostics, TaskGraph))
	assert.NotContains(t, codes(r), "no_actionable_task")
}

func TestA42_Drift(t *testing.T) {
	r := workspace(t, drift).look(Request{})
	assert.False(t, r.Ready)
	assert.True(t, strings.HasPrefix(r.Summary, "No task selected because task-ledger drift blocks safe selection: "), r.Summary)
	assert.Contains(t, r.Summary, "T2 (in_progress)")
	assert.Contains(t, r.Summary, "Task graph: 1 error")
	assert.Nil(t, r.Selected)
	assert.True(t, r.Replenish, "no usable graph counts as an empty one")
	assert.Len(t, r.Drift, 1)
	first := of(r.Diagnostics, TaskGraph)[0]
	require.NotNil(t, first.Location)
	assert.Equal(t, "T1", first.TaskID)
}

func TestOnlyDriftHasTheDriftSentence(t *testing.T) {
	r := workspace(t, `{"id":"a","title":"a","status":"todo","dependsOn":["b"]},{"id":"b","title":"b","status":"todo","dependsOn":["a"]}`).look(Request{})
	assert.False(t, r.Ready)
	assert.True(t, strings.HasPrefix(r.Summary, "Preflight blocked: No task selected. "), r.Summary)
	assert.Empty(t, r.Drift)
}

// TestReadinessExamples is the table of 7.11.
func TestReadinessExamples(t *testing.T) {
	for name, row := range map[string]struct {
		tasks               string
		ready, replenish    bool
		contains, actonable string
	}{
		"all done":     {`{"id":"a","title":"a","status":"done"}`, true, true, "No task selected.", ""},
		"drift":        {drift, false, true, "task-ledger drift", ""},
		"only blocked": {`{"id":"a","title":"a","status":"blocked"}`, true, false, "No task selected.", "no_actionable_task"},
		"unmet":        {`{"id":"a","title":"a","status":"todo","dependsOn":["b"]},{"id":"b","title":"b","status":"blocked"}`, true, false, "No task selected.", "no_actionable_task"},
	} {
		t.Run(name, func(t *testing.T) {
			r := workspace(t, row.tasks).look(Request{})
			assert.Equal(t, row.ready, r.Ready)
			assert.Equal(t, row.replenish, r.Replenish)
			assert.Contains(t, r.Summary, row.contains)
			if row.actonable != "" {
				assert.Contains(t, codes(r), row.actonable)
			} else {
				assert.NotContains(t, codes(r), "no_actionable_task")
			}
		})
	}
}

func TestA46_MissingProviderBlocks(t *testing.T) {
	for state, want := range map[ProviderState]string{ProviderMissing: "codex_cli_missing", ProviderNotExecutable: "codex_cli_not_executable",
		ProviderAssumed: "codex_cli_path_lookup_assumed", ProviderVerified: "codex_cli_path_verified"} {
		w := workspace(t, todoTask)
		w.sys.state = state
		r := w.look(Request{})
		assert.Contains(t, codes(r), want)
		assert.Equal(t, state == ProviderAssumed || state == ProviderVerified, r.Ready, state)
	}
}

// The claim of the iteration itself is no collision with it, whatever its agent is called.
func TestOnesOwnClaimIsNoCollision(t *testing.T) {
	w := workspace(t, todoTask)
	w.write(".ralph/claims.json", `{"version":1,"claims":[{"taskId":"T1","agentId":"default","provenanceId":"run-mine","claimedAt":"2026-03-17T11:59:00.000Z","status":"active"}]}`)
	assert.NotContains(t, codes(w.look(Request{AgentID: "default", ProvenanceID: "run-mine"})), "default_agent_id_collision")
	assert.NotContains(t, codes(w.look(Request{AgentID: "named", ProvenanceID: "run-other"})), "default_agent_id_collision")
	assert.Contains(t, codes(w.look(Request{AgentID: "default", ProvenanceID: "run-other"})), "default_agent_id_collision")
}

func TestClaimsNeverBlock(t *testing.T) {
	w := workspace(t, todoTask)
	w.write(".ralph/claims.json", claims("default", "b"))
	r := w.look(Request{ProvenanceID: "run-mine"})
	assert.True(t, r.Ready)
	assert.Equal(t, "b: T1 - First @ 2026-03-10T12:00:00.000Z (stale)", r.ActiveClaims)
	for _, want := range []string{"default_agent_id_collision", "task_claim_contested", "task_claim_stale", "task_claim_provenance_mismatch",
		"stale_active_claim_no_result", "stale_active_claim_agent_offline"} {
		assert.Contains(t, codes(r), want)
	}
	assert.Contains(t, r.Lines(ClaimGraph), "default/run-default, b/run-b")
	w.write(".ralph/claims.json", "{")
	r = w.look(Request{})
	assert.True(t, r.Ready)
	assert.Equal(t, "unknown", r.ActiveClaims)
	assert.Contains(t, codes(r), "claims_file_unreadable")
}

// TestLinksToDevicesAreNotRead keeps a repository from holding a link that is read for ever.
func TestLinksToDevicesAreNotRead(t *testing.T) {
	if os.DevNull != "/dev/null" {
		t.Skip("no device files here")
	}
	w := workspace(t, todoTask)
	for _, name := range []string{"tasks.json", "claims.json", "artifacts/latest-result.json", "handoffs/h.json"} {
		at := filepath.Join(w.Ralph, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o750))
		require.NoError(t, os.RemoveAll(at))
		require.NoError(t, os.Symlink("/dev/zero", at))
	}
	r := w.look(Request{})
	assert.False(t, r.Ready)
	assert.Contains(t, r.Lines(TaskGraph), "tasks.json is a device, expected a file")
	assert.Contains(t, r.Lines(ClaimGraph), "claims.json is a device")
}

// A state.json that can't be read stops nothing, and is told of; one that is not there is none.
func TestBrokenStateIsToldOf(t *testing.T) {
	w := workspace(t, todoTask)
	assert.NotContains(t, codes(w.look(Request{})), "state_file_unreadable")
	w.write(".ralph/state.json", `{"version": 2,`)
	r := w.look(Request{})
	assert.Contains(t, messages(r, "state_file_unreadable"), "line 1, column 15")
	assert.Contains(t, messages(r, "state_file_unreadable"), ". Iterations go on behind the last iteration folder")
	assert.True(t, r.Ready)
	assert.Equal(t, `{"version": 2,`, w.read(w.State), "looking changes nothing")
	w.write(".ralph/state.json", `{"version": 99}`)
	assert.Contains(t, messages(w.look(Request{}), "state_file_unreadable"), "99")
	require.NoError(t, os.Remove(w.State))
	require.NoError(t, os.Mkdir(w.State, 0o750))
	assert.Contains(t, messages(w.look(Request{}), "state_file_unreadable"), "a folder")
}
