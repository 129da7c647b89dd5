package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Values are the settings, typed. A field with a `key` tag is a key of the settings file; its tags are
// the table that the parser, the documentation and the checks are read off:
//
//	key    name in the file                       def    default, as one would write it in the file
//	doc    what it means                          one    the values that are allowed, comma-separated
//	is     marks, see readKey                     min    lowest allowed number
//	unit   "ms": a number of milliseconds         flag   flag that sets it, where its name differs
//	clear  what an empty value means, where it    note   how it differs from the public ralphex
//	       is not the empty value: "default"      group  heading; holds for the fields that follow
//	since  the release that brought it, where it
//	       is not the first one
type Values struct {
	ClaudeCommand    string `group:"Agents" key:"claude_command" def:"claude" is:"command,top" clear:"default" doc:"Command of the claude agent, or any command that takes its arguments and speaks its stream-json; a path is one from the repository's root."`
	ClaudeArgs       string `key:"claude_args" def:"--dangerously-skip-permissions --output-format stream-json --verbose" is:"command,none" clear:"default" doc:"Its arguments; quotes and backslashes group words. The word none means no arguments at all, as does the flag with an empty value." note:"none is ours; an empty value in a file means the default, as in the public one"`
	PlanModel        Model  `key:"plan_model" doc:"Model for plan creation, model[:effort]. Empty: as task_model."`
	TaskModel        Model  `key:"task_model" doc:"Model for task sessions, model[:effort]. Empty: the agent's own choice."`
	ReviewModel      Model  `key:"review_model" doc:"Model for review sessions, model[:effort]. Empty: as task_model."`
	Executor         string `key:"executor" is:"agent" doc:"The agent of all sessions: claude, codex, opencode, gemini, copilot, pi, qwen, custom (custom_review_script), runbook. Empty: claude. docs/agents.md says what each can." note:"the public one knows only the empty value and codex"`
	TaskExecutor     string `key:"task_executor" is:"ours,agent" doc:"The agent of task sessions only. Empty: as executor."`
	ReviewExecutor   string `key:"review_executor" is:"ours,agent" doc:"The agent of reviews. Empty: as executor."`
	PlanExecutor     string `key:"plan_executor" is:"ours,agent" doc:"The agent of plan creation. Empty: as executor."`
	ExternalExecutor string `key:"external_executor" is:"ours,agent" doc:"The agent of the external review. Empty: as external_review_tool says."`

	FallbackExecutors []string `key:"fallback_executors" is:"ours,agent" doc:"Agents that stand in, in this order, while the agent of a phase is at its limit, logged out or missing. They take their own default model. See docs/agents.md."`

	PassClaudeMD bool `key:"pass_claude_md" def:"false" doc:"With the codex agent: let it read the project's CLAUDE.md."`

	PreserveAnthropicAPIKey bool     `key:"preserve_anthropic_api_key" def:"false" doc:"Leave ANTHROPIC_API_KEY in the environment of agents."`
	KeepProcesses           []string `key:"keep_processes" is:"ours" def:"gpg-agent,keyboxd,scdaemon,dirmngr,ssh-agent,git maintenance,git gc,git fsmonitor--daemon,git credential-cache--daemon,watchman" doc:"Commands that may outlive the session that started them: a name, or a name and the words behind it. Each one spared is named in the journal."`

	CodexEnabled         bool          `group:"Codex" key:"codex_enabled" def:"true" doc:"Ask codex for an external review."`
	CodexCommand         string        `key:"codex_command" def:"codex" is:"command,top" clear:"default" doc:"Command of the codex agent."`
	CodexModel           string        `key:"codex_model" def:"gpt-5.6-sol" doc:"Its model. Empty: what codex's own settings say."`
	CodexReasoningEffort string        `key:"codex_reasoning_effort" def:"high" doc:"Its effort. Empty: what codex's own settings say."`
	CodexTimeout         time.Duration `key:"codex_timeout_ms" def:"3600000" unit:"ms" is:"zero" doc:"How long its stream may be silent. 0 means the default."`
	CodexSandbox         string        `key:"codex_sandbox" is:"unset" def:"read-only" doc:"Its sandbox. As agent of all sessions the default is danger-full-access."`

	OpenCodeCommand string `group:"Other agents" key:"opencode_command" is:"ours,command,top" def:"opencode" clear:"default" doc:"Command of the opencode agent."`
	OpenCodeArgs    string `key:"opencode_args" is:"ours,command" doc:"Further arguments of it; quotes and backslashes group words."`
	GeminiCommand   string `key:"gemini_command" is:"ours,command,top" def:"gemini" clear:"default" doc:"Command of the gemini agent."`
	GeminiArgs      string `key:"gemini_args" is:"ours,command" doc:"Further arguments of it; quotes and backslashes group words."`
	CopilotCommand  string `key:"copilot_command" is:"ours,command,top" def:"copilot" clear:"default" doc:"Command of the copilot agent."`
	CopilotArgs     string `key:"copilot_args" is:"ours,command" doc:"Further arguments of it; quotes and backslashes group words."`
	PiCommand       string `key:"pi_command" is:"ours,command,top" def:"pi" clear:"default" doc:"Command of the pi agent."`
	PiArgs          string `key:"pi_args" is:"ours,command" doc:"Further arguments of it; quotes and backslashes group words."`
	QwenCommand     string `key:"qwen_command" is:"ours,command,top" def:"qwen" clear:"default" doc:"Command of the qwen agent."`
	QwenArgs        string `key:"qwen_args" is:"ours,command" doc:"Further arguments of it; quotes and backslashes group words."`

	Review             string        `group:"Reviews" key:"review" is:"ours" flag:"review-when" def:"end" one:"end,task,group,none" clear:"default" doc:"When the work on a plan is reviewed: when all tasks are done, after each task, after the tasks below one heading, or never (docs/reviews.md)."`
	ExternalReviewTool string        `key:"external_review_tool" is:"unset" def:"codex" one:"codex,custom,none" clear:"default" doc:"Who does the external review." note:"an unknown tool is an error here; there it silently means codex (W19)"`
	CustomReviewScript string        `key:"custom_review_script" is:"command,tilde,top,path" doc:"Script of the custom external review; a path is one from the repository's root."`
	MaxExternal        int           `key:"max_external_iterations" def:"0" min:"0" clear:"default" doc:"Rounds of external review. 0: a fifth of max_iterations, at least 3."`
	ReviewPatience     int           `key:"review_patience" def:"0" min:"0" clear:"default" doc:"End the external review after so many rounds in a row that changed nothing. 0: after the first one."`
	ExternalTimeout    time.Duration `key:"external_timeout" is:"ours" def:"2h" clear:"default" doc:"Longest time of one look by the external tool, which session_timeout and idle_timeout don't hold for: a script may say nothing until its end. 0: no limit."`
	FinalizeEnabled    bool          `key:"finalize_enabled" def:"false" doc:"Run the finalize step after the reviews."`

	MaxIterations  int           `group:"Run" key:"max_iterations" is:"unset" def:"50" min:"1" clear:"default" doc:"Task sessions of one run, at most. Unset: by the size of the plan, at least the default." note:"large plans are not cut off at 50"`
	TaskRetryCount int           `key:"task_retry_count" def:"1" min:"0" clear:"default" doc:"How often a failed task is tried again: a failed validation and TASK_FAILED count alike."`
	IterationDelay time.Duration `key:"iteration_delay_ms" def:"2000" unit:"ms" clear:"default" doc:"Pause between two sessions of the same task." note:"0 means 0 (W45)"`
	SessionTimeout time.Duration `key:"session_timeout" def:"4h" clear:"default" doc:"Longest time of one session. 0: no limit." note:"off by default there"`
	IdleTimeout    time.Duration `key:"idle_timeout" def:"30m" clear:"default" doc:"End a session that is silent for so long. 0: never." note:"off by default there"`
	WaitOnLimit    time.Duration `key:"wait_on_limit" def:"0s" flag:"wait" clear:"default" doc:"How long to wait when the agent's usage limit is reached. Where the agent says when it ends, the wait is until then, up to 24h or this, if it is longer. 0: end the run." note:"the end of the limit is read from the message, and the waits have a limit (W15)"`

	TransientRetries int           `key:"transient_retries" is:"ours" def:"4" min:"0" clear:"default" doc:"How often a session is tried again when the server was busy or the connection broke, with pauses that grow."`
	SessionResumes   int           `key:"session_resumes" is:"ours" def:"2" min:"0" clear:"default" doc:"How often a session that ended too early (work still running, a question nobody can answer, no word at all) is asked to go on or run afresh."`
	EndGrace         time.Duration `key:"end_grace" is:"ours,zero" def:"5s" clear:"default" doc:"How long a session that is asked to end may take before it is killed. 0 means the default."`
	BackgroundWait   time.Duration `key:"background_wait" is:"ours" def:"12m" clear:"default" doc:"How long background work may keep a session alive when the agent itself has ended its turn; claude ends its own after 10m. 0: as long as the session may last."`
	MaxDepth         int           `key:"max_depth" is:"ours" def:"3" min:"1" clear:"default" doc:"How deep ralphex may run within sessions of ralphex: a run inside of so many sessions is refused."`

	Validate          string        `key:"validate" is:"ours" def:"gate" one:"gate,report,off" clear:"default" doc:"What the plan's validation commands decide. gate: a task is done when they pass. report: they are run and reported. off: they are not run."`
	ValidationTimeout time.Duration `key:"validation_timeout" is:"ours,zero" def:"30m" clear:"default" doc:"Longest time of one validation command. 0 means the default."`
	Record            string        `key:"record" is:"ours" def:"evidence" one:"none,journal,evidence,full" clear:"default" doc:"What a run leaves in .ralph: nothing once it is done, its journal, also iteration numbers and events for other programs, or also its plan as tasks with claims; docs/ralph-store.md."`

	KeepStreams     bool          `key:"keep_streams" is:"ours" def:"true" doc:"Keep the raw stream of each session in .ralph/runs, without secrets (docs/agents.md). record = none or journal keeps none either."`
	StreamMaxMB     int           `key:"stream_max_mb" is:"ours" def:"256" min:"1" clear:"default" doc:"The size of one raw stream, in MB; what is cut is noted at its end."`
	StreamRuns      int           `key:"stream_runs" is:"ours" def:"20" min:"0" clear:"default" doc:"Raw streams of so many newest runs are kept, and what the validation commands of so many newest runs printed; older ones are removed when a run ends. 0: all."`
	MaxCost         float64       `group:"Budget" key:"max_cost" is:"ours" doc:"Dollars that a run may cost: reported by the agent, or at list prices (docs/cost.md). Empty or 0: no limit. So with all keys of this group."`
	MaxTokens       Count         `key:"max_tokens" is:"ours" doc:"Tokens that a run may use, in and out, cached ones too; 500k and 2M can be written."`
	MaxTime         time.Duration `key:"max_time" is:"ours" def:"0s" clear:"default" doc:"How long a run may take, all its processes together."`
	MaxSessions     int           `key:"max_sessions" is:"ours" def:"0" min:"0" clear:"default" doc:"How many sessions a run may have, reviews and repeated ones included."`
	MaxTaskCost     float64       `key:"max_task_cost" is:"ours" doc:"Dollars that one task may cost."`
	MaxTaskTokens   Count         `key:"max_task_tokens" is:"ours" doc:"Tokens that one task may use."`
	MaxTaskTime     time.Duration `key:"max_task_time" is:"ours" def:"0s" clear:"default" doc:"How long the sessions of one task may take together."`
	MaxTaskSessions int           `key:"max_task_sessions" is:"ours" def:"0" min:"0" clear:"default" doc:"How many sessions one task may have."`

	PlansDir      string `group:"Plans and repository" key:"plans_dir" def:"docs/plans" is:"path" clear:"default" doc:"Folder of the plans, from the repository's root." note:"from the working folder there"`
	MovePlan      bool   `key:"move_plan_on_completion" def:"true" doc:"Move a finished plan to completed/."`
	PlanWrite     string `key:"plan_write" is:"ours" def:"agent" one:"agent,tool" clear:"default" doc:"Who writes the plan that a person has accepted: the agent, in a session of its own, or ralphex, which saves that session. The bytes are the accepted ones either way (docs/create.md)."`
	DefaultBranch string `key:"default_branch" doc:"The branch that plans start from. Empty: found out."`
	UseWorktree   bool   `key:"use_worktree" def:"false" flag:"worktree" doc:"Work in a worktree of its own; the main checkout stays as it is (docs/worktrees.md)."`

	RequireWorktree      bool          `key:"require_worktree" is:"ours" def:"false" doc:"Refuse a run in the main checkout."`
	WorktreeDir          string        `key:"worktree_dir" is:"ours,tilde,path" def:".ralphex/worktrees" clear:"default" doc:"Folder of the worktrees, from the repository's root. An absolute one gets a folder with the repository's name; a repository's own settings may not name one outside of it."`
	WorktreeCopy         []string      `key:"worktree_copy" is:"ours" doc:"Ignored files that a new worktree gets a copy of, as patterns of .gitignore; those of the file .worktreeinclude count, too."`
	WorktreeSetup        string        `key:"worktree_setup" is:"ours,command" doc:"Command that makes a new worktree ready, npm ci, say. It is run in the worktree's root before the first session; a failure ends the run."`
	WorktreeSetupTimeout time.Duration `key:"worktree_setup_timeout" is:"ours" def:"15m" clear:"default" doc:"Longest time of worktree_setup. 0: no limit."`
	WorktreeKeep         bool          `key:"worktree_keep" is:"ours" def:"false" doc:"Keep the worktree when the run is done."`

	MaxDeleteShare int    `key:"max_delete_share" is:"ours" def:"25" min:"0" clear:"default" doc:"The part of the repository's files, in percent, that one task may delete before a person is asked; ten files are always allowed. 0 or 100: any. See docs/nothing-lost.md."`
	CommitTrailer  string `key:"commit_trailer" doc:"A line for the end of each commit message."`
	VCSCommand     string `key:"vcs_command" def:"git" is:"command,tilde,path" clear:"default" doc:"git, or a wrapper that takes its arguments. git: the kind of repository is detected."`
	VCSBackend     string `key:"vcs_backend" is:"ours" def:"auto" one:"auto,go-git,git" clear:"default" doc:"Who answers for a Git repository: the library, the command, or each what it does best."`

	ClaudeErrorPatterns []string `group:"Patterns" key:"claude_error_patterns" def:"You've hit your limit,You've hit your session limit,API Error: 400,API Error: 401,API Error: 403,API Error: 404,API Error: 413,API Error: 429,API Error: 500,cannot be launched inside another Claude Code session,Not logged in,Your usage allocation has been disabled by your admin,You've hit your org's monthly usage limit,You've hit your individual spend limit" doc:"Texts in errors of the claude agent that end the run." note:"matched against errors, exit codes and stderr, not against prose (W18)"`
	ClaudeLimitPatterns []string `key:"claude_limit_patterns" def:"You've hit your limit,You've hit your session limit,Your usage allocation has been disabled by your admin,You've hit your org's monthly usage limit,You've hit your individual spend limit" doc:"Those of them that mean a usage limit: see wait_on_limit."`
	ClaudeRetryPatterns []string `key:"claude_retry_patterns" def:"FYA_TRANSIENT_TIMEOUT,API Error: 529,API Error: 502,API Error: 503,API Error: 504" doc:"Those that mean: try again."`
	CodexErrorPatterns  []string `key:"codex_error_patterns" def:"Rate limit exceeded,rate limit reached,429 Too Many Requests,quota exceeded,insufficient_quota,You've hit your usage limit" doc:"The same for codex and the custom review script."`
	CodexLimitPatterns  []string `key:"codex_limit_patterns" def:"Rate limit exceeded,rate limit reached,429 Too Many Requests,quota exceeded,insufficient_quota,You've hit your usage limit" doc:"Those of them that mean a usage limit."`

	WatchDirs []string `group:"Dashboard" key:"watch_dirs" flag:"watch" doc:"Folders whose runs the dashboard shows."`

	NotifyChannels      []string      `group:"Notifications" key:"notify_channels" one:"telegram,email,slack,webhook,custom,desktop" doc:"Where it is told what became of a run. More channels by notify_urls; see docs/notifications.md."`
	NotifyURLs          []string      `key:"notify_urls" is:"ours,command,secret" doc:"Further channels as addresses: ntfy://topic, discord://token@id and others, docs/notifications.md lists them."`
	NotifyOn            []string      `key:"notify_on" is:"ours" def:"success,failure,abort,needs-input,limit,login,budget" clear:"default" one:"success,failure,abort,needs-input,limit,login,budget" doc:"What is told. Where it is set, notify_on_error and notify_on_complete do not count."`
	NotifyOnError       bool          `key:"notify_on_error" def:"true" doc:"Tell failures, and everything else but success."`
	NotifyOnComplete    bool          `key:"notify_on_complete" def:"true" doc:"Tell successes."`
	NotifyTimeout       time.Duration `key:"notify_timeout_ms" def:"10000" unit:"ms" is:"zero" doc:"Time that each channel has. 0 means the default." note:"for all together there (W53)"`
	NotifyTemplate      string        `key:"notify_template" is:"ours,tilde" doc:"The text of messages: a file, from the repository's root, or, with {{ in it, the template itself. Empty: the built-in one."`
	NotifyTelegramToken string        `key:"notify_telegram_token" is:"secret" doc:"Token of the Telegram bot."`
	NotifyTelegramChat  string        `key:"notify_telegram_chat" doc:"Its chat: a number or @name."`
	NotifySlackToken    string        `key:"notify_slack_token" is:"secret" doc:"Slack token."`
	NotifySlackChannel  string        `key:"notify_slack_channel" doc:"Slack channel: an ID or a name."`
	NotifySMTPHost      string        `key:"notify_smtp_host" is:"command" doc:"Mail server."`
	NotifySMTPPort      int           `key:"notify_smtp_port" def:"587" min:"0" clear:"default" doc:"Its port." note:"25 there, although its own text says 587 (W53)"`
	NotifySMTPUsername  string        `key:"notify_smtp_username" doc:"User name on the mail server."`
	NotifySMTPPassword  string        `key:"notify_smtp_password" is:"secret" doc:"Password on the mail server."`
	NotifySMTPStartTLS  bool          `key:"notify_smtp_starttls" def:"false" doc:"STARTTLS or no mail; as notify_smtp_tls = starttls."`
	NotifySMTPTLS       string        `key:"notify_smtp_tls" is:"ours" def:"auto" one:"auto,starttls,implicit,none" clear:"default" doc:"How the connection is secured. auto: TLS from the first byte on port 465, else STARTTLS where it is offered. none: in the clear."`
	NotifyEmailFrom     string        `key:"notify_email_from" doc:"Sender of the mail."`
	NotifyEmailTo       []string      `key:"notify_email_to" doc:"Its receivers."`
	NotifyWebhookURLs   []string      `key:"notify_webhook_urls" is:"command,secret" doc:"Addresses that get the result by POST."`
	NotifyWebhookFormat string        `key:"notify_webhook_format" is:"ours" def:"json" one:"json,text" clear:"default" doc:"What they get: the result as JSON, or the text alone, as the public ralphex sends it."`
	NotifyWebhookSecret string        `key:"notify_webhook_secret" is:"ours,secret" doc:"Signs what webhooks get: HMAC-SHA256 of the body in X-Ralphex-Signature-256."`
	NotifyCustomScript  string        `key:"notify_custom_script" is:"command,tilde,path" doc:"Script that gets the result as JSON on its standard input."`

	View string `group:"Terminal" key:"view" flag:"live" is:"ours" def:"lines" one:"lines,live" clear:"default" doc:"What a run shows at a terminal. lines: the log with a status line below it. live: the whole terminal, with tasks, log and keys (docs/live.md); where that can't be had, lines."`

	ColorTask       string `group:"Colours" key:"color_task" def:"#2e8b57" is:"color" clear:"default" doc:"Task, plan and finalize text."`
	ColorReview     string `key:"color_review" def:"#1a9e9e" is:"color" clear:"default" doc:"Review text."`
	ColorCodex      string `key:"color_codex" def:"#9b59b6" is:"color" clear:"default" doc:"External review text."`
	ColorClaudeEval string `key:"color_claude_eval" def:"#5b8dd9" is:"color" clear:"default" doc:"Evaluation text."`
	ColorWarn       string `key:"color_warn" def:"#d4930d" is:"color" clear:"default" doc:"Warnings and section headings."`
	ColorError      string `key:"color_error" def:"#cc0000" is:"color" clear:"default" doc:"Errors."`
	ColorSignal     string `key:"color_signal" def:"#d25252" is:"color" clear:"default" doc:"Signals."`
	ColorTimestamp  string `key:"color_timestamp" def:"#707070" is:"color" clear:"default" doc:"Timestamps."`
	ColorInfo       string `key:"color_info" def:"#808080" is:"color" clear:"default" doc:"Everything else."`
}

