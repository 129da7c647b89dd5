package processor

import (
	"context"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// pipelines are the stages of each mode, in their order.
var pipelines = map[Mode][]event.Stage{
	ModeFull:      event.Stages,
	ModeTasksOnly: {event.StageTasks},
	ModeReview:    {event.StageReview, event.StageExternal, event.StageReview2, event.StageFinalize},
	ModePlan:      {event.StagePlan},
	ModeCodexOnly: {event.StageExternal, event.StageReview2, event.StageFinalize},
}

// phaseOf is what the public progress format calls a stage.
var phaseOf = map[event.Stage]event.Phase{
	event.StageTasks: event.PhaseTask, event.StageReview: event.PhaseReview, event.StageExternal: event.PhaseCodex,
	event.StagePlan: event.PhasePlan, event.StageReview2: event.PhaseReview, event.StageFinalize: event.PhaseFinalize,
}

func before(s, from event.Stage) bool {
	return slices.Index(event.Stages, s) < slices.Index(event.Stages, from)
}

// draft runs plan creation.
func (r *Runner) draft(ctx context.Context) (phase.Report, error) {
	r.log.Emit(0, event.PhaseStart{Name: event.PhasePlan, Stage: event.StagePlan})
	report, err := r.create.Run(ctx)
	r.log.Emit(0, event.PhaseEnd{Name: event.PhasePlan, Stage: event.StagePlan, Err: text(err), Head: r.head(ctx)})
	return report, err
}

// tasks runs the task phase. Where it did anything, what an earlier process reviewed is not the work any more.
func (r *Runner) tasks(ctx context.Context) (phase.Report, error) {
	r.log.Emit(0, event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks})
	report, err := r.task.Run(ctx)
	r.log.Emit(0, event.PhaseEnd{Name: event.PhaseTask, Stage: event.StageTasks, Err: text(err), Head: r.ended(ctx, event.StageTasks)})
	if report.Done > 0 {
		r.cfg.Earlier.Ended, r.cfg.Earlier.Rounds, r.cfg.Earlier.Said = nil, nil, nil
	}
	return report, err
}

// stage runs one of the stages behind the tasks, unless there is a reason not to.
func (r *Runner) stage(ctx context.Context, s event.Stage) error {
	if _, over := r.cfg.Earlier.Ended[s]; over {
		return nil
	}
	why, silent := r.needless(s)
	if silent {
		return nil
	}
	if why != "" {
		r.log.Emit(0, event.PhaseEnd{Name: phaseOf[s], Stage: s, Skipped: why})
		return nil
	}
	var since vcs.Rev
	if s == event.StageReview && r.cfg.Mode == ModeFull && r.cfg.From == "" && len(r.when.tasks) > 0 {
		since = r.cfg.base(r.reviewed) // what some tasks were reviewed for
	}
	return r.look(ctx, s, since)
}

// needless tells why a stage is not run, or (silent) that nobody expects it.
func (r *Runner) needless(s event.Stage) (why string, silent bool) {
	full := r.cfg.Mode == ModeFull
	asked := s == r.cfg.From || before(r.cfg.From, s) && r.cfg.From != "" && r.cfg.From != event.StageTasks
	switch {
	case r.cfg.ReportOnly && s != event.StageReview:
		return "", true
	case s == event.StageFinalize:
		return "", !r.cfg.Finalize
	case full && r.cfg.Unreviewed != "":
		return r.cfg.Unreviewed, s != event.StageReview
	case full && s == event.StageReview && r.pieces && !asked:
		return r.when.already(len(r.told.Reviewed) > 0 || r.cfg.Earlier.Reviewed != ""), false
	case full && s != event.StageReview && r.unwanted && !asked:
		return "", true
	case s == event.StageExternal && r.reviews[event.StageExternal] == nil:
		return "external review disabled, skipping...", false
	case s == event.StageReview2:
		return r.needless2()
	}
	return "", false
}

// needless2 looks at the external review, by this process or an earlier one: its own changes are what is reviewed a second time.
func (r *Runner) needless2() (why string, silent bool) {
	if r.reviews[event.StageExternal] == nil {
		return "", true
	}
	end, earlier := r.cfg.Earlier.Ended[event.StageExternal]
	x := r.outside
	if earlier {
		x = phase.ReviewReport{Changed: end.Changed, Interrupted: end.Interrupted}
	}
	found := "changed nothing"
	switch {
	case x.Changed:
		return "", false
	case x.Interrupted:
		found = "was interrupted"
	case x.Skipped != "":
		found = "did not look"
	case x.Clean:
		found = "found no issues"
	}
	return "external review " + found + ", skipping post-" + r.cfg.Tool.Name + " review", false
}

// look brackets a stage with its facts, and takes what it came to.
func (r *Runner) look(ctx context.Context, s event.Stage, since vcs.Rev) error {
	what := phase.Look{Since: since, Earlier: r.cfg.Earlier.Rounds[s]}
	if said := r.cfg.Earlier.Said; said != nil && said.Stage == s {
		what.Said, r.cfg.Earlier.Said = said, nil
	}
	delete(r.cfg.Earlier.Rounds, s)
	r.log.Emit(0, event.PhaseStart{Name: phaseOf[s], Stage: s})
	report, err := r.reviews[s].Run(ctx, what)
	if s == event.StageExternal {
		r.outside = report
	}
	r.told.Sessions += report.Sessions
	r.told.Look = append(r.told.Look, report.Look...)
	if report.Interrupted {
		r.told.Interrupted = append(r.told.Interrupted, s)
	}
	r.told.Reviewed = append(r.told.Reviewed, s)
	r.log.Emit(0, event.PhaseEnd{Name: phaseOf[s], Stage: s, Err: text(err), Interrupted: report.Interrupted, Changed: report.Changed, Head: r.ended(ctx, s)})
	return err
}

// head is the revision of the tree, "" where it can't be asked: the journal is told, nothing is decided by it.
func (r *Runner) head(ctx context.Context) string {
	rev, err := r.site.Rev(context.WithoutCancel(ctx))
	if err != nil {
		return ""
	}
	return string(rev)
}

// ended is the revision of the tree at the end of a stage.
func (r *Runner) ended(ctx context.Context, s event.Stage) string {
	head := r.head(ctx)
	r.at, r.last = vcs.Rev(head), s
	return head
}
