package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/prompt"
	"ralphex/internal/ralph/provenance"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
	"ralphex/pkg/event"
)

// taskPlanFile is the plan of a task, in its own folder among the artifacts.
const taskPlanFile = "task-plan.json"

// maxTaskPlan bounds a task-plan.json, in bytes.
const maxTaskPlan = 4 << 20

// readTaskPlan is the plan of the task as it is now; nil where there is none that is fresh and can be read.
func (s *store) readTaskPlan(t *task.Task) *iteration.TaskPlan {
	dir, err := s.TaskDir(t.ID)
	if err != nil {
		return nil
	}
	data, err := durable.ReadFile(filepath.Join(dir, taskPlanFile), maxTaskPlan)
	if err != nil {
		return nil
	}
	p, err := iteration.ReadTaskPlan(data)
	if err != nil || !p.Fresh(t) {
		return nil
	}
	return p
}

// inlinePlanning tells whether a planning session is a part of the iteration: a step of its own needs several agents.
func (s *store) inlinePlanning() bool {
	pass := s.settings.PlanningPass
	return pass.Enabled && (pass.Mode != "dedicated" || s.settings.AgentCount < 2)
}

// readiness asks the readiness gate about the task. A planning session is one more process: only where the words of the task, and a plan that is there, are
// not enough.
func (o *oneTurn) readiness(ctx context.Context, w *artifact.Writer) (iteration.Gate, iteration.GateResult, error) {
	set := o.s.settings
	g := iteration.Gate{Mode: set.ReadinessGate, Inline: o.s.inlinePlanning(), MaxChildren: set.MaxGeneratedChildren, Task: o.selected()}
	o.plan = nil
	if g.Task != nil {
		o.plan = o.s.readTaskPlan(g.Task)
	}
	if g.Off() {
		return g, iteration.GateResult{Outcome: iteration.GateSkipped, Plan: o.plan}, nil
	}
	p := o.snap.Project
	g.Ground = iteration.Ground{Effective: o.report.Validation.Effective, Sources: len(p.Sources), Tests: p.Tests, Manifests: len(p.Manifests), Scripts: p.Scripts}
	g.Shape = iteration.ShapeOf(g.Task, nil, g.Ground)
	plan, made := o.plan, false
	switch {
	case g.Atomic() && plan == nil:
		plan, made = iteration.AtomicPlan(g.Task), true
	case plan == nil:
		var err error
		if plan, err = o.askForPlan(ctx, w, g); err != nil {
			return g, iteration.GateResult{}, err
		}
		made = plan != nil
	}
	r := g.Decide(plan)
	if made {
		plan.NextAction, plan.Accepted = r.NextAction(), r.Stop() == "" || r.Outcome == iteration.GateCut
		plan.For(g.Task, g.Mode, o.mutations, time.Now())
		o.keepForTask(w, taskPlanFile, plan.Bytes())
	}
	o.plan = plan
	if r.Outcome != iteration.GateProceed {
		o.warnings = append(o.warnings, r.Warnings...)
	}
	return g, r, nil
}

// askForPlan asks the agent how the task would be done. What was asked, and what it answered, lies in the iteration's folder; nil is an answer that is no plan.
func (o *oneTurn) askForPlan(ctx context.Context, w *artifact.Writer, g iteration.Gate) (*iteration.TaskPlan, error) {
	objective, err := durable.ReadFile(o.s.PRD, maxObjective)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the objective: %w", err)
	}
	asked := []byte(prompt.Planning(g.Task, g.Shape, g.Ground.Effective, string(objective), g.MaxChildren))
	at := filepath.Join(o.s.Iteration(o.n).Dir, provenance.PlanningPrompt)
	if err := o.keepHere(w, provenance.PlanningPrompt, asked); err != nil {
		return nil, err
	}
	before, err := o.lookAround(ctx)
	if err != nil {
		return nil, err
	}
	text, err := provenance.ReadBack(at, asked)
	if err != nil {
		return nil, err
	}
	guard, began := o.guardFiles(), time.Now()
	fmt.Fprintf(o.p.Err, "planning: %s\n", task.Plain(g.Task.ID))
	o.tell(events.ProviderInvoked{TaskID: g.Task.ID, Provider: o.ex.Name(), Iteration: &o.n})
	res, failed := o.ask(ctx, text, before, func(event.Output) {})
	after, err := o.lookAround(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	o.inspect(context.WithoutCancel(ctx), guard)
	o.over(context.WithoutCancel(ctx), res, failed, before, after)
	if d := iteration.CompareTrees(before.tree, after.tree, before.changed(after), o.committed, ""); len(d.Relevant) > 0 {
		o.warnings = append(o.warnings, "The planning session changed files, though it was asked not to: "+strings.Join(d.Relevant, ", ")+".")
	}
	o.meddled = slices.Contains(before.changed(after), o.s.Rel(o.s.Tasks))
	if v := o.invocation(began); v != nil {
		v.PromptHash, v.PromptBytes, v.StdinHash = stable.Hash(asked), len(asked), stable.Hash([]byte(text))
		if err := o.keepHere(w, "planning-invocation.json", stable.Marshal(o.iteration().PlanningInvocation(at, *v))); err != nil {
			return nil, err
		}
	}
	o.argv, o.committed = nil, nil
	trouble, status := sessionTrouble(res, failed), string(iteration.Succeeded)
	if trouble != "" {
		status = string(iteration.Crashed)
	}
	o.tell(events.ProviderCompleted{TaskID: g.Task.ID, Provider: o.ex.Name(), Iteration: &o.n, Status: status})
	answer := o.safe.redactor.String(res.Text)
	if err := o.keepHere(w, "planning-response.md", []byte(answer)); err != nil {
		return nil, err
	}
	if trouble != "" {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if res.Failure != nil && res.Failure.Class.Info().Human {
			return nil, res.Failure // a limit or a login: the session that follows would meet it, too
		}
		o.warnings = append(o.warnings, "The planning session failed: "+trouble)
		return nil, nil
	}
	r, err := task.ParsePlanningResponse(answer)
	if err != nil {
		o.warnings = append(o.warnings, "The answer of the planning session can't be used: "+err.Error())
		return nil, nil
	}
	return &iteration.TaskPlan{PlanningResponse: *r}, nil
}

