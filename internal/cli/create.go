package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"ralphex/internal/term"
	"ralphex/pkg/processor"
)

type createCmd struct {
	Text []string `arg:"" optional:"" help:"What the plan is for, in any language, in quotes or not; - reads it from standard input."`

	Answers        *string       `help:"Answers to what is asked, from this file: lines or JSON; - is standard input." placeholder:"FILE"`
	JSON           bool          `name:"json" help:"Ask nobody: print what waits for an answer as JSON, and end with 3."`
	Implement      *bool         `name:"run" negatable:"" help:"Run the plan that was made without asking; --no-run: only make it."`
	Executor       *string       `help:"Agent that drafts: claude (default), codex, opencode, gemini, copilot, pi, qwen." placeholder:"NAME"`
	PlanModel      *string       `help:"model[:effort] of its sessions (default: as of task sessions)." placeholder:"SPEC"`
	TaskModel      *string       `help:"model[:effort] of task sessions." placeholder:"SPEC"`
	MaxIterations  *int          `short:"m" help:"A fifth of it, and at least 5, is how many sessions there are at most." placeholder:"N"`
	Wait           *durationFlag `help:"Wait so long on a usage limit and go on (0 = stop with exit 4)." placeholder:"D"`
	SessionTimeout *durationFlag `help:"Longest session (default 4h, 0 = off)." placeholder:"D"`
	IdleTimeout    *durationFlag `help:"Longest silence of a session (default 30m, 0 = off)." placeholder:"D"`
	Branch         string        `help:"Branch that the plan is run on, instead of the one named after it." placeholder:"NAME"`
	Worktree       *bool         `negatable:"" help:"Run it in a worktree of its own; --no-worktree: in place."`
	TrustRepo      bool          `name:"trust-repo-config" help:"Obey commands that this repository's .ralphex/config names."`
}

// Help shows examples.
func (createCmd) Help() string {
	return `Examples:
  ralphex create "rate limiting for the API"
  ralphex create Ratenbegrenzung für die Schnittstelle
  ralphex create - < wish.txt
  ralphex create "rate limiting" --run --worktree       go on to run it when it is accepted
  ralphex create "rate limiting" --answers answers.txt  nobody is asked
  ralphex create "rate limiting" --json                 the first question or draft, as JSON; then ralphex answer

At a terminal you are asked, one question at a time, and shown drafts: accept one, say what is to be another way, edit it, or reject it.
Until you accept nothing is written. The same command after a break goes on where it was (docs/create.md).

Exit codes: 0 the plan is written; 1 you rejected it, or it could not be made; 3 something waits for an answer, or is to be looked at.`
}

// Run makes a plan.
func (c createCmd) Run(ctx context.Context, p *Proc, g *root, kctx *kong.Context) error {
	text := strings.Join(c.Text, " ")
	if text == "" && !c.JSON && c.Answers == nil && atTerminal(p) {
		var err error
		if text, err = askDescription(ctx, p); err != nil || text == "" {
			return err
		}
	}
	r := runCmd{PlanText: &text, Answers: c.Answers, Implement: c.Implement, Executor: c.Executor, PlanModel: c.PlanModel, TaskModel: c.TaskModel,
		MaxIterations: c.MaxIterations, Wait: c.Wait, SessionTimeout: c.SessionTimeout, IdleTimeout: c.IdleTimeout, Branch: c.Branch,
		Worktree: c.Worktree, TrustRepo: c.TrustRepo, silent: c.JSON}
	flags, err := r.layer(kctx, p.Dir)
	if err != nil {
		return err
	}
	return r.create(ctx, p, g, flags)
}

// mostDescription bounds what a plan is made of, in bytes.
const mostDescription = 256 << 10

