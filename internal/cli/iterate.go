package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/vcs"
)

// turnFlags are those of the verbs that work off the task graph.
type turnFlags struct {
	Executor  *string `help:"Agent (default: that of the configuration)." placeholder:"NAME"`
	Model     string  `help:"Model, and effort behind a colon." placeholder:"MODEL"`
	TrustRepo bool    `name:"trust-repo-config" help:"Obey commands in the repository's own .ralphex/config."`
}

type iterateCmd struct {
	turnFlags `embed:""`
	JSON      bool `name:"json" help:"Print the result of the iteration as JSON; the agent's words go to standard error."`
}

// Help shows examples.
func (iterateCmd) Help() string {
	return `Takes the next task of the .ralph workspace, claims it, asks the agent to do it in one session, runs its validation command, and changes the task graph by what
was seen. All of it is recorded under artifacts/iteration-NNN and artifacts/runs. Nothing is committed: ralphex PLAN does that.

Examples:
  ralphex iterate
  ralphex iterate --json | jq .completionClassification

Exit codes: those of ralphex loop.`
}

type loopCmd struct {
	Max        int  `help:"At most so many iterations (default: ralphIterationCap)." placeholder:"N"`
	UntilEmpty bool `name:"until-empty" help:"As many iterations as the task graph needs."`
	Autonomous bool `help:"Have the agent propose further tasks when none is left, and carry out remediations, as autonomyMode autonomous does."`
	turnFlags  `embed:""`
}

// Help shows examples.
func (loopCmd) Help() string {
	return `Iterates (ralphex iterate) until no task can be worked on, a person is needed, the agent fails, or attempts at a task get nowhere again and again; then
ralphex remediation says what would help.

Examples:
  ralphex loop
  ralphex loop --max 5
  ralphex loop --until-empty --autonomous

Exit codes: 0 no task is left or the number of iterations is reached, 1 the agent failed or got nowhere, 3 what is left needs a person, 4 and 5 as in ralphex run,
10 a run goes on in this checkout or somebody else has the task, 130 and 143 interrupted.`
}

// Run does one iteration.
func (c iterateCmd) Run(ctx context.Context, p *Proc, g *root) (err error) {
	t, done, err := newTurner(ctx, p, g, c.turnFlags, modeIterate)
	if err != nil {
		return err
	}
	defer func() { done(err) }()
	t.mode, t.words = singleTurn, p.Out
	if c.JSON {
		t.words = p.Err
	}
	r, err := t.turn(ctx, false)
	if err == nil && c.JSON && r.recorded {
		_, err = p.Out.Write(stable.Marshal(r.it))
	}
	if err != nil || !r.recorded {
		return errors.Join(err, t.ended(ctx, r))
	}
	if !r.harm.stops && (r.failure != nil || r.it.ExecutionStatus == string(iteration.Crashed)) {
		return t.ended(ctx, turned{it: r.it, stop: iteration.ExecutionFailed, failure: r.failure, recorded: true})
	}
	if slices.Contains(singleStops, r.stop) || len(t.unproven(ctx)) > 0 && r.it.Backlog.RemainingTaskCount == 0 || r.it.TaskID == "" && r.it.ExecutionStatus == string(iteration.Skipped) {
		return t.ended(ctx, r)
	}
	return nil
}

// singleStops are the reasons to stop that a single iteration ends with, too; the others are the loop's.
var singleStops = []iteration.StopReason{iteration.ClaimContested, iteration.PolicyViolation, iteration.HumanReviewNeeded, iteration.GateDecomposed, iteration.GateBlocked,
	iteration.GateHumanReview}

// Run iterates.
func (c loopCmd) Run(ctx context.Context, p *Proc, g *root) (err error) {
	if c.Max < 0 || c.Max > 0 && c.UntilEmpty {
		return usage(errors.New("--max takes a number above 0, and does not go with --until-empty"), "ralphex loop --max 5")
	}
	t, done, err := newTurner(ctx, p, g, c.turnFlags, modeLoop)
	if err != nil {
		return err
	}
	defer func() { done(err) }()
	t.mode, t.words = loopTurns, p.Out
	if c.Autonomous {
		t.s.settings.BeAutonomous()
	}
	most := t.s.settings.IterationCap
	if c.Max > 0 {
		most = c.Max
	}
	for n := 1; ; n++ {
		if ctx.Err() != nil {
			t.log.reason = string(iteration.Cancelled)
			return context.Cause(ctx)
		}
		r, err := t.turn(ctx, !c.UntilEmpty && n >= most)
		if err != nil {
			return err
		}
		if r.stop != "" {
			return t.ended(ctx, r)
		}
	}
}

