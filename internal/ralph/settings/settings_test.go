package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workspace makes a workspace with the two files; an empty text makes none.
func workspace(t *testing.T, editor, own string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{editorFile: editor, ownFile: own} {
		if text == "" {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return root
}

func load(t *testing.T, editor, own string) Settings {
	t.Helper()
	s, err := Load(workspace(t, editor, own))
	require.NoError(t, err)
	return s
}

func TestDefaultsWithoutFiles(t *testing.T) {
	s := load(t, "", "")
	assert.Equal(t, Defaults(), s)
	assert.Equal(t, "claude", s.ProviderCommand())
	assert.Equal(t, 24*time.Hour, s.ClaimTTL)
}

func TestEditorsFileIsJSONC(t *testing.T) {
	s := load(t, "\xef\xbb\xbf{\n  // where the goal is\n  \"ralphCodex.prdPath\": \" docs/goal.md \", /* a path */\n"+
		"  \"editor.rulers\": [100, 120,],\n  \"ralphCodex.model\": \"a // no comment, \\\" }\",\n  \"ralphCodex.verifierModes\": [\"gitDiff\",],\n}\n", "")
	assert.Empty(t, s.Warnings)
	assert.Equal(t, "docs/goal.md", s.PRDPath)
	assert.Equal(t, `a // no comment, " }`, s.Model)
	assert.Equal(t, []string{"gitDiff"}, s.Verifiers)
	assert.Equal(t, map[string]string{"prdPath": editorFile, "model": editorFile, "verifierModes": editorFile}, s.Origin)
}

func TestEditorsFileWinsKeyByKey(t *testing.T) {
	s := load(t, `{"ralphCodex.agentId":"editor"}`, `{"agentId":"own","ralphCodex.claimTtlHours":2}`)
	assert.Equal(t, "editor", s.AgentID)
	assert.Equal(t, 2*time.Hour, s.ClaimTTL)
	assert.Equal(t, ownFile, s.Origin["claimTtlHours"])
}

func TestWrongValuesReadAsTheDefault(t *testing.T) {
	for value, key := range map[string]string{
		`7`: "agentId", `"seven"`: "agentCount", `"boss"`: "agentRole", `"yes"`: "stopOnHumanReviewNeeded", `"low"`: "reasoningEffort",
		`"all"`: "verifierModes", `{"mode":"big"}`: "planningPass", `{"x:y":0}`: "customPromptBudget", `null`: "prdPath", `[]`: "hooks",
	} {
		t.Run(key, func(t *testing.T) {
			s := load(t, `{"ralphCodex.`+key+`":`+value+`}`, "")
			require.Len(t, s.Warnings, 1)
			assert.Equal(t, key, s.Warnings[0].Key)
			assert.Contains(t, s.Warnings[0].String(), ".vscode/settings.json: ralphCodex."+key+": ")
			want := Defaults()
			want.Warnings, want.CustomPromptBudget = s.Warnings, s.CustomPromptBudget
			assert.Equal(t, want, s)
		})
	}
}

func TestNumbersFloorAndClamp(t *testing.T) {
	s := load(t, `{"ralphCodex.agentCount":0,"ralphCodex.ralphIterationCap":3.9,"ralphCodex.maxIterations":9,"ralphCodex.generatedArtifactRetentionCount":-4,
		"ralphCodex.claimTtlHours":0,"ralphCodex.staleLockThresholdMinutes":2.5,"ralphCodex.watchdogStaleTtlMs":1e300,"ralphCodex.cliExecutionTimeoutMs":1500}`, "")
	assert.Empty(t, s.Warnings)
	assert.Equal(t, 1, s.AgentCount)
	assert.Equal(t, 3, s.IterationCap, "the present name wins over its old alias")
	assert.Equal(t, 0, s.GeneratedRetention)
	assert.Zero(t, s.ClaimTTL)
	assert.Equal(t, 2*time.Minute, s.StaleLock)
	assert.Equal(t, 1500*time.Millisecond, s.ExecutionTimeout)
	assert.Positive(t, s.WatchdogStaleTTL, "an absurd number is no overflow")
}

func TestEmptyVerifierListIsTheDefault(t *testing.T) {
	assert.Equal(t, Defaults().Verifiers, load(t, `{"ralphCodex.verifierModes":[]}`, "").Verifiers)
	s := load(t, `{"ralphCodex.verifierModes":["taskState","taskState","magic"]}`, "")
	assert.Equal(t, []string{"taskState"}, s.Verifiers)
	assert.Len(t, s.Warnings, 1)
}

func TestAutonomousForcesItsParts(t *testing.T) {
	s := load(t, `{"ralphCodex.autonomyMode":"autonomous","ralphCodex.autoReplenishBacklog":false}`, "")
	assert.True(t, s.AutoReplenish)
	assert.Equal(t, []string{"decompose_task", "mark_blocked"}, s.AutoApplyRemediation)
}

func TestTiering(t *testing.T) {
	s := load(t, `{"ralphCodex.modelTiering":{"enabled":false,"simple":"small","complex":{"model":"big"},"simpleThreshold":2}}`, "")
	assert.Equal(t, Tiering{Simple: "small", Medium: Defaults().Tiering.Medium, Complex: "big", SimpleThreshold: 2, ComplexThreshold: 6}, s.Tiering)
	s = load(t, `{"ralphCodex.enableModelTiering":true,"ralphCodex.modelTiering":{"enabled":false}}`, "")
	assert.True(t, s.Tiering.Conflict)
	assert.True(t, s.Tiering.Enabled)
}

func TestRoleFiltersOnlyWhenSet(t *testing.T) {
	assert.False(t, load(t, "", "").RoleSet)
	assert.True(t, load(t, `{"ralphCodex.agentRole":"implementer"}`, "").RoleSet)
}

func TestUnknownAndDroppedKeys(t *testing.T) {
	s := load(t, `{"ralphCodex.fromTheFuture":1,"ralphCodex.promptCaching":true}`, `{"agentID":"x","clipboardAutoCopy":false}`)
	require.Len(t, s.Warnings, 1)
	assert.Equal(t, ".ralph/settings.json: ralphCodex.agentID: no such setting", s.Warnings[0].String())
	assert.Equal(t, "default", s.AgentID, "keys are case-sensitive")
}

func TestBrokenFilesSetNothing(t *testing.T) {
	for _, text := range []string{"{", "[]", `"x"`, "/*", `{"ralphCodex.agentId":`} {
		s := load(t, text, `{"agentId":"own"}`)
		require.NotEmpty(t, s.Warnings, text)
		assert.Contains(t, s.Warnings[0].String(), editorFile)
		assert.Equal(t, "own", s.AgentID, "the other file still counts")
	}
}

func TestALinkOutOfTheWorkspaceIsNotRead(t *testing.T) {
	out := filepath.Join(t.TempDir(), "settings.json")
	require.NoError(t, os.WriteFile(out, []byte(`{"ralphCodex.agentId":"theirs"}`), 0o600))
	root := workspace(t, "", `{}`)
	require.NoError(t, os.Mkdir(filepath.Join(root, ".vscode"), 0o750))
	if err := os.Symlink(out, filepath.Join(root, filepath.FromSlash(editorFile))); err != nil {
		t.Skip("no symlinks here:", err)
	}
	s, err := Load(root)
	require.NoError(t, err)
	assert.Equal(t, "default", s.AgentID)
	require.Len(t, s.Warnings, 1)
	assert.Contains(t, s.Warnings[0].Problem, "can't be read")
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range append(Names(), Dropped()...) {
		assert.False(t, seen[n], n)
		seen[n] = true
	}
}

func FuzzPlainJSON(f *testing.F) {
	for _, s := range []string{`{}`, "{\"a\":1, // x\n}", `{"a":"/*","b":[1,],}`, "/*", `"\`, "//", `{"a":"\\"} // "`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := plainJSON([]byte(s))
		if json.Valid([]byte(s)) {
			assert.Equal(t, s, string(out), "what is JSON stays as it is")
		}
		assert.Len(t, out, len(strings.TrimPrefix(s, "\xef\xbb\xbf")))
	})
}

// TestWhatNoLoopDoesIsNamed: values that ask for other agents, for recovery or for writes to Git are told of, and their harmless ones are not.
func TestWhatNoLoopDoesIsNamed(t *testing.T) {
	problems := func(text string) (keys []string) {
		root := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(root, ".ralph"), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(root, ".ralph", "settings.json"), []byte(text), 0o600))
		s, err := Load(root)
		require.NoError(t, err)
		for _, w := range s.Warnings {
			assert.Contains(t, w.Problem, "is not obeyed: ")
			keys = append(keys, w.Key)
		}
		return keys
	}
	assert.Equal(t, []string{"scmStrategy", "scmPrOnParentDone", "autoScmOnConflict", "approvalMode", "maxRecoveryAttempts", "autoWatchdogOnStall", "autoReviewOnParentDone", "autoReviewOnLoopComplete"},
		problems(`{"scmStrategy":"commit","scmPrOnParentDone":true,"autoScmOnConflict":true,"approvalMode":"on-request","maxRecoveryAttempts":1,"autoWatchdogOnStall":true,"autoReviewOnParentDone":true,"autoReviewOnLoopComplete":true}`))
	assert.Empty(t, problems(`{"scmStrategy":"none","scmPrOnParentDone":false,"autoScmOnConflict":null,"approvalMode":"never","maxRecoveryAttempts":3,"autoWatchdogOnStall":false,"clipboardAutoCopy":true}`))
}

func TestAutonomousSwitchesOnWhatTheLoopMayDoItself(t *testing.T) {
	s := Defaults()
	s.StopOnHumanReview = true
	s.BeAutonomous()
	assert.True(t, s.AutoReplenish)
	assert.Equal(t, []string{"decompose_task", "mark_blocked"}, s.AutoApplyRemediation)
	assert.True(t, s.StopOnHumanReview, "where a person is needed is another key's")
}
