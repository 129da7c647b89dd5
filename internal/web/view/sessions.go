package view

import (
	"time"

	"ralphex/pkg/event"
)

func (s *State) applySession(e event.Event) {
	switch d := e.Data.(type) {
	case event.SessionStart:
		s.closeSession(e.Time, false)
		s.roundBegins(e.Time)
		s.sessions = append(s.sessions, Session{N: d.N, Task: e.Task, Phase: e.Phase, Stage: s.stage, Executor: d.Executor, Model: d.AskedModel(), Started: e.Time,
			Head: d.Head, Evidence: d.Evidence, Iteration: d.Iteration, Claims: []Claim{}, Seq: e.Seq})
		s.open = true
		if s.current >= 0 {
			if a := lastOf(s.tasks[s.current].Attempts); a != nil && a.Ended == nil {
				a.Sessions = append(a.Sessions, d.N)
			}
		}
	case event.Spent:
		if s.open {
			one := lastOf(s.sessions)
			one.Usage, one.models, one.Elapsed = d.Usage, d.Models, e.Time.Sub(one.Started)
			s.price(one)
			s.spend.point(e.Time, one)
		}
	case event.SessionEnd:
		if s.open {
			one := lastOf(s.sessions)
			at := e.Time
			one.Ended, one.Elapsed, one.Exit, one.Cause, one.Failure, one.Message = &at, d.Elapsed, d.Exit, d.Cause, d.Failure, d.Message
			one.Usage, one.models = d.Usage, d.Models
			s.price(one)
			s.spend.point(e.Time, one)
			s.shut()
		}
	case event.Claimed:
		if s.open {
			one := lastOf(s.sessions)
			one.Claims = append(one.Claims, Claim{Seq: e.Seq, Signal: d.Signal, Problem: d.Problem})
		}
	}
}

// closeSession ends a session that has no end: it went with its process.
func (s *State) closeSession(at time.Time, killed bool) {
	if !s.open {
		return
	}
	one := lastOf(s.sessions)
	one.Ended, one.Killed = &at, killed
	s.shut()
}

// shut adds the newest session to what was used up.
func (s *State) shut() {
	s.open = false
	one := lastOf(s.sessions)
	s.spend.add(one)
}

func (s *State) applyGate(e event.Event) {
	switch d := e.Data.(type) {
	case event.GateStart:
		s.closeGate(e.Time, false)
		s.gates = append(s.gates, Gate{Seq: e.Seq, Task: e.Task, Phase: e.Phase, Started: e.Time, Total: d.Commands, Commands: []GateCommand{}})
	case event.GateCommand:
		g := s.gate(e)
		c := GateCommand{Command: d.Command, Exit: d.Exit, Cause: d.Cause, Elapsed: d.Elapsed, OutputFile: d.OutputFile, OutputHash: d.OutputHash}
		if d.Exit != 0 || d.Cause != "" {
			c.Tail = tailOf(d.Tail)
		}
		g.Commands = append(g.Commands, c)
	case event.GateEnd:
		g := s.gate(e)
		at, green := e.Time, d.Green
		g.Ended, g.Elapsed, g.Green, g.Tree, g.Evidence, g.Created = &at, d.Elapsed, &green, d.TreeHash, d.Evidence, few(d.Created)
	}
}

// gate is the one that goes on. Facts of one whose beginning is not in the journal make it.
func (s *State) gate(e event.Event) *Gate {
	if g := lastOf(s.gates); g != nil && g.Ended == nil {
		return g
	}
	s.gates = append(s.gates, Gate{Seq: e.Seq, Task: e.Task, Phase: e.Phase, Started: e.Time, Commands: []GateCommand{}})
	return lastOf(s.gates)
}

func (s *State) closeGate(at time.Time, killed bool) {
	if g := lastOf(s.gates); g != nil && g.Ended == nil {
		g.Ended, g.Killed = &at, killed
	}
}
