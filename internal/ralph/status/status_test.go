package status

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/settings"
)

var noon = time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)

// system has every program and a claude.
type system struct{}

func (system) Provider(context.Context) preflight.Provider {
	return preflight.Provider{Name: "claude", State: preflight.ProviderVerified}
}
func (system) Executable(string, string) (bool, bool) { return true, true }

// workspace makes one of the files given, by their names below .ralph.
func workspace(t testing.TB, files map[string]string) layout.Layout {
	t.Helper()
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	all := map[string]string{"prd.md": "# Goal\n", "progress.md": "", "tasks.json": `{"version":2,"tasks":[]}`}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		at := filepath.Join(l.Ralph, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o750))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
	}
	_, err = doctrine.Adopt(l, noon)
	require.NoError(t, err)
	return l
}

func collect(t testing.TB, l layout.Layout) *Report {
	t.Helper()
	return Collect(t.Context(), preflight.Read(t.Context(), l, settings.Defaults(), system{}, noon), Repo{Present: true, Branch: "main", Changes: 1, First: []string{" M a.go"}})
}

const lastIteration = `{"version":2,"nextIteration":8,"lastPromptKind":"iteration","lastPromptPath":"/x/p.md","runHistory":[],"iterationHistory":[
 {"iteration":7,"agentId":"a","provenanceId":"run-i007-cli-x","selectedTaskId":"T1","selectedTaskTitle":"Parent","promptKind":"iteration","promptPath":"p","artifactDir":"d","adapterUsed":"cliExec",
  "executionStatus":"succeeded","verificationStatus":"passed","completionClassification":"complete","followUpAction":"continue_next_task","startedAt":"2026-03-17T10:00:00.000Z",
  "finishedAt":"2026-03-17T10:05:00.000Z","summary":"done","backlog":{"remainingTaskCount":3,"actionableTaskAvailable":true},"completionReportStatus":"applied",
  "executionIntegrity":{"executionPayloadMatched":true},"verification":{"verifiers":[{"verifier":"gitDiff","status":"passed"}]},"stopReason":null}]}`

func TestA66_StatusIsReadableWithoutJSON(t *testing.T) {
	l := workspace(t, map[string]string{
		"tasks.json": `{"version":2,"tasks":[{"id":"T1","title":"Parent","status":"done"},{"id":"T2","title":"Child","status":"in_progress","parentId":"T1"}]}`,
		"claims.json": `{"version":1,"claims":[{"taskId":"T2","agentId":"a","provenanceId":"run-i001-cli-x","claimedAt":"2026-03-10T12:00:00.000Z","status":"active"},
			{"taskId":"T2","agentId":"b","provenanceId":"run-i002-cli-x","claimedAt":"2026-03-10T13:00:00.000Z","status":"active"}]}`,
		"state.json": lastIteration,
		"artifacts/latest-remediation.json": `{"kind":"taskRemediation","selectedTaskId":"T2","attemptCount":3,"action":"decompose_task","humanReviewRecommended":true,
			"summary":"Split it.","suggestedChildTasks":[{"id":"T2.1","title":"First half"}]}`,
		"handoffs/h.json":  `{"handoffId":"h1","taskId":"T2","toRole":"review","status":"proposed","objective":"look"}`,
		"dead-letter.json": `{"entries":[{"taskId":"T9"}]}`,
	})
	r := collect(t, l)
	text := r.Markdown()
	for _, want := range []string{
		"# Ralph Status: " + l.Root + "\n",
		"- Task-ledger drift: ", "T2 (in_progress)", "No task selected because task-ledger drift blocks safe selection: ", "- Backlog remaining: 3\n", "- Outcome (selected task): complete\n",
		"CLI iterations own the blocking claim", "holds no claim", "`ralphex claim resolve TASK`", "not by editing claims.json",
		"- Claim of T2: b/run-i002-cli-x (stale, contested, different provenance) since 2026-03-10T13:00:00.000Z\n",
		"### Agent Health\n", "[stale_active_claim_no_result]: ", "Agent Health: 4 warnings, 2 info",
		"- Remediation: Split it.\n", "- Remediation action: decompose_task\n", "- Remediation attempts: 3\n", "- Human review recommended: yes\n", "- Proposed children: T2.1 - First half\n",
		"- Payload matched: yes\n", "- Next iteration: 8\n", "- gitDiff: passed\n", "- latest-summary.md: none\n", "- latest-remediation.json: .ralph/artifacts/latest-remediation.json\n",
		"## Active Handoffs\n\n- h1: task T2 to review, proposed: look\n", "## Dead-Letter Queue\n\n- T9\n", "- Checkpoint mode: snapshotAndDiff\n", "- M a.go\n",
		"- iteration 7: T1, complete, 2026-03-17T10:05:00.000Z\n",
	} {
		assert.Contains(t, text, want)
	}
	at := -1
	for _, section := range []string{"Loop", "Role Policy", "Preflight", "Repo Context", "Provenance", "Active Handoffs", "Latest Iteration", "Recent History", "Verifiers", "Artifacts", "Dead-Letter Queue", "Git"} {
		next := strings.Index(text, "\n## "+section+"\n")
		assert.Greater(t, next, at, section)
		at = next
	}
	for _, c := range preflight.Categories {
		assert.Contains(t, text, "\n### "+c.Label()+"\n\n- ")
	}
	assert.Equal(t, "latest-remediation.json", r.Remedy.From, "the file counts, though the state knows of none")
	short := strings.Join(r.Lines(), "\n")
	for _, want := range []string{"Task-ledger drift: ", "claim of T2: b/", "Agent Health: warning [stale_active_claim", "remediation: Split it."} {
		assert.Contains(t, short, want)
	}
}

