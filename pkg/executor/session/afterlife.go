package session

import (
	"strings"
	"sync"
	"time"

	"ralphex/pkg/event"
)

// afterlife bounds the time between the end of the agent's last turn and that of its process: background work may keep it
// alive, and some of it is never reported, or forgotten. A new turn stops the clock. A nil afterlife has no bound.
type afterlife struct {
	limit time.Duration
	over  func()   // called once, from another goroutine, when the time is up
	kept  []string // what was pending when the last turn ended; an agent that is asked to end reports all of it as stopped

	mu    sync.Mutex
	timer *time.Timer
}

func newAfterlife(limit time.Duration, over func()) *afterlife {
	if limit <= 0 {
		return nil
	}
	return &afterlife{limit: limit, over: over}
}

// begins starts the clock anew.
func (a *afterlife) begins() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(a.limit, a.over)
}

// ends stops it: the agent is at work again, or gone.
func (a *afterlife) ends() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
}

// TurnBegins says that the agent is at work again. Whatever it says or calls says so, too.
func (t *Talk) TurnBegins() { t.after.ends() }

// TurnEnds says that the model has answered, so no tool call is open; background tasks go on, for a time.
func (t *Talk) TurnEnds() {
	t.holds.turnEnds()
	t.after.begins()
	if t.after == nil {
		return
	}
	pending := t.holds.pending()
	t.after.kept = pending
	if len(pending) > 0 {
		t.Note(event.Info, "the agent has ended its turn; for at most "+t.after.limit.String()+" this may go on: "+strings.Join(pending, "; "))
	}
}
