package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/progress"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// running is a run that has begun: it holds the lock, and everything it does is on the bus.
type running struct {
	*job
	bus       *event.Bus
	phase     atomic.Value // event.Phase
	started   time.Time
	start     event.RunStart
	owners    *owners  // of what is dirty at the start; see whose
	swept     []string // the person's paths that a hook added to a commit outside of the phases
	usage     event.Usage
	progress  string
	face      face
	journal   record
	record    *recording
	cancel    context.CancelCauseFunc // ends the run
	outcome   event.Outcome           // once it has ended
	announced bool                    // its start is on the bus
	sync      syncing
	// unattended says that a break came and nobody could be asked what it means.
	unattended bool
	begun      bool // the place is taken: what is dirty from here on may be the run's
	keeper     *workspace.Keeper
	secrets    *secrets
	keptLast   string // the newest copy that was told of
	doctrine   doctrine.Protection
	oursTold   bool // that a session took our folders under version control
	closers    []func()
}

// Emit puts a fact on the bus; it is the phase's Log.
func (r *running) Emit(task int, fact event.Data) {
	switch d := fact.(type) {
	case event.PhaseStart:
		r.phase.Store(d.Name)
	case event.TaskStart:
		fact = r.record.numbered(d)
	case event.SessionEnd:
		r.usage = r.usage.Add(d.Usage)
		r.guardStore()
		r.guardDoctrine()
		r.guardOurs()
	case event.TaskEnd:
		key := d.ID + ": " + d.Title
		r.start.Done = slices.DeleteFunc(slices.Clone(r.start.Done), func(k string) bool { return k == key })
		if d.Outcome != event.Failed {
			r.start.Done = append(r.start.Done, key)
		}
	}
	ph, _ := r.phase.Load().(event.Phase)
	r.secrets.Pass(fact, func(d event.Data) { r.bus.Emit(ph, task, d) })
	if end, ok := fact.(event.TaskEnd); ok {
		r.record.ended(task, end)
		r.syncTask(task, end)
	}
}

// run does what prepare found possible.
func (j *job) run(ctx context.Context) error {
	defer j.release()
	if err := j.takePlace(ctx); err != nil {
		return err
	}
	last := int64(0)
	if j.earlier != nil {
		last = j.earlier.LastSeq
	}
	r := &running{job: j, bus: event.NewBus(j.id, last, nil), started: time.Now(), keeper: workspace.NewKeeper(j.repo, string(j.id)), secrets: newSecrets(j.proc.Env, j.cfg)}
	r.progress = progress.Path(filepath.Join(j.home.Root(), ".ralphex", "progress"), string(r.mode()), j.named, j.namedBranch())
	defer r.forget()
	defer r.close()
	if err := r.openSinks(j.id); err != nil {
		return err
	}
	r.doctrine = r.protected()
	report, err := r.work(ctx)
	if errors.Is(err, phase.ErrAborted) && r.unattended {
		err = fmt.Errorf("break without a terminal, nobody to ask: %w", errInterrupted)
	}
	return r.finish(report, err)
}

// close ends the sinks, the last one first.
func (r *running) close() {
	for _, c := range slices.Backward(r.closers) {
		c()
	}
}

// openSinks attaches journal and terminal. Without a journal there is no run: it is what makes resuming safe.
func (r *running) openSinks(id event.RunID) error {
	w, err := journal.Open(r.store("events"), id)
	if err != nil {
		return err
	}
	r.journal.w = w
	r.closers = append(r.closers, r.journal.close)
	r.bus.Attach("journal", &r.journal)
	if err := r.attachRecord(); err != nil {
		return err
	}
	return r.attachFace()
}

// forget removes what the run must not leave; see the `record` setting.
func (r *running) forget() {
	if r.record != nil {
		r.record.forget()
	}
}

// work brings the run from its first event to the end of its phases.
func (r *running) work(ctx context.Context) (phase.Report, error) {
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	r.record.begin(ctx)
	r.announce()
	for _, step := range []func(context.Context) error{r.openProgress, r.record.judge, r.place, r.makeReady, r.record.start} {
		if err := step(ctx); err != nil {
			return phase.Report{}, err
		}
	}
	runner, err := r.runner()
	if err != nil {
		return phase.Report{}, err
	}
	runner.SetBreakCh(breakKey(ctx))
	runner.SetPauseHandler(r.pause)
	report, err := runner.Run(ctx)
	r.endSync()
	if err == nil {
		err = r.archive(ctx, report)
	}
	report.Swept = append(report.Swept, r.swept...)
	return report, err
}

