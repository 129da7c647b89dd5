package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/config"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/executor"
)

// provider is what the settings of a workspace can say about one of their agents.
type provider struct {
	executor string // ours; "" = we have none
	key      string // of its command
	command  func(settings.Settings) string
	into     func(*config.Config) *string
	tune     func(*config.Config, settings.Settings) // keys that only this agent has; nil = none
}

// providers are the values of cliProvider.
var providers = map[string]provider{
	"claude": {"claude", "claudeCommandPath", func(s settings.Settings) string { return s.ClaudeCommand }, func(c *config.Config) *string { return &c.ClaudeCommand }, tuneClaude},
	"codex":  {"codex", "codexCommandPath", func(s settings.Settings) string { return s.CodexCommand }, func(c *config.Config) *string { return &c.CodexCommand }, nil},
	"gemini": {"gemini", "geminiCommandPath", func(s settings.Settings) string { return s.GeminiCommand }, func(c *config.Config) *string { return &c.GeminiCommand }, nil},
	"copilot": {"copilot", "copilotCommandPath", func(s settings.Settings) string { return s.CopilotCommand }, func(c *config.Config) *string { return &c.CopilotCommand },
		nil},
	"copilot-byok": {}, "copilot-foundry": {}, "azure-foundry": {},
}

// set tells whether the workspace says something of a key itself.
func (s *store) set(key string) bool { _, ok := s.settings.Origin[key]; return ok }

// agentFlags are the settings of the workspace about its agent, as flags that the person has not given. A key counts where it is set: what it is by default
// is ralphex's configuration.
func (s *store) agentFlags(f turnFlags) (map[string]string, error) {
	flags, set := map[string]string{}, s.settings
	if f.Executor != nil {
		flags["executor"], flags["task_executor"] = *f.Executor, *f.Executor
	} else if s.set("cliProvider") {
		name := providers[set.Provider].executor
		if name == "" {
			return nil, usage(fmt.Errorf("ralphCodex.cliProvider: ralphex has no agent %s", set.Provider), "set it to claude, codex, copilot or gemini, or name the agent: --executor NAME")
		}
		flags["executor"], flags["task_executor"] = name, name
	}
	if f.Model != "" {
		flags["task_model"] = f.Model
	}
	if s.set("sandboxMode") {
		flags["codex_sandbox"] = set.SandboxMode
	}
	return flags, nil
}

// tune puts what the workspace says about its agent into the configuration. It counts for the agent that the workspace means, and for no other.
func (s *store) tune(c *config.Config, f turnFlags) {
	set, p := s.settings, providers[s.settings.Provider]
	if p.executor == "" || taskExecutor(c) != p.executor {
		return
	}
	if s.set(p.key) {
		*p.into(c) = p.command(set)
	}
	if p.tune != nil {
		p.tune(c, set)
	}
	if s.set("cliExecutionTimeoutMs") {
		c.SessionTimeout = set.ExecutionTimeout
	}
	if f.Model == "" && s.set("model") {
		c.TaskModel = config.Model{Name: set.Model, Effort: c.TaskModel.Effort}
	}
	if _, effort, _ := strings.Cut(f.Model, ":"); effort == "" && s.set("reasoningEffort") {
		c.TaskModel.Effort = set.ReasoningEffort
	}
}

// tuneClaude puts turns and permissions among claude's arguments.
func tuneClaude(c *config.Config, set settings.Settings) {
	args := executor.SplitArgs(c.ClaudeArgs)
	if _, ok := set.Origin["claudeMaxTurns"]; ok {
		args = executor.WithFlag(args, "--max-turns", strconv.Itoa(set.ClaudeMaxTurns))
	}
	if _, ok := set.Origin["claudePermissionMode"]; ok {
		args = slices.DeleteFunc(args, func(a string) bool { return a == "--dangerously-skip-permissions" })
		args = executor.WithFlag(args, "--permission-mode", set.ClaudePermissionMode)
	}
	c.ClaudeArgs = joinArgs(args)
}

// joinArgs is what executor.SplitArgs takes apart again.
func joinArgs(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = strings.NewReplacer(`\`, `\\`, " ", `\ `, "'", `\'`, `"`, `\"`).Replace(a)
	}
	return strings.Join(out, " ")
}

// tiered chooses the model of the turn by the weight of its task, where the workspace asks for it and the person has named no model.
func (o *oneTurn) tiered(f turnFlags) error {
	set := o.s.settings
	t := o.selected()
	if t == nil || !set.Tiering.Enabled {
		return nil
	}
	parts := 0
	if o.graph != nil {
		for _, below := range o.graph.Descendants(t.ID) {
			if below.ParentID == t.ID {
				parts++
			}
		}
	}
	tier := iteration.TierOf(t, parts, o.earlier.IterationHistory, set.Tiering.SimpleThreshold, set.Tiering.ComplexThreshold)
	o.tier = string(tier)
	if f.Model != "" || !o.s.set("modelTiering") && !o.s.set("enableModelTiering") || providers[set.Provider].executor != o.ex.Name() {
		return nil
	}
	is, was := tierModel(set.Tiering, tier), tierModel(settings.Defaults().Tiering, tier)
	if is == was && set.Provider != settings.Defaults().Provider {
		return nil // the default names a model of another agent
	}
	own := *o.cfg
	own.TaskModel.Name = cmp.Or(is, own.TaskModel.Name)
	if err := executor.CheckModel(o.ex, own.TaskModel.Name, own.TaskModel.Effort); err != nil {
		return usage(fmt.Errorf("ralphCodex.modelTiering: %w", err), hintOf(err))
	}
	o.cfg = &own
	return nil
}

func tierModel(t settings.Tiering, tier task.Tier) string {
	return map[task.Tier]string{task.Simple: t.Simple, task.Medium: t.Medium, task.Complex: t.Complex}[tier]
}
