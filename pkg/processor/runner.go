package processor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
)

// Mode selects the phases and their order.
type Mode string

// The modes, as the progress file names them.
const (
	ModeFull      Mode = "full"
	ModeTasksOnly Mode = "tasks-only"
)

// Config is what a Runner needs to know about a run. Durations of 0 switch a limit off.
type Config struct {
	Mode     Mode
	Root     string // repository root, working folder of every session
	PlanPath string // absolute
	Plan     *plan.Plan

	TaskPrompt Template
	Vars       map[string]string // of the templates: PROGRESS_FILE, GOAL, …; PLAN_FILE is filled in at each use
	Model      string
	Effort     string
	Env        []string // environment of sessions; nil = ours
	Keep       []string // commands of children that outlive a session on purpose

	IdleTimeout    time.Duration
	SessionTimeout time.Duration
	Grace          time.Duration // between the polite and the hard end of a session; 0 = the executor's own
	BackgroundWait time.Duration // how long background work may keep a session alive behind its last turn; 0 = no limit of its own
	Sessions       int           // sessions that an earlier process of this run already had

	Run    event.RunID
	Budget Budget
	// Stream says where the raw stream of the session with that number is kept; nil = nowhere.
	Stream func(n int) Stream

	WaitOnLimit      time.Duration                         // 0 = a limit ends the run
	Waiting          event.Wait                            // the wait that an earlier process of this run was in; zero = none
	Nudge            func(context.Context) <-chan struct{} // told when somebody wants a wait to end; nil = nobody can; ends with ctx
	TransientRetries int                                   // how often a session that the server failed is tried again
	RetryDelay       time.Duration                         // the first pause of those, doubled each time
	Resumes          int                                   // how often a session that ended too early is asked to go on

	Task phase.TaskOptions
}

// Stream is where the raw stream of a session is kept. The zero value keeps none.
type Stream struct {
	Path    string   // absolute
	Name    string   // as the journal names it
	Max     int64    // bytes; 0 = the executor's own limit
	Secrets []string // texts that are kept out of it, beside those of the environment
}

// kept is the name, if the executor made the file: not every one has a stream.
func (s Stream) kept() string {
	if _, err := os.Stat(s.Path); err != nil {
		return ""
	}
	return s.Name
}

func (c Config) stream(n int) Stream {
	if c.Stream == nil {
		return Stream{}
	}
	return c.Stream(n)
}

// Parts are the collaborators of a run; all are needed, but for Keeper, Deletions and Lease.
type Parts struct {
	Log       phase.Log
	Tree      phase.Tree
	Committer phase.Committer
	Gate      phase.Gate
	Keeper    phase.Keeper
	Deletions phase.Deletions
	Lease     phase.Lease
}

// Executors are the agents of the phases.
type Executors struct {
	Task executor.Executor
	// Fallbacks stand in for the agent of a phase, in this order, while it is limited, logged out or missing.
	Fallbacks []executor.Executor
}

// taskPhase is what the Runner asks of the task engine.
type taskPhase interface {
	Run(ctx context.Context) (phase.Report, error)
}

// Runner orders the phases of a run.
type Runner struct {
	cfg  Config
	log  phase.Log
	deps *phase.Deps
	task taskPhase
}

// New builds a Runner whose executor comes from the table by name.
func New(cfg Config, parts Parts, name string, table func(name string) (executor.Executor, error)) (*Runner, error) {
	ex, err := table(name)
	if err != nil {
		return nil, err
	}
	return NewWithExecutors(cfg, parts, Executors{Task: ex}), nil
}

// NewWithExecutors builds a Runner with the default phases over the given executors.
func NewWithExecutors(cfg Config, parts Parts, ex Executors) *Runner {
	deps := phase.NewDeps()
	locator := newPlanLocator(cfg.PlanPath, cfg.Plan)
	task := phase.NewTask(phase.TaskParts{
		Deps:      deps,
		Log:       parts.Log,
		Plans:     locator,
		Prompts:   &promptBuilder{task: cfg.TaskPrompt, vars: cfg.Vars, trailer: cfg.Task.Trailer, locator: locator},
		Sessions:  newExecutionPolicy(cfg, parts.Log, ex.Task, ex.Fallbacks...),
		Tree:      parts.Tree,
		Committer: parts.Committer,
		Gate:      parts.Gate,
		Keeper:    parts.Keeper,
		Deletions: parts.Deletions,
		Lease:     parts.Lease,
	}, cfg.Task)
	return &Runner{cfg: cfg, log: parts.Log, deps: deps, task: task}
}

// SetInputCollector sets who is asked; it reaches phases that are already built, at any time. So do the other
// setters, in any order.
func (r *Runner) SetInputCollector(c phase.InputCollector) { r.deps.SetInput(c) }

// SetGitChecker sets who tells whether a session changed anything.
func (r *Runner) SetGitChecker(g phase.GitChecker) { r.deps.SetGit(g) }

// SetBreakCh sets the channel that a break (Ctrl+\) arrives on.
func (r *Runner) SetBreakCh(ch <-chan struct{}) { r.deps.SetBreak(ch) }

// SetPauseHandler sets who decides after a break whether the run goes on.
func (r *Runner) SetPauseHandler(h phase.PauseHandler) { r.deps.SetPause(h) }

// Run runs the phases of the mode. See phase.Task.Run for the errors.
func (r *Runner) Run(ctx context.Context) (phase.Report, error) {
	if r.cfg.Mode != ModeFull && r.cfg.Mode != ModeTasksOnly {
		return phase.Report{}, fmt.Errorf("mode %q: %w", r.cfg.Mode, errors.ErrUnsupported)
	}
	r.log.Emit(0, event.PhaseStart{Name: event.PhaseTask})
	report, err := r.task.Run(ctx)
	r.log.Emit(0, event.PhaseEnd{Name: event.PhaseTask, Err: text(err)})
	if err != nil || r.cfg.Mode == ModeTasksOnly {
		return report, err
	}
	r.log.Emit(0, event.PhaseEnd{Name: event.PhaseReview, Skipped: reviewsMissing})
	return report, nil
}

// reviewsMissing is said once in full mode until the reviews exist.
const reviewsMissing = "reviews are not in this build"

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
