package journal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/signals"
)

// State is where a run stands, by its journal.
type State struct {
	Run     event.RunID
	Path    string // of the journal
	LastSeq int64
	Started time.Time
	Last    time.Time // of the newest event
	Start   event.RunStart
	End     *event.RunEnd // nil: the run died, or lives

	// What follows is only filled in for a run without End.

	Restarts    int
	Branch      *event.Branch
	Phase       event.Phase  // of the newest event that has one
	Sessions    int          // started so far
	Usage       event.Usage  // of the sessions that ended
	Session     *Session     // in flight: started and not ended
	Paused      *event.Pause // of a list of runs: its newest fact is that it holds its place
	PausedSince time.Time
	Waiting     *event.Wait // for a limit: begun, and no session since; of a run that ended orderly, too
	Tasks       map[int]*Task
	Current     int             // position of the task that was started and not ended, 0 = none
	Commits     []event.Commit  // in order, whoever made them
	Archived    *event.Archived // the plan is in its archive

	Talk []event.Data // of a run that makes a plan: Asked, Draft, DraftReview, PlanFile and the headings of its sessions, in order

	Notes []event.Order // that no session has got yet, in order

	Pipeline

	Aside map[string]event.Maker // paths that are not the run's to commit, beside Start.Dirty

	ends []Task // what ended, in order; a task may have ended several times
}

// WorkedOn is the branch of the run's newest process that came to one, as far as the state was read: a run may be gone on with on another branch than
// the one that it began on.
func (s *State) WorkedOn() string {
	switch {
	case s.End != nil && s.End.Branch != "":
		return s.End.Branch
	case s.Branch != nil:
		return s.Branch.Name
	}
	return s.Start.Branch
}

// Unfinished tells whether there is something to resume.
func (s *State) Unfinished() bool { return s.End == nil }

// Session is a session without an end: its process may live on.
type Session struct {
	event.SessionStart
	Task    int
	Started time.Time
}

// Task is what the journal knows of the task at a position.
type Task struct {
	Position int
	ID       string
	Title    string
	Attempts int            // red gates, and TASK_FAILED that no green gate overruled
	Green    *event.GateEnd // a gate that was green, with no commit, session or end behind it
	End      *event.TaskEnd // the newest one

	Skipping bool // somebody ordered to leave it open, and it has not ended since

	claimed bool // TASK_FAILED came last in the session, and no gate has judged it yet
}

// Key names the task in a way that survives moving it: "2.5: Add the parser".
func (t *Task) Key() string { return t.ID + ": " + t.Title }

// Done tells whether a run has to do no more about the task.
func (t *Task) Done() bool {
	return t.End != nil && t.End.Outcome.Completed()
}

// Attempts returns the counter of the task at a position, 0 if the journal has nothing of it.
func (s *State) Attempts(position int) int {
	if t := s.Tasks[position]; t != nil {
		return t.Attempts
	}
	return 0
}

// read builds the state of a run from its whole journal.
func read(path string) (*State, error) {
	s := &State{Path: path, Tasks: map[int]*Task{}, Pipeline: newPipeline()}
	for e, err := range Events(path, event.Output{}.Kind()) {
		if err != nil {
			return nil, err
		}
		s.apply(e)
	}
	if s.LastSeq == 0 {
		return nil, fmt.Errorf("read journal %s: no events", path)
	}
	if s.Session == nil { // the last session ended, so its claim stands
		for _, t := range s.Tasks {
			t.judge(false)
		}
	}
	return s, nil
}

