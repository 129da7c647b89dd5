package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"ralphex/internal/journal"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/planimport"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
	"ralphex/pkg/vcs"
)

// The values of `record`.
const (
	recordNone     = "none"     // the run's own journal while the run is unfinished, and then nothing
	recordJournal  = "journal"  // the run's own journal
	recordEvidence = "evidence" // and a number for each iteration, and the events for other programs
	recordFull     = "full"     // and the plan as tasks, with a claim on the one that is worked on
)

// patience is how long a run waits for a lock of the store. Others hold one for a read, a change and a write; whoever holds it for longer is
// gone or stuck, and no reason to keep a run waiting.
var patience = lock.Budget{Retries: 60, Delay: 25 * time.Millisecond}

// recording is what a run leaves in the `.ralph` store of the main checkout, as far as `record` wants it. Nothing that goes wrong with it
// stops the run or changes what is done: it is a warning. A lock that nobody frees pauses what needs it, until it is gone. Only a claim
// of somebody else ends the run, and a preflight that finds an error keeps it from beginning.
type recording struct {
	run        *running
	level      string
	store      *store
	provenance string // the run's name in the store; "" = it has none yet
	number     int    // of an iteration that no session has had yet; 0 = the next session needs a new one
	next       int    // number that was told of a task, and that its first session takes; 0 = none
	sink       provenanceSink
	evidence   evidence
	state      *state.Store
	look       *preflight.Report // nil = there is no workspace, or it was not looked at yet
	paused     map[string]bool   // locks that nobody freed
	said       map[string]bool   // warnings

	proven map[string]bool // task keys
	last   sight           // of the projection before
	held   *holding        // nil = no claim
	mu     sync.Mutex
	tasks  []planimport.Child // of the plan in tasks.json, by position; guarded by mu, since the sink asks at any time
}

func newRecording(r *running, level string, s *store) *recording {
	c := &recording{run: r, level: level, store: s, paused: map[string]bool{}, said: map[string]bool{}, proven: map[string]bool{}}
	c.evidence.c, c.evidence.closing = c, make(chan struct{})
	c.state = state.New(s.State, state.Options{Artifacts: s.Artifacts, Budget: patience, Warn: c.evidence.addLate})
	return c
}

// attachRecord attaches the store's own journal to the bus. Nothing is written yet.
func (r *running) attachRecord() error {
	s, err := r.recordStore()
	if err != nil {
		return err
	}
	c := newRecording(r, r.cfg.Record, s)
	r.record = c
	r.closers = append(r.closers, c.close)
	if c.writes() {
		c.sink.mapper = events.NewMapper(s.Root, c.taskID)
		r.bus.Attach("events.jsonl", &c.sink)
		r.bus.Attach("evidence", &c.evidence)
	}
	return nil
}

// checkRecord refuses a workspace whose settings or links would have the run write outside of it.
func (j *job) checkRecord(context.Context) error {
	_, err := j.recordStore()
	return err
}

// recordStore is the workspace that the run is recorded in.
func (j *job) recordStore() (*store, error) {
	s, err := storeAt(j.home)
	if err == nil && recordsInStore(j.cfg.Record) {
		err = s.CheckInside()
	}
	return s, err
}

// storeAt is the workspace of a checkout. Where nobody made one, no setting moves anything: what a run leaves is in .ralph and ignored.
func storeAt(repo vcs.Repo) (*store, error) {
	set, err := settings.Load(repo.Root())
	if err != nil {
		return nil, err
	}
	s := &store{repo: repo, settings: set}
	if s.Layout, err = layout.New(repo.Root(), set.Overrides()); err != nil || s.initialized() {
		return s, err
	}
	s.settings = settings.Defaults()
	s.Layout, err = layout.New(repo.Root(), layout.Overrides{})
	return s, err
}

// recordsInStore tells whether a level writes anything into the store.
func recordsInStore(level string) bool { return level == recordEvidence || level == recordFull }

func (c *recording) writes() bool { return recordsInStore(c.level) }

// begin looks at the workspace, if there is one, and gives the run its name in the store. It comes before the first event, so that
// the run's start has the name.
func (c *recording) begin(ctx context.Context) {
	if e := c.run.earlier; e != nil {
		c.provenance = e.Start.Provenance
	}
	c.lookAt(ctx) // before this process takes any lock of the store
	switch {
	case !c.writes():
	case c.provenance != "":
		c.openSink()
	default:
		c.allocate(ctx)
	}
}

// start brings the plan into the store, as it lies on the run's branch.
func (c *recording) start(context.Context) error {
	keys := c.run.start.Done
	if e := c.run.earlier; e != nil {
		keys = e.Proven
	}
	for _, k := range keys {
		c.proven[k] = true
	}
	c.project()
	return nil
}

