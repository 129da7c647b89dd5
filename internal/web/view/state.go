package view

import (
	"maps"
	"slices"
	"time"

	"ralphex/pkg/event"
)

// State is what the events of one run amount to. It is not safe for use by several goroutines; what it gives out is the caller's.
type State struct {
	meta Meta

	seq      int64
	gap      bool      // events in the middle were not read: what is counted is not all
	last     time.Time // of the newest event
	began    bool      // RunStart was read
	run      event.RunID
	start    event.RunStart
	started  time.Time
	end      *event.RunEnd // of the newest process; nil = it lives, or died
	ended    time.Time
	restarts int
	pid      int
	host     string
	branch   string
	executor string
	budget   *event.Budget
	plan     string // where it was archived; empty = it was not
	heard    bool   // the newest process came to its phases: it takes orders about them

	phase   event.Phase
	stage   event.Stage // that is open
	stages  []StageSpan
	section []Section

	tasks   []Task
	current int // index of the task that is worked on, -1 = none
	done    map[string]bool

	sessions []Session
	open     bool // the newest session has no end
	spend    spending
	found    findings

	rounds     []Round
	roundBegan time.Time
	gates      []Gate
	commits    []Commit
	waits      []Span
	wait       *Waiting // the newest of waits goes on
	pauses     []Span
	pausedBy   string
	paused     bool // the newest of pauses goes on
	processes  []Process

	question *Question
	draft    *Draft
	previous string // text of the newest draft
	planFile *PlanFile
	talk     []Talk

	notes     []Note
	orders    []Order
	survivors []Survivor
	copies    []Copy
	switches  []Switch
	aside     []SetAside
}

// NewState returns the state of a run of which nothing is read.
func NewState(meta Meta) *State {
	return &State{meta: meta, current: -1, done: map[string]bool{}}
}

// Seq is the number of the newest event that the state took.
func (s *State) Seq() int64 { return s.seq }

// Apply takes the next event. One that it has taken already, by its number, says nothing: a file may be read twice. The middle of a run may be left
// out, for a row of the list: then the run's last words have its sums, where it has ended.
func (s *State) Apply(e event.Event) {
	if e.Seq <= s.seq || e.Data == nil {
		return
	}
	s.gap = s.gap || e.Seq != s.seq+1
	s.seq, e.Time = e.Seq, plain(e.Time)
	if e.Run != "" {
		s.run = e.Run
	}
	if e.Phase != event.PhaseNone {
		s.phase = e.Phase
	}
	s.endWait(e)
	s.apply(e)
	s.last = e.Time
}

// apply moves the state by one fact. It tells whether the fact is one of those that it knows.
func (s *State) apply(e event.Event) (known bool) {
	switch d := e.Data.(type) {
	case event.RunStart:
		s.runStart(e, d)
	case event.RunRestart:
		s.runRestart(e, d)
	case event.RunEnd:
		s.runEnd(e, d)
	case event.PhaseStart:
		s.phaseStart(e, d)
	case event.PhaseEnd:
		s.phaseEnd(e, d)
	case event.Section:
		s.sectionBegins(e, d)
	case event.TaskStart, event.TaskEnd, event.Tick:
		s.applyTask(e)
	case event.SessionStart, event.SessionEnd, event.Spent, event.Claimed:
		s.applySession(e)
	case event.Finding, event.ReviewRound:
		s.applyReview(e)
	case event.GateStart, event.GateCommand, event.GateEnd:
		s.applyGate(e)
	case event.Wait, event.Pause, event.Order, event.Budget:
		s.applyOrder(e)
	case event.Asked, event.Draft, event.DraftReview, event.PlanFile:
		s.applyTalk(e)
	case event.Commit, event.Branch, event.Archived, event.Kept, event.SetAside:
		s.applyTree(e)
	case event.Note:
		s.notes = append(s.notes, Note{Seq: e.Seq, Time: e.Time, Level: d.Level, Text: d.Text, Hint: d.Hint})
		if n := len(s.notes); n >= 2*MaxNotes {
			s.notes = append(s.notes[:0], s.notes[n-MaxNotes:]...)
		}
	case event.Survivor:
		s.survivors = append(s.survivors, Survivor{Seq: e.Seq, PID: d.PID, Command: d.Command, Action: d.Action})
	case event.Switch:
		s.executor = d.To
		s.switches = append(s.switches, Switch{Seq: e.Seq, Time: e.Time, From: d.From, To: d.To, Why: d.Why, Until: plain(d.Until)})
	case event.Output, event.Opinion, event.Unknown: // the log shows them, and nothing else does
	default:
		return false
	}
	return true
}

