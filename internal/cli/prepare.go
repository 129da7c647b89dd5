package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// job is a run that has been found possible; nothing has been touched yet.
type job struct {
	proc    *Proc
	opts    runOptions
	cfg     *config.Config
	repo    vcs.Repo
	planAt  string
	plan    *plan.Plan
	ex      executor.Executor
	ready   *workspace.Prepared
	earlier *journal.Resume // what an earlier process of this plan left, nil = a new run
	// archived says that the plan lies in completed/: right only for a run that died while it put it there.
	archived bool
	id       event.RunID
	held     *durable.Lock
	notes    []event.Note
}

// runOptions are the settings of a run that are no configuration.
type runOptions struct {
	plan      string
	flags     map[string]string
	configDir string
	trustRepo bool
	branch    string
	baseRef   string
	tasksOnly bool
	plain     bool
	json      bool
}

// storeDir is the folder of ralphex in a repository; see docs/files.md.
const storeDir = ".ralph"

func (j *job) store(elem ...string) string {
	return filepath.Join(append([]string{j.repo.Root(), storeDir}, elem...)...)
}

// prepare looks at everything that can be wrong, and touches nothing: the order decides which error is told
// when several apply, from the cheapest to mend to the dearest.
func prepare(ctx context.Context, p *Proc, o runOptions) (*job, error) {
	j := &job{proc: p, opts: o}
	for _, step := range []func(context.Context) error{j.openRepo, j.loadConfig, j.loadPlan, j.findAgent, j.lockFree, j.findEarlier, j.checkPlace} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return j, nil
}

func (j *job) openRepo(ctx context.Context) error {
	repo, err := openRepo(ctx, j.proc)
	if err != nil {
		return err
	}
	j.repo = repo
	return nil
}

func (j *job) loadConfig(context.Context) error {
	cfg, warnings, err := config.Load(config.Options{GlobalDir: j.opts.configDir, RepoRoot: j.repo.Root(), Env: j.proc.Env,
		Flags: j.opts.flags, TrustRepo: j.opts.trustRepo, Executors: executorNames()})
	for _, w := range warnings {
		j.notes = append(j.notes, event.Note{Level: event.Warn, Text: w.String()})
	}
	if err != nil {
		return usage(err, hintOf(err))
	}
	j.cfg = cfg
	notes, err := keysNotYet(cfg)
	j.notes = append(j.notes, notes...)
	return err
}

func (j *job) loadPlan(context.Context) error {
	var err error
	if j.opts.plan == "" {
		j.planAt, err = onlyPlan(filepath.Join(j.repo.Root(), filepath.FromSlash(j.cfg.PlansDir)))
	} else {
		j.planAt, err = findPlan(j.opts.plan, j.proc.Dir)
	}
	if err != nil {
		return err
	}
	at, err := plan.Locate(j.planAt)
	if err != nil {
		return err
	}
	if j.plan, err = readPlan(at); err != nil {
		return err
	}
	j.archived = at != j.planAt && filepath.Base(filepath.Dir(at)) == plan.CompletedDir
	return nil
}

func (j *job) findAgent(ctx context.Context) error {
	ex, err := newExecutor(j.cfg, taskExecutor(j.cfg))
	if err != nil {
		return err
	}
	j.ex = ex
	return ex.Check(ctx)
}

// lockFree refuses at once when another run works here. The lock file is not made yet.
func (j *job) lockFree(context.Context) error {
	holder, held, err := durable.Probe(j.store("run.lock"))
	if err != nil {
		return err
	}
	if held {
		return busy(&durable.HeldError{Path: j.store("run.lock"), Holder: holder})
	}
	return nil
}

func busy(err error) error {
	return hinted(fmt.Errorf("another run works in this checkout: %w", err), "wait for it (ralphex status), end it, or use another checkout (git worktree add)")
}

// findEarlier looks for a run of this plan that did not come to its end.
func (j *job) findEarlier(context.Context) error {
	state, err := journal.Resumable(j.store("events"), j.planAt)
	if err != nil {
		return hinted(fmt.Errorf("read the journal of the last run: %w", err), "move the file away to start afresh; the plan's boxes tell what is done")
	}
	if j.archived && state == nil {
		return usage(fmt.Errorf("plan file not found: %s: it is finished and lies in %s", j.opts.plan, plan.CompletedDir),
			"to run it again, move it back and open boxes (ralphex tick --undo)")
	}
	j.earlier, j.id = state, journal.NewRunID(time.Now())
	if state != nil {
		j.id = state.Run
	}
	return nil
}

func (j *job) checkPlace(ctx context.Context) error {
	ready, err := workspace.Check(ctx, j.repo, workspace.Options{
		PlanPath: j.planAt, Branch: j.opts.branch, DerivedBranch: plan.BranchName(j.planAt), DefaultBranch: j.cfg.DefaultBranch,
		Trailer: j.cfg.CommitTrailer, PlansDir: j.cfg.PlansDir, RunID: string(j.id), Resume: j.earlier != nil,
	})
	if err != nil {
		return err
	}
	j.ready = ready
	return nil
}

// lock takes the run lock and makes the store, which ignores itself.
func (j *job) lock(run event.RunID) error {
	if err := workspace.EnsureSelfIgnored(j.store()); err != nil {
		return fmt.Errorf("make %s: %w", j.store(), err)
	}
	l, err := durable.Acquire(j.store("run.lock"), durable.Holder{Run: string(run), Plan: relative(j.repo.Root(), j.planAt), What: "run", Since: time.Now()})
	if errors.Is(err, durable.ErrHeld) {
		return busy(err)
	}
	if err != nil {
		return err
	}
	j.held = l
	return nil
}

func hintOf(err error) string {
	var h hinter
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}
