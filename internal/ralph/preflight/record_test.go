package preflight

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/health"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "docs", "schema", "preflight-report.json"))
	require.NoError(t, err)
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("preflight-report.json", doc))
	s, err := c.Compile("preflight-report.json")
	require.NoError(t, err)
	return s
}

func valid(t *testing.T, text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return schema(t).Validate(doc)
}

var request = Request{AgentID: "default", ProvenanceID: "run-i007-cli-20260317T120000Z", Iteration: 7, PromptKind: "bootstrap", PromptTarget: CLIExec}

func TestA43_SummaryFile(t *testing.T) {
	w := workspace(t, todoTask)
	w.write(".ralph/state.lock", "")
	require.NoError(t, os.Chtimes(w.StateLock(), noon.AddDate(0, 0, -1), noon.AddDate(0, 0, -1)))
	r := w.look(request)
	require.NoError(t, r.Write(w.Layout, request, nil, noon))
	paths := w.Preflight(7)
	text := w.read(paths.PreflightSummary)
	assert.True(t, strings.HasPrefix(text, "# Ralph Preflight 7\n"))
	for _, c := range Categories {
		assert.Contains(t, text, "\n## "+c.Label()+"\n\n- ")
	}
	assert.Contains(t, text, "\n## Task graph\n\n- ok\n")
	assert.Regexp(t, `(?m)^- warning \[stale_state_lock\]: \.ralph/state\.lock is 86400 seconds old`, text)
	for _, want := range []string{"- Agent ID: default\n", "- Provenance ID: run-i007-cli-20260317T120000Z\n", "- Trust level: verified CLI execution\n", "- Ready: yes\n",
		"- Prompt kind: bootstrap\n", "- Prompt target: cliExec\n", "- Selected task: T1 - First\n", "- Task validation hint: go test ./...\n",
		"- Effective validation command: go test ./...\n", "- Validation normalized from: none\n", "- Summary: Preflight ready: Selected task T1.",
		"- Active claim state: none\n", "- Session handoff: none\n", "- Report: " + paths.PreflightReport + "\n", "\nNothing blocks execution.\n"} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, text, w.read(w.Latest().PreflightSummary))
	assert.NoFileExists(t, w.Latest().Result, "only a blocked run is a result")
	assert.NoFileExists(t, w.Latest().Summary)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "- ") && strings.Contains(line, "]: ") {
			assert.Regexp(t, `^- (error|warning|info) \[[a-z_]+\]: .`, line)
		}
	}
}

func TestReportFile(t *testing.T) {
	w := workspace(t, todoTask)
	r := w.look(request)
	require.NoError(t, r.Write(w.Layout, request, nil, noon))
	data := []byte(w.read(w.Preflight(7).PreflightReport))
	assert.NoError(t, valid(t, data))
	assert.Equal(t, string(data), w.read(w.Latest().PreflightReport))
	o, err := stable.ParseObject(data)
	require.NoError(t, err)
	assert.Equal(t, []string{"schemaVersion", "kind", "agentId", "provenanceId", "iteration", "promptKind", "promptTarget", "trustLevel", "ready", "summary",
		"activeClaimSummary", "selectedTaskId", "selectedTaskTitle", "taskValidationHint", "effectiveValidationCommand", "normalizedValidationCommandFrom",
		"validationCommand", "artifactDir", "reportPath", "summaryPath", "blocked", "createdAt", "diagnostics", "sessionHandoff"}, o.Keys())

	handoff := &stable.Object{}
	handoff.Set("note", "go on")
	record := stable.Marshal(r.Record(w.Layout, Request{AgentID: "a", Iteration: 1, PromptKind: "iteration", PromptTarget: IDEHandoff}, handoff, noon))
	assert.NoError(t, valid(t, record))
	assert.Contains(t, string(record), `"trustLevel": "preparedPromptOnly"`)

	for _, bad := range []struct{ old, with string }{{`"schemaVersion": 1`, `"schemaVersion": 2`}, {`"blocked": false`, `"blocked": true`},
		{`"severity": "info"`, `"severity": "fatal"`}, {`"iteration": 7`, `"iteration": 0`}, {`"kind"`, `"Kind"`}} {
		text := strings.Replace(string(data), bad.old, bad.with, 1)
		require.NotEqual(t, string(data), text)
		assert.Error(t, valid(t, []byte(text)), bad.with)
	}
}

