package cli

import (
	"context"
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
func (s *seen) Handle(e event.Event) error {
	err := s.sink.Handle(e)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = e.Seq
	close(s.moved)
	s.moved = make(chan struct{})
	return err
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
