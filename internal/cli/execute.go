package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/journal"
	"ralphex/internal/progress"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/finding"
	"ralphex/pkg/processor/phase"
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
	log       *progress.File // of that name; nil = not open yet
	face      face
	journal   record
	books     *journal.Books // nil = what an earlier process used up can't be read
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
	keptLast   string          // the newest copy that was told of
	findings   []finding.Entry // of reviews, those of earlier processes of the run, too
	noted      map[string]bool // notes on prompts that were told
	doctrine   doctrine.Protection
	steer      *steering
	elsewhere  elsewhere // who answers from another place
	oursTold   bool      // that a session took our folders under version control
	closers    []func()
}

// Emit puts a fact on the bus; it is the phase's Log.
func (r *running) Emit(task int, fact event.Data) {
	switch d := fact.(type) {
	case event.PhaseStart:
		r.phase.Store(d.Name)
		r.steer.enter(d)
	case event.SessionStart:
		r.steer.given(d.Notes)
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
		if d.Outcome != event.Failed && d.Outcome != event.Skipped {
			r.start.Done = append(r.start.Done, key)
		}
	}
	ph, _ := r.phase.Load().(event.Phase)
	r.secrets.Pass(fact, func(d event.Data) { r.elsewhere.waiting(r.bus.Emit(ph, task, d)) })
	switch d := fact.(type) {
	case event.PhaseEnd:
		r.record.evidence.settle()
	case event.TaskEnd:
		r.record.evidence.settle()
		r.record.ended(task, d)
		r.syncTask(task, d)
	}
}

// newRunning is the run before it touches anything; last is the number of the newest event of its earlier processes. A dry run has one, too.
func (j *job) newRunning(last int64) *running {
	r := &running{job: j, bus: event.NewBus(j.id, last, nil), started: time.Now(), secrets: newSecrets(j.proc.Env, j.cfg), noted: map[string]bool{}}
	r.steer = newSteering(r)
	r.progress = progress.Path(filepath.Join(j.home.Root(), ".ralphex", "progress"), j.modeName(), j.subject(), j.namedBranch())
	return r
}

// run does what prepare found possible.
func (j *job) run(ctx context.Context) error {
	defer j.release()
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // little lives long in a run. With 125 a line of 64 MB took more than 64 MiB on a loaded machine
	if err := j.takePlace(ctx); err != nil {
		return err
	}
	last := int64(0)
	if j.earlier != nil {
		last = j.earlier.LastSeq
	}
	r := j.newRunning(last)
	r.keeper = workspace.NewKeeper(j.repo, string(j.id))
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
	if books, err := journal.OpenBooks(w.Path()); err == nil {
		r.books = books
		r.bus.Attach("books", books)
	}
	if err := r.attachRecord(); err != nil {
		return err
	}
	r.opts.web.show(r)
	r.attachFace()
	r.attachNotices()
	r.listen()
	return nil
}

// forget removes what the run must not leave; see the `record` setting.
func (r *running) forget() {
	if r.record != nil {
		r.record.forget()
	}
}

// endedBy is the cause of a context that ended, where err is only how a command or a wait took it: what a person hears is that their stop was
// obeyed, not which call of git it met.
func endedBy(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); (errors.Is(cause, errInterrupted) || errors.Is(cause, errTerminated)) && errors.Is(err, cause) {
		return cause
	}
	return err
}

// work brings the run from its first event to the end of its phases.
func (r *running) work(ctx context.Context) (report phase.Report, err error) {
	ctx, r.cancel = context.WithCancelCause(ctx)
	r.steer.begin(r.cancel)
	defer r.cancel(nil)
	defer func() { err = endedBy(ctx, err) }()
	defer r.tellStopping(ctx)()
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
	runner.SetBreakCh(breakKey(ctx, r.face.breaks))
	runner.SetPauseHandler(r.pause)
	runner.SetSteering(r.steer)
	runner.SetInputCollector(r.collector())
	report, err = runner.Run(ctx)
	r.findings = runner.Findings()
	r.endSync()
	if err == nil {
		r.closing(report)
		err = r.archive(ctx, &report)
	}
	report.Swept = append(report.Swept, r.swept...)
	return report, err
}

// openProgress opens the text log before anything else is touched: its lock is another run's sign of life.
func (r *running) openProgress(context.Context) error {
	if err := r.ignoreOurs(); err != nil {
		return err
	}
	taskModel := ""
	if worksTasks(r.mode()) {
		taskModel = r.agent.model.String()
	}
	f, err := progress.Open(r.progress, progress.Header{Plan: r.named, WorktreePlan: r.treePlan(), Branch: string(r.ready.Branch), Mode: r.modeName(),
		TaskModel: taskModel, PlanModel: r.planModel(), ReviewModel: r.cfg.ReviewModel.String()}, nil)
	if errors.Is(err, durable.ErrHeld) {
		return hinted(err, "another run writes this log: wait for it (ralphex status), or give this run a name of its own (--branch NAME)")
	}
	if err != nil {
		return err
	}
	r.closers = append(r.closers, func() { f.Close() })
	r.bus.Attach("progress file", f)
	r.log = f
	return nil
}
