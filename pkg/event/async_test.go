package event

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gated is a sink that takes an event only when it is let, as a terminal under Ctrl-S does.
type gated struct {
	recorder
	pass chan struct{}
}

func (g *gated) Handle(e Event) error {
	<-g.pass
	return g.recorder.Handle(e)
}

func output(seq int64, text string) Event { return Event{Seq: seq, Data: Output{Text: text}} }

func TestAsyncKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		a := NewAsync(&r, AsyncOptions{})
		require.NoError(t, a.Handle(output(1, "x")))
		require.NoError(t, a.Handle(Event{Seq: 2, Data: GateStart{}}))
		require.NoError(t, a.Close(t.Context()))
		assert.Equal(t, []string{"1 output: x", "2 gate_start"}, r.got)
		assert.ErrorIs(t, a.Handle(Event{Seq: 3, Data: GateStart{}}), ErrClosed)
		assert.NoError(t, a.Close(t.Context()), "twice")
	})
}

func TestAsyncDropsOutputWhenSinkStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{pass: make(chan struct{})}
		a := NewAsync(g, AsyncOptions{Bytes: 10, Patience: 3 * time.Second})
		start := time.Now()
		require.NoError(t, a.Handle(output(1, "12345")))
		synctest.Wait() // the goroutine holds event 1: its text no longer counts
		require.NoError(t, a.Handle(output(2, "1234567890")))
		assert.Zero(t, time.Since(start))

		require.NoError(t, a.Handle(output(3, "dropped\ntwo lines")))
		assert.Equal(t, 3*time.Second, time.Since(start), "waits once")
		require.NoError(t, a.Handle(Event{Seq: 4, Data: GateStart{}}))
		require.NoError(t, a.Handle(output(5, "dropped")))
		require.NoError(t, a.Handle(output(6, "dropped")))
		require.NoError(t, a.Handle(Event{Seq: 7, Data: GateEnd{}}))
		assert.Equal(t, 3*time.Second, time.Since(start), "and then no more")

		close(g.pass)
		synctest.Wait()
		require.NoError(t, a.Handle(output(8, "again")))
		require.NoError(t, a.Close(t.Context()))
		assert.Equal(t, []string{
			"1 output: 12345", "2 output: 1234567890",
			"3 warn: 2 lines of output are not shown: nobody read them", "4 gate_start",
			"5 warn: 2 lines of output are not shown: nobody read them", "7 gate_end", "8 output: again",
		}, g.got)
	})
}

// A sink that is only slow costs patience once for each half of its queue, and loses nothing while that lasts.
func TestAsyncWaitsForSlowSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		r.fail = func(Event) error { <-time.After(100 * time.Millisecond); return nil }
		a := NewAsync(&r, AsyncOptions{Bytes: 10, Patience: time.Minute})
		for i := range 50 {
			require.NoError(t, a.Handle(output(int64(i), "12345")))
		}
		require.NoError(t, a.Close(t.Context()))
		assert.Len(t, r.got, 50)
	})
}

func TestAsyncTakesTextThatIsLargerThanTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		a := NewAsync(&r, AsyncOptions{Bytes: 10})
		require.NoError(t, a.Handle(output(1, strings.Repeat("x", 100))))
		require.NoError(t, a.Close(t.Context()))
		assert.Len(t, r.got, 1)
	})
}

func TestAsyncGivesUpAtClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{pass: make(chan struct{})}
		a := NewAsync(g, AsyncOptions{})
		for i := range 3 {
			require.NoError(t, a.Handle(output(int64(i), "x")))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		synctest.Wait()
		err := a.Close(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Contains(t, err.Error(), "2 events were not taken")
		close(g.pass) // lets the goroutine end
	})
}

func TestAsyncReportsErrorOfSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken pipe")
		a := NewAsync(SinkFunc(func(Event) error { return broken }), AsyncOptions{})
		require.NoError(t, a.Handle(output(1, "x")))
		synctest.Wait()
		require.ErrorIs(t, a.Handle(output(2, "x")), broken)
		require.ErrorIs(t, a.Close(t.Context()), broken)
	})
}

// batched is a sink that takes several events at once.
type batched struct {
	gated
	sizes []int
}

func (b *batched) HandleAll(events []Event) error {
	<-b.pass
	b.sizes = append(b.sizes, len(events))
	var err error
	for _, e := range events {
		if err = b.recorder.Handle(e); err != nil {
			break
		}
	}
	return err
}

// A sink that can is given all that waits, in order and with the marks of what was dropped, and in pieces where that is much.
func TestAsyncGivesBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &batched{gated: gated{pass: make(chan struct{})}}
		a := NewAsync(b, AsyncOptions{Bytes: 10, Patience: time.Second})
		require.NoError(t, a.Handle(output(1, "first")))
		synctest.Wait()
		require.NoError(t, a.Handle(output(2, "1234567890")))
		require.NoError(t, a.Handle(output(3, "dropped")))
		for i := range batchEvents {
			require.NoError(t, a.Handle(Event{Seq: int64(4 + i), Data: GateStart{}}))
		}
		close(b.pass)
		require.NoError(t, a.Close(t.Context()))
		assert.Equal(t, []int{1, batchEvents, 2}, b.sizes)
		require.Len(t, b.got, batchEvents+3)
		assert.Equal(t, []string{"1 output: first", "2 output: 1234567890", "3 warn: 1 lines of output are not shown: nobody read them", "4 gate_start"}, b.got[:4])
		assert.Equal(t, "259 gate_start", b.got[batchEvents+2])
	})
}