// turner takes turns at the tasks of a workspace.
type turner struct {
	p         *Proc
	s         *store
	configDir string
	cfg       *config.Config
	ex        executor.Executor
	state     *state.Store
	claims    *claim.Store
	tasks     task.Store
	log       *turnLog
	safe      *secrets
	flags     turnFlags
	verb      string           // iterate, loop
	strays    []event.Survivor // of the run before
	mode      string           // as state.Run has it
	words     io.Writer        // what the agent says
	exhausted bool             // a replenishment has found no further task
}

// openTurner finds the workspace.
func openTurner(ctx context.Context, p *Proc, g *root, verb string) (*turner, error) {
	s, err := openForChange(ctx, p, verb)
	if err != nil {
		return nil, err
	}
	if err := s.mustBeWritable(); err != nil {
		return nil, err
	}
	return &turner{p: p, s: s, verb: verb, configDir: g.ConfigDir, claims: claim.New(s.Claims, s.settings.ClaimTTL), tasks: s.taskStore(lock.Tasks),
		state: state.New(s.State, state.Options{Artifacts: s.Artifacts})}, cmp.Or(s.checkInspectionRoot(), s.checkTemplates())
}

// newTurner finds workspace and agent, takes the checkout, and ends what a killed run has left there. done gives it back, with how the turns ended.
func newTurner(ctx context.Context, p *Proc, g *root, f turnFlags, verb string) (t *turner, done func(error), err error) {
	if t, err = openTurner(ctx, p, g, verb); err != nil {
		return nil, nil, err
	}
	if err = t.s.mustBeTrusted(p, g.ConfigDir, f.TrustRepo, true); err != nil {
		return nil, nil, err
	}
	t.flags = f
	if t.cfg, t.ex, err = t.s.agent(p, g, f, "an agent is started in a repository only"); err != nil {
		return nil, nil, err
	}
	if row, ok := rowOf(t.ex.Name()); ok && row.tasksOnly {
		return nil, nil, usage(fmt.Errorf("%s does what a plan says, and a task of the workspace is no plan", t.ex.Name()), "--executor claude")
	}
	if err := t.ex.Check(ctx); err != nil {
		return nil, nil, err
	}
	t.safe = newSecrets(p.Env, t.cfg)
	t.log = newTurnLog(t.s.Root, t.safe.clean, func(text string) { fmt.Fprintf(p.Err, "warning: %s\n", text) })
	release, err := t.s.takeCheckout(durable.Holder{What: verb, Run: string(t.log.bus.Run()), Since: time.Now()})
	if err != nil {
		return nil, nil, err
	}
	if err := t.endStray(ctx); err != nil {
		release()
		return nil, nil, err
	}
	return t, func(err error) {
		t.log.close(err)
		release()
	}, nil
}

// endStray ends the agent that outlived a kill of the last run in this checkout: two of them must not work in it.
func (t *turner) endStray(ctx context.Context) error {
	session, run := strayOf(filepath.Join(t.s.Root, storeDir, "events"), "")
	ended, err := endSession(ctx, session, keepProcesses(t.cfg))
	for _, p := range ended {
		t.strays = append(t.strays, event.Survivor{PID: p.PID, Command: p.Command, Action: p.Action})
		fmt.Fprintf(t.p.Err, "warning: run %s was killed, and its process %d lived on: %s (%s)\n", run, p.PID, task.Plain(p.Command), p.Action)
	}
	return err
}

// agent is the agent that the flags and the configuration name, for a workspace in a repository; elsewhere is the hint where there is none.
func (s *store) agent(p *Proc, g *root, f turnFlags, elsewhere string) (*config.Config, executor.Executor, error) {
	if s.repo == nil {
		return nil, nil, hinted(fmt.Errorf("%s: %w", p.Dir, vcs.ErrNotRepo), elsewhere)
	}
	if err := s.mustBeTrusted(p, g.ConfigDir, f.TrustRepo, false); err != nil {
		return nil, nil, err
	}
	flags, err := s.agentFlags(f)
	if err != nil {
		return nil, nil, err
	}
	cfg, _, err := config.Load(config.Options{GlobalDir: g.ConfigDir, RepoRoot: s.repo.Root(), Env: p.Env, Flags: flags, TrustRepo: f.TrustRepo,
		Trusted: trusted(p, config.Options{GlobalDir: g.ConfigDir, Env: p.Env}), Executors: executorNames()})
	if err != nil {
		return nil, nil, usage(err, hintOf(err))
	}
	s.tune(cfg, f)
	ex, err := newExecutor(cfg, taskExecutor(cfg))
	if err != nil {
		return nil, nil, err
	}
	if err := executor.CheckModel(ex, cfg.TaskModel.Name, cfg.TaskModel.Effort); err != nil {
		return nil, nil, usage(err, hintOf(err))
	}
	return cfg, ex, nil
}