// create makes the plan of --plan, and runs it where that is wanted.
func (c *runCmd) create(ctx context.Context, p *Proc, g *root, flags map[string]string) error {
	if c.Plan != nil {
		return usage(errors.New("--plan flag conflicts with plan file argument; use one or the other"), "to run that plan, leave --plan out")
	}
	if c.DryRun {
		return usage(errors.New("--dry-run shows what a run of a plan would do; a conversation can't be foreseen"), "leave one of them out")
	}
	if *c.PlanText == "-" && c.Answers != nil && *c.Answers == "-" {
		return usage(errors.New("description and answers can't both come from standard input"), "put one of them into a file")
	}
	text, err := readText(p, *c.PlanText, "the description")
	if err != nil {
		return err
	}
	if text = strings.TrimSpace(text); text == "" {
		return usage(errors.New("the description is empty"), `say what you want: ralphex create "rate limiting for the API"`)
	}
	if len(text) > mostDescription {
		return usage(fmt.Errorf("the description is longer than %d KiB", mostDescription>>10), "put it into a file of the repository, and name that file in the description")
	}
	o := runOptions{flags: flags, configDir: g.ConfigDir, trustRepo: c.TrustRepo, mode: processor.ModePlan, plain: g.NoColor, json: c.JSON,
		create: creating{request: text, asks: !c.silent && !c.JSON && atTerminal(p)}}
	if c.Answers != nil {
		a, err := openAnswers(p, *c.Answers)
		if err != nil {
			return err
		}
		o.create.answers = a
		if *c.Answers == "-" {
			o.create.asks = false
		}
	}
	then := c.options(g, flags)
	if !worksTasks(then.mode) {
		then.mode = processor.ModeFull
	}
	if o.web, err = c.openWeb(ctx, p); err != nil {
		return err
	}
	defer o.web.close()
	then.web = o.web
	err = createPlan(ctx, p, o, then, c.Implement)
	o.web.linger(ctx, p, err)
	return err
}

// atTerminal tells whether a person sits there, who reads standard output and types.
func atTerminal(p *Proc) bool {
	return !p.noInput && term.Of(p.In, p.Out, p.Err, p.Env, true).IsTerminal
}

// describe asks for a description where no plan is named and there is none, as the public ralphex does.
func (c *runCmd) describe(ctx context.Context, p *Proc, g *root, flags map[string]string, none *noPlansError) error {
	if c.JSON || !atTerminal(p) {
		return none
	}
	if c.TasksOnly {
		return usage(fmt.Errorf("interactive plan creation is not available in this mode; provide an existing plan file: %w", none), "leave -t out, or name a plan")
	}
	repo, err := openRepo(ctx, p)
	if err != nil {
		return err
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return err
	}
	if main, err := repo.DefaultBranch(ctx); err == nil && head.Branch != main {
		return usage(fmt.Errorf("%w; a plan is asked for on %s only, and this is %s", none, main, head.Branch), "name a plan, or make one: ralphex create \"what you want\"")
	}
	text, err := askDescription(ctx, p)
	if err != nil || text == "" {
		return err
	}
	c.PlanText = &text
	return c.create(ctx, p, g, flags)
}

// noPlansError is a run that names no plan where there is none.
type noPlansError struct{ dir string }

func (e *noPlansError) Error() string { return "no plan named, and none in " + e.dir }

// Hint says what to type.
func (*noPlansError) Hint() string {
	return "ralphex PLAN.md, `ralphex create \"what you want\"` to make one, or `ralphex demo` to see one"
}

// Unwrap makes it a wrong command line.
func (e *noPlansError) Unwrap() error { return &usageError{err: errors.New(e.Error()), hint: e.Hint()} }

// askDescription asks what a plan is to be for. Nothing said is a way out.
func askDescription(ctx context.Context, p *Proc) (string, error) {
	fmt.Fprint(p.Err, "no plans found. what would you like to implement?\n(enter description or press Ctrl+C/Ctrl+D to cancel): ")
	line, err := p.lines().next(ctx)
	if errors.Is(err, io.EOF) {
		return "", nil
	}
	return strings.TrimSpace(line), err
}
