package session

import (
	"context"
	"fmt"
	"os"
	"strings"

	"ralphex/pkg/executor"
)

// CLI is an agent as most are: a command that takes the prompt as an argument and prints JSON lines. What differs is data.
type CLI struct{ s Spec }

// Options are what a user can say about such an agent.
type Options struct {
	Command  string   // empty = the agent's own name
	Args     []string // further arguments, before the prompt
	Patterns Patterns
}

// Spec is what one such agent differs in.
type Spec struct {
	Name    string
	Install string // how to get it
	Caps    executor.Caps
	Rules   executor.EnvRules
	Help    Help
	Options Options
	// Args are all arguments of a request but the user's own and the prompt, and Prompt are those that give it the prompt
	// (nil: the prompt itself).
	Args   func(executor.Request) []string
	Prompt func(text string) []string
	// ReadsStdin says that the command takes a prompt on its standard input, too: long ones go there. Else they go to a file
	// that the argument names.
	ReadsStdin bool
	Env        func(env []string) []string // further changes of the environment; nil = none
	Open       func(*Talk) Dialect
	Stderr     func(line string) bool // see Agent
}

var (
	_ executor.Executor  = (*CLI)(nil)
	_ executor.Describer = (*CLI)(nil)
	_ executor.Versioned = (*CLI)(nil)
)

// NewCLI makes an agent. Nothing is looked up before Check or Run.
func NewCLI(s Spec) *CLI {
	if s.Options.Command == "" {
		s.Options.Command = s.Name
	}
	if s.Prompt == nil {
		s.Prompt = func(text string) []string { return []string{text} }
	}
	s.Options.Patterns.LimitHelp, s.Options.Patterns.LoginHelp = s.Help[executor.ClassLimit], s.Help[executor.ClassLogin]
	return &CLI{s}
}

// Name implements executor.Executor.
func (c *CLI) Name() string { return c.s.Name }

// Check tells whether the command can be found. It starts nothing.
func (c *CLI) Check(context.Context) error {
	return Find(c.s.Options.Command, fmt.Sprintf("install it: %s, or name its command: %s_command = CMD", c.s.Install, c.s.Name))
}

// Version implements executor.Versioned.
func (c *CLI) Version(ctx context.Context) (string, error) {
	return VersionText(ctx, c.s.Options.Command)
}

// Caps implements executor.Describer.
func (c *CLI) Caps() executor.Caps { return c.s.Caps }

// EnvRules implements executor.Describer.
func (c *CLI) EnvRules() executor.EnvRules { return c.s.Rules }

// Spawn implements executor.Describer.
func (c *CLI) Spawn(r executor.Reviewer) string {
	if c.s.Caps.SubAgents == "" {
		return r.ReviewYourself()
	}
	return r.SpawnWith(c.s.Caps.SubAgents)
}

// maxArgument is how long a prompt may be as an argument, in bytes: systems allow 128 KiB.
const maxArgument = 100 << 10

// Run implements executor.Executor.
func (c *CLI) Run(ctx context.Context, req executor.Request) (executor.Result, error) {
	argv := append([]string{c.s.Options.Command}, c.s.Args(req)...)
	argv = append(argv, c.s.Options.Args...)
	a := Agent{Env: c.s.Rules.Apply(req.Env), Open: c.s.Open, TellsTools: true, Patterns: c.s.Options.Patterns, Stderr: c.s.Stderr}
	if c.s.Env != nil {
		a.Env = c.s.Env(a.Env)
	}
	switch text := req.Prompt; {
	case len(text) <= maxArgument:
		if strings.HasPrefix(text, "-") {
			text = "\n" + text // no option
		}
		a.Argv = append(argv, c.s.Prompt(text)...)
	case c.s.ReadsStdin:
		a.Argv, a.Stdin = argv, text
	default:
		file, err := longPrompt(text)
		if err != nil {
			return executor.Result{Exit: executor.Exit{Code: -1}}, err
		}
		defer os.Remove(file)
		a.Argv = append(argv, c.s.Prompt(fmt.Sprintf("Read the file %s. It holds your whole task; do what it says.", file))...)
	}
	return Run(ctx, req, a)
}

func longPrompt(text string) (string, error) {
	f, err := os.CreateTemp("", "ralphex-prompt-*.txt")
	if err != nil {
		return "", fmt.Errorf("write the prompt: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("write the prompt: %w", err)
	}
	return f.Name(), nil
}

// Verdict is the failure of a session by the rule that most CLIs share: what the stream called an error in the end, a
// missing end, the exit code. A signal outweighs the last two.
func (e End) Verdict(failed *Refusal, ended bool, help Help) *executor.Failure {
	switch {
	case failed != nil:
		failed.At = e.At
		return failed.Failure(help)
	case len(e.Said.Signals) > 0:
		return nil
	case e.Exit.Code != 0 && !e.JSON && e.Stderr != "" && e.Exit.Signal == "":
		return Unstarted(e, help)
	case e.Exit.Code != 0:
		return Crash(e.Exit, e.Stderr)
	case e.JSON && !ended:
		return &executor.Failure{Class: executor.ClassCrash, Message: "the agent's stream ended in the middle of its turn"}
	}
	return nil
}