func TestExhaustedBacklogIsNoDrift(t *testing.T) {
	l := workspace(t, map[string]string{"tasks.json": `{"version":2,"tasks":[{"id":"T1","title":"x","status":"done"}]}`})
	r := collect(t, l)
	assert.True(t, r.Preflight.Ready)
	text := r.Markdown()
	assert.Contains(t, text, "- Task-ledger drift: none\n")
	assert.Contains(t, text, "- Summary: Preflight ready: No task selected.")
	assert.Contains(t, text, "### Task graph\n\n- ok\n")
	assert.Contains(t, text, "- Remediation: none\n")
	assert.NotContains(t, text, "## Active Handoffs")
	assert.NotContains(t, text, "## Problems")
}

func TestRemediationOfTheState(t *testing.T) {
	l := workspace(t, map[string]string{"state.json": strings.Replace(lastIteration, `"stopReason":null`, `"stopReason":"repeated","remediation":{"taskId":"T1","action":"mark_blocked","attemptCount":2,"summary":"Ask."}`, 1)})
	r := collect(t, l)
	require.NotNil(t, r.Remedy)
	assert.Equal(t, "state.json", r.Remedy.From)
	assert.Equal(t, "T1", r.Remedy.Task)
}

func TestStatusWritesNothing(t *testing.T) {
	l := workspace(t, map[string]string{"state.json": "{", "claims.json": "[", "tasks.json": `{"version":1,"tasks":[]}`})
	before := tree(t, l)
	r := collect(t, l)
	assert.Equal(t, before, tree(t, l))
	assert.GreaterOrEqual(t, len(r.Problems), 2, r.Problems)
	assert.Contains(t, r.Markdown(), "## Problems\n")
}

func TestAbsentFilesAreNoProblem(t *testing.T) {
	l, err := layout.New(t.TempDir(), layout.Overrides{})
	require.NoError(t, err)
	r := collect(t, l)
	assert.Empty(t, r.Problems)
	assert.Contains(t, r.Markdown(), "[ralph_files_missing]")
	data, err := json.Marshal(r)
	require.NoError(t, err)
	assert.NotContains(t, strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(string(data), `"latest_iteration":null`, ""), `"remediation":null`, ""), `"payload_matched":null`, ""), "null", "lists are never null")
	assert.Empty(t, tree(t, l))
}

func TestNoTextMakesALine(t *testing.T) {
	l := workspace(t, map[string]string{
		"tasks.json":                        `{"version":2,"tasks":[{"id":"T1","title":"a\n## Git\n- forged","status":"todo"}]}`,
		"artifacts/latest-remediation.json": `{"summary":"x\n\n# Ralph Status: forged"}`,
	})
	r := collect(t, l)
	assert.NotContains(t, r.Markdown(), "\n- forged")
	assert.NotContains(t, r.Markdown(), "\n# Ralph Status: forged")
	for _, line := range r.Lines() {
		assert.NotContains(t, line, "\n")
	}
}

func tree(t *testing.T, l layout.Layout) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(l.Root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fi, _ := d.Info()
		out[l.Rel(path)] = fi.ModTime().String() + string(data)
		return err
	}))
	return out
}

// BenchmarkStatus is what a person waits for: read, evaluate, collect, print, with 200 claims of which each tenth is old.
func BenchmarkStatus(b *testing.B) {
	for _, n := range []int{100, 1000, 10000, 100000} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			var tasks, claims []string
			for i := range n {
				status := "done"
				if i > n/2 {
					status = "todo"
				}
				tasks = append(tasks, fmt.Sprintf(`{"id":"T%d","title":"Task number %d","status":"%s","notes":"Some words about it.","acceptance":["it works","it is tested"]}`, i, i, status))
			}
			for i := range 200 {
				day := 17
				if i%10 == 0 {
					day = 10
				}
				claims = append(claims, fmt.Sprintf(`{"taskId":"T%d","agentId":"a%d","provenanceId":"run-%d","claimedAt":"2026-03-%dT11:00:00.000Z","status":"active"}`, i%n, i, i, day))
			}
			l := workspace(b, map[string]string{"tasks.json": `{"version":2,"tasks":[` + strings.Join(tasks, ",\n") + `]}`, "claims.json": `{"version":1,"claims":[` + strings.Join(claims, ",") + `]}`})
			b.ReportAllocs()
			for b.Loop() {
				_ = collect(b, l).Markdown()
			}
		})
	}
}
