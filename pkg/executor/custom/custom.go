package custom

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// Name is this executor's name in the table.
const Name = "custom"

// Options configure the executor.
type Options struct {
	Script         string // absolute, relative to the session's folder, or on PATH
	PreserveAPIKey bool   // leave ANTHROPIC_API_KEY in the environment
	Patterns       session.Patterns
}

// Executor runs the script. It is safe for use by several goroutines.
type Executor struct{ o Options }

var (
	_ executor.Executor  = (*Executor)(nil)
	_ executor.Describer = (*Executor)(nil)
)

// New returns the executor. Nothing is looked up before Check or Run.
func New(o Options) *Executor {
	o.Patterns.LimitHelp = o.Script + " --help"
	return &Executor{o}
}

// Name implements executor.Executor.
func (*Executor) Name() string { return Name }

// ErrNoScript says that no script is named.
var ErrNoScript = &noScriptError{}

type noScriptError struct{}

func (*noScriptError) Error() string { return "the custom agent has no script" }

// Hint says what to do next.
func (*noScriptError) Hint() string {
	return "set custom_review_script = FILE: it is run with the path of a prompt file"
}

// Check tells whether the script is there and may be run. It starts nothing.
func (e *Executor) Check(context.Context) error {
	if e.o.Script == "" {
		return ErrNoScript
	}
	return session.Find(e.o.Script, "write the script, and make it executable: chmod +x "+e.o.Script)
}

// Caps implements executor.Describer: a script has no model that could be asked for.
func (*Executor) Caps() executor.Caps { return executor.Caps{} }

// EnvRules implements executor.Describer.
func (e *Executor) EnvRules() executor.EnvRules { return executor.RulesFor(e.o.PreserveAPIKey) }

// Spawn implements executor.Describer.
func (*Executor) Spawn(r executor.Reviewer) string { return r.ReviewYourself() }

// Run implements executor.Executor.
func (e *Executor) Run(ctx context.Context, req executor.Request) (executor.Result, error) {
	bad := executor.Result{Exit: executor.Exit{Code: -1}}
	if err := e.Check(ctx); err != nil {
		return bad, err
	}
	file, err := promptFile(req.Prompt)
	if err != nil {
		return bad, err
	}
	defer os.Remove(file)
	return session.Run(ctx, req, session.Agent{
		Argv: []string{e.o.Script, file}, Env: e.EnvRules().Apply(req.Env), Open: Dialect, Patterns: e.o.Patterns,
	})
}

func promptFile(prompt string) (string, error) {
	f, err := os.CreateTemp("", "ralphex-custom-prompt-*.txt")
	if err != nil {
		return "", fmt.Errorf("write the prompt: %w", err)
	}
	_, err = f.WriteString(prompt)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("write the prompt %s: %w", filepath.Base(f.Name()), err)
	}
	return f.Name(), nil
}

type dialect struct{ *session.Talk }

// Dialect reads text: every word is the script's own.
func Dialect(t *session.Talk) session.Dialect { return dialect{t} }

// Text implements session.PlainText.
func (d dialect) Text(p []byte) { d.DeltaBytes(p) }

// Object implements session.Dialect; there are none.
func (dialect) Object([]byte, *jsonl.Long) bool { return false }

// Outcome implements session.Dialect: the exit code decides, which a signal outweighs.
func (dialect) Outcome(e session.End) session.Outcome {
	if e.Exit.Code == 0 || len(e.Said.Signals) > 0 {
		return session.Outcome{}
	}
	return session.Outcome{Failure: session.Crash(e.Exit, e.Stderr)}
}