// session is what the agent of a workspace is asked.
func (s *store) session(p *Proc, cfg *config.Config, prompt string) executor.Request {
	return executor.Request{Prompt: prompt, Dir: s.inspectionRoot(), Env: p.Env, Model: cfg.TaskModel.Name, Effort: cfg.TaskModel.Effort,
		IdleTimeout: cfg.IdleTimeout, SessionTimeout: cfg.SessionTimeout, Keep: keepProcesses(cfg)}
}

// unproven are the tasks that stand as done by what a session wrote.
func (t *turner) unproven(ctx context.Context) []string {
	in, err := t.tasks.Read(context.WithoutCancel(ctx))
	if err != nil || in.File == nil {
		return nil
	}
	return task.NewGraph(in.File.Tasks).Unproven()
}

// ended says why there are no more turns, and with what exit code.
func (t *turner) ended(ctx context.Context, r turned) error {
	left := r.it.Backlog.RemainingTaskCount
	if broken := r.harm.err(); broken != nil { // how many are left nobody can tell
		t.log.reason = string(iteration.HumanReviewNeeded)
		fmt.Fprintf(t.p.Err, "stopped: %s\n", iteration.HumanReviewNeeded)
		return broken
	}
	unproven := t.unproven(ctx)
	if left == 0 && len(unproven) > 0 && (r.stop == iteration.NoActionableTask || r.stop == iteration.TaskMarkedComplete || r.stop == iteration.CapReached) {
		r.stop = iteration.HumanReviewNeeded
	}
	t.log.reason = string(r.stop)
	say := func(code int, next string) error {
		count := fmt.Sprintf("; %d %s left", left, plural(left, "task is", "tasks are"))
		switch n := len(unproven); {
		case left == 0 && n > 0:
			count = fmt.Sprintf("; %d %s unproven", n, plural(n, "task is", "tasks are"))
		case r.harm.stops:
			count = "" // it was counted in what a session made of the graph
		}
		fmt.Fprintf(t.p.Err, "stopped: %s%s\n", r.stop, count)
		if next != "" {
			fmt.Fprintln(t.p.Err, "next: "+next)
		}
		if code == exitDone {
			return nil
		}
		return &exitError{code}
	}
	if r.it.ExecutionStatus == string(iteration.Crashed) && r.stop == iteration.NoActionableTask {
		r.stop = iteration.ExecutionFailed // nothing can be worked on, and that is not why it ends
	}
	switch r.stop {
	case iteration.CapReached, iteration.TaskMarkedComplete:
		return say(exitDone, "")
	case iteration.NoActionableTask:
		if left == 0 {
			return say(exitDone, "")
		}
		return say(exitLeft, "ralphex task list shows what is blocked or claimed")
	case iteration.HumanReviewNeeded, iteration.PolicyViolation:
		var next []string
		if r.it.ArtifactDir != "" {
			next = append(next, "look at "+t.s.Rel(r.it.ArtifactDir))
		}
		for _, id := range unproven {
			id = task.Plain(id)
			next = append(next, fmt.Sprintf("%s stands as done, and nobody has proven it: ralphex task set %s status in_progress opens it again, ralphex task done %s takes it as it is", id, id, id))
		}
		if len(r.harm.undo) > 0 {
			next = append(next, "as it was before the session: "+strings.Join(r.harm.undo, "\n      as it was before the session: "))
		}
		return say(exitLeft, strings.Join(next, "\n      "))
	case iteration.GateDecomposed:
		return say(exitLeft, "ralphex task list shows the parts; ralphex loop works on them")
	case iteration.GateBlocked, iteration.GateHumanReview:
		return say(exitLeft, "look at "+t.s.Rel(t.s.Iteration(r.it.Number).PlanningGate)+"; the gate decides anew when the task is changed, or its task-plan.json is gone")
	case iteration.ClaimContested:
		return say(exitBusy, "ralphex claim list")
	case iteration.RepeatedNoProgress, iteration.RepeatedIdenticalFailure:
		return say(exitFailed, "ralphex remediation")
	case iteration.ExecutionFailed, iteration.NonRetryable:
		if r.failure != nil {
			return r.failure
		}
		return say(exitFailed, "look at "+t.s.Rel(r.it.ArtifactDir))
	}
	return nil
}