// announce journals the start or the restart, and what was noticed while looking.
func (r *running) announce() {
	host, _ := os.Hostname()
	if e := r.earlier; e != nil {
		r.start, r.usage = e.Start, e.Usage
		restart := event.RunRestart{PID: os.Getpid(), Host: host, LastSeq: e.LastSeq, Reason: "the process before died"}
		if !e.Died {
			restart.Reason = "it ended as " + string(e.End.Outcome)
			restart.Commands = commandsOf(r.plan)
			r.start.Commands = restart.Commands
		}
		if name := r.record.provenance; name != r.start.Provenance {
			restart.Provenance, r.start.Provenance = name, name
		}
		r.Emit(0, restart)
		r.announced = true
		r.Emit(0, event.Note{Level: event.Info, Text: fmt.Sprintf("going on with run %s of %s: %d %s done", e.Run, e.Started.Local().Format(time.DateTime), len(e.Proven), plural(len(e.Proven), "task is", "tasks are"))})
	} else {
		r.start = event.RunStart{Plan: r.named, Mode: string(r.mode()), Branch: string(r.ready.Branch), Worktree: r.treeDir(), Executor: r.ex.Name(),
			PID: os.Getpid(), Host: host, Version: versionString(), StartHead: string(r.ready.Start.Rev), Dirty: r.ready.Dirty,
			Tasks: len(r.plan.Tasks), Done: phase.DoneKeys(r.plan), Commands: commandsOf(r.plan), Provenance: r.record.provenance}
		r.Emit(0, r.start)
		r.announced = true
	}
	task := 0
	if r.earlier != nil && r.earlier.Session != nil { // what a killed process left is ended even where its run isn't gone on with
		task = r.earlier.Session.Task
	}
	for _, p := range r.ended {
		r.Emit(task, event.Survivor{PID: p.PID, Command: p.Command, Action: p.Action})
	}
	r.tellCommands()
	for _, n := range r.notes {
		r.Emit(0, n)
	}
	for _, p := range r.plan.Warnings() {
		r.Emit(0, event.Note{Level: event.Warn, Text: relative(r.proc.Dir, r.planAt) + ":" + p.String()})
	}
	for _, w := range r.ready.Warnings {
		r.Emit(0, event.Note{Level: event.Warn, Text: w})
	}
	r.tellDirt()
}

func (r *running) tellPaths(level event.Level, title string, lines []string) {
	const most = 10
	if len(lines) == 0 {
		return
	}
	if n := len(lines); n > most {
		lines = append(lines[:most], fmt.Sprintf("  … and %d more", n-most))
	}
	for _, text := range append([]string{title}, lines...) {
		r.Emit(0, event.Note{Level: level, Text: text})
	}
}

func (r *running) mode() processor.Mode {
	if r.opts.tasksOnly {
		return processor.ModeTasksOnly
	}
	return processor.ModeFull
}

// place makes the branch and commits the plan.
func (r *running) place(ctx context.Context) error {
	begun, err := r.ready.Begin(ctx)
	if err != nil {
		return err
	}
	r.begun = true
	if begun.SnapshotRef != "" {
		r.Emit(0, event.Kept{Ref: begun.SnapshotRef, Rev: string(begun.Snapshot), Why: "uncommitted changes at the start"})
	}
	r.Emit(0, event.Branch{Name: string(begun.Branch), Created: begun.Created || r.tree != nil && r.tree.made.Create})
	if r.ready.PlanChanges {
		if err := r.rereadPlan(); err != nil {
			return err
		}
	}
	if begun.PlanCommit != "" {
		r.Emit(0, event.Commit{Rev: string(begun.PlanCommit), Message: begun.PlanMessage, By: "ralphex", Paths: []string{r.ready.Plan}, Replaced: string(begun.Replaced)})
	}
	r.brought(begun.Brought)
	for _, w := range begun.Warnings {
		r.Emit(0, event.Note{Level: event.Warn, Text: w})
	}
	return nil
}

// rereadPlan takes the plan as the branch has it, which was switched to. A fresh run's start is told once more:
// commands and tasks are those of this version.
func (r *running) rereadPlan() error {
	at, err := plan.Locate(r.planAt)
	if err != nil {
		return err
	}
	p, err := readPlan(at)
	if err != nil {
		return err
	}
	r.plan = p
	if r.earlier != nil {
		return nil
	}
	r.Emit(0, event.Note{Level: event.Info, Text: fmt.Sprintf("branch %s has its own version of the plan: that one is run", r.ready.Branch)})
	r.start.Tasks, r.start.Done, r.start.Commands = len(p.Tasks), phase.DoneKeys(p), commandsOf(p)
	r.Emit(0, r.start)
	r.tellCommands()
	return nil
}

