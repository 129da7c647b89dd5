package settings

import (
	"time"

	"ralphex/internal/ralph/layout"
)

// Settings are the keys with their defaults filled in.
type Settings struct {
	PRDPath, ProgressPath, TasksPath, ArtifactsPath, StructurePath string // as set; empty = the default place

	AgentID    string
	AgentRole  string // build, review, watchdog, scm, planner, implementer, reviewer
	RoleSet    bool   // agentRole was set: only then it may filter the selection of tasks
	AgentCount int

	Provider                                                   string
	CodexCommand, ClaudeCommand, CopilotCommand, GeminiCommand string
	Model, ReasoningEffort, ApprovalMode, SandboxMode          string
	ExecutionTimeout                                           time.Duration // 0 = none
	ClaudeMaxTurns                                             int
	ClaudePermissionMode                                       string
	Tiering                                                    Tiering

	InspectionRoot     string
	IterationCap       int
	Verifiers          []string // of validationCommand, gitDiff, taskState
	ValidationOverride string

	NoProgressThreshold, RepeatedFailureThreshold int
	StopOnHumanReview                             bool
	AutonomyMode                                  string // supervised, autonomous
	AutoReplenish                                 bool
	AutoApplyRemediation                          []string // of decompose_task, mark_blocked

	GeneratedRetention, BundleRetention int // entries that a cleanup keeps; 0 = no cleanup
	GitCheckpointMode                   string

	ClaimTTL         time.Duration // 0 = claims never get stale
	WatchdogStaleTTL time.Duration
	StaleLock        time.Duration // a lock file older than this is reported

	ReadinessGate        string
	PlanningPass         PlanningPass
	MaxGeneratedChildren int

	PromptTemplateDir      string
	PromptVerifierFeedback bool
	PromptPriorBudget      int
	PromptBudgetProfile    string
	CustomPromptBudget     map[string]int // "<kind>:<target>" → tokens

	MemoryStrategy                       string
	MemoryWindow, MemorySummaryThreshold int

	Hooks               map[string]string
	FailureDiagnostics  string
	MaxRecoveryAttempts int

	AutoWatchdogOnStall, AutoReviewOnParentDone, AutoReviewOnLoopComplete bool

	// Origin tells for each key that was set the file it came from, relative to the workspace.
	Origin map[string]string
	// Warnings name values that were not taken.
	Warnings []Warning
}

// Tiering chooses a model by the weight of a task.
type Tiering struct {
	Enabled                           bool
	Simple, Medium, Complex           string // models
	SimpleThreshold, ComplexThreshold int
	// Conflict: enableModelTiering and modelTiering.enabled are both set and disagree.
	Conflict bool
}

// PlanningPass is the planning step before a task.
type PlanningPass struct {
	Enabled bool
	Mode    string // inline, dedicated
}

// Warning is a value that was not taken.
type Warning struct {
	File, Key, Problem string
}

func (w Warning) String() string {
	if w.Key == "" {
		return w.File + ": " + w.Problem
	}
	return w.File + ": ralphCodex." + w.Key + ": " + w.Problem
}

// Defaults returns what holds where nothing is set.
func Defaults() Settings {
	return Settings{
		AgentID: "default", AgentRole: "implementer", AgentCount: 1,
		Provider: "claude", CodexCommand: "codex", ClaudeCommand: "claude", CopilotCommand: "copilot", GeminiCommand: "gemini",
		Model: "claude-sonnet-4-6", ReasoningEffort: "medium", ApprovalMode: "never", SandboxMode: "workspace-write",
		ClaudeMaxTurns: 125, ClaudePermissionMode: "default",
		Tiering: Tiering{Enabled: true, Simple: "claude-haiku-4-5", Medium: "claude-sonnet-4-6", Complex: "claude-opus-4-6",
			SimpleThreshold: 3, ComplexThreshold: 6},
		IterationCap: 20, Verifiers: []string{"validationCommand", "gitDiff", "taskState"},
		NoProgressThreshold: 2, RepeatedFailureThreshold: 2, StopOnHumanReview: true, AutonomyMode: "supervised",
		GeneratedRetention: 25, BundleRetention: 25, GitCheckpointMode: "snapshotAndDiff",
		ClaimTTL: 24 * time.Hour, WatchdogStaleTTL: 24 * time.Hour, StaleLock: 5 * time.Minute,
		ReadinessGate: "off", PlanningPass: PlanningPass{Mode: "inline"}, MaxGeneratedChildren: 8,
		PromptVerifierFeedback: true, PromptPriorBudget: 8, PromptBudgetProfile: "codex",
		MemoryStrategy: "verbatim", MemoryWindow: 10, MemorySummaryThreshold: 20,
		FailureDiagnostics: "auto", MaxRecoveryAttempts: 3,
		Origin: map[string]string{},
	}
}

// Overrides are the places that the settings move.
func (s Settings) Overrides() layout.Overrides {
	return layout.Overrides{PRD: s.PRDPath, Progress: s.ProgressPath, Tasks: s.TasksPath, Artifacts: s.ArtifactsPath, Structure: s.StructurePath}
}

// ProviderCommand is the command of the provider that is set; a provider without a command of its own is reached through Claude's.
func (s Settings) ProviderCommand() string {
	command, ok := map[string]string{"codex": s.CodexCommand, "gemini": s.GeminiCommand,
		"copilot": s.CopilotCommand, "copilot-byok": s.CopilotCommand, "copilot-foundry": s.CopilotCommand}[s.Provider]
	if !ok {
		return s.ClaudeCommand
	}
	return command
}

// notObeyed are values that ask for what is no part of the loop: agents that start agents, and recovery that nobody asked for. They are named, and change
// nothing.
var notObeyed = []struct {
	key  string
	asks func(Settings) bool
	why  string
}{
	{"approvalMode", func(s Settings) bool { return s.ApprovalMode != Defaults().ApprovalMode }, "a session has nobody to ask: only never can be obeyed"},
	{"maxRecoveryAttempts", func(s Settings) bool { return s.MaxRecoveryAttempts != Defaults().MaxRecoveryAttempts }, "a session that fails ends the loop; repeatedFailureThreshold and noProgressThreshold say how often a task is tried"},
	{"autoWatchdogOnStall", func(s Settings) bool { return s.AutoWatchdogOnStall }, "the loop starts no other agent; run one with agentRole watchdog, or ralphex claim watchdog"},
	{"autoReviewOnParentDone", func(s Settings) bool { return s.AutoReviewOnParentDone }, "the loop starts no other agent; run one with agentRole reviewer"},
	{"autoReviewOnLoopComplete", func(s Settings) bool { return s.AutoReviewOnLoopComplete }, "the loop starts no other agent; run one with agentRole reviewer, or ralphex --review"},
}

// finish applies what follows from several keys together.
func (s *Settings) finish() {
	if s.AutonomyMode == Autonomous {
		s.BeAutonomous()
	}
	for _, n := range notObeyed {
		if file, ok := s.Origin[n.key]; ok && n.asks(*s) {
			s.Warnings = append(s.Warnings, Warning{file, n.key, "is not obeyed: " + n.why})
		}
	}
}

// Autonomous is the autonomyMode in which the loop carries out by itself what it may.
const Autonomous = "autonomous"

// BeAutonomous switches on what that mode means: the backlog replenishes itself, and both remediations apply themselves. Where the loop stops for a person is
// another key's.
func (s *Settings) BeAutonomous() {
	s.AutonomyMode, s.AutoReplenish, s.AutoApplyRemediation = Autonomous, true, []string{"decompose_task", "mark_blocked"}
}
