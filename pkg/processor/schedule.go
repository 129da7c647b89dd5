package processor

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// schedule tells when the work of each task is reviewed: as its plan says, else as the settings do.
type schedule struct {
	rest  Schedule
	tasks map[string]string // see Config.Reviews
}

func newSchedule(c Config) schedule {
	return schedule{rest: cmp.Or(c.Review, ReviewEnd), tasks: c.Reviews}
}

// of is when the task at a position is reviewed.
func (s schedule) of(p *plan.Plan, pos int) Schedule {
	if t, ok := p.Task(pos); ok {
		if own, ok := s.tasks[phase.Key(t)]; ok {
			return Schedule(own)
		}
	}
	return s.rest
}

// never tells whether none of so many tasks is reviewed.
func (s schedule) never(tasks int) bool {
	own := 0
	for _, when := range s.tasks {
		if Schedule(when) != ReviewNone {
			return false
		}
		own++
	}
	return s.rest == ReviewNone || own > 0 && own == tasks
}

// wanted tells whether any of these tasks is to be reviewed, at whatever time.
func (s schedule) wanted(p *plan.Plan, done []int) bool {
	return slices.ContainsFunc(done, func(pos int) bool { return s.of(p, pos) != ReviewNone })
}

// already tells why the first review has nothing left to look at.
func (s schedule) already(looked bool) string {
	switch {
	case !looked && s.rest == ReviewNone:
		return "review = none"
	case !looked:
		return "no task of the plan is to be reviewed, as it says"
	case len(s.tasks) > 0:
		return "the work is reviewed already, as the plan says"
	}
	return fmt.Sprintf("the work is reviewed already, %s by %s", s.rest, s.rest)
}

// Tasks is the phase.Between of a run: it reviews what tasks did, as the schedule says.
func (r *Runner) Tasks(ctx context.Context, p *plan.Plan, done []int, next int) (bool, error) {
	plain := r.when.rest == ReviewNone && len(r.when.tasks) == 0
	switch {
	case r.cfg.Mode != ModeFull || r.cfg.Unreviewed != "" || plain || len(done) == 0:
		return false, nil
	case !r.when.wanted(p, done):
		if r.cfg.Site.Line.Grows() { // all tasks are one commit: they can't be told apart
			return false, nil
		}
		r.log.Emit(done[len(done)-1], event.Note{Level: event.Info, Text: taskNames(done) + ": not reviewed, as the plan says"})
		r.reviewed = vcs.Rev(r.head(ctx))
		return true, nil
	case !r.due(p, done, next):
		r.pieces = false
		return false, nil
	}
	err := r.look(ctx, event.StageReview, r.cfg.base(r.reviewed))
	r.log.Emit(0, event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks})
	if err != nil {
		return true, err
	}
	r.pieces, r.reviewed = true, vcs.Rev(r.head(ctx))
	return true, nil
}

// due tells whether a look is wanted between two tasks; next is 0 behind the last one.
func (r *Runner) due(p *plan.Plan, done []int, next int) bool {
	for _, pos := range done {
		switch r.when.of(p, pos) {
		case ReviewTask:
			return true
		case ReviewGroup:
			if next == 0 || group(p, pos) != group(p, next) {
				return true
			}
		}
	}
	return false
}

// group is the heading of level 1 or 2 that a task stands under, by its line; 0 = none.
func group(p *plan.Plan, pos int) int {
	task, ok := p.Task(pos)
	if !ok {
		return 0
	}
	line := 0
	for _, h := range p.Headings {
		if h.Level <= 2 && h.Line < task.Line {
			line = h.Line
		}
	}
	return line
}

// taskNames is "task 2", "tasks 2, 3".
func taskNames(done []int) string {
	text := "task "
	if len(done) > 1 {
		text = "tasks "
	}
	for i, pos := range done {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(pos)
	}
	return text
}
