package event

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// AsyncOptions bound what an Async holds for a sink that is slow.
type AsyncOptions struct {
	Bytes    int           // text of Output that may wait; 0 = 4 MiB
	Patience time.Duration // how long Handle may wait for room, all in all, before the queue is half empty again; 0 = 3 s
}

// Batch is a Sink that an Async gives what waits for it in few calls: as Handle would take it one by one, but cheaper.
type Batch interface {
	Sink
	HandleAll([]Event) error
}

// A batch is this large at most. It no longer counts as waiting, so it is kept well below AsyncOptions.Bytes.
const (
	batchEvents = 256
	batchBytes  = 64 << 10 // text of Output
)

// ErrClosed is returned by Handle after Close.
var ErrClosed = errors.New("sink is closed")

// Async runs a sink in a goroutine of its own, so that a sink which stands still can't stop who emits. Events wait in a
// queue. When it is full of Output, Handle waits for room; when it has waited for Patience, Output that finds no room is
// dropped at once until half of the queue is empty, and the sink is told how many lines it missed. So a slow sink
// costs who emits no more than Patience for each half of a queue. Other events are never dropped.
type Async struct {
	sink Sink
	opt  AsyncOptions
	work chan struct{} // holds one token when the queue may have grown, or Close was called
	room chan struct{} // holds one token when the queue may have shrunk
	done chan struct{} // closed when the goroutine has ended

	mu     sync.Mutex
	queue  []waiting
	bytes  int           // text of Output in queue
	waited time.Duration // by Handle, since the queue was last half empty
	err    error         // what the sink said last; handed to the next Handle
	closed bool
}

// waiting is an event in the queue. For a gap it is a Note that is made when its turn comes.
type waiting struct {
	Event
	lines int // lines that were dropped at this place; 0 = an event
}

// NewAsync starts the goroutine. Close ends it.
func NewAsync(s Sink, opt AsyncOptions) *Async {
	if opt.Bytes == 0 {
		opt.Bytes = 4 << 20
	}
	if opt.Patience == 0 {
		opt.Patience = 3 * time.Second
	}
	a := &Async{sink: s, opt: opt,
		work: make(chan struct{}, 1), room: make(chan struct{}, 1), done: make(chan struct{})}
	go a.run()
	return a
}

// Handle puts the event into the queue. An error is what the sink said to an earlier event.
func (a *Async) Handle(e Event) error {
	o, isOutput := e.Data.(Output)
	a.mu.Lock()
	defer a.mu.Unlock()
	if isOutput && !a.awaitRoom(len(o.Text)) {
		a.drop(e, o)
		return a.takeError()
	}
	if a.closed {
		return ErrClosed
	}
	a.queue = append(a.queue, waiting{Event: e})
	a.bytes += len(o.Text)
	wake(a.work)
	return a.takeError()
}

// awaitRoom waits until n more bytes fit, or patience is at its end. It holds mu, but not while it waits.
func (a *Async) awaitRoom(n int) bool {
	for a.bytes > 0 && a.bytes+n > a.opt.Bytes && !a.closed {
		left := a.opt.Patience - a.waited
		if left <= 0 {
			return false
		}
		a.mu.Unlock()
		start := time.Now()
		timer := time.NewTimer(left)
		select {
		case <-a.room:
		case <-timer.C:
		case <-a.done:
		}
		timer.Stop()
		a.mu.Lock()
		a.waited += time.Since(start)
	}
	return true
}

// drop leaves a mark in the queue instead of the event.
func (a *Async) drop(e Event, o Output) {
	lines := strings.Count(o.Text, "\n") + 1
	if n := len(a.queue); n > 0 && a.queue[n-1].lines > 0 {
		a.queue[n-1].lines += lines
		return
	}
	a.queue = append(a.queue, waiting{Event: e, lines: lines})
}

func (a *Async) takeError() error {
	err := a.err
	a.err = nil
	return err
}

// Close lets the sink have what waits, until ctx ends, and then gives up on it. The error tells what was left.
func (a *Async) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	wake(a.work)
	a.mu.Unlock()
	select {
	case <-a.done:
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.takeError()
	case <-ctx.Done():
		a.mu.Lock()
		defer a.mu.Unlock()
		return fmt.Errorf("%d events were not taken: %w", len(a.queue), context.Cause(ctx))
	}
}

// run hands events to the sink until Close was called and the queue is empty.
func (a *Async) run() {
	defer close(a.done)
	batch, ok := a.sink.(Batch)
	most := batchEvents
	if !ok {
		most = 1
	}
	var events []Event
	for {
		if events = a.next(events[:0], most); len(events) == 0 {
			return
		}
		var err error
		if ok {
			err = batch.HandleAll(events)
		} else {
			err = a.sink.Handle(events[0])
		}
		clear(events)
		if err != nil {
			a.mu.Lock()
			a.err = err
			a.mu.Unlock()
		}
	}
}

// next waits for events, and appends those that are there to dst, so many at most. None: there will be none.
func (a *Async) next(dst []Event, most int) []Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.queue) == 0 {
		if a.closed {
			return dst
		}
		a.mu.Unlock()
		<-a.work
		a.mu.Lock()
	}
	taken := 0
	for size := 0; taken < len(a.queue) && taken < most && size < batchBytes; taken++ {
		e, n := a.queue[taken].event()
		dst = append(dst, e)
		size += n
		a.bytes -= n
	}
	clear(a.queue[:taken])
	if taken == len(a.queue) {
		a.queue = a.queue[:0] // its room is used again
	} else {
		a.queue = a.queue[taken:]
	}
	if a.bytes <= a.opt.Bytes/2 {
		a.waited = 0
	}
	wake(a.room)
	return dst
}

// event is what the sink gets, and how much of it counts as waiting.
func (w waiting) event() (e Event, bytes int) {
	if w.lines > 0 {
		w.Data = Note{Level: Warn, Text: fmt.Sprintf("%d lines of output are not shown: nobody read them", w.lines)}
		return w.Event, 0
	}
	if o, isOutput := w.Data.(Output); isOutput {
		return w.Event, len(o.Text)
	}
	return w.Event, 0
}

// wake leaves a token, if there is none yet.
func wake(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
