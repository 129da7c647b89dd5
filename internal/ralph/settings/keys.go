package settings

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// key reads one setting. The problem it returns names what was expected; empty = taken.
type key struct {
	name string
	read func(s *Settings, raw json.RawMessage) (problem string)
}

// keys is the table of all settings. Where two names mean one field the later row wins.
var keys = []key{
	{"prdPath", text(func(s *Settings) *string { return &s.PRDPath })},
	{"progressPath", text(func(s *Settings) *string { return &s.ProgressPath })},
	{"ralphTaskFilePath", text(func(s *Settings) *string { return &s.TasksPath })},
	{"artifactRetentionPath", text(func(s *Settings) *string { return &s.ArtifactsPath })},
	{"structureDefinitionPath", text(func(s *Settings) *string { return &s.StructurePath })},

	{"agentId", name(func(s *Settings) *string { return &s.AgentID })},
	{"agentRole", role},
	{"agentCount", number(1, math.MaxInt32, func(s *Settings) *int { return &s.AgentCount })},

	{"cliProvider", choice(func(s *Settings) *string { return &s.Provider },
		"claude", "codex", "copilot", "copilot-byok", "copilot-foundry", "gemini", "azure-foundry")},
	{"codexCommandPath", name(func(s *Settings) *string { return &s.CodexCommand })},
	{"claudeCommandPath", name(func(s *Settings) *string { return &s.ClaudeCommand })},
	{"copilotCommandPath", name(func(s *Settings) *string { return &s.CopilotCommand })},
	{"geminiCommandPath", name(func(s *Settings) *string { return &s.GeminiCommand })},
	{"model", name(func(s *Settings) *string { return &s.Model })},
	{"reasoningEffort", choice(func(s *Settings) *string { return &s.ReasoningEffort }, "medium", "high")},
	{"approvalMode", name(func(s *Settings) *string { return &s.ApprovalMode })},
	{"sandboxMode", name(func(s *Settings) *string { return &s.SandboxMode })},
	{"cliExecutionTimeoutMs", span(time.Millisecond, func(s *Settings) *time.Duration { return &s.ExecutionTimeout })},
	{"claudeMaxTurns", number(1, math.MaxInt32, func(s *Settings) *int { return &s.ClaudeMaxTurns })},
	{"claudePermissionMode", name(func(s *Settings) *string { return &s.ClaudePermissionMode })},
	{"enableModelTiering", flag(func(s *Settings) *bool { return &s.Tiering.Enabled })},
	{"modelTiering", tiering},

	{"inspectionRootOverride", text(func(s *Settings) *string { return &s.InspectionRoot })},
	{"maxIterations", number(1, math.MaxInt32, func(s *Settings) *int { return &s.IterationCap })},
	{"ralphIterationCap", number(1, math.MaxInt32, func(s *Settings) *int { return &s.IterationCap })},
	{"verifierModes", verifiers},
	{"validationCommandOverride", text(func(s *Settings) *string { return &s.ValidationOverride })},

	{"noProgressThreshold", number(1, math.MaxInt32, func(s *Settings) *int { return &s.NoProgressThreshold })},
	{"repeatedFailureThreshold", number(1, math.MaxInt32, func(s *Settings) *int { return &s.RepeatedFailureThreshold })},
	{"stopOnHumanReviewNeeded", flag(func(s *Settings) *bool { return &s.StopOnHumanReview })},
	{"autonomyMode", choice(func(s *Settings) *string { return &s.AutonomyMode }, "supervised", "autonomous")},
	{"autoReplenishBacklog", flag(func(s *Settings) *bool { return &s.AutoReplenish })},
	{"autoApplyRemediation", several(func(s *Settings) *[]string { return &s.AutoApplyRemediation }, "decompose_task", "mark_blocked")},

	{"generatedArtifactRetentionCount", number(0, math.MaxInt32, func(s *Settings) *int { return &s.GeneratedRetention })},
	{"provenanceBundleRetentionCount", number(0, math.MaxInt32, func(s *Settings) *int { return &s.BundleRetention })},
	{"gitCheckpointMode", choice(func(s *Settings) *string { return &s.GitCheckpointMode }, "off", "snapshot", "snapshotAndDiff")},

	{"claimTtlHours", span(time.Hour, func(s *Settings) *time.Duration { return &s.ClaimTTL })},
	{"watchdogStaleTtlMs", span(time.Millisecond, func(s *Settings) *time.Duration { return &s.WatchdogStaleTTL })},
	{"staleLockThresholdMinutes", span(time.Minute, func(s *Settings) *time.Duration { return &s.StaleLock })},

	{"taskReadinessGate", choice(func(s *Settings) *string { return &s.ReadinessGate }, "off", "warn", "auto", "strict")},
	{"planningPass", planningPass},
	{"maxGeneratedChildren", number(1, 100, func(s *Settings) *int { return &s.MaxGeneratedChildren })},

	{"promptTemplateDirectory", text(func(s *Settings) *string { return &s.PromptTemplateDir })},
	{"promptIncludeVerifierFeedback", flag(func(s *Settings) *bool { return &s.PromptVerifierFeedback })},
	{"promptPriorContextBudget", number(0, math.MaxInt32, func(s *Settings) *int { return &s.PromptPriorBudget })},
	{"promptBudgetProfile", choice(func(s *Settings) *string { return &s.PromptBudgetProfile }, "codex", "claude", "custom")},
	{"customPromptBudget", budgets},

	{"memoryStrategy", choice(func(s *Settings) *string { return &s.MemoryStrategy }, "verbatim", "sliding-window", "summary")},
	{"memoryWindowSize", number(1, math.MaxInt32, func(s *Settings) *int { return &s.MemoryWindow })},
	{"memorySummaryThreshold", number(1, math.MaxInt32, func(s *Settings) *int { return &s.MemorySummaryThreshold })},

	{"hooks", hooks},
	{"failureDiagnostics", choice(func(s *Settings) *string { return &s.FailureDiagnostics }, "auto", "off")},
	{"maxRecoveryAttempts", number(0, math.MaxInt32, func(s *Settings) *int { return &s.MaxRecoveryAttempts })},

	{"autoWatchdogOnStall", flag(func(s *Settings) *bool { return &s.AutoWatchdogOnStall })},
	{"autoReviewOnParentDone", flag(func(s *Settings) *bool { return &s.AutoReviewOnParentDone })},
	{"autoReviewOnLoopComplete", flag(func(s *Settings) *bool { return &s.AutoReviewOnLoopComplete })},
}