// keepHere writes a file of the iteration's folder, which the bundle's sums will have.
func (o *oneTurn) keepHere(w *artifact.Writer, name string, data []byte) error {
	path := filepath.Join(o.s.Iteration(o.n).Dir, name)
	o.kept = append(o.kept, provenance.File{Path: path, Data: data})
	return errors.Join(w.Put(data, path), w.Sync())
}

// keepForTask writes a file of the task's own folder, which later iterations replace. An id that can't be a folder has none.
func (o *oneTurn) keepForTask(w *artifact.Writer, name string, data []byte) {
	dir, err := o.s.TaskDir(o.task.ID)
	if err == nil {
		err = errors.Join(w.Put(data, filepath.Join(dir, name)), w.Sync())
	}
	if err != nil {
		o.warnings = append(o.warnings, fmt.Sprintf("%s of %s could not be kept: %v", name, task.Plain(o.task.ID), err))
	}
}

// stopAtGate records an iteration that the gate ended: no session of it was started.
func (o *oneTurn) stopAtGate(ctx context.Context, w *artifact.Writer, session *provenance.Session, g iteration.Gate, r iteration.GateResult) (turned, error) {
	if r.Outcome == iteration.GateCut {
		if _, err := o.tasks.ApplySuggestedChildren(ctx, g.Task.ID, r.Children); err != nil {
			r.Outcome, r.Children = iteration.GateBlock, nil
			r.Warnings = append(r.Warnings, fmt.Sprintf("The parts could not be put below %s: %v.", task.Plain(g.Task.ID), err))
			r.Summary = fmt.Sprintf("%s should be cut, and its parts don't fit the graph.", task.Plain(g.Task.ID))
		} else {
			o.tell(events.RecoveryApplied{TaskID: g.Task.ID, Action: string(task.DecomposeTask)})
		}
	}
	evidence := g.Evidence(r, time.Now())
	name := filepath.Base(o.s.Iteration(o.n).PlanningGate)
	if err := o.keepHere(w, name, evidence); err != nil {
		return turned{}, err
	}
	o.keepForTask(w, name, evidence)
	return o.skip(ctx, session, iteration.Classified{Classification: r.Class(), Signals: []string{}, FollowUp: iteration.StopLoop}, r.Stop(), r.Summary)
}

// skip records an iteration whose session was not started. stop is why the loop ends with it; "" = that is decided as ever.
func (o *oneTurn) skip(ctx context.Context, session *provenance.Session, class iteration.Classified, stop iteration.StopReason, why string) (turned, error) {
	e := &ending{oneTurn: o, execution: iteration.Skipped, judgement: iteration.Judgement{Status: iteration.Missing, Warnings: []string{}, Stop: stop}, doubted: stop == iteration.HumanReviewNeeded}
	e.readGraph(ctx)
	e.doubt(ctx)
	for _, name := range []string{artifact.ValidationCommand, artifact.GitDiff, artifact.TaskState} {
		e.verdicts = append(e.verdicts, iteration.NotVerified(name, "No session was started."))
	}
	for _, phase := range []string{"resultCollectedAt", "verificationFinishedAt", "classifiedAt"} {
		o.phase(phase)
	}
	it := e.result(class, task.Skipped)
	it.Execution = state.Execution{Message: why}
	it.Warnings = append(it.Warnings, why)
	if stop == "" {
		stop = e.decide(append(slices.Clone(o.earlier.IterationHistory), it), it)
	}
	if stop != "" {
		it.FollowUp = string(iteration.StopLoop)
	}
	it.StopReason = string(stop)
	return e.close(ctx, session, it, nil, provenance.Outcome{Stdout: []byte{}, Stderr: []byte{}, Verifiers: e.verdicts,
		Report: artifact.CompletionReport{Status: string(iteration.Missing), TaskID: o.task.ID, Warnings: []string{}}, LastWords: stable.CutUTF16(why, 200)})
}