func commandsOf(p *plan.Plan) []event.Command {
	var out []event.Command
	for _, c := range p.ValidationCommands {
		out = append(out, event.Command{Text: c.Text, Line: c.Line})
	}
	return out
}

// openProgress opens the text log before anything else is touched: its lock is another run's sign of life.
func (r *running) openProgress(context.Context) error {
	if err := r.ignoreOurs(); err != nil {
		return err
	}
	f, err := progress.Open(r.progress, progress.Header{Plan: r.named, WorktreePlan: r.treePlan(), Branch: string(r.ready.Branch), Mode: string(r.mode()),
		TaskModel: r.cfg.TaskModel.String()}, nil)
	if errors.Is(err, durable.ErrHeld) {
		return hinted(err, "another run writes this log: wait for it (ralphex status), or give this run a name of its own (--branch NAME)")
	}
	if err != nil {
		return err
	}
	r.closers = append(r.closers, func() { f.Close() })
	r.bus.Attach("progress file", f)
	return nil
}

// runner wires the processor.
func (r *running) runner() (*processor.Runner, error) {
	prompt, _, err := r.cfg.Prompt("task")
	if err != nil {
		return nil, err
	}
	cfg := processor.Config{
		Mode: r.mode(), Root: r.repo.Root(), PlanPath: r.planAt,
		TaskPrompt: func(vars map[string]string) string { return config.Expand(prompt, vars) },
		Vars:       r.promptVars(),
		Run:        r.bus.Run(), Stream: r.stream, Budget: r.budget(),
		Model: r.cfg.TaskModel.Name, Effort: r.cfg.TaskModel.Effort, Env: r.childEnv(), Keep: r.keep(),
		IdleTimeout: r.cfg.IdleTimeout, SessionTimeout: r.cfg.SessionTimeout, Grace: r.cfg.EndGrace, BackgroundWait: r.cfg.BackgroundWait,
		WaitOnLimit: r.cfg.WaitOnLimit, TransientRetries: r.cfg.TransientRetries, Resumes: r.cfg.SessionResumes,
		RetryDelay: retryDelay(r.cfg), Nudge: r.nudged,
		Task: phase.TaskOptions{
			Root: r.repo.Root(), Delay: r.cfg.IterationDelay, RetryDelay: retryDelay(r.cfg),
			Retries: r.cfg.TaskRetryCount, Validate: phase.ValidateMode(r.cfg.Validate), Frozen: r.start.Commands,
			UserDirty: r.whose().person, Aside: r.whose().nobody, Trailer: r.cfg.CommitTrailer, MaxDeleteShare: r.cfg.MaxDeleteShare, Verbs: vcs.VerbsOf(r.repo),
			Line: vcs.LineOf(r.repo, r.ready.Branch), Title: r.title(),
		},
	}
	if r.cfg.IsSet("max_iterations") {
		cfg.Task.MaxIterations = r.cfg.MaxIterations
	}
	if e := r.earlier; e != nil {
		cfg.Sessions = e.Sessions
		if e.Waiting != nil {
			cfg.Waiting = *e.Waiting
		}
		cfg.Task.Resume = phase.Resume{Active: true, Proven: e.Proven, Attempts: e.Attempts}
	}
	g := &runGate{dir: r.repo.Root(), outputs: r.store("artifacts", string(r.bus.Run())), commands: r.start.Commands,
		timeout: r.cfg.ValidationTimeout, env: r.childEnv(), keep: r.keep(), log: r, safe: r.secrets.Writer}
	return processor.NewWithExecutors(cfg, processor.Parts{Log: r, Tree: r.checked(), Committer: r.checked(), Gate: g, Keeper: r, Deletions: vcs.Deletions(r.repo), Lease: r.record},
		processor.Executors{Task: r.ex, Fallbacks: r.fallbacks}), nil
}

// retryDelay is the first pause after a failure that time mends.
func retryDelay(c *config.Config) time.Duration {
	return min(5*time.Second, max(c.IterationDelay, time.Millisecond)*3)
}

// promptVars are the variables of prompts that hold for the whole run: the public ones, and the repository's own words.
func (r *running) promptVars() map[string]string {
	chosen := r.opts.baseRef // --base-ref, else the configuration, else what the repository says
	if chosen == "" {
		chosen = r.cfg.DefaultBranch
	}
	words := vcs.VerbsOf(r.repo)
	base := cmp.Or(chosen, words.Base, string(r.ready.Default))
	if chosen == "" && words.Base == "" {
		chosen = base
	}
	vars := words.With("base", chosen).Vars()
	maps.Copy(vars, map[string]string{"PROGRESS_FILE": r.progress, "GOAL": "implementation of plan at " + r.planAt,
		"DEFAULT_BRANCH": base, "PLANS_DIR": r.cfg.PlansDir})
	return vars
}

