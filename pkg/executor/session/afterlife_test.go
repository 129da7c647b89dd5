//go:build unix

package session

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
)

func TestAfterlife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, over := time.Now(), make(chan time.Duration, 1)
		talk := newTalk(nil, nil)
		talk.after = newAfterlife(time.Minute, func() { over <- time.Since(start) })
		wait := func(d time.Duration) { <-time.After(d); synctest.Wait() }

		talk.TurnEnds()
		wait(40 * time.Second)
		talk.Say("the server answers", nil) // a new turn
		wait(time.Hour)
		assert.Empty(t, over, "nobody counts while the agent is at work")
		talk.TurnEnds()
		wait(40 * time.Second)
		talk.TurnEnds()
		wait(40 * time.Second)
		assert.Empty(t, over, "each turn has the whole time")
		assert.Equal(t, time.Hour+140*time.Second, <-over)
	})
}

// ender ends its turn at each line, but for those that tell of the end of its task.
type ender struct{ *Talk }

func (e ender) Object(line []byte, _ *jsonl.Long) bool {
	if jsonl.Type(line) == "stopped" {
		e.TaskEnds("b1")
		return true
	}
	e.TaskBegins("b1", "npm run dev")
	e.TurnEnds()
	return true
}
func (ender) Outcome(e End) Outcome { return Outcome{Failure: e.Verdict(nil, true, nil)} }

// A real process that background work keeps alive is ended when its time is up, long before the idle time-out.
func TestBackgroundWorkHasATimeOfItsOwn(t *testing.T) {
	for name, body := range map[string]string{
		"dies in silence":           `echo '{"type":"end"}'; exec sleep 600`,
		"tells that its task ended": `trap 'echo "{\"type\":\"stopped\"}"; exit 143' TERM; echo '{"type":"end"}'; sleep 600 & wait`,
	} {
		t.Run(name, func(t *testing.T) { endsInTime(t, body) })
	}
}

func endsInTime(t *testing.T, body string) {
	a := agent(t, body, func(s *Spec) { s.Open = func(t *Talk) Dialect { return ender{t} } })
	var notes []string
	r, err := a.Run(t.Context(), executor.Request{Prompt: "x", IdleTimeout: time.Hour, BackgroundWait: 300 * time.Millisecond,
		Emit: func(d event.Data) {
			if n, ok := d.(event.Note); ok {
				notes = append(notes, n.Text)
			}
		}})
	require.NoError(t, err)
	assert.Equal(t, executor.ErrBackground, r.Cause)
	assert.Equal(t, "pending: the turn had ended, and 300ms later this still kept the agent: npm run dev", r.Failure.Error())
	assert.Equal(t, []string{"npm run dev"}, r.Pending)
	assert.Equal(t, []string{"the agent has ended its turn; for at most 300ms this may go on: npm run dev"}, notes)
}