// dropped are keys that mean something only in an editor, or lie outside the control plane: known, and without effect here.
var dropped = []string{"preferredHandoffMode", "clipboardAutoCopy", "openSidebarCommandId", "newChatCommandId", "promptCaching",
	"copilotFoundry", "azureFoundry", "copilotApprovalMode", "copilotMaxAutopilotContinues", "scmStrategy", "scmPrOnParentDone",
	"autoScmOnConflict", "scmConflictRetryLimit", "maxReplansPerParent", "prdGenerationTemplate"}

// gitKeys are the dropped ones that ask for writes to Git, which the loop never does: a value that asks for any is named.
var gitKeys = []string{"scmStrategy", "scmPrOnParentDone", "autoScmOnConflict"}

// asksForNothing are their values that ask for none.
var asksForNothing = []string{"null", "false", `""`, `"none"`}

// Names lists the keys that have an effect, in the table's order.
func Names() []string {
	out := make([]string, 0, len(keys))
	for _, k := range keys {
		out = append(out, k.name)
	}
	return out
}

// Dropped lists the keys that are known and ignored.
func Dropped() []string { return slices.Clone(dropped) }

// text takes a string, trimmed; an empty one means the default.
func text(at func(*Settings) *string) func(*Settings, json.RawMessage) string {
	return func(s *Settings, raw json.RawMessage) string {
		v, ok := decode[string](raw)
		if !ok {
			return "expected a string"
		}
		*at(s) = strings.TrimSpace(v)
		return ""
	}
}

// name is text whose default stays where the value is empty.
func name(at func(*Settings) *string) func(*Settings, json.RawMessage) string {
	return func(s *Settings, raw json.RawMessage) string {
		v, ok := decode[string](raw)
		if !ok {
			return "expected a string"
		}
		if v = strings.TrimSpace(v); v != "" {
			*at(s) = v
		}
		return ""
	}
}

func choice(at func(*Settings) *string, of ...string) func(*Settings, json.RawMessage) string {
	return func(s *Settings, raw json.RawMessage) string {
		v, ok := decode[string](raw)
		if v = strings.TrimSpace(v); !ok || !slices.Contains(of, v) {
			return "expected one of " + strings.Join(of, ", ")
		}
		*at(s) = v
		return ""
	}
}

func role(s *Settings, raw json.RawMessage) string {
	problem := choice(func(s *Settings) *string { return &s.AgentRole }, "build", "review", "watchdog", "scm", "planner", "implementer", "reviewer")(s, raw)
	s.RoleSet = s.RoleSet || problem == ""
	return problem
}

func number(least, most int, at func(*Settings) *int) func(*Settings, json.RawMessage) string {
	return func(s *Settings, raw json.RawMessage) string {
		v, ok := decode[float64](raw)
		if !ok {
			return "expected a number"
		}
		*at(s) = int(min(max(math.Floor(v), float64(least)), float64(most)))
		return ""
	}
}

// span takes a number of units, at least 0 and at most a hundred years.
func span(unit time.Duration, at func(*Settings) *time.Duration) func(*Settings, json.RawMessage) string {
	return func(s *Settings, raw json.RawMessage) string {
		v, ok := decode[float64](raw)
		if !ok {
			return "expected a number"
		}
		const century = 100 * 365 * 24 * time.Hour
		*at(s) = time.Duration(min(max(math.Floor(v), 0), float64(century/unit))) * unit
		return ""
	}
}

func flag(at func(*Settings) *bool) func(*Settings, json.RawMessage) string {
	return func(s *Settings, raw json.RawMessage) string {
		v, ok := decode[bool](raw)
		if !ok {
			return "expected true or false"
		}
		*at(s) = v
		return ""
	}
}

// several takes those strings of a list that are known, each once.
func several(at func(*Settings) *[]string, of ...string) func(*Settings, json.RawMessage) string {
	return func(s *Settings, raw json.RawMessage) string {
		all, ok := decode[[]any](raw)
		if !ok {
			return "expected a list of " + strings.Join(of, ", ")
		}
		var out []string
		problem := ""
		for _, v := range all {
			word, _ := v.(string)
			switch word = strings.TrimSpace(word); {
			case !slices.Contains(of, word):
				problem = fmt.Sprintf("%v is not one of %s", v, strings.Join(of, ", "))
			case !slices.Contains(out, word):
				out = append(out, word)
			}
		}
		*at(s) = out
		return problem
	}
}

// verifiers reads as the default where the list is empty or holds nothing known.
func verifiers(s *Settings, raw json.RawMessage) string {
	before := s.Verifiers
	problem := several(func(s *Settings) *[]string { return &s.Verifiers }, "validationCommand", "gitDiff", "taskState")(s, raw)
	if len(s.Verifiers) == 0 {
		s.Verifiers = before
	}
	return problem
}
