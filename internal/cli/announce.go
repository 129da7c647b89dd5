package cli

import (
	"context"
	"fmt"
	"os"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
)

// announce journals the start or the restart, and what was noticed while looking.
func (r *running) announce() {
	host, _ := os.Hostname()
	if e := r.earlier; e != nil {
		r.start, r.usage = e.Start, e.Usage
		restart := event.RunRestart{PID: os.Getpid(), Host: host, LastSeq: e.LastSeq, Reason: "the process before died"}
		if !e.Died {
			restart.Reason = "it ended as " + string(e.End.Outcome)
			restart.Commands, restart.Reviews = commandsOf(r.plan), phase.ReviewMarks(r.plan)
			if restart.Reviews == nil {
				restart.Reviews = map[string]string{} // the plan has none any more
			}
			r.start.Commands, r.start.Reviews = restart.Commands, restart.Reviews
		}
		if name := r.record.provenance; name != r.start.Provenance {
			restart.Provenance, r.start.Provenance = name, name
		}
		r.Emit(0, restart)
		r.announced = true
		r.Emit(0, event.Note{Level: event.Info, Text: r.goingOn()})
	} else {
		r.start = event.RunStart{Plan: r.named, Mode: r.modeName(), Request: r.opts.create.request, Branch: string(r.ready.Branch), Worktree: r.treeDir(), Executor: r.agent.ex.Name(),
			PID: os.Getpid(), Host: host, Version: versionString(), StartHead: string(r.ready.Start.Rev), Dirty: r.ready.Dirty,
			Tasks: len(r.plan.Tasks), Done: phase.DoneKeys(r.plan), Commands: commandsOf(r.plan), Reviews: phase.ReviewMarks(r.plan), Provenance: r.record.provenance}
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
	r.start.Reviews = phase.ReviewMarks(p)
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
