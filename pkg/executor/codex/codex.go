package codex

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "codex"

// Sandbox modes of the CLI.
const (
	ReadOnly       = "read-only"
	WorkspaceWrite = "workspace-write"
	FullAccess     = "danger-full-access"
)

// Options configure the executor; the zero value works.
type Options struct {
	Command        string        // empty = "codex"
	Model, Effort  string        // what a request doesn't name; empty = what codex's own settings say
	Sandbox        string        // empty = FullAccess, for an External one ReadOnly
	StreamIdle     time.Duration // how long its stream may be silent; 0 = an hour
	ReadClaudeMD   bool          // let it read the project's CLAUDE.md where there is no AGENTS.md
	External       bool          // an external reviewer: no sub-agents, keys stay in the environment
	PreserveAPIKey bool          // leave ANTHROPIC_API_KEY in the environment
	Patterns       session.Patterns
}

// Executor runs the CLI. It is safe for use by several goroutines.
type Executor struct {
	o       Options
	version func() (session.Version, error) // asked once
}

var (
	_ executor.Executor  = (*Executor)(nil)
	_ executor.Describer = (*Executor)(nil)
	_ executor.Versioned = (*Executor)(nil)
)

// New returns the executor. Nothing is looked up before Check or Run.
func New(o Options) *Executor {
	if o.Command == "" {
		o.Command = Name
	}
	if o.Sandbox == "" {
		o.Sandbox = FullAccess
		if o.External {
			o.Sandbox = ReadOnly
		}
	}
	if o.StreamIdle <= 0 {
		o.StreamIdle = time.Hour
	}
	o.Patterns.LimitHelp, o.Patterns.LoginHelp = help[executor.ClassLimit], help[executor.ClassLogin]
	e := &Executor{o: o}
	e.version = sync.OnceValues(func() (session.Version, error) {
		return session.AskVersion(context.Background(), o.Command, nil)
	})
	return e
}

// Name implements executor.Executor.
func (*Executor) Name() string { return Name }

// speaksJSON is the first version whose --json we read; older ones are read as text, with their rollout.
var speaksJSON = session.Version{0, 130, 0}

// Check tells whether the command can be found and its sandbox is one. It starts nothing.
func (e *Executor) Check(context.Context) error {
	switch e.o.Sandbox {
	case ReadOnly, WorkspaceWrite, FullAccess:
	default:
		return &executor.ModelError{Agent: Name, What: "sandbox", Value: e.o.Sandbox, Known: []string{ReadOnly, WorkspaceWrite, FullAccess}}
	}
	return session.Find(e.o.Command, "install it: npm install -g @openai/codex, or name its command: codex_command = CMD")
}

// Version implements executor.Versioned.
func (e *Executor) Version(context.Context) (string, error) {
	v, err := e.version()
	if err != nil {
		return "", err
	}
	if v.Less(speaksJSON) {
		return fmt.Sprintf("%s, older than %s: no sub-agents, no token counts; update it", v, speaksJSON), nil
	}
	return v.String(), nil
}

// efforts are what the CLI takes; "max" is taken for its own default, as the public ralphex does.
var efforts = []string{"minimal", "low", "medium", "high", "xhigh"}

// Caps implements executor.Describer.
func (e *Executor) Caps() executor.Caps {
	return executor.Caps{
		Resume: true, SubAgents: "spawn_agent", Background: true, Usage: "tokens", AnyModel: true, Efforts: efforts,
		Sandboxes: []string{ReadOnly, WorkspaceWrite, FullAccess},
	}
}

// CheckModel tells whether a model and an effort can be asked for.
func (e *Executor) CheckModel(model, effort string) error {
	if strings.EqualFold(effort, "max") {
		effort = ""
	}
	return e.Caps().CheckModel(Name, model, effort)
}

// EnvRules implements executor.Describer.
func (e *Executor) EnvRules() executor.EnvRules {
	return executor.RulesFor(e.o.PreserveAPIKey || e.o.External)
}

var quoteTask = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\t", `\t`, "\r", `\r`, "\n", `\n`)

// Spawn implements executor.Describer.
func (*Executor) Spawn(r executor.Reviewer) string {
	return fmt.Sprintf("spawn_agent(agent='reviewer', task='%s')\n\nReport findings only - no positive observations.", quoteTask.Replace(r.Task))
}

