package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/alecthomas/kong"

	"ralphex/internal/config"
	"ralphex/pkg/executor/codex"
)

// layer turns the flags of run that were given into the strongest layer of the configuration. dir is the working folder.
func (c *runCmd) layer(kctx *kong.Context, dir string) (map[string]string, error) {
	given := map[string]bool{}
	for _, p := range kctx.Path {
		if p.Flag != nil && !p.Resolved {
			given[p.Flag.Name] = true
		}
	}
	values := map[string]string{}
	set := func(flag, value string) {
		for _, k := range config.Keys() {
			if k.Flag == flag && given[flag] {
				values[k.Name] = value
			}
		}
	}
	for flag, v := range map[string]*string{
		"executor": c.Executor, "validate": c.Validate, "task-model": c.TaskModel,
		"claude-args": c.ClaudeArgs, "fallback-executors": c.Fallback, "max-cost": c.MaxCost, "max-tokens": c.MaxTokens,
		"review-model": c.ReviewModel, "plan-model": c.PlanModel, "external-review-tool": c.ExternalTool, "review-when": c.ReviewWhen,
	} {
		if v != nil {
			set(flag, *v)
		}
	}
	if c.MaxIterations != nil && *c.MaxIterations > 0 { // the public rule: ≤ 0 counts as unset
		set("max-iterations", strconv.Itoa(*c.MaxIterations))
	}
	if c.Codex {
		if c.Executor != nil && *c.Executor != codex.Name {
			return nil, usage(fmt.Errorf("--codex and --executor %s name two agents", *c.Executor), "leave one of them out")
		}
		values["executor"] = codex.Name
	}
	if c.PassClaudeMd {
		values["pass_claude_md"] = "true"
	}
	if c.SkipFinalize {
		values["finalize_enabled"] = "false"
	}
	if c.CustomScript != nil {
		set("custom-review-script", c.scriptFrom(dir))
	}
	if c.ClaudeCommand != nil {
		set("claude-command", commandFrom(dir, *c.ClaudeCommand))
	}
	for flag, n := range map[string]*int{"max-external-iterations": c.MaxExternal, "review-patience": c.ReviewPatience} {
		if n == nil {
			continue
		}
		if *n < 0 {
			return nil, usage(fmt.Errorf("--%s must be non-negative, got %d", flag, *n), "")
		}
		set(flag, strconv.Itoa(*n))
	}
	if c.MaxSessions != nil {
		set("max-sessions", strconv.Itoa(*c.MaxSessions))
	}
	if c.AllowDeletions {
		values["max_delete_share"] = "100"
	}
	if c.Live != nil {
		set("live", map[bool]string{true: viewLive, false: viewLines}[*c.Live])
	}
	if c.Worktree != nil {
		set("worktree", strconv.FormatBool(*c.Worktree))
	}
	if c.PreserveKey != nil {
		set("preserve-anthropic-api-key", strconv.FormatBool(*c.PreserveKey))
	}
	for flag, v := range map[string]*durationFlag{"wait": c.Wait, "session-timeout": c.SessionTimeout, "idle-timeout": c.IdleTimeout, "max-time": c.MaxTime} {
		if v == nil {
			continue
		}
		if *v < 0 {
			return nil, usage(fmt.Errorf("--%s must be non-negative, got %s", flag, v), "")
		}
		set(flag, v.String())
	}
	return values, nil
}

// commandFrom is a command as it is run from the repository's root: a path is one from dir, the working folder; a bare name is looked for on PATH.
func commandFrom(dir, name string) string {
	if filepath.Base(name) == name {
		return name
	}
	return absolute(dir, name)
}

// scriptFrom is the same for --custom-review-script, whose bare name may be a file of the working folder.
func (c *runCmd) scriptFrom(dir string) string {
	name := *c.CustomScript
	if _, err := os.Stat(absolute(dir, name)); name == "" || err != nil {
		return commandFrom(dir, name)
	}
	return absolute(dir, name)
}
