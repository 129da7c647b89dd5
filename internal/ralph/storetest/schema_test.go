package storetest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

func schema(t *testing.T, name string) func(text []byte) error {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "schema", name))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(name, doc))
	compiled, err := c.Compile(name)
	require.NoError(t, err)
	return func(text []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		return compiled.Validate(doc)
	}
}

// What is written is what docs/schema/claims.json says.
func TestClaimsSchema(t *testing.T) {
	valid := schema(t, "claims.json")
	w := at(t.TempDir())
	require.NoError(t, w.hold(t.Context(), "T1", "a"))
	require.NoError(t, w.recover(t.Context(), "b"))
	_, err := w.claims.Acquire(t.Context(), claim.Request{TaskID: "T2", AgentID: "a", ProvenanceID: "p", BaseBranch: "main", FeatureBranch: "f"})
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(w.dir, "claims.json"))
	require.NoError(t, err)
	assert.NoError(t, valid(text))
	for _, broken := range [][2]string{{`"version": 1`, `"version": 2`}, {`"agentId"`, `"agent"`}, {`"released"`, `"done"`}, {`"resolvedBy"`, `"by"`}} {
		changed := strings.Replace(string(text), broken[0], broken[1], 1)
		require.NotEqual(t, string(text), changed)
		assert.Error(t, valid([]byte(changed)), broken[1])
	}
}

// What is written is what docs/schema/state.json says: an empty state, one with everything, one of another program after a save.
func TestStateSchema(t *testing.T) {
	valid := schema(t, "state.json")
	w := at(t.TempDir())
	path := filepath.Join(w.dir, "state.json")
	check := func() []byte {
		t.Helper()
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.NoError(t, valid(text))
		return text
	}
	require.NoError(t, w.state.Refresh(t.Context()))
	check()

	code := 1
	it := result(1)
	it.ProvenanceID, it.TaskID, it.TaskTitle, it.StopReason = claim.ProvenanceID(1, claim.CLI, time.Now()), "T1", "title", "execution_failed"
	it.ExecutionIntegrity, it.DiffSummary, it.Remediation = &stable.Object{}, &stable.Object{}, &stable.Object{}
	it.Execution = state.Execution{ExitCode: &code, Message: "m", TranscriptPath: "t", LastMessagePath: "l", StdoutPath: "o", StderrPath: "e"}
	it.Verification.Verifiers = []*stable.Object{{}}
	it.Warnings, it.ReconciliationWarnings, it.CompletionReportStatus = []string{"w"}, []string{"r"}, "applied"
	it.SelectedModel, it.EffectiveTier = "m", "simple"
	run := state.Run{
		AgentID: "a", ProvenanceID: it.ProvenanceID, Iteration: 1, Mode: "loop", PromptKind: "iteration", StartedAt: "s", FinishedAt: "f",
		Status: "failed", ExitCode: &code, PromptPath: "p", TranscriptPath: "t", LastMessagePath: "l", Summary: "x",
	}
	require.NoError(t, w.state.Record(t.Context(), it, &run, state.Prompt{ObjectivePreview: "o", Kind: "iteration", Path: "p"}))
	text := check()
	for _, broken := range [][2]string{{`"nextIteration": 2`, `"nextIteration": 0`}, {`"loop"`, `"party"`}, {`"updatedAt"`, `"changedAt"`}, {`"verifiers"`, `"checks"`}} {
		changed := strings.Replace(string(text), broken[0], broken[1], 1)
		require.NotEqual(t, string(text), changed)
		assert.Error(t, valid([]byte(changed)), broken[1])
	}

	foreign, err := os.ReadFile(filepath.Join("..", "state", "testdata", "real.json"))
	require.NoError(t, err)
	assert.Error(t, valid(foreign))
	require.NoError(t, os.WriteFile(path, foreign, 0o600))
	require.NoError(t, w.state.Refresh(t.Context()))
	check()
}
