package claude

import (
	"context"
	"path/filepath"
	"strings"

	"ralphex/pkg/executor"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "claude"

// DefaultArgs are the arguments that make the CLI print a stream that we can read, and ask nobody.
var DefaultArgs = []string{"--dangerously-skip-permissions", "--output-format", "stream-json", "--verbose"}

// Options configure the executor; the zero value works.
type Options struct {
	Command        string           // empty = "claude"
	Args           *[]string        // nil = DefaultArgs; an empty list = none
	PreserveAPIKey bool             // leave ANTHROPIC_API_KEY in the environment
	Patterns       session.Patterns // words of failures, for CLIs and wrappers that have no fields for them
}

// Executor runs the CLI. It is safe for use by several goroutines.
type Executor struct{ o Options }

var (
	_ executor.Executor  = (*Executor)(nil)
	_ executor.Describer = (*Executor)(nil)
)

// New returns the executor. Nothing is looked up before Check or Run.
func New(o Options) *Executor {
	if o.Command == "" {
		o.Command = Name
	}
	return &Executor{o}
}

// Name implements executor.Executor.
func (*Executor) Name() string { return Name }

// Check tells whether the command can be found. It starts nothing.
func (e *Executor) Check(context.Context) error { return session.Find(e.o.Command, notFoundHelp) }

const notFoundHelp = "install Claude Code, or name a command that speaks its stream-json (--claude-command CMD)\nwithout any agent: --executor runbook runs the plan's own sh blocks; ralphex demo shows it"

// Caps implements executor.Describer. A wrapper of another name has models and levels of its own.
func (e *Executor) Caps() executor.Caps {
	return executor.Caps{
		Resume: e.isClaude(), SubAgents: "Task", Background: true, Usage: "tokens and dollars",
		Models: []string{"haiku", "sonnet", "opus", "fable"}, AnyModel: true,
		Efforts: []string{"low", "medium", "high", "xhigh", "max"}, AnyEffort: !e.isClaude(),
	}
}

func (e *Executor) isClaude() bool {
	base := filepath.Base(e.o.Command)
	return strings.TrimSuffix(base, ".exe") == Name
}

// EnvRules implements executor.Describer. Background tasks are switched off: with them the CLI ends a turn while a
// sub-agent still works, and nobody is there who would ask for its result.
func (e *Executor) EnvRules() executor.EnvRules {
	return executor.RulesFor(e.o.PreserveAPIKey, "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1", "DISABLE_AUTOUPDATER=1")
}

// Version implements executor.Versioned.
func (e *Executor) Version(ctx context.Context) (string, error) {
	return session.VersionText(ctx, e.o.Command)
}

// Spawn implements executor.Describer.
func (*Executor) Spawn(r executor.Reviewer) string { return r.SpawnWith("Task") }

// Argv is the command line for a model, an effort and a session to go on with; empty ones leave the arguments as they are.
func (e *Executor) Argv(model, effort, resume string) []string {
	args := DefaultArgs
	if e.o.Args != nil {
		args = *e.o.Args
	}
	args = executor.WithFlag(args, "--model", model)
	args = executor.WithFlag(args, "--effort", effort)
	args = executor.WithFlag(args, "--resume", resume)
	argv := append([]string{e.o.Command}, args...)
	return append(argv, "--print")
}

// Run implements executor.Executor.
func (e *Executor) Run(ctx context.Context, req executor.Request) (executor.Result, error) {
	p := e.o.Patterns
	p.LimitHelp, p.LoginHelp = limitHelp, loginHelp
	return session.Run(ctx, req, session.Agent{
		Argv: e.Argv(req.Model, req.Effort, req.Resume), Env: e.EnvRules().Apply(req.Env), Stdin: req.Prompt, Open: Dialect, Patterns: p,
	})
}
