package view

import (
	"time"

	"ralphex/pkg/event"
)

func (s *State) applyTask(e event.Event) {
	switch d := e.Data.(type) {
	case event.TaskStart:
		if d.Provenance != "" {
			s.start.Provenance = d.Provenance
		}
		s.taskStart(e, d)
	case event.TaskEnd:
		s.taskEnd(e, d)
	case event.Tick:
		if i := s.taskAt(e.Task); i >= 0 {
			if d.Checked {
				s.tasks[i].Ticks++
			} else {
				s.tasks[i].Ticks--
			}
		}
	}
}

// taskAt is the index of the task at a position, -1 = none is known.
func (s *State) taskAt(pos int) int {
	for i := len(s.tasks) - 1; i >= 0; i-- {
		if s.tasks[i].Pos == pos && !s.tasks[i].Replaced {
			return i
		}
	}
	return -1
}

// task finds or makes the task of an ID and title at a position. Where the plan was edited it may have been at another one, and another
// task at this: it keeps what is known of it, and the other one, whose new place nobody knows, is marked.
func (s *State) task(e event.Event, id, title string) int {
	at := s.taskAt(e.Task)
	if at >= 0 && s.tasks[at].ID == id && s.tasks[at].Title == title {
		return at
	}
	named := id != "" || title != "" // a text log names none
	for i := len(s.tasks) - 1; i >= 0 && named; i-- {
		if s.tasks[i].ID == id && s.tasks[i].Title == title {
			s.displace(at)
			s.tasks[i].Pos, s.tasks[i].Replaced = e.Task, false
			return i
		}
	}
	if at >= 0 && (s.tasks[at].Title == title || s.tasks[at].State == TaskActive && at == s.current) {
		s.tasks[at].ID, s.tasks[at].Title = id, title // numbered or worded another way
		return at
	}
	s.displace(at)
	s.tasks = append(s.tasks, Task{Pos: e.Task, ID: id, Title: title, State: TaskPending, Attempts: []Attempt{}, Seq: e.Seq})
	return len(s.tasks) - 1
}

func (s *State) displace(i int) {
	if i < 0 {
		return
	}
	s.tasks[i].Replaced = true
	if i == s.current {
		s.current = -1
	}
}

func (s *State) taskStart(e event.Event, d event.TaskStart) {
	s.closeTask(e.Time, false)
	i := s.task(e, d.ID, d.Title)
	t := &s.tasks[i]
	if t.Started.IsZero() {
		t.Started = e.Time
	}
	t.State, t.Outcome, t.Reason, t.Ended = TaskActive, "", "", nil
	t.Open, t.Total, t.Ticks = d.Open, d.Total, 0
	t.Attempts = append(t.Attempts, Attempt{N: len(t.Attempts) + 1, Iteration: d.Iteration, Started: e.Time, Sessions: []int{}, Seq: e.Seq})
	s.current = i
}

var taskStates = map[event.Outcome]TaskState{
	event.Done: TaskDone, event.Unproven: TaskDone, event.LeftHuman: TaskLeft, event.Failed: TaskFailed, event.Skipped: TaskSkipped,
}

func (s *State) taskEnd(e event.Event, d event.TaskEnd) {
	i := s.task(e, d.ID, d.Title)
	t := &s.tasks[i]
	at := e.Time
	if a := lastOf(t.Attempts); a != nil && a.Ended == nil {
		a.Ended, a.Outcome, a.Reason = &at, d.Outcome, d.Reason
	}
	t.State = taskStates[d.Outcome]
	if t.State == "" {
		t.State = TaskPending
	}
	t.Outcome, t.Reason, t.LeftHuman, t.Ended = d.Outcome, d.Reason, d.LeftHuman, &at
	t.Elapsed += d.Elapsed
	if d.Commit != "" {
		t.Commit, t.Tree = d.Commit, d.TreeHash
	}
	if i == s.current {
		s.current = -1
	}
}

// closeTask ends the attempt that goes on: another one follows, or the process is over.
func (s *State) closeTask(at time.Time, killed bool) {
	if s.current < 0 {
		return
	}
	t := &s.tasks[s.current]
	if a := lastOf(t.Attempts); a != nil && a.Ended == nil {
		a.Ended, a.Killed = &at, killed
		if red := s.redSince(t.Pos, a.Started); red && !killed {
			a.Outcome, a.Reason = event.Failed, "validation is red"
		}
	}
	t.State = TaskPending
	s.current = -1
}

// redSince tells whether the newest verdict on a task since then was red.
func (s *State) redSince(pos int, since time.Time) bool {
	g := lastOf(s.gates)
	return g != nil && g.Task == pos && !g.Started.Before(since) && g.Green != nil && !*g.Green
}

// taskByHeading makes a task of a heading of a text log, which tells nothing else of it. As the public format has it, a task is done when one
// further down is begun.
func (s *State) taskByHeading(e event.Event, pos int) {
	if s.current >= 0 && s.tasks[s.current].Pos == pos {
		if a := lastOf(s.tasks[s.current].Attempts); a != nil && a.Ended == nil {
			at := e.Time
			a.Ended = &at
		}
	} else {
		s.leaveTask(e, s.current >= 0 && pos > s.tasks[s.current].Pos)
	}
	e.Task = pos
	i := s.taskAt(pos)
	id, title := "", ""
	if i >= 0 {
		id, title = s.tasks[i].ID, s.tasks[i].Title
	}
	s.taskStart(e, event.TaskStart{ID: id, Title: title})
}

// leaveTask ends the task of a text log that is worked on.
func (s *State) leaveTask(e event.Event, done bool) {
	if s.current < 0 {
		return
	}
	if !done {
		s.closeTask(e.Time, false)
		return
	}
	t := s.tasks[s.current]
	e.Task = t.Pos
	s.taskEnd(e, event.TaskEnd{ID: t.ID, Title: t.Title, Outcome: event.Done})
}

// tally counts the tasks of the plan as far as the run tells of them.
func (s *State) tally() Tally {
	known := map[string]bool{}
	t := Tally{Total: s.start.Tasks}
	for i := range s.tasks {
		task := &s.tasks[i]
		known[task.ID+": "+task.Title] = true
		t.Total = max(t.Total, task.Pos)
		switch task.State {
		case TaskDone:
			t.Done++
		case TaskLeft:
			t.Done++
			t.Left++
		case TaskFailed:
			t.Failed++
		}
	}
	for key := range s.done {
		if !known[key] {
			t.Done++
		}
	}
	t.Total = max(t.Total, t.Done+t.Failed)
	return t
}
