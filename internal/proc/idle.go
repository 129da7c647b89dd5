package proc

import (
	"context"
	"sync"
	"time"
)

// Idle watches for silence. Output touches it; a tool that is known to run holds it, since a long build may be silent.
// Its methods may be called from any goroutine, and on a nil Idle, which never runs out.
type Idle struct {
	limit time.Duration

	mu    sync.Mutex
	last  time.Time
	holds int
}

// NewIdle returns a watch that runs out after limit without a touch, or nil if limit is not positive.
func NewIdle(limit time.Duration) *Idle {
	if limit <= 0 {
		return nil
	}
	return &Idle{limit: limit, last: time.Now()}
}

// Touch starts the time anew.
func (w *Idle) Touch() {
	if w == nil {
		return
	}
	now := time.Now()
	w.mu.Lock()
	w.last = now
	w.mu.Unlock()
}

// Hold stops the watch until Release is called as often as Hold.
func (w *Idle) Hold() { w.hold(1) }

// Release undoes one Hold and starts the time anew.
func (w *Idle) Release() { w.hold(-1) }

func (w *Idle) hold(n int) {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.holds = max(0, w.holds+n)
	w.last = time.Now()
	w.mu.Unlock()
}

// left is how long the silence may still last.
func (w *Idle) left() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.holds > 0 {
		return w.limit
	}
	return w.limit - time.Since(w.last)
}

// watch cancels with ErrIdle when the time runs out; it ends with ctx.
func (w *Idle) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	w.Touch()
	timer := time.NewTimer(w.limit)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		left := w.left()
		if left <= 0 {
			cancel(ErrIdle)
			return
		}
		timer.Reset(left)
	}
}