func (s *State) runStart(e event.Event, d event.RunStart) {
	if s.start = d; !s.began { // it is told once more when something became known later
		s.began, s.started = true, e.Time
		s.processes = append(s.processes, Process{Seq: e.Seq, PID: d.PID, Host: d.Host, Started: e.Time})
	}
	s.pid, s.host, s.executor = d.PID, d.Host, d.Executor
	if d.Branch != "" {
		s.branch = d.Branch
	}
	s.done = map[string]bool{}
	for _, key := range d.Done {
		s.done[key] = true
	}
}

func (s *State) runRestart(e event.Event, d event.RunRestart) {
	if s.end == nil {
		s.closeOpen(s.last, true)
	} else {
		for i := range s.tasks { // what was skipped is worked on again
			if s.tasks[i].State == TaskSkipped {
				s.tasks[i].State = TaskPending
			}
		}
	}
	s.end, s.budget, s.heard = nil, nil, false
	s.restarts++
	s.pid = d.PID
	if d.Host != "" {
		s.host = d.Host
	}
	if len(d.Commands) > 0 {
		s.start.Commands = d.Commands
	}
	if d.Provenance != "" {
		s.start.Provenance = d.Provenance
	}
	s.processes = append(s.processes, Process{Seq: e.Seq, PID: d.PID, Host: s.host, Started: e.Time, Reason: d.Reason})
}

func (s *State) runEnd(e event.Event, d event.RunEnd) {
	s.closeOpen(e.Time, false)
	s.end, s.ended = &d, e.Time
	if d.Provenance != "" {
		s.start.Provenance = d.Provenance
	}
}

// closeOpen ends all that goes on, at the end of a process. killed: it had no last words.
func (s *State) closeOpen(at time.Time, killed bool) {
	s.closeStage(at, killed)
	s.closeTask(at, killed)
	s.closeSession(at, killed)
	s.closeGate(at, killed)
	s.closeSection(at)
	s.closeWait(at)
	s.closePause(at)
	if p := lastOf(s.processes); p != nil && p.Ended == nil {
		p.Ended, p.Killed = &at, killed
	}
}

// clone is a copy that shares nothing which changes. Lists that only grow may be shared: what is added lies behind the end of the copy.
func (s *State) clone() *State {
	c := *s
	c.stages, c.section, c.tasks = slices.Clone(s.stages), slices.Clone(s.section), slices.Clone(s.tasks)
	for i := range c.tasks {
		c.tasks[i].Attempts = slices.Clone(c.tasks[i].Attempts)
	}
	c.sessions, c.gates = slices.Clone(s.sessions), slices.Clone(s.gates)
	c.waits, c.pauses, c.processes, c.notes = slices.Clone(s.waits), slices.Clone(s.pauses), slices.Clone(s.processes), slices.Clone(s.notes)
	c.done = maps.Clone(s.done)
	c.spend, c.found = s.spend.clone(), s.found.clone()
	if s.wait != nil {
		w := *s.wait
		c.wait = &w
	}
	return &c
}

// lastOf is the newest of a list, nil of an empty one.
func lastOf[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// few are the first of many paths.
func few(paths []string) []string { return append([]string{}, paths[:min(len(paths), MaxPaths)]...) }

// plain is a time as a journal has it: of an event that comes straight from its run, too.
// One whose year JSON can't have is none: a line of a log that somebody made up must not keep the list of all runs from being encoded.
func plain(t time.Time) time.Time {
	t = t.Round(0).UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// tailOf is the end of a text, from the beginning of a rune on.
func tailOf(text string) string {
	if len(text) <= MaxTail {
		return text
	}
	cut := len(text) - MaxTail
	for cut < len(text) && text[cut]&0xC0 == 0x80 {
		cut++
	}
	return text[cut:]
}
