package claim

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrLost is why work ends whose claim is no longer held.
var ErrLost = errors.New("the claim on the task was lost")

// releaseTime is how long a release may take after the work's own context has ended.
const releaseTime = 45 * time.Second

// Hold acquires the claim, runs work, and releases the claim on every way out, a panic included. While work runs, the
// file is looked at each time that every has passed; if the claim isn't held any more, work's context ends with the
// cause ErrLost. Without the claim (Contested) work isn't run.
//
// The Result is Acquire's. The error is work's, or says what went wrong with the claim.
func (s *Store) Hold(ctx context.Context, q Request, every time.Duration, work func(context.Context) error) (res *Result, err error) {
	res, err = s.Acquire(ctx, q)
	if err != nil || res.Outcome == Contested {
		return res, err
	}
	defer func() {
		// The work's context may have ended: that is no reason to leave a claim behind.
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
		defer cancel()
		// By agent and provenance: another run with the same agent id may have the task by now.
		_, relErr := s.release(after, q.TaskID, q.holds)
		if relErr != nil {
			err = errors.Join(err, relErr)
		}
	}()
	inner, cancel := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { s.watch(inner, q, every, cancel) })
	defer watch.Wait()
	defer cancel(nil)
	return res, work(inner)
}

// holds tells whether the claim is this request's.
func (q Request) holds(c Claim) bool {
	return c.AgentID == q.AgentID && c.ProvenanceID == q.ProvenanceID
}

// watch ends the context when the claim is lost. A file that can't be read now is looked at again the next time.
func (s *Store) watch(ctx context.Context, q Request, every time.Duration, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		f, err := s.Read(ctx)
		if err != nil {
			continue
		}
		at, _ := f.canonical(q.TaskID)
		if at < 0 {
			cancel(fmt.Errorf("%w: nobody holds %s", ErrLost, q.TaskID))
			return
		}
		if c := f.Claims[at]; !q.holds(c) {
			cancel(fmt.Errorf("%w: %s is held by %s (%s)", ErrLost, q.TaskID, c.AgentID, c.ProvenanceID))
			return
		}
	}
}
