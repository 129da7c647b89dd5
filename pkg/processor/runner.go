package processor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/finding"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// taskPhase is what the Runner asks of the task engine.
type taskPhase interface {
	Run(ctx context.Context) (phase.Report, error)
}

// reviewPhase is what it asks of the phases behind the tasks.
type reviewPhase interface {
	Run(ctx context.Context, what phase.Look) (phase.ReviewReport, error)
}

// Runner orders the phases of a run.
type Runner struct {
	cfg    Config
	log    phase.Log
	deps   *phase.Deps
	site   *phase.Site
	ledger *finding.Ledger
	ex     Executors
	// prompts renders the prompts of all phases.
	prompts *promptBuilder

	create  taskPhase // of ModePlan
	task    taskPhase
	reviews map[event.Stage]reviewPhase // by stage; none for external = there is no external tool

	when     schedule
	unwanted bool               // the settings, or each task of the plan, say that the work is not reviewed
	reviewed vcs.Rev            // up to where the work is reviewed; empty = not at all
	pieces   bool               // nothing is left for the first review: tasks were reviewed behind each other, or nobody wants it
	outside  phase.ReviewReport // what the external review came to
	told     phase.Report       // what all reviews came to
	at       vcs.Rev            // the revision at the end of the last stage, as far as it is known
	last     event.Stage        // that stage
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
	r := &Runner{cfg: cfg, log: parts.Log, deps: phase.NewDeps(), ledger: cfg.Earlier.Ledger, reviewed: vcs.Rev(cfg.Earlier.Reviewed)}
	if r.ledger == nil {
		r.ledger = &finding.Ledger{}
	}
	if ex.Review == nil {
		ex.Review = ex.Task
	}
	r.forget()
	r.when = newSchedule(cfg)
	r.unwanted = r.when.rest == ReviewNone || r.when.never(cfg.Tasks)
	r.pieces = r.unwanted || r.reviewed != "" && (r.when.rest != ReviewEnd || len(r.when.tasks) > 0)
	r.site = phase.NewSite(phase.SiteParts{Log: parts.Log, Tree: parts.Tree, Committer: parts.Committer, Gate: parts.Gate,
		Keeper: parts.Keeper, Deletions: parts.Deletions}, cfg.Site)
	locator := newPlanLocator(cfg.PlanPath, cfg.Plan)
	prompts := &promptBuilder{task: cfg.TaskPrompt, others: cfg.Prompts, vars: cfg.Vars, trailer: cfg.Site.Trailer, verbs: cfg.Site.Verbs, locator: locator}
	r.ex, r.prompts = ex, prompts
	staff := newStaff(cfg, parts.Log)
	staff.met.held = r.deps.Held
	r.task = phase.NewTask(phase.TaskParts{Deps: r.deps, Plans: locator, Prompts: prompts, Lease: parts.Lease, Site: r.site, Between: r,
		Sessions: newExecutionPolicy(cfg, parts.Log, staff, Model{cfg.Model, cfg.Effort}, ex.Task, ex.Fallbacks...)}, cfg.Task)
	r.create = phase.NewCreation(phase.CreateParts{Deps: r.deps, Site: r.site, Prompts: prompts, Shelf: parts.Shelf, Check: parts.Check, Clean: parts.Clean,
		Sessions: newExecutionPolicy(cfg, parts.Log, staff, Model{cfg.Model, cfg.Effort}, ex.Task, ex.Fallbacks...)}, r.createOptions(ex.Task))

	desk := phase.ReviewParts{Deps: r.deps, Site: r.site, Ledger: r.ledger, Inspect: parts.Inspect,
		Sessions: newExecutionPolicy(cfg, parts.Log, staff, cfg.ReviewModel, ex.Review, ex.ReviewFallbacks...)}
	if cfg.PlanPath != "" && cfg.Mode != ModePlan {
		desk.Plans = locator
	}
	r.reviews = map[event.Stage]reviewPhase{
		event.StageReview:   phase.NewReview(desk, prompts, r.reviewOptions(event.StageReview, ex.Review)),
		event.StageReview2:  phase.NewReview(desk, prompts, r.reviewOptions(event.StageReview2, ex.Review)),
		event.StageFinalize: phase.NewFinalize(desk, prompts),
	}
	if ex.External != nil {
		own := cfg
		own.IdleTimeout, own.SessionTimeout = 0, cfg.ExternalTimeout
		tool := newExecutionPolicy(own, parts.Log, staff, cfg.ExternalModel, ex.External, ex.ExternalFallbacks...)
		r.cfg.Tool = cfg.tool(ex.External)
		r.reviews[event.StageExternal] = phase.NewExternal(desk, tool, prompts, r.externalOptions(ex.Review))
	}
	return r
}

