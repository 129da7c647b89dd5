package cli

import (
	"time"

	"github.com/alecthomas/kong"
)

// root is the whole grammar. A bare `ralphex plan.md` is `ralphex run plan.md`.
type root struct {
	NoColor   bool             `help:"No colours."`
	NoInput   bool             `help:"Ask nothing: what would be asked is refused, with what to type instead."`
	ConfigDir string           `help:"Folder of the global configuration (default ~/.config/ralphex)." placeholder:"DIR" env:"RALPHEX_CONFIG_DIR"`
	Ver       kong.VersionFlag `name:"version" short:"v" help:"Print the version."`

	Run          runCmd          `cmd:"" default:"withargs" help:"Work a plan off, task by task (the default command)."`
	Demo         demoCmd         `cmd:"" help:"Watch a small plan being worked off in a new Git repository, without agent and network."`
	Show         showCmd         `cmd:"" help:"Show what ralphex reads in a plan: tasks, boxes, validation commands, problems."`
	Tick         tickCmd         `cmd:"" help:"Tick or open boxes of a plan, one byte each."`
	Check        checkCmd        `cmd:"" help:"Check plans like code, and repair what is certain."`
	Convert      convertCmd      `cmd:"" help:"Make a plan of what you have: specs, issues, task lists, todos, prose."`
	Create       createCmd       `cmd:"" help:"Make a plan of a description, together with an agent that asks and drafts."`
	Answer       answerCmd       `cmd:"" help:"Answer what a run that makes a plan asked, and let it go on."`
	New          newCmd          `cmd:"" help:"Write the skeleton of a new plan."`
	Fmt          fmtCmd          `cmd:"" help:"Number the tasks of plans and tidy their spacing; no word is changed."`
	Integrations integrationsCmd `cmd:"" help:"Install ralphex into other tools."`
	Serve        serveCmd        `cmd:"" help:"Show runs in a browser, live, and steer them."`
	Status       statusCmd       `cmd:"" help:"Show the runs of this repository: what goes on, what ended and how."`
	Pause        pauseCmd        `cmd:"" help:"Have a run wait, holding its place."`
	Resume       resumeCmd       `cmd:"" help:"Have a paused run go on."`
	Stop         stopCmd         `cmd:"" help:"End a run politely; the same command goes on with it."`
	Skip         skipCmd         `cmd:"" help:"Have a run leave its task open, or end its review, and go on."`
	Note         noteCmd         `cmd:"" help:"Tell the next session of a run something."`
	RetryNow     retryNowCmd     `cmd:"" help:"End a run's wait for a usage limit: it tries again now."`
	Notify       notifyCmd       `cmd:"" help:"Try the channels that tell what became of a run."`
	Cost         costCmd         `cmd:"" help:"Show what runs have used up: sessions, time, tokens, dollars, by task, phase and model."`
	Findings     findingsCmd     `cmd:"" help:"Show what reviewers of a run found, and what became of it."`
	Replay       replayCmd       `cmd:"" help:"Show what was understood of an agent's raw stream: words, tools, signals, usage, failure."`
	Budget       budgetCmd       `cmd:"" help:"Show what a run may still use up, and give it more."`
	Restore      restoreCmd      `cmd:"" help:"Show and bring back copies of the working tree that runs kept."`
	Worktrees    worktreesCmd    `cmd:"" help:"Show the worktrees of runs, remove those that are merged, find one."`
	Workspace    workspaceCmd    `cmd:"" help:"Make and look after a .ralph workspace, the store that several people and agents share."`
	Task         taskCmd         `cmd:"" help:"Look at and change the task graph of the .ralph workspace."`
	Claim        claimCmd        `cmd:"" help:"Show which agent works on which task of the .ralph workspace; resolve what was abandoned."`
	Prd          prdCmd          `cmd:"" help:"Make an objective and a backlog, to be reviewed and confirmed."`
	Preflight    preflightCmd    `cmd:"" help:"Check whether anything may be executed in the .ralph workspace."`
	Iterate      iterateCmd      `cmd:"" help:"Take the next task of the .ralph workspace, have the agent do it in one session, verify and record it."`
	Loop         loopCmd         `cmd:"" help:"Iterate until no task of the .ralph workspace can be worked on, or a person is needed."`
	Prompt       promptCmd       `cmd:"" help:"Prepare the prompt of the next iteration for a session of your own; nothing is claimed or started."`
	Remediation  remediationCmd  `cmd:"" help:"Show and apply what the loop proposes about a task at which it stopped again and again."`
	Reconcile    reconcileCmd    `cmd:"" help:"Compare the objective of the .ralph workspace with its task graph; a proposal, nothing changes."`
	Timeline     timelineCmd     `cmd:"" help:"Print what happened in a run or an iteration, step by step, as JSON."`
	Provenance   provenanceCmd   `cmd:"" help:"Check the evidence that sessions left: what was asked, what ran, what was verified."`
	Receipt      receiptCmd      `cmd:"" help:"Show what became of a task, and how that is known; hold it against the repository."`
	Latest       latestCmd       `cmd:"" help:"Find the newest summary, bundle, prompt evidence or transcript."`
	Cleanup      cleanupCmd      `cmd:"" help:"Delete what old iterations left in the .ralph workspace."`
	Config       configCmd       `cmd:"" help:"Show, check and compare settings, prompts and agents; make templates of them."`
	Trust        trustCmd        `cmd:"" help:"Allow the commands that a repository's own settings name; show and take back what was allowed."`
	Sandbox      sandboxCmd      `cmd:"" help:"Run ralphex in a container that sees this repository and what you name."`
	Doctor       doctorCmd       `cmd:"" help:"Check what a run needs: repository, agent, git, configuration."`
	Lsp          lspCmd          `cmd:"" help:"Serve an editor: diagnostics, quick fixes, outline and ticks of plans."`
	Version      versionCmd      `cmd:"" help:"Print the version."`
	Completion   completionCmd   `cmd:"" help:"Print a completion script for bash, zsh or fish."`
	Man          manCmd          `cmd:"" help:"Print the manual page, or write those of all commands."`
	Complete     completeCmd     `cmd:"" name:"__complete" hidden:""`
}

