package session

import (
	"io"
	"sync"

	"ralphex/pkg/event"
)

// teller tells the facts of a large piece on a goroutine of its own while the rest of the piece is still being understood. Facts
// keep their order, and Write returns when all have been told. It is written to by one goroutine.
type teller struct {
	emit  func(event.Data)
	next  io.Writer         // understands a piece, and gives its facts to tell
	facts []event.Data      // of the piece at hand, not handed over yet
	size  int               // of their output, in bytes
	out   chan []event.Data // nil: facts are told at once
	spare chan []event.Data // told, to be filled again
}

// So many facts, or so many bytes of output, go to the other goroutine at once: with fewer, waking it up costs more than they do.
const (
	handOver      = 32
	handOverBytes = 64 << 10
)

func newTeller(emit func(event.Data)) *teller {
	return &teller{emit: emit, spare: make(chan []event.Data, 2)}
}

// tell takes a fact, in Write or between two.
func (t *teller) tell(d event.Data) {
	if t.out == nil {
		t.emit(d)
		return
	}
	if o, ok := d.(event.Output); ok {
		t.size += len(o.Text)
	}
	if t.facts = append(t.facts, d); len(t.facts) == handOver || t.size >= handOverBytes {
		t.hand()
	}
}

func (t *teller) hand() {
	t.out <- t.facts
	t.size = 0
	select {
	case t.facts = <-t.spare:
	default:
		t.facts = make([]event.Data, 0, handOver)
	}
}

// Write has the piece understood, and returns when everything that it says is told.
func (t *teller) Write(p []byte) (int, error) {
	if len(p) < besideFrom {
		return t.next.Write(p)
	}
	t.out = make(chan []event.Data, cap(t.spare))
	var telling sync.WaitGroup
	telling.Go(t.run)
	n, err := t.next.Write(p)
	t.hand()
	close(t.out)
	telling.Wait()
	t.out = nil
	return n, err
}

// run tells what is handed over, until there is no more of the piece.
func (t *teller) run() {
	for facts := range t.out {
		for _, d := range facts {
			t.emit(d)
		}
		clear(facts)
		select {
		case t.spare <- facts[:0]:
		default:
		}
	}
}