func TestBlockedRunIsTheLatestResult(t *testing.T) {
	w := workspace(t, drift)
	r := w.look(request)
	require.NoError(t, r.Write(w.Layout, request, nil, noon))
	report := w.read(w.Preflight(7).PreflightReport)
	assert.NoError(t, valid(t, []byte(report)))
	assert.Equal(t, report, w.read(w.Latest().Result))
	assert.Equal(t, w.read(w.Preflight(7).PreflightSummary), w.read(w.Latest().Summary))
	assert.Contains(t, report, `"completed_parent_with_incomplete_descendants"`)
	assert.Contains(t, w.read(w.Latest().Summary), "Execution is blocked by 1 error. No agent was started.")
	entries, err := os.ReadDir(w.Iteration(7).Dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "no prompt, no plan, no invocation")
	assert.Contains(t, r.Blocked().Error(), "completed_parent_with_incomplete_descendants")
}

func TestLogForm(t *testing.T) {
	text := workspace(t, todoTask).look(Request{}).Render()
	assert.True(t, strings.HasPrefix(text, "# Ralph Preflight\n\n- Ready: yes\n- Summary: Preflight ready: "), text)
	assert.Contains(t, text, "\n- Active claim state: none\n\n## Task graph\n")
	assert.True(t, strings.HasSuffix(text, ".\n") && !strings.HasSuffix(text, "\n\n"))
}

func TestTextsStayOneLine(t *testing.T) {
	w := workspace(t, `{"id":"T1","title":"a\n## Task graph\n- ok","status":"todo","validation":"x\n# y"}`)
	r := w.look(request)
	assert.NotContains(t, r.Summary, "\n")
	assert.Equal(t, 6, strings.Count(r.RenderFor(request, "r"), "\n## "))
	assert.Equal(t, 1, strings.Count(r.RenderFor(request, "r"), "\n# ")+1)
}