// archive moves the finished plan to completed/. Nothing that goes wrong here changes what was done.
func (r *running) archive(ctx context.Context, report phase.Report) error {
	if !r.cfg.MovePlan || len(report.Left) > 0 || len(report.PlanChanges) > 0 {
		return nil
	}
	if at, err := plan.Locate(r.planAt); err == nil {
		r.planAt = at // renamed during the run
	}
	if err := r.checkTop(ctx); err != nil {
		return err
	}
	done, err := workspace.Archive(ctx, r.repo, r.planAt, workspace.ArchiveOptions{Trailer: r.cfg.CommitTrailer, Branch: r.ready.Branch,
		Verbs: vcs.VerbsOf(r.repo), Title: r.title()})
	if err != nil {
		r.Emit(0, event.Note{Level: event.Warn, Text: "failed to move plan to completed: " + err.Error(), Hint: hintOf(err)})
		return nil
	}
	r.planAt = done.To
	if done.Committed {
		r.Emit(0, event.Commit{Rev: string(done.Rev), Message: done.Message, By: "ralphex", Replaced: string(done.Replaced)})
	}
	r.brought(done.Brought)
	r.Emit(0, event.Archived{From: r.told(done.From), To: r.told(done.To)})
	r.record.project() // the tasks name the plan's place
	return nil
}

// finish journals the end and tells the person.
func (r *running) finish(report phase.Report, err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	end := event.RunEnd{Outcome: outcomeOf(report, err), Elapsed: time.Since(r.started), Usage: r.usage}
	if err != nil {
		end.Reason = err.Error()
	}
	failed := err != nil
	if needsPerson(report) && !failed {
		err = &exitError{code: exitLeft}
		end.Reason = leftReason(report)
	}
	base := vcs.Rev(r.start.StartHead)
	if r.opts.baseRef != "" {
		base = vcs.Rev(r.opts.baseRef)
	}
	if head, herr := r.repo.Head(ctx); herr == nil && base != "" && head.Rev != base {
		if stat, serr := r.repo.DiffStat(ctx, base, head.Rev); serr == nil { // best effort: a summary is no result
			end.Files, end.Additions, end.Deletions = stat.Files, stat.Additions, stat.Deletions
		}
	}
	if end.Outcome == event.Failed || end.Outcome == event.Interrupted {
		r.keepLeft(ctx, end)
		r.stampLeftover(ctx, &end)
	}
	end.Exit, end.Provenance = exitCode(err), r.start.Provenance
	r.leaveTree(ctx, end)
	r.record.release()
	r.Emit(0, end)
	r.outcome = end.Outcome
	r.dropOldStreams()
	r.closeFace()
	r.say(report, failed)
	return err
}

func outcomeOf(report phase.Report, err error) event.Outcome {
	var (
		f     *executor.Failure
		taken *claimError
	)
	switch {
	case errors.Is(err, errInterrupted), errors.Is(err, errTerminated), errors.Is(err, phase.ErrAborted):
		return event.Interrupted
	case errors.As(err, new(*processor.BudgetError)):
		return event.Interrupted
	case errors.As(err, &f) && (f.Class == executor.ClassLimit || f.Class.Info().Human):
		return event.Interrupted
	case errors.As(err, &taken):
		return event.Interrupted
	case err != nil:
		return event.Failed
	case needsPerson(report):
		return event.LeftHuman
	case report.Unproven:
		return event.Unproven
	}
	return event.Done
}

// needsPerson tells whether a person has to look before the plan counts as done.
func needsPerson(report phase.Report) bool {
	return len(report.Left) > 0 || len(report.PlanChanges) > 0 || len(report.Swept) > 0
}

func leftReason(report phase.Report) string {
	switch {
	case len(report.Left) > 0 && len(report.PlanChanges) > 0:
		return fmt.Sprintf("%d %s left for a person; the plan was changed during the run", len(report.Left), plural(len(report.Left), "item", "items"))
	case len(report.Left) > 0:
		return fmt.Sprintf("%d %s left for a person", len(report.Left), plural(len(report.Left), "item", "items"))
	}
	if len(report.PlanChanges) > 0 {
		return "the plan was changed during the run"
	}
	return "a session committed or undid changes of yours"
}
