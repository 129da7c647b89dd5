package event

import (
	"fmt"
	"sync"
	"time"
)

// Sink takes events one at a time, in order. It must not emit.
type Sink interface{ Handle(Event) error }

// SinkFunc makes a function a Sink.
type SinkFunc func(Event) error

// Handle calls f.
func (f SinkFunc) Handle(e Event) error { return f(e) }

// Bus numbers facts and brings them to sinks. It is safe for use by several goroutines; events have one order.
type Bus struct {
	run RunID
	now func() time.Time

	mu    sync.Mutex
	last  int64
	sinks []*attached
}

// attached is a sink and what is known of its troubles.
type attached struct {
	name   string
	sink   Sink
	failed bool
	missed int // events since it failed
	told   int // notes about it
}

// maxTold is how many notes a run makes about one sink, so that one which comes and goes does not fill the others.
const maxTold = 6

// NewBus returns a Bus for a run. last is the sequence number of the newest event that exists: 0 for a new run. now is
// the clock, nil = time.Now.
func NewBus(run RunID, last int64, now func() time.Time) *Bus {
	if now == nil {
		now = time.Now
	}
	return &Bus{run: run, last: last, now: now}
}

// Attach adds a sink behind those that are there. name is what a person calls it: "journal". It gets the events
// from now on.
func (b *Bus) Attach(name string, s Sink) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sinks = append(b.sinks, &attached{name: name, sink: s})
}

// Run returns the id of the run.
func (b *Bus) Run() RunID { return b.run }

// Last returns the number of the newest event.
func (b *Bus) Last() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

// Emit makes a fact an event, brings it to every sink, and returns it. task is the 1-based position, 0 = none.
func (b *Bus) Emit(phase Phase, task int, d Data) Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.number(phase, task, d)
	for notes := b.deliver(e, true); len(notes) > 0; notes = notes[1:] {
		notes = append(notes, b.deliver(b.number(phase, task, notes[0]), false)...)
	}
	return e
}

// At returns Emit for one phase and task, as executors want it.
func (b *Bus) At(phase Phase, task int) func(Data) {
	return func(d Data) { b.Emit(phase, task, d) }
}

func (b *Bus) number(phase Phase, task int, d Data) Event {
	b.last++
	return Event{Seq: b.last, Time: b.now(), Run: b.run, Phase: phase, Task: task, Data: d}
}

// deliver hands the event round and returns what is to be told of sinks that began to fail, or to work again. Failed
// sinks are tried again only if retry is set, which it is not for what deliver itself has told: so telling ends.
func (b *Bus) deliver(e Event, retry bool) (notes []Data) {
	_, output := e.Data.(Output)
	for _, s := range b.sinks {
		if s.failed && (output || !retry) {
			s.missed++ // output is not worth a try each: a fact of another kind comes soon
			continue
		}
		if text := s.handle(e); text != "" && s.told < maxTold {
			s.told++
			notes = append(notes, Note{Level: Warn, Text: s.name + ": " + text})
		}
	}
	return notes
}

// handle hands the event to the sink and returns what changed with that.
func (s *attached) handle(e Event) string {
	err := s.sink.Handle(e)
	switch {
	case err != nil && s.failed:
		s.missed++
	case err != nil:
		s.failed, s.missed = true, 1
		return err.Error() + "; the run goes on without it"
	case s.failed:
		s.failed = false
		return fmt.Sprintf("works again, %d events did not get there", s.missed)
	}
	return ""
}
