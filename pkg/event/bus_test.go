package event

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func clock() time.Time { return at }

// recorder writes down what it gets, as "seq kind: text".
type recorder struct {
	mu   sync.Mutex
	got  []string
	fail func(Event) error
}

func (r *recorder) Handle(e Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil {
		if err := r.fail(e); err != nil {
			return err
		}
	}
	r.got = append(r.got, line(e))
	return nil
}

func line(e Event) string {
	switch d := e.Data.(type) {
	case Note:
		return fmt.Sprintf("%d %s: %s", e.Seq, d.Level, d.Text)
	case Output:
		return fmt.Sprintf("%d output: %s", e.Seq, d.Text)
	default:
		return fmt.Sprintf("%d %s", e.Seq, d.Kind())
	}
}

func TestBusNumbersFacts(t *testing.T) {
	b := NewBus("r", 41, clock)
	var r recorder
	b.Attach("recorder", &r)
	e := b.Emit(PhaseTask, 2, Output{Text: "x"})
	assert.Equal(t, Event{Seq: 42, Time: at, Run: "r", Phase: PhaseTask, Task: 2, Data: Output{Text: "x"}}, e)
	b.At(PhaseReview, 0)(GateStart{})
	assert.Equal(t, []string{"42 output: x", "43 gate_start"}, r.got)
	assert.EqualValues(t, 43, b.Last())
}

func TestBusTellsOfFailingSinkOnce(t *testing.T) {
	b := NewBus("r", 0, clock)
	broken := true
	bad := &recorder{fail: func(Event) error {
		if broken {
			return errors.New("disk full")
		}
		return nil
	}}
	var good recorder
	b.Attach("journal", bad)
	b.Attach("terminal", &good)

	b.Emit(PhaseNone, 0, GateStart{})
	b.Emit(PhaseNone, 0, Output{Text: "x"})
	b.Emit(PhaseNone, 0, GateEnd{})
	broken = false
	b.Emit(PhaseNone, 0, Output{Text: "y"})
	b.Emit(PhaseNone, 0, Commit{})
	assert.Equal(t, []string{
		"1 gate_start", "2 warn: journal: disk full; the run goes on without it", "3 output: x", "4 gate_end", "5 output: y", "6 commit",
		"7 warn: journal: works again, 5 events did not get there",
	}, good.got)
	assert.Equal(t, []string{"6 commit", "7 warn: journal: works again, 5 events did not get there"}, bad.got)
}

func TestBusSurvivesSinksThatAllComeAndGo(t *testing.T) {
	b := NewBus("r", 0, clock)
	for i := range 3 {
		n := 0
		b.Attach(fmt.Sprint(i), SinkFunc(func(Event) error {
			if n++; n%2 == 1 {
				return errors.New("no")
			}
			return nil
		}))
	}
	for range 100 {
		b.Emit(PhaseNone, 0, GateStart{})
	}
	assert.EqualValues(t, 100+3*maxTold, b.Last())
}

func TestBusFromManyGoroutines(t *testing.T) {
	b := NewBus("r", 0, nil)
	last := int64(0)
	b.Attach("order", SinkFunc(func(e Event) error {
		assert.Equal(t, last+1, e.Seq)
		last = e.Seq
		return nil
	}))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				b.Emit(PhaseNone, 0, GateStart{})
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 800, last)
}