// Argv is the command line of a request.
func (e *Executor) Argv(req executor.Request, json bool) []string {
	argv := []string{e.o.Command, "exec"}
	if !e.o.External && json {
		argv = append(argv, "-c", "features.multi_agent=true",
			"-c", `agents.reviewer.description="Reviews code changes and reports findings; edits nothing"`)
	}
	if e.o.ReadClaudeMD {
		argv = append(argv, "-c", `project_doc_fallback_filenames=["CLAUDE.md"]`)
	}
	if !e.o.External || e.o.Sandbox == FullAccess {
		if e.o.Sandbox == FullAccess {
			argv = append(argv, "--dangerously-bypass-approvals-and-sandbox")
		}
	}
	argv = append(argv, "--sandbox", e.o.Sandbox)
	if model := or(req.Model, e.o.Model); model != "" {
		argv = append(argv, "-c", "model="+strconv.Quote(model))
	}
	if effort := or(req.Effort, e.o.Effort); effort != "" && !strings.EqualFold(effort, "max") {
		argv = append(argv, "-c", "model_reasoning_effort="+effort)
	}
	argv = append(argv, "-c", fmt.Sprintf(streamIdle+"=%d", e.o.StreamIdle.Milliseconds()))
	if req.Resume != "" {
		argv = append(argv, "resume")
	}
	if json {
		argv = append(argv, "--json")
	}
	if req.Resume != "" {
		argv = append(argv, req.Resume, "-")
	}
	return argv
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Run implements executor.Executor.
func (e *Executor) Run(ctx context.Context, req executor.Request) (executor.Result, error) {
	v, err := e.version()
	json := err != nil || !v.Less(speaksJSON)
	if req.Emit != nil && strings.EqualFold(or(req.Effort, e.o.Effort), "max") {
		req.Emit(event.Note{Level: event.Warn, Text: "codex has no effort max: its own setting counts"})
	}
	a := session.Agent{
		Argv: e.Argv(req, json), Env: e.EnvRules().Apply(req.Env), Stdin: req.Prompt,
		Open: Dialect, TellsTools: true, Patterns: e.o.Patterns, Stderr: worthShowing,
	}
	if !json {
		if req.Emit != nil {
			req.Emit(event.Note{Level: event.Warn, Text: fmt.Sprintf("codex %s is older than %s: it is read by its session file, without token counts; update it", v, speaksJSON)})
		}
		t := newTail(a.Env)
		a.Open, a.Stderr, a.Beside = t.dialect, t.stderr, t.run
	}
	return runNamed(or(req.Model, e.o.Model), req, func(req executor.Request) (executor.Result, error) { return session.Run(ctx, req, a) })
}

// runNamed runs a session, and puts what it used up down to the model that was asked for: the CLI's own events name none. Without a name
// it is its own choice, which nobody tells.
func runNamed(model string, req executor.Request, run func(executor.Request) (executor.Result, error)) (executor.Result, error) {
	if model == "" {
		return run(req)
	}
	shares := func(u event.Usage, known map[string]event.Usage) map[string]event.Usage {
		if len(known) > 0 || u == (event.Usage{}) {
			return known
		}
		return map[string]event.Usage{model: u}
	}
	if emit := req.Emit; emit != nil {
		req.Emit = func(d event.Data) {
			if s, ok := d.(event.Spent); ok {
				s.Models = shares(s.Usage, s.Models)
				d = s
			}
			emit(d)
		}
	}
	res, err := run(req)
	res.Models = shares(res.Usage, res.Models)
	return res, err
}

// streamIdle is a setting that the public ralphex gives; 0.171 knows it no more where we say it, and complains at each start.
// Our own idle time-out watches over silence in any case.
const streamIdle = "stream_idle_timeout_ms"

// ofOurs tells whether codex complains of nothing but that setting.
func ofOurs(complaint string) bool {
	about, list, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
	if !strings.Contains(about, "unrecognized configuration setting") {
		return false
	}
	for line := range strings.Lines(list) {
		if !strings.Contains(line, "`"+streamIdle+"`") {
			return false
		}
	}
	return list != ""
}

// worthShowing keeps lines back that say what we arranged ourselves.
func worthShowing(line string) bool { return !isChatter(line) }

func isChatter(line string) bool {
	return strings.HasPrefix(line, "Reading additional input from stdin") || strings.HasPrefix(line, "Reading prompt from stdin")
}
