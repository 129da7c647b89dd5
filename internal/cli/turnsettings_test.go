package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/config"
	"ralphex/internal/ralph/settings"
	"ralphex/pkg/executor"
)

// TestWorkspaceTunesItsAgent: what a workspace says about its agent is in what runs are made of, if it is the agent that is asked; a flag wins over it.
func TestWorkspaceTunesItsAgent(t *testing.T) {
	tuned := func(t *testing.T, text string, f turnFlags) *config.Config {
		root := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(root, ".ralph"), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(root, ".ralph", "settings.json"), []byte(text), 0o600))
		set, err := settings.Load(root)
		require.NoError(t, err)
		s := &store{settings: set}
		flags, err := s.agentFlags(f)
		require.NoError(t, err)
		c, _, err := config.Load(config.Options{GlobalDir: filepath.Join(root, "global"), Flags: flags, Executors: executorNames()})
		require.NoError(t, err)
		s.tune(c, f)
		return c
	}
	codex := `{"cliProvider":"codex","codexCommandPath":"/opt/codex","sandboxMode":"workspace-write","model":"gpt-5.5","reasoningEffort":"high","cliExecutionTimeoutMs":60000}`
	c := tuned(t, codex, turnFlags{})
	assert.Equal(t, "codex", taskExecutor(c))
	assert.Equal(t, "/opt/codex", c.CodexCommand)
	assert.Equal(t, "workspace-write", c.CodexSandbox)
	assert.True(t, c.IsSet("codex_sandbox"))
	assert.Equal(t, config.Model{Name: "gpt-5.5", Effort: "high"}, c.TaskModel)
	assert.Equal(t, time.Minute, c.SessionTimeout)

	claude := "claude"
	c = tuned(t, codex, turnFlags{Executor: &claude})
	assert.Equal(t, "claude", taskExecutor(c))
	assert.NotEqual(t, "gpt-5.5", c.TaskModel.Name, "the workspace speaks of another agent")
	c = tuned(t, codex, turnFlags{Model: "gpt-6:low"})
	assert.Equal(t, config.Model{Name: "gpt-6", Effort: "low"}, c.TaskModel)
	c = tuned(t, codex, turnFlags{Model: "gpt-6"})
	assert.Equal(t, config.Model{Name: "gpt-6", Effort: "high"}, c.TaskModel)
	for key, at := range map[string]func(*config.Config) string{"gemini": func(c *config.Config) string { return c.GeminiCommand }, "copilot": func(c *config.Config) string { return c.CopilotCommand }} {
		c = tuned(t, `{"cliProvider":"`+key+`","`+key+`CommandPath":"/opt/x"}`, turnFlags{})
		assert.Equal(t, "/opt/x", at(c))
	}

	c = tuned(t, `{}`, turnFlags{})
	usual, _, err := config.Load(config.Options{GlobalDir: t.TempDir(), Executors: executorNames()})
	require.NoError(t, err)
	assert.Equal(t, usual.ClaudeArgs, c.ClaudeArgs, "what is not set changes nothing")
	assert.Equal(t, usual.TaskModel, c.TaskModel)
	c = tuned(t, `{"claudeMaxTurns":3,"claudePermissionMode":"plan"}`, turnFlags{})
	args := executor.SplitArgs(c.ClaudeArgs)
	assert.Subset(t, args, []string{"--max-turns", "3", "--permission-mode", "plan", "--output-format"})
	assert.NotContains(t, args, "--dangerously-skip-permissions")
	odd := []string{`a b`, `it's`, `"q"`, `back\slash`}
	assert.Equal(t, odd, executor.SplitArgs(joinArgs(odd)))
}
