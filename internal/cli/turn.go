package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"ralphex/internal/config"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/settings"
	"ralphex/internal/ralph/setup"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// The modes of a turn, as state.Run has them.
const (
	singleTurn = "singleExec"
	loopTurns  = "loop"
)

// turned is what became of a turn.
type turned struct {
	it       state.Iteration
	stop     iteration.StopReason // "" = go on
	failure  *executor.Failure    // of the agent; nil = none that it told
	recorded bool                 // it is an iteration's result; without a task there is none
	harm     harm                 // that its sessions did to the workspace's own files
}

// survey reads the workspace for an iteration. It takes no number, and claims nothing. in says what is wrong with the task graph, where it can't be used.
func (t *turner) survey(ctx context.Context, target string) (one *oneTurn, in *task.Inspection, err error) {
	one = &oneTurn{turner: t, target: target, cfg: t.cfg, began: time.Now(), graph: task.NewGraph(nil), phases: state.Phases{}}
	one.phase("inspectStartedAt")
	if one.created, err = setup.Ensure(ctx, t.s.Layout, t.s.saveState); err != nil {
		return nil, nil, err
	}
	if in, err = t.tasks.Read(ctx); err != nil {
		return nil, nil, t.s.taskError(t.p, false, err)
	}
	if one.usable = in.File != nil; one.usable {
		one.graph, one.mutations = task.NewGraph(in.File.Tasks), in.File.MutationCount
	}
	one.counts = one.graph.Counts()
	loaded, err := t.state.Load(ctx)
	one.earlier = loaded.State
	return one, in, err
}

// number takes the iteration's number, and with it its name.
func (o *oneTurn) number(ctx context.Context, kind claim.Kind) (err error) {
	if o.n, err = o.state.Allocate(ctx); err == nil {
		o.id = claim.ProvenanceID(o.n, kind, o.began)
	}
	return err
}

// turn does one iteration: the next task that can be had is claimed, worked on, verified, judged and recorded. last says that no other turn follows. An
// error is for what keeps turns from being taken at all.
func (t *turner) turn(ctx context.Context, last bool) (turned, error) {
	one, _, err := t.survey(ctx, artifact.CLIExec)
	if err != nil {
		return turned{}, err
	}
	one.last = last
	candidates := one.graph.Candidates(preflight.RoleOf(t.s.Layout, t.s.settings))
	left := one.counts.Remaining()
	nothing := turned{stop: iteration.NoActionableTask, it: state.Iteration{Backlog: state.Backlog{RemainingTaskCount: left}}}
	if one.usable && left == 0 && len(candidates) == 0 && (!t.s.settings.AutoReplenish || t.exhausted) {
		return nothing, nil
	}
	if err := one.number(ctx, claim.CLI); err != nil {
		return turned{}, err
	}
	if err := t.beginLog(ctx, one); err != nil {
		return turned{}, err
	}
	one.openJournal() // before any claim: what a killed loop left is known by its journal
	defer one.closeJournal()
	switch {
	case len(candidates) == 0 && one.usable && left > 0:
		return one.idle(ctx)
	case len(candidates) == 0:
		return one.replenish(ctx)
	}
	for _, c := range candidates {
		one.task = c
		if err := t.takeBack(ctx, c.ID); err != nil {
			return turned{}, t.s.taskError(t.p, false, err)
		}
		var out turned
		res, err := t.claims.Hold(ctx, claim.Request{TaskID: c.ID, AgentID: t.s.settings.AgentID, ProvenanceID: one.id}, watchClaim, func(held context.Context) (err error) {
			out, err = one.run(ctx, held)
			return err
		})
		if res != nil && res.Outcome == claim.Contested {
			continue
		}
		if errors.Is(err, claim.ErrLost) { // before there was anything to record
			nothing.stop = iteration.ClaimContested
			return nothing, nil
		}
		return one.harmed(out, err)
	}
	fmt.Fprintln(t.p.Err, "each task that can be worked on is claimed by somebody; ralphex claim list")
	return nothing, nil
}

// takeBack releases a claim on the task that an earlier loop of this agent left when it was killed. That it is dead is certain: a loop has the run
// lock of the checkout, which is ours now. Claims of others, and of plan runs in worktrees, stay.
func (t *turner) takeBack(ctx context.Context, id string) error {
	g, err := t.claims.Inspect(ctx, time.Now())
	if err != nil {
		return err
	}
	held := g.Task(id)
	if held == nil || held.Canonical.AgentID != t.s.settings.AgentID || !t.ofLoop(held.Canonical.ProvenanceID) {
		return nil
	}
	fmt.Fprintf(t.p.Err, "note: %s was claimed by %s, which was cut off; it is taken up again\n", task.Plain(id), task.Plain(held.Canonical.ProvenanceID))
	_, err = t.claims.Release(ctx, id, t.s.settings.AgentID)
	return err
}