func (r *Runner) reviewOptions(stage event.Stage, ex executor.Executor) phase.ReviewOptions {
	return phase.ReviewOptions{Stage: stage, FirstPass: stage == event.StageReview, Max: max(3, r.cfg.iterations()/10), Delay: r.cfg.Task.Delay,
		RetryDelay: r.cfg.RetryDelay, Reviewer: ex.Name(), Label: r.cfg.ReviewLabel, ReportOnly: r.cfg.ReportOnly}
}

func (r *Runner) createOptions(ex executor.Executor) phase.CreateOptions {
	return phase.CreateOptions{Max: max(5, r.cfg.iterations()/5), Delay: r.cfg.Task.Delay, RetryDelay: r.cfg.RetryDelay, Agent: ex.Name(),
		ToolWrites: r.cfg.Create.ToolWrites, Earlier: r.cfg.Create.Talk}
}

func (r *Runner) externalOptions(reviewer executor.Executor) phase.ExternalOptions {
	tool := r.cfg.Tool
	return phase.ExternalOptions{Max: tool.Max, Patience: tool.Patience, Delay: r.cfg.Task.Delay, RetryDelay: r.cfg.RetryDelay,
		Tool: tool.Name, Heading: tool.Heading, Message: tool.Message, Reviewer: reviewer.Name()}
}

// forget drops what an earlier process did of the stages that the person asks for anew: those from From on, if that one was over.
func (r *Runner) forget() {
	e := &r.cfg.Earlier
	if _, over := e.Ended[r.cfg.From]; !over {
		return
	}
	for _, s := range event.Stages[slices.Index(event.Stages, r.cfg.From):] {
		delete(e.Ended, s)
		delete(e.Rounds, s)
		e.Said = nil
	}
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

// SetSteering sets who holds the run or has it leave something out.
func (r *Runner) SetSteering(s phase.Steering) { r.deps.SetSteering(s) }

// Findings lists what reviews named, and what became of it, in the order in which it was named.
func (r *Runner) Findings() []finding.Entry { return r.ledger.Entries() }

// Run runs the phases of the mode. See phase.Task.Run and phase.Review.Run for the errors.
func (r *Runner) Run(ctx context.Context) (phase.Report, error) {
	stages, ok := pipelines[r.cfg.Mode]
	if !ok {
		return phase.Report{}, fmt.Errorf("mode %q: %w", r.cfg.Mode, errors.ErrUnsupported)
	}
	if r.cfg.Mode == ModeCodexOnly && r.reviews[event.StageExternal] == nil {
		return phase.Report{}, fmt.Errorf("mode %q without an external tool: %w", r.cfg.Mode, errors.ErrUnsupported)
	}
	var report phase.Report
	var err error
	for _, s := range stages {
		if before(s, r.cfg.From) {
			r.log.Emit(0, event.PhaseEnd{Name: phaseOf[s], Stage: s, Skipped: "--from " + string(r.cfg.From)})
			continue
		}
		switch s {
		case event.StagePlan:
			report, err = r.draft(ctx)
		case event.StageTasks:
			report, err = r.tasks(ctx)
		default:
			err = r.stage(ctx, s)
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = r.prove(ctx, &report)
	}
	if err == nil && r.cfg.Mode != ModePlan && !r.cfg.ReportOnly && len(r.told.Interrupted) == 0 {
		var missed []string
		missed, err = r.site.Missed(ctx, filepath.Base(r.cfg.PlanPath))
		report.Look = append(report.Look, missed...)
	}
	return r.sum(report), err
}

// prove makes sure that what is about to count as done was seen green by this process: stages may have been passed over, or been over
// before it began. Where a person is called anyway nothing counts as done yet.
func (r *Runner) prove(ctx context.Context, report *phase.Report) error {
	if r.cfg.Mode == ModePlan || r.cfg.ReportOnly || len(report.Left)+len(report.Skipped)+len(report.PlanChanges)+len(report.Look)+len(r.told.Look)+len(r.told.Interrupted) > 0 {
		return nil
	}
	unproven, err := r.site.Prove(ctx, r.at, cmp.Or(r.last, event.StageTasks))
	report.Unproven = report.Unproven || unproven
	return err
}

// sum adds what reviews came to.
func (r *Runner) sum(report phase.Report) phase.Report {
	report.Sessions += r.told.Sessions
	report.Interrupted = r.told.Interrupted
	report.Look = append(report.Look, r.told.Look...)
	report.Findings = phase.Count(r.ledger)
	if kept, swept := r.site.Touched(); len(r.told.Reviewed) > 0 {
		report.Kept, report.Swept = kept, swept
	}
	report.Reviewed = r.told.Reviewed
	return report
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
