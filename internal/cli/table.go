package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/config"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/claude"
	"ralphex/pkg/executor/codex"
	"ralphex/pkg/executor/copilot"
	"ralphex/pkg/executor/custom"
	"ralphex/pkg/executor/gemini"
	"ralphex/pkg/executor/opencode"
	"ralphex/pkg/executor/pi"
	"ralphex/pkg/executor/qwen"
	"ralphex/pkg/executor/runbook"
	"ralphex/pkg/executor/session"
)

// executorRow is one agent that ralphex can drive.
type executorRow struct {
	name string
	make func(*config.Config) executor.Executor
	// claudeMD: pass_claude_md is for it. alone: with it as the agent of all sessions there is no external review.
	claudeMD, alone bool
	// tasksOnly: it does what a plan says and reads no prompt, so it can't review.
	tasksOnly bool
	// external makes it as a reviewer from outside; nil = as for all else.
	external func(*config.Config) executor.Executor
}

// reviewer makes the agent as one that reviews from outside.
func (r executorRow) reviewer(c *config.Config) executor.Executor {
	if r.external != nil {
		return r.external(c)
	}
	return r.make(c)
}

// rowOf finds an agent in the table.
func rowOf(name string) (executorRow, bool) {
	i := slices.IndexFunc(executors, func(r executorRow) bool { return r.name == name })
	if i < 0 {
		return executorRow{}, false
	}
	return executors[i], true
}

// executors is the table: an agent is one folder under pkg/executor and one line here.
var executors = []executorRow{
	{name: "claude", make: func(c *config.Config) executor.Executor {
		args := executor.SplitArgs(c.ClaudeArgs)
		return claude.New(claude.Options{Command: c.ClaudeCommand, Args: &args, PreserveAPIKey: c.PreserveAnthropicAPIKey,
			Patterns: session.Patterns{Retry: c.ClaudeRetryPatterns, Limit: c.ClaudeLimitPatterns, Error: c.ClaudeErrorPatterns}})
	}},
	{name: codex.Name, claudeMD: true, alone: true, make: func(c *config.Config) executor.Executor {
		sandbox := "" // as agent of all sessions it needs more than a reviewer, unless somebody has said how much
		if c.IsSet("codex_sandbox") {
			sandbox = c.CodexSandbox
		}
		return codex.New(codex.Options{Command: c.CodexCommand, Model: c.CodexModel, Effort: c.CodexReasoningEffort, Sandbox: sandbox,
			StreamIdle: c.CodexTimeout, ReadClaudeMD: c.PassClaudeMD, PreserveAPIKey: c.PreserveAnthropicAPIKey,
			Patterns: session.Patterns{Limit: c.CodexLimitPatterns, Error: c.CodexErrorPatterns}})
	}, external: func(c *config.Config) executor.Executor {
		return codex.New(codex.Options{External: true, Command: c.CodexCommand, Model: c.CodexModel, Effort: c.CodexReasoningEffort, Sandbox: c.CodexSandbox,
			StreamIdle: c.CodexTimeout, ReadClaudeMD: c.PassClaudeMD, PreserveAPIKey: true,
			Patterns: session.Patterns{Limit: c.CodexLimitPatterns, Error: c.CodexErrorPatterns}})
	}},
	{name: "opencode", make: func(c *config.Config) executor.Executor {
		return opencode.New(cliOptions(c, c.OpenCodeCommand, c.OpenCodeArgs))
	}},
	{name: "gemini", make: func(c *config.Config) executor.Executor {
		return gemini.New(cliOptions(c, c.GeminiCommand, c.GeminiArgs))
	}},
	{name: "copilot", make: func(c *config.Config) executor.Executor {
		return copilot.New(cliOptions(c, c.CopilotCommand, c.CopilotArgs))
	}},
	{name: "pi", make: func(c *config.Config) executor.Executor { return pi.New(cliOptions(c, c.PiCommand, c.PiArgs)) }},
	{name: "qwen", make: func(c *config.Config) executor.Executor { return qwen.New(cliOptions(c, c.QwenCommand, c.QwenArgs)) }},
	{name: "custom", make: func(c *config.Config) executor.Executor {
		return custom.New(custom.Options{Script: c.CustomReviewScript, PreserveAPIKey: c.PreserveAnthropicAPIKey,
			Patterns: session.Patterns{Limit: c.CodexLimitPatterns, Error: c.CodexErrorPatterns}})
	}},
	{name: "runbook", tasksOnly: true, make: func(*config.Config) executor.Executor { return runbook.New() }},
}

// defaultExecutor runs a plan when nothing else is said. There is no fall-back: a plan's shell blocks are run
// only where somebody asked for the runbook.
const defaultExecutor = "claude"

// cliOptions are what the settings say about an agent that has no group of its own. Its words of failures are codex's, which
// are a provider's.
func cliOptions(c *config.Config, command, args string) session.Options {
	return session.Options{Command: command, Args: executor.SplitArgs(args),
		Patterns: session.Patterns{Limit: c.CodexLimitPatterns, Error: c.CodexErrorPatterns}}
}

func executorNames() []string {
	var names []string
	for _, r := range executors {
		names = append(names, r.name)
	}
	return names
}

// newExecutor makes the agent that the configuration names.
func newExecutor(c *config.Config, name string) (executor.Executor, error) {
	row, ok := rowOf(name)
	if !ok {
		return nil, usage(fmt.Errorf("unknown executor %q", name), "there are: "+strings.Join(executorNames(), ", "))
	}
	return row.make(c), nil
}

// taskExecutor is the agent of the task phase: task_executor, else executor, else the default.
func taskExecutor(c *config.Config) string {
	return cmp.Or(c.TaskExecutor, c.Executor, defaultExecutor)
}