// TestEveryCodeCanBeMade holds the table to what Evaluate does: each row but the reserved ones comes out of some snapshot.
func TestEveryCodeCanBeMade(t *testing.T) {
	base := workspace(t, todoTask).snapshot()
	seen := map[string]bool{}
	look := func(change func(*Snapshot, *Request)) {
		s, q := base, Request{AgentID: "default", ProvenanceID: "mine"}
		change(&s, &q)
		for _, d := range Evaluate(s, q).Diagnostics {
			seen[d.Code] = true
			row, ok := codeByName[d.Code]
			require.True(t, ok, d.Code)
			assert.Equal(t, row.Category, d.Category, d.Code)
			assert.Equal(t, row.Severity, d.Severity, d.Code)
		}
	}
	for _, tasks := range []string{"{", "7", "{}", `{"version":99,"tasks":[]}`, `{"tasks":[{}]}`,
		`{"version":2,"tasks":[{"id":"a","title":"a","status":"todo"},{"id":"a","title":"a","status":"todo","parentId":"a","dependsOn":["a","x"],"depends_on":[]},
		 {"id":"b","title":"b","status":"done","dependsOn":["a"]},{"id":"c","title":"c","status":"blocked","parentId":"b"},{"id":"d","title":"d","status":"todo","parentId":"z"},
		 {"id":"e","title":"e","status":"todo","parentId":"f","dependsOn":["f"]},{"id":"f","title":"f","status":"todo","parentId":"e","dependsOn":["e"]}]}`,
		`{"version":2,"tasks":[{"id":"a","title":"a","status":"done"},{"id":"b","title":"b","status":"todo","parentId":"a"}]}`,
		`{"version":3,"tasks":[]}`, `{"version":2,"tasks":[{"id":"a","title":"a","status":"blocked"}]}`} {
		look(func(s *Snapshot, _ *Request) { s.Tasks = task.ParseText([]byte(tasks)) })
	}
	look(func(s *Snapshot, q *Request) {
		s.Tasks, s.TasksErr = nil, os.ErrPermission
		q.LockTimeouts = []lock.Result{{Outcome: lock.Timeout, LockPath: s.Layout.TasksLock(), Attempts: 11}}
	})
	look(func(s *Snapshot, _ *Request) {
		s.Tasks, s.TasksErr = nil, &lock.TimeoutError{Result: lock.Result{Outcome: lock.Timeout, LockPath: s.Layout.TasksLock(), Attempts: 11}}
	})
	active := func(agent, provenance string) claim.Seen {
		return claim.Seen{Claim: claim.Claim{TaskID: "T1", AgentID: agent, ProvenanceID: provenance, Status: claim.Active}, Stale: true}
	}
	look(func(s *Snapshot, _ *Request) {
		two := []claim.Seen{active("default", "x"), active("b", "y")}
		s.Claims = claim.Graph{Tasks: []claim.TaskClaims{{TaskID: "T1", Canonical: two[1], Active: two, Contested: true}},
			LatestResolved: &claim.Seen{Claim: claim.Claim{TaskID: "T2", ResolvedAt: "x", ResolutionReason: "gone"}}}
	})
	look(func(s *Snapshot, _ *Request) { s.ClaimsErr, s.StateErr = os.ErrInvalid, os.ErrInvalid })
	look(func(s *Snapshot, q *Request) {
		s.Missing = []string{"a"}
		s.Latest = Surfaces{WithoutText: []string{"a"}, Dangling: []string{"1", "2", "3", "4", "5", "6"}}
		s.Layout.Artifacts = s.Layout.Ralph
		s.Settings.GeneratedRetention, s.Settings.BundleRetention = 0, 0
		s.Retention = Retention{1, 1, 1, 1, 1, 1, 1, 1}
		s.Settings.PlanningPass = settings.PlanningPass{Enabled: true, Mode: "dedicated"}
		s.Settings.Tiering.Conflict, s.Fallback = true, true
		s.Settings.Warnings = []settings.Warning{{File: "f", Key: "k", Problem: "p"}}
		*q = Request{Untrusted: true, Untracked: 2, Created: []string{"a"}, StructureMade: true, Handoff: "note", ProtectedDoctrine: []string{"changed"}}
		s.Provider.State = ProviderMissing
		s.Settings.Verifiers = nil
	})
	for _, code := range []string{doctrine.CodeDirectoryMissing, doctrine.CodeFileMissing, doctrine.CodeHeadingMissing, doctrine.CodeIndexInvalid} {
		look(func(s *Snapshot, _ *Request) { s.Doctrine.Findings = []doctrine.Finding{{Code: code, Message: "x"}} })
	}
	for _, code := range []string{health.CodeStateLock, health.CodeTasksLock, health.CodeAuxLock, health.CodeNoResult, health.CodeOffline,
		health.CodeContestedHandoff, health.CodeExpiredHandoff} {
		look(func(s *Snapshot, _ *Request) { s.Health = []health.Signal{{Code: code, Message: "x"}} })
	}
	for _, state := range []ProviderState{ProviderNotExecutable, ProviderAssumed} {
		look(func(s *Snapshot, _ *Request) { s.Provider.State, s.Provider.Detail = state, "why" })
	}
	look(func(s *Snapshot, _ *Request) { s.Provider.Name, s.Settings.Tiering.Medium = "codex", "gpt-5" })
	for _, command := range []string{"$X", "true", "nowhere", "cd . && true", "A=1 true"} {
		look(func(s *Snapshot, _ *Request) { s.Settings.ValidationOverride, s.Windows = command, true })
	}
	look(func(s *Snapshot, _ *Request) {
		s.Tasks = task.ParseText([]byte(`{"version":2,"tasks":[{"id":"a","title":"a","status":"todo"}]}`))
	})
	never := map[string]bool{string(task.IDEmpty): true, string(task.LedgerDrift): true, string(task.DoneParentUndone): true} // of graphs in memory; reserved
	for _, row := range Codes {
		assert.Equal(t, !never[row.Name], seen[row.Name], row.Name)
	}
}
