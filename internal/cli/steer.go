package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ralphex/internal/control"
	"ralphex/pkg/event"
	"ralphex/pkg/processor"
	"ralphex/pkg/processor/phase"
)

// steering obeys the orders that others give a run through its socket. It is the phases' Steering: what is ordered takes effect on the session
// that runs, or, between two sessions, before the next one.
type steering struct {
	run *running

	mu       sync.Mutex
	stage    event.Stage
	last     place                   // of the newest session
	active   bool                    // the run is in its phases
	cancel   context.CancelCauseFunc // ends the run; nil = its work has not begun
	early    bool                    // a stop came before that
	ended    bool                    // the end of the run is being told
	session  context.CancelCauseFunc // ends the session that runs; nil = none does
	pausing  *control.Request        // a pause that is not there yet
	stopping bool                    // the run ends when this task is over
	skipping *place                  // what is to be left
	held     *hold                   // the pause that is there
	notes    []processor.Note        // for the next session
}

// place is where a run is: a task, or a stage of reviews.
type place struct {
	stage    event.Stage
	position int // 0 = no task
}

func (p place) String() string {
	if p.position > 0 {
		return fmt.Sprintf("task %d", p.position)
	}
	return "stage " + string(p.stage)
}

// hold is a pause.
type hold struct{ resumed chan struct{} }

func newSteering(r *running) *steering {
	s := &steering{run: r}
	if r.earlier != nil {
		for _, n := range r.earlier.Notes {
			s.notes = append(s.notes, processor.Note{ID: n.ID, Text: n.Text})
		}
	}
	return s
}

// socket is where the run will listen.
func (j *job) socket(run event.RunID) string {
	return control.SocketPath(j.proc.Env, j.store(), string(run))
}

// listen begins to hear orders. A run that can't is a run all the same.
func (r *running) listen() {
	s, err := control.Open(r.socket(r.id), r.steer.obey)
	if err != nil {
		r.notes = append(r.notes, event.Note{Level: event.Warn, Text: err.Error() + "; ralphex pause, resume, stop and skip do not reach this run"})
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	r.closers = append(r.closers, func() { cancel(); <-done })
}

// begin says how the run is ended.
func (s *steering) begin(cancel context.CancelCauseFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel = cancel
	if s.early {
		cancel(errInterrupted)
	}
}

// end says that nothing can be ordered any more.
func (s *steering) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

// enter notes the stage that begins.
func (s *steering) enter(d event.PhaseStart) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stage, s.active = d.Stage, true
}

// Begin keeps the promises of phase.Steering.
func (s *steering) Begin(ctx context.Context, position int) (context.Context, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	here := place{s.stage, position}
	between := position == 0 || here != s.last // no task is being worked on
	for s.pausing != nil && (!s.pausing.AfterTask || between) {
		by := s.pausing.By
		s.pausing = nil
		h, over := s.holdLocked(by)
		s.mu.Unlock()
		select {
		case <-h.resumed:
		case <-ctx.Done():
		}
		s.mu.Lock()
		over()
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
	}
	if s.stopping && between {
		s.cancel(errInterrupted)
		return nil, nil, errInterrupted
	}
	if skip := s.skipping; skip != nil {
		s.skipping = nil
		if *skip == here {
			return nil, nil, phase.ErrSkip
		}
		s.run.Emit(position, event.Note{Level: event.Warn, Text: skip.String() + " was over before it could be skipped"})
	}
	s.last = here
	own, cancel := context.WithCancelCause(ctx)
	s.session = cancel
	return own, func() {
		s.mu.Lock()
		s.session = nil
		s.mu.Unlock()
		cancel(nil)
	}, nil
}

// holdLocked journals the beginning of a pause. over journals its end. Both are called with mu held.
func (s *steering) holdLocked(by string) (h *hold, over func()) {
	h = &hold{resumed: make(chan struct{})}
	s.held = h
	began := time.Now()
	s.run.Emit(s.last.position, event.Pause{By: by})
	return h, func() {
		if s.held == h {
			s.held = nil
		}
		s.run.Emit(s.last.position, event.Pause{By: by, Over: true, For: time.Since(began)})
	}
}