// apply moves the state by one event.
func (s *State) apply(e event.Event) {
	s.Run, s.Last = e.Run, e.Time
	s.LastSeq = max(s.LastSeq, e.Seq)
	if e.Phase != event.PhaseNone {
		s.Phase = e.Phase
	}
	switch d := e.Data.(type) {
	case event.RunStart:
		if s.Start = d; s.Started.IsZero() { // told once more when something became known later
			s.Started = e.Time
		}
	case event.RunRestart:
		s.Restarts++
		if s.End != nil {
			s.unskip()
		}
		s.End = nil
		if len(d.Commands) > 0 {
			s.Start.Commands = d.Commands
		}
		if d.Reviews != nil {
			s.Start.Reviews = d.Reviews
		}
		s.named(d.Provenance)
	case event.RunEnd:
		s.End = &d
		s.named(d.Provenance)
	case event.Branch:
		s.Branch = &d
	case event.Archived:
		s.Archived = &d
	case event.Asked, event.Draft, event.DraftReview, event.PlanFile:
		s.Talk = append(s.Talk, d)
	case event.Section:
		if e.Phase == event.PhasePlan {
			s.Talk = append(s.Talk, d)
		}
	case event.SetAside:
		if s.Aside == nil {
			s.Aside = make(map[string]event.Maker, len(d.Paths))
		}
		for _, p := range d.Paths {
			s.Aside[p] = d.By
		}
	case event.SessionStart, event.SessionEnd:
		s.applySession(e)
	case event.Order:
		if d.What == event.OrderNote {
			s.Notes = append(s.Notes, d)
		}
	case event.Commit:
		s.Commits = append(s.Commits, d)
	case event.Wait:
		if s.Waiting = nil; !d.Until.IsZero() {
			s.Waiting = &d
		}
	}
	s.Pipeline.apply(e)
	if e.Task > 0 {
		s.applyTask(e)
	}
}

// unskip lets a run that is begun again behind its end work on what was skipped before.
func (s *State) unskip() {
	for _, t := range s.Tasks {
		t.Skipping = false
		if t.End != nil && t.End.Outcome == event.Skipped {
			t.End = nil
		}
	}
	maps.DeleteFunc(s.Aside, func(_ string, by event.Maker) bool { return by == event.BySkip })
}

// Skips are the keys of the tasks that are to be left open as long as the run has not ended: those that were left, and those that only
// the order was given for.
func (s *State) Skips() (left, ordered []string) {
	for _, pos := range slices.Sorted(maps.Keys(s.Tasks)) {
		switch t := s.Tasks[pos]; {
		case t.End != nil && t.End.Outcome == event.Skipped:
			left = append(left, t.Key())
		case t.Skipping && t.End == nil:
			ordered = append(ordered, t.Key())
		}
	}
	return left, ordered
}

// named takes a name in the store that the run got behind its start.
func (s *State) named(provenance string) {
	if provenance != "" {
		s.Start.Provenance = provenance
	}
}

func (s *State) applySession(e event.Event) {
	switch d := e.Data.(type) {
	case event.SessionStart:
		s.Sessions++
		s.Waiting = nil
		s.Session = &Session{SessionStart: d, Task: e.Task, Started: e.Time}
		s.Notes = slices.DeleteFunc(s.Notes, func(n event.Order) bool { return slices.Contains(d.Notes, n.ID) })
	case event.SessionEnd:
		s.Usage = s.Usage.Add(d.Usage)
		s.Session = nil
	}
}

// applyTask moves what is known of the event's task.
func (s *State) applyTask(e event.Event) {
	t := s.Tasks[e.Task]
	if t == nil {
		t = &Task{Position: e.Task}
		s.Tasks[e.Task] = t
	}
	switch d := e.Data.(type) {
	case event.TaskStart:
		t.ID, t.Title, t.End = d.ID, d.Title, nil
		s.named(d.Provenance)
		s.Current = e.Task
	case event.TaskEnd:
		t.judge(t.claimed && d.Outcome != event.Failed)
		t.ID, t.Title, t.End, t.Green, t.Skipping = d.ID, d.Title, &d, nil, false
		s.ends = append(s.ends, Task{ID: d.ID, Title: d.Title, End: &d})
		s.Current = 0
	case event.Order:
		t.Skipping = t.Skipping || d.What == event.OrderSkip && t.ID != "" && t.End == nil
	case event.SessionStart:
		t.judge(false)
		t.Green = nil
	case event.Claimed:
		t.claimed = strings.Contains(d.Signal, string(signals.TaskFailed))
	case event.GateEnd:
		t.gate(d)
	case event.Commit:
		t.Green = nil
	}
}

// gate takes a verdict, which stands above any claim.
func (t *Task) gate(d event.GateEnd) {
	t.claimed, t.Green = false, nil
	if d.Green {
		t.Green = &d
	} else {
		t.Attempts++
	}
}

// judge counts a TASK_FAILED that no gate has overruled, unless it is forgiven.
func (t *Task) judge(forgiven bool) {
	if t.claimed && !forgiven {
		t.Attempts++
	}
	t.claimed = false
}