// runCmd has the public ralphex's flags and ours. A pointer flag tells "not given" from zero.
type runCmd struct {
	Plan *string `arg:"" optional:"" name:"plan" help:"Markdown plan. Without it, the only plan in the plans folder is taken, or you pick one."`

	TasksOnly      bool          `short:"t" help:"Run the tasks only, no reviews."`
	Review         bool          `short:"r" help:"Review only (docs/reviews.md): the work on a plan, or, without one, the branch that is checked out."`
	ExternalOnly   bool          `short:"e" help:"Only the external review."`
	CodexOnly      bool          `short:"c" hidden:"" help:"The old name of --external-only."`
	Report         bool          `help:"With --review: change nothing, print what was found; exit 3 if that is anything."`
	Format         string        `default:"text" enum:"text,json,sarif,github" help:"How --report prints it: text, json, sarif, github." placeholder:"FORMAT"`
	From           string        `default:"" enum:",tasks,review,external,review2,finalize" help:"Begin with this phase: tasks, review, external, review2, finalize." placeholder:"PHASE"`
	ReviewWhen     *string       `help:"When the work is reviewed: end (default), task, group, none." placeholder:"WHEN"`
	Executor       *string       `help:"Agent of the run: claude (default), codex, opencode, gemini, copilot, pi, qwen, custom, runbook." placeholder:"NAME"`
	Codex          bool          `help:"The same as --executor codex."`
	PassClaudeMd   bool          `help:"Let codex read the project's CLAUDE.md."`
	Fallback       *string       `name:"fallback-executors" help:"Agents that stand in while that one is at its limit, logged out or missing." placeholder:"NAME,…"`
	Validate       *string       `help:"What a red validation means: gate (the task is not done), report, off." placeholder:"MODE"`
	AllowDeletions bool          `help:"Let tasks delete as many files as they like (see max_delete_share)."`
	MaxIterations  *int          `short:"m" help:"Sessions at most (default: by the size of the plan, at least 50)." placeholder:"N"`
	TaskModel      *string       `help:"model[:effort] of task sessions." placeholder:"SPEC"`
	ReviewModel    *string       `help:"model[:effort] of review sessions (default: as of task sessions)." placeholder:"SPEC"`
	PlanText       *string       `name:"plan" help:"Make a plan of this description first, together with you (docs/create.md); - reads it from standard input." placeholder:"TEXT"`
	Answers        *string       `help:"With --plan: answers to what is asked, from this file; - is standard input." placeholder:"FILE"`
	Implement      *bool         `name:"run" negatable:"" help:"With --plan: run the plan that was made without asking; --no-run: only make it."`
	PlanModel      *string       `help:"model[:effort] of sessions that make a plan (default: as of task sessions)." placeholder:"SPEC"`
	ExternalTool   *string       `name:"external-review-tool" enum:"codex,custom,none" help:"Who reviews from outside: codex (default), custom, none." placeholder:"TOOL"`
	CustomScript   *string       `name:"custom-review-script" help:"Script of the external review by custom." placeholder:"FILE"`
	MaxExternal    *int          `name:"max-external-iterations" help:"Rounds of external review at most (default: a fifth of --max-iterations, at least 3)." placeholder:"N"`
	ReviewPatience *int          `help:"End the external review after so many rounds in a row that changed nothing (default 1)." placeholder:"N"`
	ClaudeCommand  *string       `help:"claude, or a compatible command." placeholder:"CMD"`
	ClaudeArgs     *string       `help:"Its arguments; an empty value means none." placeholder:"ARGS"`
	Wait           *durationFlag `help:"Wait so long on a usage limit and go on (0 = stop with exit 4)." placeholder:"D"`
	SessionTimeout *durationFlag `help:"Longest session (default 4h, 0 = off)." placeholder:"D"`
	IdleTimeout    *durationFlag `help:"Longest silence of a session (default 30m, 0 = off)." placeholder:"D"`
	MaxCost        *string       `help:"Dollars that the run may cost; exit 4 when they are spent (docs/cost.md)." placeholder:"USD"`
	MaxTokens      *string       `help:"Tokens that it may use, in and out: 500k, 2M." placeholder:"N"`
	MaxTime        *durationFlag `help:"How long it may take." placeholder:"D"`
	MaxSessions    *int          `help:"How many sessions it may have, reviews and repeated ones included." placeholder:"N"`
	Branch         string        `help:"Branch to work on, instead of the one named after the plan." placeholder:"NAME"`
	Worktree       *bool         `negatable:"" help:"Work in a worktree of its own, on a branch of its own (docs/worktrees.md); --no-worktree: in place."`
	BaseRef        string        `short:"b" help:"What the change is compared with, instead of the default branch." placeholder:"REF"`
	PreserveKey    *bool         `name:"preserve-anthropic-api-key" help:"Leave ANTHROPIC_API_KEY in the agent's environment."`
	TrustRepo      bool          `name:"trust-repo-config" help:"Obey commands that this repository's .ralphex/config names."`
	Sync           bool          `help:"Write the ticks of proven tasks back to the file that the plan was converted from (docs/sync.md)."`
	SkipFinalize   bool          `help:"No finalize step, whatever the settings say."`
	DryRun         bool          `help:"Say what would happen, phase by phase, and touch nothing."`
	Prompts        bool          `help:"With --dry-run: also the prompts, as agents would get them."`
	Live           *bool         `negatable:"" help:"Show the run on the whole terminal (docs/live.md); --no-live: as lines."`
	Quiet          bool          `short:"q" help:"Print warnings, errors and the summary only."`
	JSON           bool          `name:"json" help:"Print events as JSON lines on stdout instead of text."`
	Debug          bool          `short:"d" help:"Print what is executed to stderr."`

	early    `embed:""`
	webFlags `embed:""`

	silent bool // nobody is asked, whoever sits there
}

// durationFlag is a time.Duration whose flags may be negative, so that the error can say what is wrong.
type durationFlag = time.Duration
