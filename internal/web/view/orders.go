package view

import (
	"time"

	"ralphex/pkg/event"
)

// applyOrder takes what a run holds for, and what it was told.
func (s *State) applyOrder(e event.Event) {
	switch d := e.Data.(type) {
	case event.Wait:
		s.waitBegins(e, d)
	case event.Pause:
		s.closePause(e.Time)
		if !d.Over {
			s.paused, s.pausedBy = true, d.By
			s.pauses = append(s.pauses, Span{Seq: e.Seq, From: e.Time, By: d.By})
		}
	case event.Order:
		s.orders = append(s.orders, Order{Seq: e.Seq, Time: e.Time, Task: e.Task, What: d.What, AfterTask: d.AfterTask, By: d.By, Text: d.Text})
	case event.Budget:
		d.Run = d.Run.Plus(d.Added) // what holds now is what is shown
		s.budget = &d
	}
}

// waitBegins opens a wait, or goes on with one that is told of again.
func (s *State) waitBegins(e event.Event, d event.Wait) {
	if !d.Until.IsZero() {
		d.Until = plain(d.Until)
	}
	if s.wait != nil && !d.Until.IsZero() && d.Until.Equal(s.wait.Until) && d.Reason == s.wait.Text {
		return
	}
	s.closeWait(e.Time)
	due := d.Until
	s.wait = &Waiting{For: ForLimit, Since: e.Time, Until: d.Until, Text: d.Reason, Agent: d.Agent}
	if d.Until.IsZero() {
		due = e.Time.Add(d.For)
		s.wait.For, s.wait.Until = ForDelay, due
	}
	s.waits = append(s.waits, Span{Seq: e.Seq, From: e.Time, Due: &due, Reason: d.Reason, By: d.Agent})
}

// endWait ends a wait when something happens that does not happen in one.
func (s *State) endWait(e event.Event) {
	if s.wait == nil {
		return
	}
	switch e.Data.(type) {
	case event.Wait, event.Note, event.Order, event.Budget, event.Survivor, event.Output, event.Unknown, event.RunRestart: // which ends all there is
	default:
		s.closeWait(e.Time)
	}
}

func (s *State) closeWait(at time.Time) {
	if s.wait != nil {
		lastOf(s.waits).Until = &at
		s.wait = nil
	}
}

func (s *State) closePause(at time.Time) {
	if s.paused {
		lastOf(s.pauses).Until = &at
		s.paused, s.pausedBy = false, ""
	}
}

// applyTalk follows the conversation in which a plan is made.
func (s *State) applyTalk(e event.Event) {
	turn := Talk{Seq: e.Seq, Time: e.Time, Kind: e.Data.Kind()}
	switch d := e.Data.(type) {
	case event.Asked:
		turn.Text, turn.Answer = d.Question, d.Answer
		s.question = nil
		if d.Answer == "" {
			s.question = &Question{Seq: e.Seq, Time: e.Time, Question: d.Question, Options: append([]string{}, d.Options...), Context: d.Context}
		}
	case event.Draft:
		turn.N = d.N
		s.question, s.draft = nil, nil
		if !d.Back {
			s.draft = &Draft{Seq: e.Seq, Time: e.Time, N: d.N, Text: d.Text, Previous: s.previous, Problems: append([]string{}, d.Problems...), Path: d.Path}
		}
		s.previous = d.Text
	case event.DraftReview:
		turn.N, turn.Action, turn.Text = d.N, d.Action, d.Feedback
		s.draft = nil
	case event.PlanFile:
		s.question, s.draft = nil, nil
		s.planFile = &PlanFile{Seq: e.Seq, Path: d.Path, By: d.By}
		return
	}
	s.talk = append(s.talk, turn)
}

// applyTree takes what became of branch, tree and plan.
func (s *State) applyTree(e event.Event) {
	switch d := e.Data.(type) {
	case event.Commit:
		s.commits = append(s.commits, Commit{Seq: e.Seq, Time: e.Time, Task: e.Task, Phase: e.Phase, Rev: d.Rev, Message: d.Message, By: d.By,
			Paths: few(d.Paths), Replaced: d.Replaced})
	case event.Branch:
		s.branch = d.Name
	case event.Archived:
		s.plan = d.To
	case event.Kept:
		s.copies = append(s.copies, Copy{Seq: e.Seq, Time: e.Time, Ref: d.Ref, Rev: d.Rev, Why: d.Why})
	case event.SetAside:
		s.aside = append(s.aside, SetAside{Seq: e.Seq, Paths: few(d.Paths), By: d.By})
	}
}
