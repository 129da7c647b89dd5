package source

import (
	"time"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// basic is the reducer until view has its own.
type basic struct {
	run view.Run
	end bool
}

func newState(m view.Meta) *basic {
	return &basic{run: view.Run{ID: m.ID, Source: m.Source, Project: m.Project, Root: m.Root, Path: m.Path, Can: []string{}}}
}

func (b *basic) Apply(e event.Event) {
	r := &b.run
	r.Run, r.Seq, r.Last = e.Run, e.Seq, e.Time
	r.Phase = e.Phase
	switch d := e.Data.(type) {
	case event.RunStart:
		if r.Started.IsZero() {
			r.Started = e.Time
		}
		r.PlanPath, r.Plan, r.Title, r.Mode, r.Branch, r.Executor, r.Host, r.PID = d.Plan, d.Plan, d.Plan, d.Mode, d.Branch, d.Executor, d.Host, d.PID
		r.Tasks.Total = d.Tasks
	case event.RunRestart:
		b.end, r.Ended, r.Outcome, r.Exit = false, nil, "", nil
		r.Restarts++
	case event.RunEnd:
		b.end = true
		r.Ended, r.Outcome, r.Exit, r.Why = &e.Time, d.Outcome, &d.Exit, d.Reason
	case event.Section:
		r.Section = d.Label
	}
}

func (b *basic) Run(_ time.Time, alive view.Alive) view.Run {
	r := b.run
	switch {
	case b.end && r.Outcome == event.Failed:
		r.State = view.Failed
	case b.end && r.Outcome == event.Interrupted:
		r.State = view.Aborted
	case b.end:
		r.State = view.Completed
	case alive == view.Dead:
		r.State = view.Killed
	default:
		r.State = view.Active
	}
	return r
}

func (b *basic) Detail(now time.Time, alive view.Alive) view.Detail {
	return view.Detail{Run: b.Run(now, alive)}
}