// holdByKey is a pause that somebody at the terminal made: it can be ended from elsewhere, too.
func (s *steering) holdByKey() (resumed <-chan struct{}, over func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, end := s.holdLocked(`Ctrl+\`)
	return h.resumed, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		end()
	}
}

// obey takes an order. It stands in the journal before anything is done.
func (s *steering) obey(q control.Request) control.Reply {
	if q.Run != string(s.run.id) {
		return control.Reply{Text: "this is run " + string(s.run.id) + ", not " + q.Run}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	do, refusal := s.weigh(q)
	if do == nil {
		return refusal
	}
	order := event.Order{What: q.Order, AfterTask: q.AfterTask, By: q.By, ID: q.ID}
	switch q.Order {
	case control.Note:
		order.Text = q.Text
	case control.Budget:
		order.Text = s.run.addition(q.ID)
	}
	s.run.Emit(s.last.position, order)
	return control.Reply{OK: true, Text: do()}
}

// weigh finds what an order means now, or why it means nothing.
func (s *steering) weigh(q control.Request) (do func() string, refusal control.Reply) {
	if s.ended {
		return nil, control.Reply{Text: "it is at its end", Hint: "ralphex status shows how it ended"}
	}
	switch q.Order {
	case control.Pause:
		if s.held != nil {
			return nil, control.Reply{OK: true, Text: "it is paused already"}
		}
		return func() string { return s.pause(q) }, refusal
	case control.Resume:
		if s.held == nil && s.pausing == nil {
			return nil, control.Reply{Text: "it is not paused", Hint: "ralphex status shows what it does"}
		}
		return s.resume, refusal
	case control.Stop:
		return func() string { return s.stop(q) }, refusal
	case control.Skip:
		if !s.active || s.last == (place{}) {
			return nil, control.Reply{Text: "there is nothing to skip yet", Hint: "wait for its first session"}
		}
		if q.Task > 0 && q.Task != s.last.position {
			return nil, control.Reply{Text: fmt.Sprintf("it does not work on task %d: it is at %s", q.Task, s.last), Hint: "look again, and skip what is meant"}
		}
		return s.skip, refusal
	case control.Note:
		if strings.TrimSpace(q.Text) == "" || q.ID == "" {
			return nil, control.Reply{Text: "a note without words", Hint: `ralphex note "what the next session is to know"`}
		}
		return func() string { return s.note(q) }, refusal
	case control.Budget:
		if s.run.addition(q.ID) == "" {
			return nil, control.Reply{Text: "nothing was added to its budget", Hint: "ralphex budget add"}
		}
		return s.run.givenMore, refusal
	case control.Answer, control.Draft:
		return s.run.elsewhere.weigh(q)
	}
	return nil, control.Reply{Text: fmt.Sprintf("no order is called %q", q.Order), Hint: "use the ralphex that the run was started with"}
}

func (s *steering) pause(q control.Request) string {
	s.pausing = &q
	switch {
	case q.AfterTask:
		return "it pauses when this task is over"
	case s.session == nil:
		return "it pauses before the next session"
	}
	s.session(phase.ErrHeld)
	return "its session is asked to end, then it waits for ralphex resume"
}

func (s *steering) resume() string {
	if s.held == nil {
		s.pausing = nil
		if s.session != nil {
			return "the pause is taken back"
		}
		return "it does not pause"
	}
	close(s.held.resumed)
	s.held = nil
	return "it goes on"
}

func (s *steering) stop(q control.Request) string {
	if q.AfterTask && s.held == nil {
		s.stopping = true
		return "it ends when this task is over; the same command goes on"
	}
	if s.early = true; s.cancel != nil {
		s.cancel(errInterrupted)
	}
	return "its session is asked to end, then it ends; the same command goes on"
}

// note leaves a text for the next session.
func (s *steering) note(q control.Request) string {
	s.notes = append(s.notes, processor.Note{ID: q.ID, Text: q.Text})
	return "the next session gets it in its prompt"
}

// waitingNotes are those that no session has got yet.
func (s *steering) waitingNotes() []processor.Note {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notes)
}

// given forgets the notes that a session has got.
func (s *steering) given(ids []string) {
	if len(ids) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = slices.DeleteFunc(s.notes, func(n processor.Note) bool { return slices.Contains(ids, n.ID) })
}

func (s *steering) skip() string {
	at := s.last
	s.skipping = &at
	if s.session != nil {
		s.skipping = nil
		s.session(phase.ErrSkip)
	}
	if s.held != nil {
		close(s.held.resumed)
		s.held = nil
	}
	if at.position > 0 {
		return fmt.Sprintf("%s is left open, and it goes on with the next", at)
	}
	return fmt.Sprintf("%s is ended, and it goes on", at)
}