// ofLoop tells whether a provenance id is an iteration's of this verb or of the loop.
func (t *turner) ofLoop(provenance string) bool {
	dir, err := t.s.Bundle(provenance)
	if err != nil {
		return false
	}
	list, err := events.Read(filepath.Join(dir, events.FileName))
	return err == nil && slices.ContainsFunc(list, func(e events.Event) bool {
		b, ok := e.Body.(events.RunStarted)
		return ok && (b.Mode == singleTurn || b.Mode == loopTurns)
	})
}

// oneTurn is an iteration on its way.
type oneTurn struct {
	*turner
	n       int
	id      string         // provenance
	target  string         // artifact.CLIExec or artifact.IDEHandoff
	cfg     *config.Config // the turner's, with the model of this turn
	tier    string         // weight of the task; "" = nobody asks
	began   time.Time
	created []string    // what Ensure made
	usable  bool        // the task graph has no error
	graph   *task.Graph // as it was read at the start; nil = it can't be used
	task    task.Task   // zero = none was selected
	earlier state.State
	counts  task.Counts
	last    bool
	phases  state.Phases
	kind    iteration.Kind
	reason  string

	snap       preflight.Snapshot
	request    preflight.Request
	report     *preflight.Report
	note       *stable.Object // of the session before; nil = none
	promptText string
	mutations  *int64 // of tasks.json
	plan       *iteration.TaskPlan
	w          *artifact.Writer
	kept       []provenance.File // what lies in the iteration's folder beside what every iteration has

	journal   *events.Writer
	warnings  []string
	argv      []string // of the agent; nil = it was not started
	committed []string // paths in the session's own commits
	meddled   bool     // tasks.json was changed while the planning session ran
	harm      harm     // that sessions did so far
	failure   *executor.Failure
}

func (o *oneTurn) phase(name string) { o.phases[name] = stable.Time(time.Now()) }

// tell writes to the iteration's journal. A journal that fails stops nothing.
func (o *oneTurn) tell(bodies ...events.Body) {
	if o.journal != nil {
		if err := o.journal.Append(bodies...); err != nil {
			o.warnings = append(o.warnings, "events.jsonl: "+err.Error())
		}
	}
}