// numbered gives an attempt its number, and the run's name if it has just got that.
func (c *recording) numbered(d event.TaskStart) event.TaskStart {
	if !c.writes() {
		return d
	}
	if c.number == 0 {
		c.allocate(context.Background())
	}
	if c.provenance != "" && !c.sink.isOpen() {
		c.openSink()
	}
	d.Iteration, c.next, c.number = c.number, c.number, 0
	if c.run.start.Provenance != c.provenance {
		d.Provenance, c.run.start.Provenance = c.provenance, c.provenance
	}
	return d
}

// take is the number of a session that is about to begin: that of its task's attempt, if no session has had it. 0 = there is none.
func (c *recording) take(ctx context.Context) int {
	if c.next == 0 {
		if c.number == 0 {
			c.allocate(ctx)
		}
		c.next, c.number = c.number, 0
	}
	n := c.next
	c.next = 0
	return n
}

// allocate takes the next iteration's number, and names the run after its first one.
func (c *recording) allocate(ctx context.Context) {
	c.evidence.store.Lock()
	defer c.evidence.store.Unlock()
	c.try(ctx, "its iterations get no number", c.state.LockPath(), func() (err error) {
		c.number, err = c.state.Allocate(ctx)
		return err
	})
	c.evidence.tellLate()
	if c.number > 0 && c.provenance == "" {
		c.provenance = claim.ProvenanceID(c.number, claim.CLI, time.Now())
		c.openSink()
	}
}

// openSink opens events.jsonl. A process that goes on with a run tells the sink first what was before it.
func (c *recording) openSink() {
	var before []event.Event
	if e := c.run.earlier; e != nil {
		for fact, err := range journal.Events(e.Path, event.Output{}.Kind()) {
			if err != nil {
				c.warn("events.jsonl: what was before", err)
				break
			}
			if fact.Seq > e.LastSeq {
				break
			}
			before = append(before, fact)
		}
	}
	if err := c.sink.open(layoutBundle(c.store.Layout, c.provenance), c.provenance, before); err != nil {
		c.warn("events.jsonl", err)
	}
}

// try does one thing to the store, and tells whether it was done. A lock that is held for longer than patience pauses all that needs it: the run goes
// on, and what is paused is taken up when the lock is gone.
func (c *recording) try(ctx context.Context, without, lockPath string, do func() error) bool {
	if c.paused[lockPath] {
		if _, held, err := lock.Inspect(lockPath); err != nil || held {
			return false
		}
	}
	err := do()
	var locked *lock.TimeoutError
	switch cause := context.Cause(ctx); {
	case err != nil && cause != nil && errors.Is(err, cause): // the session was ended meanwhile, and whoever did it knows
	case err == nil && c.paused[lockPath]:
		delete(c.paused, lockPath)
		c.note(event.Info, fmt.Sprintf("%s is free again: recording goes on", c.store.Rel(lockPath)), "")
		return true
	case err == nil:
		return true
	case errors.As(err, &locked):
		c.paused[lockPath] = true
		c.note(event.Warn, fmt.Sprintf("recording is paused: %v. The run goes on; %s until the lock is gone", locked, without), locked.Hint())
	default:
		c.warn("", err)
	}
	return false
}

// warn tells of a trouble once.
func (c *recording) warn(what string, err error) {
	text := "record: " + err.Error()
	if what != "" {
		text = "record: " + what + ": " + err.Error()
	}
	if !c.said[text] {
		c.said[text] = true
		c.note(event.Warn, text, hintOf(err))
	}
}

// note tells something as the run's own; before the run's first event it waits for it.
func (c *recording) note(level event.Level, text, hint string) {
	n := event.Note{Level: level, Text: text, Hint: hint}
	if !c.run.announced {
		c.run.notes = append(c.run.notes, n)
		return
	}
	c.run.Emit(0, n)
}

// taskStore is the task graph of the workspace.
func (c *recording) taskStore() task.Store { return c.store.taskStore(patience) }

// close gives up what the run still has, on whatever way it ends.
func (c *recording) close() {
	c.release()
	if err := c.evidence.close(); err != nil {
		fmt.Fprintf(c.run.proc.Err, "warning: record: %v\n", err) // the bus is closed
	}
	if err := c.sink.close(); err != nil {
		fmt.Fprintf(c.run.proc.Err, "warning: events.jsonl: %v\n", err)
	}
}

// forget removes what a run with `record = none` needed while it was unfinished.
func (c *recording) forget() {
	if end := c.run.outcome; c.level != recordNone || end != event.Done && end != event.Unproven {
		return
	}
	run := string(c.run.bus.Run())
	for _, path := range []string{c.run.journal.path(), c.run.store("artifacts", run), c.run.store("runs", run)} {
		if err := os.RemoveAll(path); err != nil {
			fmt.Fprintf(c.run.proc.Err, "warning: record = none: %v\n", err)
		}
	}
}
