package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ralphex/internal/workspace"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// archive moves the finished plan to completed/. Nothing that goes wrong here changes what was done.
func (r *running) archive(ctx context.Context, report *phase.Report) error {
	if !worksTasks(r.mode()) {
		return nil
	}
	if at, err := plan.Locate(r.planAt); err == nil {
		r.planAt = at // renamed during the run
	}
	report.Look = append(report.Look, r.reopened(report.Left)...)
	if !r.cfg.MovePlan || len(report.Left) > 0 || len(report.PlanChanges) > 0 || len(report.Look) > 0 {
		return nil
	}
	if open := r.passedOver(); open > 0 {
		r.Emit(0, event.Note{Level: event.Warn, Text: fmt.Sprintf("the plan stays where it is: --from %s passed over %d %s with open boxes", r.opts.from, open, plural(open, "task", "tasks"))})
		return nil
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

// reopened names the tasks with boxes that are open though the tasks are over: a reviewer, or a person, opened or wrote them since then.
// left are the boxes that are known to be open.
func (r *running) reopened(left []phase.LeftItem) (look []string) {
	if r.opts.from != "" && r.opts.from != fromPhases[0] {
		return nil // passedOver tells
	}
	p, err := plan.ParsePlanFile(r.planAt)
	if err != nil {
		return nil // the move tells
	}
	for i, task := range p.Tasks {
		open := slices.DeleteFunc(task.OpenForAgent(), func(box int) bool {
			return slices.ContainsFunc(left, func(l phase.LeftItem) bool { return l.Position == i+1 && l.Box == box })
		})
		if len(open) > 0 {
			look = append(look, fmt.Sprintf("line %d: task %d (%s) has %d open %s since the tasks were over: run the same command, which works on it", task.Line, i+1, task.Title,
				len(open), plural(len(open), "box", "boxes")))
		}
	}
	return look
}

// passedOver counts the tasks that are not done, of a run that did not begin with them.
func (r *running) passedOver() int {
	if r.opts.from == "" || r.opts.from == fromPhases[0] {
		return 0 // the task phase has looked
	}
	p, err := plan.ParsePlanFile(r.planAt)
	if err != nil {
		return len(r.plan.Tasks)
	}
	open := 0
	for _, t := range p.Tasks {
		if slices.ContainsFunc(t.Checkboxes, func(b plan.Checkbox) bool { return !b.Checked }) {
			open++
		}
	}
	return open
}

// closing is the public last line of the log of a run that came through. A review that a person ended is no success, and it was said so.
func (r *running) closing(report phase.Report) {
	if needsPerson(report) || len(report.Interrupted) > 0 {
		return
	}
	text := map[processor.Mode]string{
		processor.ModePlan: "plan creation", processor.ModeFull: "all phases", processor.ModeTasksOnly: "task execution", processor.ModeReview: "review phases", processor.ModeCodexOnly: "codex phases",
	}[r.mode()]
	if r.mode() == processor.ModeFull && r.reviewers.skipped != "" {
		text = "task execution"
	}
	if r.drafts() {
		text = fmt.Sprintf("plan creation completed in %s, created %s", event.Elapsed(time.Since(r.started)), report.Created)
		r.Emit(0, event.Note{Level: event.Info, Text: text})
		return
	}
	r.Emit(0, event.Note{Level: event.Info, Text: text + " completed successfully"})
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
	r.created = report.Created
	switch {
	case failed:
	case needsPerson(report):
		err = &exitError{code: exitLeft}
		end.Reason = leftReason(report)
	case r.opts.report && report.Findings.Found > 0:
		err = &exitError{code: exitLeft} // a program that asks whether all is well gets an answer
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
	if end.Outcome == event.LeftHuman && len(report.Skipped) > 0 {
		r.stampLeftover(ctx, &end)
	}
	end.Exit, end.Provenance = exitCode(err), r.start.Provenance
	switch {
	case r.begun:
		end.Branch = string(r.ready.Branch)
	case r.earlier != nil: // it came to none this time
		end.Branch = r.earlier.WorkedOn()
	}
	end.ListUSD, end.Unpriced = r.listPrice()
	r.leaveTree(ctx, end)
	r.record.release()
	r.notices.end()
	r.steer.end()
	r.Emit(0, end)
	r.outcome = end.Outcome
	r.dropOld()
	r.closeFace()
	r.say(report, failed)
	r.proc.atEnd(func() { r.notices.finish(r.proc.Err) })
	if r.opts.report && !failed {
		if perr := r.printReport(); perr != nil {
			return fmt.Errorf("print the report: %w", perr)
		}
	}
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
	case errors.As(err, new(*processor.BudgetError)), errors.Is(err, phase.ErrNoPerson):
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
	return len(report.Left) > 0 || len(report.PlanChanges) > 0 || len(report.Swept) > 0 || len(report.Look) > 0 ||
		len(report.Kept) > 0 // no commit has it
}

// leftWords end the reason of a run that left items to a person, and nothing else.
const leftWords = " left for a person"

func leftReason(report phase.Report) string {
	switch {
	case len(report.Left) > 0 && len(report.PlanChanges) > 0:
		return fmt.Sprintf("%d %s left for a person; the plan was changed during the run", len(report.Left), plural(len(report.Left), "item", "items"))
	case len(report.Left) > 0:
		return fmt.Sprintf("%d %s", len(report.Left), plural(len(report.Left), "item", "items")) + leftWords
	}
	if len(report.PlanChanges) > 0 {
		return "the plan was changed during the run"
	}
	if len(report.Look) > 0 {
		return report.Look[0]
	}
	if len(report.Swept) == 0 {
		return "work of a session is in no commit: it is in files that were yours before the run, or cannot be committed"
	}
	return "a session committed or undid changes of yours"
}