// enter looks at the workspace, opens the writer of its artifacts, and asks whether what was found lets the turn go on. The caller closes the writer.
func (o *oneTurn) enter(ctx, held context.Context) (*artifact.Writer, error) {
	o.look(held, runLooker{&looker{p: o.p, store: o.s, configDir: o.configDir}, o.ex})
	w, err := artifact.Open(o.s.Layout)
	if err != nil {
		return nil, err
	}
	o.w = w
	if err := o.mayGoOn(ctx, w); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// unselected is a turn without a task, which what says; act is what becomes of its session.
func (o *oneTurn) unselected(ctx context.Context, what string, act func(*provenance.Session) (turned, error)) (turned, error) {
	o.kind, o.reason = iteration.ChooseKind(nil, o.counts, o.usable, o.earlier)
	o.phase("taskSelectedAt")
	fmt.Fprintf(o.p.Err, "iteration %d: %s\n", o.n, what)
	w, err := o.enter(ctx, ctx)
	if err != nil {
		return turned{}, err
	}
	defer w.Close()
	session, err := o.prepare(w)
	if err != nil {
		return turned{}, err
	}
	return act(session)
}

// run is the turn under the claim: held ends when the claim is lost.
func (o *oneTurn) run(ctx, held context.Context) (turned, error) {
	o.phase("taskSelectedAt")
	if err := o.begin(held); err != nil {
		return turned{}, err
	}
	if err := o.tiered(o.flags); err != nil {
		return turned{}, err
	}
	o.log.taskBegins(event.TaskStart{ID: o.task.ID, Title: o.task.Title, Open: 1, Total: 1, Iteration: o.n})
	defer o.log.attemptEnds(o.task.ID)
	w, err := o.enter(ctx, held)
	if err != nil {
		return turned{}, err
	}
	defer w.Close()
	o.tell(events.TaskSelected{TaskID: o.task.ID, Title: o.task.Title, Iteration: &o.n})
	gate, decision, err := o.readiness(held, w)
	if err != nil {
		return turned{}, o.refused(w, err)
	}
	if len(o.harm.broken) > 0 {
		return turned{}, nil // the planning session did: nothing can be prepared from what is there
	}
	session, err := o.prepare(w)
	if err != nil {
		return turned{}, err
	}
	if o.harm.stops {
		return o.skip(ctx, session, iteration.Classified{Classification: iteration.NeedsHumanReview, Signals: []string{}, FollowUp: iteration.AskPerson}, iteration.HumanReviewNeeded,
			"The planning session, which was asked to change nothing, changed the task graph so that a person has to look.")
	}
	if decision.Stop() != "" {
		return o.stopAtGate(ctx, w, session, gate, decision)
	}
	o.hook(held, settings.BeforeIteration, "", "")
	if done, err := o.doneMeanwhile(held); done || err != nil {
		if err != nil {
			return turned{}, err
		}
		if o.meddled {
			return o.skip(ctx, session, iteration.Classified{Classification: iteration.NeedsHumanReview, Signals: []string{}, FollowUp: iteration.AskPerson}, iteration.HumanReviewNeeded,
				"It stands as done since its planning session, which was asked to change nothing: nobody has proven it.")
		}
		return o.skip(ctx, session, iteration.Classified{Classification: iteration.Complete, Signals: []string{}, FollowUp: iteration.NextTask}, "", "It was done before a session of it began.")
	}
	return o.execute(ctx, held, session)
}

// refused writes down that the planning session was refused: what would have been launched is not what was prepared. Any other error is its caller's.
func (o *oneTurn) refused(w *artifact.Writer, err error) error {
	var f *provenance.Failure
	if !errors.As(err, &f) {
		return err
	}
	o.kept = slices.DeleteFunc(o.kept, func(f provenance.File) bool { return filepath.Base(f.Path) == provenance.PlanningPrompt }) // it was changed
	session, prepared := o.prepare(w)
	if prepared != nil {
		return errors.Join(err, prepared)
	}
	return session.Refuse(*f)
}

// doneMeanwhile reads the task once more, right before its session: a person, or a hook, may have done it.
func (o *oneTurn) doneMeanwhile(ctx context.Context) (bool, error) {
	if o.task.Status == task.Done {
		return false, nil // what a reviewer looks at
	}
	in, err := o.tasks.Read(ctx)
	if err != nil || in.File == nil {
		return false, err
	}
	t, err := in.File.Get(o.task.ID)
	return err == nil && t.Status == task.Done, nil
}

// mark makes a task that is to do one that is in progress. Roles that only look leave it as it is, and nobody opens what is done.
func (o *oneTurn) mark(ctx context.Context) error {
	c, err := o.tasks.Update(ctx, func(f *task.File) error {
		_, err := task.SetStatus(f, o.task.ID, task.InProgress)
		return err
	})
	if err != nil {
		return err
	}
	now, err := c.File.Get(o.task.ID)
	if err == nil {
		o.task = *now
	}
	return err
}

// mayGoOn is the error of a preflight that blocks: no prompt is made, and the report is what there is of the iteration.
func (o *oneTurn) mayGoOn(ctx context.Context, w *artifact.Writer) error {
	blocked := o.report.Blocked()
	if blocked == nil {
		return nil
	}
	report, page := o.preflightFiles()
	blocked.Report = o.s.Rel(o.s.Preflight(o.n).PreflightReport)
	session, err := provenance.BlockedByPreflight(w, o.iteration(), report, page, o.report.Summary, time.Now)
	if err = errors.Join(err, w.Sync()); err == nil {
		o.settle(ctx, session)
	}
	return errors.Join(blocked, err)
}

// begin marks the task as being worked on, and chooses the kind of the prompt.
func (o *oneTurn) begin(ctx context.Context) error {
	o.kind, o.reason = iteration.ChooseKind(&o.task, o.counts, true, o.earlier)
	var err error
	if o.task.Status == task.Todo && iteration.Works(o.s.settings.AgentRole) {
		err = o.mark(ctx)
	}
	fmt.Fprintf(o.p.Err, "iteration %d: %s  %s\n", o.n, task.Plain(o.task.ID), task.Plain(o.task.Title))
	return err
}

// openJournal begins the journal of the iteration.
func (o *oneTurn) openJournal() {
	dir, err := o.s.Bundle(o.id)
	if err == nil {
		o.journal, err = events.Open(dir, o.id)
	}
	if err != nil {
		o.warnings = append(o.warnings, "events.jsonl: "+err.Error())
		return
	}
	left := o.counts.Remaining()
	o.tell(events.RunStarted{Mode: o.mode, BacklogRemaining: &left})
}

func (o *oneTurn) closeJournal() {
	if o.journal == nil {
		return
	}
	if err := o.journal.Close(); err != nil { // which tells that it ended, also behind a preflight that blocks, or a claim that is lost
		fmt.Fprintf(o.p.Err, "warning: events.jsonl: %v\n", err)
	}
}
