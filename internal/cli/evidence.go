package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/retention"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/pkg/event"
	"ralphex/pkg/processor"
)

// evidence writes an iteration and a bundle for each session of a run. The session that runs, or has just ended, is open until its verdict is known:
// the next session, the end of its task or of its phase. What can't be written costs the evidence, and not the session; a prompt that is not
// the one that was written keeps the session from beginning.
type evidence struct {
	c *recording
	w *artifact.Writer // nil = nothing was written yet

	mu    sync.Mutex
	facts facts       // of the open session
	stage event.Stage // of the run
	task  event.TaskStart

	store    sync.Mutex       // state.json is changed by one goroutine of this process at a time
	finished [2]chan struct{} // closed when what became of the last session is written, and of the one before it; nil = there was none
	later    sync.WaitGroup   // what needs the disk and nobody waits for
	pruned   bool             // the last of that has removed old bundles, too

	lateM   sync.Mutex
	late    []error // of those
	waiting []settled
	news    bool          // there is something that the store was not told of: sessions that wait, or latest copies
	working bool          // somebody works off what waits
	closing chan struct{} // closed when no session follows

	// Of whoever works off what waits.
	synced time.Time // when all that was written was on the disk
	dirty  bool      // something was written since
}

// gather is how long sessions are gathered behind the one that the store was just told of, so that a run of very short ones does not spend its time on the
// disk. For as long the latest copies may be those of a session before.
const gather = time.Second

// syncEach is how long what was written may be the file system's alone: as long as many of them wait, too. A machine that loses its power loses as much; a process that
// is killed loses none of it. Of very short sessions most are gone by retention until then, and were never waited for.
const syncEach = 5 * time.Second

// settled is a session whose bundle is written, and whose result the store has yet to hear of.
type settled struct {
	session *provenance.Session
	result  state.Iteration
}

