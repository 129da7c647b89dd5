package view

import (
	"time"

	"ralphex/pkg/event"
)

// stageOf is the stage of a phase, for logs that name no stages.
var stageOf = map[event.Phase]event.Stage{
	event.PhaseTask: event.StageTasks, event.PhaseReview: event.StageReview, event.PhaseCodex: event.StageExternal,
	event.PhaseClaudeEval: event.StageExternal, event.PhaseFinalize: event.StageFinalize, event.PhasePlan: event.StagePlan,
}

// phaseStart opens a stage. A phase within a stage, as the evaluation of what another tool found, opens none.
func (s *State) phaseStart(e event.Event, d event.PhaseStart) {
	s.phase, s.heard = d.Name, true
	if s.meta.Source == Progress {
		if d.Stage == event.StageNone {
			d.Stage = stageOf[d.Name]
		}
		if d.Stage == s.stage {
			return
		}
		s.leaveTask(e, d.Name != event.PhaseTask)
	}
	if d.Stage == event.StageNone {
		return
	}
	s.closeStage(e.Time, false)
	s.stage, s.roundBegan = d.Stage, time.Time{}
	s.stages = append(s.stages, StageSpan{Stage: d.Stage, Phase: d.Name, Started: e.Time, Seq: e.Seq})
}

func (s *State) phaseEnd(e event.Event, d event.PhaseEnd) {
	if s.meta.Source == Progress {
		if d.Stage == event.StageNone {
			d.Stage = stageOf[d.Name]
		}
		s.leaveTask(e, d.Name == event.PhaseTask && d.Err == "")
	}
	if d.Stage == event.StageNone {
		return
	}
	at := e.Time
	if d.Stage == s.stage {
		span := lastOf(s.stages)
		span.Ended, span.Skipped, span.Err, span.Interrupted, span.Changed = &at, d.Skipped, d.Err, d.Interrupted, d.Changed
		s.stage = event.StageNone
		return
	}
	s.stages = append(s.stages, StageSpan{Stage: d.Stage, Phase: d.Name, Started: at, Ended: &at, Skipped: d.Skipped, Err: d.Err,
		Interrupted: d.Interrupted, Changed: d.Changed, Seq: e.Seq})
	if s.stage != event.StageNone { // the open stage stays the newest
		n := len(s.stages)
		s.stages[n-1], s.stages[n-2] = s.stages[n-2], s.stages[n-1]
	}
}

func (s *State) closeStage(at time.Time, killed bool) {
	if s.stage != event.StageNone {
		span := lastOf(s.stages)
		span.Ended, span.Killed = &at, killed
		s.stage = event.StageNone
	}
}

func (s *State) sectionBegins(e event.Event, d event.Section) {
	s.closeSection(e.Time)
	s.section = append(s.section, Section{Seq: e.Seq, Time: e.Time, Type: d.Type, Label: d.Label, Task: d.TaskNum, Iteration: d.Iteration, Phase: e.Phase})
	s.roundBegins(e.Time)
	if s.meta.Source == Progress && d.TaskNum > 0 {
		s.taskByHeading(e, d.TaskNum)
	}
}

func (s *State) closeSection(at time.Time) {
	if c := lastOf(s.section); c != nil && c.Ended == nil {
		c.Ended = &at
	}
}

// roundBegins notes when the round of a review began that ends next.
func (s *State) roundBegins(at time.Time) {
	if s.roundBegan.IsZero() && s.stage != event.StageNone && s.stage != event.StageTasks {
		s.roundBegan = at
	}
}

func (s *State) applyReview(e event.Event) {
	switch d := e.Data.(type) {
	case event.Finding:
		s.found.read(e.Seq, d)
	case event.ReviewRound:
		s.rounds = append(s.rounds, Round{Seq: e.Seq, Stage: d.Stage, N: d.N, Reviewer: d.Reviewer, Found: d.Found, New: d.New, Returned: d.Returned,
			Changed: d.Changed, Red: d.Red, Result: d.Result, Started: s.roundBegan, Ended: e.Time, Head: d.Head, Words: tailOf(d.Words)})
		s.roundBegan = time.Time{}
	}
}
