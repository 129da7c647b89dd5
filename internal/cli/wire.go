package cli

import (
	"cmp"
	"maps"
	"time"

	"ralphex/internal/config"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// runner wires the processor.
func (r *running) runner() (*processor.Runner, error) {
	name := "task"
	if r.drafts() {
		name = "make_plan"
	}
	prompt, err := r.prompt(name, r.agent.all()...)
	if err != nil {
		return nil, err
	}
	cfg := processor.Config{
		Mode: r.mode(), Root: r.repo.Root(), PlanPath: r.planAt,
		TaskPrompt: prompt,
		Vars:       r.promptVars(),
		Run:        r.bus.Run(), Stream: r.stream, Budget: r.budget(), Notes: r.steer.waitingNotes,
		Model: r.agent.model.Name, Effort: r.agent.model.Effort, Env: r.childEnv(), Keep: r.keep(),
		IdleTimeout: r.cfg.IdleTimeout, SessionTimeout: r.cfg.SessionTimeout, Grace: r.cfg.EndGrace, BackgroundWait: r.cfg.BackgroundWait,
		WaitOnLimit: r.cfg.WaitOnLimit, TransientRetries: r.cfg.TransientRetries, Resumes: r.cfg.SessionResumes,
		RetryDelay: retryDelay(r.cfg), Nudge: r.nudged,
		Site: phase.SiteOptions{
			Root: r.repo.Root(), Validate: phase.ValidateMode(r.cfg.Validate), UserDirty: r.whose().person, Aside: r.whose().nobody, Later: r.syncedPaths,
			Trailer: r.cfg.CommitTrailer, MaxDeleteShare: r.cfg.MaxDeleteShare, Verbs: vcs.VerbsOf(r.repo),
			Line: vcs.LineOf(r.repo, r.ready.Branch), Title: r.title(),
		},
		Task: phase.TaskOptions{Delay: r.cfg.IterationDelay, RetryDelay: retryDelay(r.cfg), Retries: r.cfg.TaskRetryCount, Frozen: r.start.Commands},
	}
	if r.record != nil { // a dry run keeps nothing
		cfg.Record = r.record.evidence.record
	}
	if err := r.wireReviews(&cfg); err != nil {
		return nil, err
	}
	if r.cfg.IsSet("max_iterations") {
		cfg.Task.MaxIterations, cfg.MaxIterations = r.cfg.MaxIterations, r.cfg.MaxIterations
	}
	if e := r.earlier; e != nil {
		cfg.Sessions = e.Sessions
		if e.Waiting != nil {
			cfg.Waiting = *e.Waiting
		}
		cfg.Task.Resume = phase.Resume{Active: true, Proven: e.Proven, Attempts: e.Attempts, Unseen: e.Unseen}
		if e.Died {
			cfg.Task.Resume.Skipped, cfg.Task.Resume.Skipping = e.Skips()
			cfg.Site.Passed = r.whose().passed
		}
		cfg.Earlier = processor.Earlier{Ended: e.Ended, Rounds: e.Rounds, Said: e.Said, Reviewed: e.Reviewed, Ledger: e.Findings}
	}
	g := &runGate{dir: r.repo.Root(), outputs: r.store("artifacts", string(r.bus.Run())), commands: r.start.Commands,
		timeout: r.cfg.ValidationTimeout, env: r.childEnv(), keep: r.keep(), log: r, safe: r.secrets.Writer}
	if r.drafts() {
		r.wireCreation(&cfg, prompt)
	}
	return processor.NewWithExecutors(cfg, processor.Parts{Log: r, Shelf: r.shelf(), Check: draftProblems, Clean: r.secrets.clean, Tree: r.checked(), Committer: r.checked(), Gate: g, Keeper: r, Deletions: vcs.Deletions(r.repo), Lease: r.record, Inspect: r.inspect},
		processor.Executors{Task: r.agent.ex, Review: r.reviewers.staff.ex, External: r.reviewers.external, Fallbacks: r.agent.standIns, ReviewFallbacks: r.reviewers.staff.standIns, ExternalFallbacks: r.reviewers.outside}), nil
}

// retryDelay is the first pause after a failure that time mends.
func retryDelay(c *config.Config) time.Duration {
	return min(5*time.Second, max(c.IterationDelay, time.Millisecond)*3)
}

// goal is what the run is for, as prompts are told.
func (r *running) goal(base string) string {
	if r.drafts() {
		return "a plan for: " + r.opts.create.request
	}
	if r.hasPlan() {
		return "implementation of plan at " + r.planAt
	}
	return "current branch vs " + base
}

// promptVars are the variables of prompts that hold for the whole run: the public ones, and the repository's own words.
func (r *running) promptVars() map[string]string {
	chosen := cmp.Or(r.opts.baseRef, r.cfg.DefaultBranch)
	words := vcs.VerbsOf(r.repo)
	base := r.base()
	if chosen == "" && words.Base == "" {
		chosen = base
	}
	vars := words.With("base", chosen).Vars()
	maps.Copy(vars, map[string]string{"PROGRESS_FILE": r.progress, "GOAL": r.goal(base),
		"DEFAULT_BRANCH": base, "PLANS_DIR": r.cfg.PlansDir})
	return vars
}