// record is the processor's: it keeps what the session is asked, and hands out what was kept.
func (e *evidence) record(ctx context.Context, l processor.Launch) (processor.Recorded, error) {
	out := processor.Recorded{Prompt: l.Prompt}
	if !e.c.writes() {
		return out, nil
	}
	e.settle()
	n := e.c.take(ctx)
	if n == 0 {
		return out, nil // paused; that was told
	}
	e.await(1)
	s, err := e.prepare(n, l)
	if err != nil {
		e.c.warn(fmt.Sprintf("iteration %d has no evidence", n), err)
		return out, nil
	}
	e.behind()
	out.Iteration, out.Evidence, out.Handed = n, s.ID(), s.Payload
	if out.Prompt, err = s.Prompt(); err != nil {
		return out, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.facts = facts{session: s, launch: l, prepared: time.Now()}
	return out, nil
}

// prepare writes what binds the session.
func (e *evidence) prepare(n int, l processor.Launch) (*provenance.Session, error) {
	if e.w == nil {
		w, err := artifact.Open(e.c.store.Layout)
		if err != nil {
			return nil, err
		}
		e.w = w
	}
	it := e.iteration(n, l)
	q := e.c.request()
	q.Iteration, q.ProvenanceID, q.PromptKind = n, it.ProvenanceID, it.Kind
	look := e.c.look
	if look == nil {
		look = &preflight.Report{Ready: true, ActiveClaims: "none", Summary: "Preflight ready: No task selected. There is no .ralph workspace here to be looked at."}
	}
	run := e.c.provenance
	if run == it.ProvenanceID {
		run = ""
	}
	return provenance.Prepare(e.w, it, provenance.Preparation{
		Prompt:           l.Prompt,
		PreflightReport:  stable.Marshal(look.Record(e.c.store.Layout, q, nil, time.Now())),
		PreflightSummary: []byte(look.RenderFor(q, it.Paths.PreflightReport)),
		Inputs:           e.inputs(it, l),
		Envelope:         it.Envelope("implementer", "explicit", []string{it.Paths.Prompt}, nil),
		Run:              run,
	})
}

// blocked writes the bundle of a run that its preflight keeps from beginning.
func (e *evidence) blocked(ctx context.Context, n int, look *preflight.Report) error {
	w, err := artifact.Open(e.c.store.Layout)
	if err != nil {
		return err
	}
	it, q := e.iteration(n, processor.Launch{}), e.c.request()
	session, err := provenance.BlockedByPreflight(w, it, stable.Marshal(look.Record(e.c.store.Layout, q, nil, time.Now())),
		[]byte(look.RenderFor(q, it.Paths.PreflightReport)), look.Summary, time.Now)
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	return artifact.Registry{Layout: e.c.store.Layout, Budget: patience}.Register(ctx, session.Entries()...)
}

// iteration is what all files of the session share. Of a plan's prompts only two kinds of the store are meant: a first attempt, and one after a failure.
func (e *evidence) iteration(n int, l processor.Launch) artifact.Iteration {
	c := e.c
	e.mu.Lock()
	task, stage := e.task, e.stage
	e.mu.Unlock()
	it := artifact.Iteration{
		AgentID: c.store.settings.AgentID, Provider: l.Executor, ProvenanceID: c.provenance, Paths: c.store.Iteration(n), Kind: string(iteration.Normal), Target: artifact.CLIExec,
		Policy: artifact.Policy{Workspace: c.store.Root, Inspection: c.run.repo.Root(), Strategy: "workspaceRoot", Selection: "the checkout that the run was started in", Summary: policySummary},
		Reason: "a session of the plan", Template: "prompts/plan.txt",
	}
	if it.Policy.Inspection != it.Policy.Workspace {
		it.Policy.Strategy, it.Policy.Selection = "manualOverride", "the worktree of the run"
	}
	if _, err := os.Lstat(filepath.Join(layoutBundle(c.store.Layout, c.provenance), provenance.BundleFile)); err == nil || c.provenance == "" {
		it.ProvenanceID = claim.ProvenanceID(n, claim.CLI, time.Now()) // the run's own name is its first session's
	}
	switch {
	case l.Resumed:
		it.Reason, it.Kind = "the session before ended too early, and is gone on with", string(iteration.ContinueProgress)
	case stage != event.StageNone && stage != event.StageTasks:
		it.Reason, it.Template = "a session of the stage "+string(stage), "prompts/"+string(stage)+".txt"
	case l.Session.Position > 0:
		it.TaskID, it.TaskTitle, it.Template = c.taskID(l.Session.Position, task.ID), task.Title, "prompts/task.txt"
		it.Reason = fmt.Sprintf("task %s is the first that is not done", task.ID)
		if task.Attempt > 1 {
			it.Reason, it.Kind = fmt.Sprintf("attempt %d of task %s: what the one before did was not enough", task.Attempt, task.ID), string(iteration.FixFailure)
		}
	}
	if command := joined(c.run.start.Commands); command != "" {
		it.Validation = artifact.Commands{Hint: command, Effective: command}
	}
	it.PromptFile = c.store.PromptFile(it.Kind, n)
	it.Transcript, it.LastMessage = c.store.RunFiles(it.Kind, n)
	return it
}

// joined is the plan's validation as one command.
func joined(commands []event.Command) string {
	var texts []string
	for _, c := range commands {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, " && ")
}

// inputs are what a plan's prompt is made of, in the words of the store.
func (e *evidence) inputs(it artifact.Iteration, l processor.Launch) artifact.Inputs {
	in := artifact.Inputs{Objective: "work off " + e.c.run.named, Repo: []string{e.c.run.repo.Root()}, Runtime: []string{"agent " + l.Executor},
		Rules: []string{"the prompt itself is prompt.md: these are its sources"}}
	if l.Session.Plan != "" {
		in.TaskPlan = []string{l.Session.Plan}
	}
	if it.TaskID != "" {
		in.Task = []string{it.TaskID + " - " + it.TaskTitle}
	}
	if l.Model != "" {
		in.Runtime = append(in.Runtime, "model "+l.Model)
	}
	return in
}

// settle closes the open session. What became of it is taken down now; its result and its bundle are written, and the state and the registry hear of
// it, behind the run's back. It must not be called from where facts are passed on.
func (e *evidence) settle() {
	e.tellLate()
	e.finish()
}

// finish is settle for whoever can't tell of trouble.
func (e *evidence) finish() {
	e.mu.Lock()
	f := e.facts
	e.facts = facts{}
	e.mu.Unlock()
	if f.session == nil {
		return
	}
	o := e.outcome(f)
	done := make(chan struct{})
	e.mu.Lock()
	before := e.finished[0]
	e.finished = [2]chan struct{}{done, before}
	e.mu.Unlock()
	go func() {
		defer close(done)
		if before != nil {
			<-before // the histories have sessions in their order
		}
		res, err := f.session.Finish(o)
		if err != nil {
			e.addLate(fmt.Errorf("the evidence of iteration %d: %w", f.session.Number(), err))
		}
		e.behind(settled{f.session, res}) // its result also when a file of it is missing
	}()
}

// await waits until what became of all sessions but the last ones is written.
func (e *evidence) await(but int) {
	e.mu.Lock()
	done := e.finished[but]
	e.mu.Unlock()
	if done != nil {
		<-done
	}
}

// behind has the store told of sessions that have ended, and the latest copies written. What comes while it is told of others is told together: it is the
// disk that takes the time.
func (e *evidence) behind(ended ...settled) {
	e.lateM.Lock()
	defer e.lateM.Unlock()
	e.waiting, e.news = append(e.waiting, ended...), true
	if e.working {
		return
	}
	e.working = true
	e.later.Go(func() {
		for {
			e.lateM.Lock()
			batch, news := e.waiting, e.news
			e.working, e.waiting, e.news = news || e.dirty, nil, false
			working := e.working
			e.lateM.Unlock()
			if !working {
				return
			}
			if news {
				e.addLate(e.background(batch))
				e.dirty = true
			}
			if e.dirty && (e.isClosing() || time.Since(e.synced) >= syncEach) {
				e.addLate(e.w.Sync())
				e.dirty, e.synced = false, time.Now()
			}
			select {
			case <-time.After(gather):
			case <-e.closing:
			}
		}
	})
}

// isClosing tells whether no session follows.
func (e *evidence) isClosing() bool {
	select {
	case <-e.closing:
		return true
	default:
		return false
	}
}

// tellLate tells what went wrong behind the run's back.
func (e *evidence) tellLate() {
	e.lateM.Lock()
	late := e.late
	e.late = nil
	e.lateM.Unlock()
	for _, err := range late {
		e.c.warn("", err)
	}
}

// background does what takes its time and decides nothing: the disk, the histories, the retention, and the registry.
func (e *evidence) background(batch []settled) error {
	for _, err := range e.w.ShowLatest() {
		e.addLate(fmt.Errorf("a latest copy is missing: %w", err))
	}
	if len(batch) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), projectFor)
	defer cancel()
	var ended []state.Ended
	var entries []artifact.Entry
	for _, s := range batch {
		run := state.RunOf(s.result, loopTurns)
		ended = append(ended, state.Ended{Iteration: s.result, Run: &run, Prompt: state.Prompt{Kind: s.result.PromptKind, Path: s.result.PromptPath}})
		entries = append(entries, s.session.Entries()...)
	}
	record := func() error {
		e.store.Lock()
		defer e.store.Unlock()
		return e.c.state.RecordAll(ctx, ended...)
	}
	bundles := 0 // they stay while the run goes on: its journal lies in its first one
	if e.isClosing() {
		bundles, e.pruned = e.c.store.settings.BundleRetention, true
	}
	return errors.Join(
		record(),
		e.prune(ctx, bundles),
		artifact.Registry{Layout: e.c.store.Layout, Budget: patience}.Register(ctx, entries...))
}

func (e *evidence) addLate(err error) {
	if err == nil {
		return
	}
	e.lateM.Lock()
	defer e.lateM.Unlock()
	e.late = append(e.late, err)
}

func (e *evidence) prune(ctx context.Context, bundles int) error {
	set := e.c.store.settings
	_, err := retention.Prune(ctx, e.c.store.Layout, retention.Keep{Generated: set.GeneratedRetention, Bundles: bundles})
	return err
}

// close ends the evidence. What is still open had no verdict. The bus is closed by now, so what went wrong is returned.
func (e *evidence) close() error {
	if e.w == nil {
		return nil
	}
	e.finish()
	e.await(0)
	close(e.closing)
	e.later.Wait()
	if !e.pruned {
		ctx, cancel := context.WithTimeout(context.Background(), projectFor)
		defer cancel()
		e.addLate(e.prune(ctx, e.c.store.settings.BundleRetention))
	}
	return errors.Join(append(e.late, e.w.Close())...)
}
