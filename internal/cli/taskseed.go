package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/task"
	"ralphex/internal/redact"
	"ralphex/pkg/executor"
	"ralphex/pkg/vcs"
)

type taskSeedCmd struct {
	Request string `arg:"" help:"The feature, in your words; - reads it from standard input."`

	Prompt    bool    `help:"Only print what the agent would be asked." xor:"answer"`
	Response  string  `help:"Take the answer from a file (- is standard input) and start no agent." placeholder:"FILE" xor:"answer"`
	Executor  *string `help:"Agent to ask (default: that of runs)." placeholder:"NAME"`
	Model     string  `help:"model[:effort] of the session (default: task_model)." placeholder:"SPEC"`
	TrustRepo bool    `name:"trust-repo-config" help:"Obey commands that this repository's .ralphex/config names."`
	lockWait  `embed:""`
	JSON      bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (taskSeedCmd) Help() string {
	return `The agent proposes flat tasks: no parents, all todo. Ids that are taken become free ones. Request and answer are kept as evidence in
.ralph/artifacts/task-seeding before anything is added. Tasks are complete when the source is complete; what is missing in one stops nothing. The session
is asked to change no file; if it does, the paths are named, and nothing is undone.

Examples:
  ralphex task seed 'Rate limits per key for the public API'
  ralphex task seed - < feature.md
  ralphex task seed - --prompt < feature.md | some-model > answer.md
  ralphex task seed - --response answer.md < feature.md

Exit codes: 0, 1 no tasks in the answer or the agent failed, 2 wrong command line, 4 and 5 the agent's limit or login, 10 tasks.lock is held.`
}

// Run seeds.
func (c taskSeedCmd) Run(ctx context.Context, p *Proc, g *root) error {
	s, store, err := changeTasks(ctx, p, "task seed", c.lockWait)
	if err != nil {
		return err
	}
	if c.Request == "-" && c.Response == "-" {
		return usage(errors.New("request and answer can't both come from standard input"), "")
	}
	request, err := readText(p, c.Request, "the request")
	if err != nil {
		return err
	}
	if c.Prompt {
		return c.printPrompt(ctx, p, s, store, request)
	}
	seeding := task.Seeding{Request: request, Redact: redact.New(p.Env).String, Now: time.Now(), Artifacts: s.Artifacts}
	if c.Response != "" {
		answer, err := c.answer(p)
		if err != nil {
			return err
		}
		seeding.Provider = task.SeedProvider{ID: "file", CommandPath: c.Response}
		seeding.Launch = task.SeedLaunch{Dir: p.Dir}
		seeding.Ask = func(context.Context, string) (string, error) { return answer, nil }
	} else if err := c.useAgent(p, g, s, &seeding); err != nil {
		return err
	}
	r, err := store.Seed(ctx, seeding)
	if err != nil {
		if hintOf(err) == "" { // the answer, or the graph with it; what the agent said is kept
			err = hinted(err, "ask once more, or put the answer right and pass it: --response FILE; --prompt shows what is asked for")
		}
		return s.taskError(p, c.JSON, err)
	}
	s.register(ctx, p, "task-seeding", artifact.Durable, r.Evidence)
	if c.JSON {
		answer := newTaskChanged(r.Change)
		return printJSON(p.Out, struct {
			taskChanged
			Evidence string   `json:"evidence"`
			IDs      []string `json:"ids"`
		}{answer, s.Rel(r.Evidence), r.IDs})
	}
	if err := s.printChange(p, false, r.Change); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.Out, "evidence: "+s.Rel(r.Evidence))
	return err
}

func (c taskSeedCmd) printPrompt(ctx context.Context, p *Proc, s *store, store task.Store, request string) error {
	in, err := store.Read(ctx)
	if err == nil {
		err = in.Err(s.Tasks)
	}
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	prompt := task.SeedPrompt(request, in.File)
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int    `json:"version"`
			Prompt  string `json:"prompt"`
		}{1, prompt})
	}
	_, err = io.WriteString(p.Out, prompt)
	return err
}

// answer reads the file that holds an answer.
func (c taskSeedCmd) answer(p *Proc) (string, error) {
	if c.Response == "-" {
		return readText(p, "-", "the answer")
	}
	f, err := os.Open(absolute(p.Dir, c.Response))
	if err != nil {
		return "", usage(fmt.Errorf("read the answer: %w", err), "")
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, executor.MaxText+1))
	switch {
	case err != nil:
		return "", usage(fmt.Errorf("read the answer: %w", err), "name a file")
	case len(b) > executor.MaxText:
		return "", usage(fmt.Errorf("%s is larger than 1 MiB", c.Response), "keep the end of it: the last fenced json block counts")
	}
	return string(b), nil
}

// useAgent makes the seeding ask the agent of the configuration.
func (c taskSeedCmd) useAgent(p *Proc, g *root, s *store, seeding *task.Seeding) error {
	cfg, ex, err := s.agent(p, g, turnFlags{c.Executor, c.Model, c.TrustRepo}, "an agent is started in a repository only; --response takes an answer from elsewhere")
	if err != nil {
		return err
	}
	seeding.Provider = task.SeedProvider{ID: ex.Name(), Model: cfg.TaskModel.Name}
	seeding.Launch = task.SeedLaunch{Dir: s.repo.Root()}
	seeding.Ask = func(ctx context.Context, prompt string) (string, error) {
		if err := ex.Check(ctx); err != nil {
			return "", err
		}
		before, err := s.repo.Status(ctx)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(p.Err, "asking %s...\n", ex.Name())
		res, err := ex.Run(ctx, s.session(p, cfg, prompt))
		tellTouched(ctx, p, s.repo, before)
		switch {
		case err != nil:
			return "", err
		case res.Failure != nil:
			return "", res.Failure
		case res.Cause != nil:
			return "", res.Cause
		}
		return res.Text, nil
	}
	return nil
}

// tellTouched names what a session changed that was asked to change nothing.
func tellTouched(ctx context.Context, p *Proc, repo vcs.Repo, before vcs.Status) {
	after, err := repo.Status(context.WithoutCancel(ctx))
	if err != nil {
		fmt.Fprintf(p.Err, "warning: what the session changed is not known: %v\n", err)
		return
	}
	for _, c := range after.Changes {
		if !slices.ContainsFunc(before.Changes, func(b vcs.Change) bool { return b.String() == c.String() }) {
			fmt.Fprintf(p.Err, "warning: the session changed %s, though it was asked not to; look at it\n", c.String())
		}
	}
}
