package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"ralphex/pkg/event"
)

// seen is a sink that knows how far the one behind it has come, so that a question is put behind what led to it.
type seen struct {
	sink event.Sink

	mu    sync.Mutex
	last  int64
	moved chan struct{} // closed and made anew with each event
}

func newSeen(sink event.Sink) *seen { return &seen{sink: sink, moved: make(chan struct{})} }

// Handle hands the event on.
func (s *seen) Handle(e event.Event) error { return s.HandleAll([]event.Event{e}) }

// HandleAll hands events on, in one piece to who takes them so.
func (s *seen) HandleAll(events []event.Event) error {
	err := s.hand(events)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = events[len(events)-1].Seq
	close(s.moved)
	s.moved = make(chan struct{})
	return err
}

func (s *seen) hand(events []event.Event) error {
	if b, ok := s.sink.(event.Batch); ok {
		return b.HandleAll(events)
	}
	var errs []error
	for _, e := range events {
		errs = append(errs, s.sink.Handle(e))
	}
	return errors.Join(errs...)
}

// until waits until the event with the number has been handled, or for as long as most: a terminal that stands still gets the question all the same.
func (s *seen) until(ctx context.Context, seq int64, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		s.mu.Lock()
		last, moved := s.last, s.moved
		s.mu.Unlock()
		if last >= seq {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}