// The values of `review`: after which tasks the work is reviewed.
const (
	ReviewEnd   = "end"
	ReviewTask  = "task"
	ReviewGroup = "group"
	ReviewNone  = "none"
)

// Count is a number of tokens, "500000", "500k" or "2M".
type Count int64

// String writes the number as one would write it in the file; 0 is empty.
func (c Count) String() string {
	switch {
	case c == 0:
		return ""
	case c%1e6 == 0:
		return strconv.FormatInt(int64(c/1e6), 10) + "M"
	case c%1e3 == 0:
		return strconv.FormatInt(int64(c/1e3), 10) + "k"
	}
	return strconv.FormatInt(int64(c), 10)
}

// ParseCount reads what String writes, and numbers like 1.5M.
func ParseCount(s string) (Count, error) {
	digits, unit := s, 1.0
	for suffix, u := range map[string]float64{"k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6} {
		if d, ok := strings.CutSuffix(s, suffix); ok {
			digits, unit = d, u
		}
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(digits, "_", ""), 64)
	if err != nil || !(f >= 0 && f*unit < 1e15) {
		return 0, fmt.Errorf("%q is not a number of tokens; write one like 500000, 500k or 2M", s)
	}
	return Count(f * unit), nil
}

// ParseDollars reads an amount, "5", "$5" or "0.50".
func ParseDollars(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimPrefix(s, "$"), 64)
	if err != nil || !(f >= 0 && f < 1e12) {
		return 0, fmt.Errorf("%q is not an amount of dollars; write one like 5 or 0.50", s)
	}
	return f, nil
}

// Model is a model and an effort, "opus:high"; either may be empty.
type Model struct{ Name, Effort string }

// String writes the model as one would write it in the file.
func (m Model) String() string {
	if m.Effort == "" {
		return m.Name
	}
	return m.Name + ":" + m.Effort
}

// Or returns m, or the other one where m is empty: plan and review fall back to task.
func (m Model) Or(other Model) Model {
	if m == (Model{}) {
		return other
	}
	return m
}
