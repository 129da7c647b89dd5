package processor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralphex/internal/wait"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

const (
	// maxLimitWait is how long one session may wait for limits in all, unless the configured wait is longer. A weekly limit
	// that resets in days is better told to a person than slept through.
	maxLimitWait = 24 * time.Hour
	// justOver is how long ago a limit may have ended so that it counts as over now.
	justOver = 90 * time.Second
	// slack is what may be added to the longest wait: a limit of a day is waited for, with the pause behind it.
	slack = time.Minute
	// settleTime is the pause behind the end of a limit: clocks differ.
	settleTime = 5 * time.Second
	// firstPoll is the first pause where nobody knows when the limit ends; each further one is twice as long.
	firstPoll = time.Minute
	// lookEvery is how often a wait looks at the wall clock: timers stand still while the machine sleeps.
	lookEvery = 15 * time.Second
	// tellEvery is how often a long wait is told of.
	tellEvery = time.Hour
)

// limited decides what follows a usage limit: another agent, or a wait. false: the run ends with the failure.
func (p *executionPolicy) limited(ctx context.Context, s phase.Session, agent *seat, f *executor.Failure, t *tries) (again bool, err error) {
	d, ok := p.limitWait(f, t)
	if len(p.roster.seats) > 1 {
		now := p.wall()
		agent.until = now.Add(max(d, justOver))
		if !f.ResetAt.IsZero() && f.ResetAt.After(agent.until) {
			agent.until = f.ResetAt.Add(settleTime)
		}
		if other := p.roster.free(now); other != nil {
			p.switchTo(s, agent, other, "usage limit: "+f.Message)
			return true, nil
		}
		if first := p.roster.next(); first != agent {
			agent, d = first, first.until.Sub(now)
		}
	}
	if !ok || p.cfg.WaitOnLimit <= 0 || t.waited+d > p.mostWait()+slack {
		return false, nil
	}
	agent.until = p.wall().Add(d)
	return true, p.await(ctx, s.Position, t, event.Wait{For: d, Until: agent.until, Agent: agent.ex.Name(), Reason: "rate limit: " + f.Message})
}

func (p *executionPolicy) mostWait() time.Duration { return max(maxLimitWait, p.cfg.WaitOnLimit) }

// limitWait is how long a limit lasts from now on. ok is false if that is longer than any wait may be. Where the agent said
// nothing, it is the configured wait.
func (p *executionPolicy) limitWait(f *executor.Failure, t *tries) (d time.Duration, ok bool) {
	left := f.ResetAt.Sub(p.wall())
	switch {
	case !f.ResetAt.IsZero() && left > 0:
		t.polls = 0
		d = (left + settleTime).Truncate(time.Second)
		d += time.Duration(p.jitter() * float64(min(d/20, 30*time.Second)))
		return d, left <= p.mostWait()
	case !f.ResetAt.IsZero() && left >= -justOver:
		d = settleTime << min(t.polls, 16)
	case !f.About.IsZero():
		d = firstPoll << min(t.polls, 16)
	default:
		return p.cfg.WaitOnLimit, true
	}
	t.polls++
	d = min(d, max(p.cfg.WaitOnLimit, settleTime))
	return d + time.Duration(p.jitter()*float64(d/10)), true
}

// awaitEarlier goes on with the wait that an earlier process of the run was in, when nobody else can work.
func (p *executionPolicy) awaitEarlier(ctx context.Context, s phase.Session, t *tries) error {
	if p.cfg.WaitOnLimit <= 0 || p.roster.free(p.wall()) != nil {
		return nil
	}
	agent := p.roster.next()
	if agent == nil {
		return nil
	}
	d := agent.until.Sub(p.wall())
	if d > p.mostWait() {
		return nil // it is asked for what holds now
	}
	return p.await(ctx, s.Position, t, event.Wait{For: d, Until: agent.until, Agent: agent.ex.Name(), Reason: "going on with the wait for the limit of " + agent.ex.Name()})
}

// await waits until the wall clock shows w.Until, or for w.For by a clock that nobody sets, whichever comes first: a machine
// that slept has waited, and one whose clock was put back does not wait for ever. A nudge ends it, too; then only the time that
// was really waited counts. The end of what the run may take (max_time) ends it as well: it is the next session that is refused
// then, behind what is done between two sessions.
func (p *executionPolicy) await(ctx context.Context, task int, t *tries, w event.Wait) error {
	ctx, most, stop := p.staff.met.untilTimeIsUp(ctx)
	defer stop()
	from, full := p.wall(), w.For
	defer func() { t.waited += min(full, max(0, p.wall().Sub(from))) }()
	var nudged <-chan struct{}
	if p.cfg.Nudge != nil {
		nudged = p.cfg.Nudge(ctx)
	}
	p.log.Emit(task, w)
	if most >= 0 && most < w.For {
		p.log.Emit(task, event.Note{Level: event.Warn, Text: fmt.Sprintf("max_time leaves %s: the run ends then, before the wait is over", event.Brief(most)),
			Hint: "ralphex budget add --time DURATION, from another terminal, lets it wait on"})
	}
	began, told := time.Now(), time.Now()
	for whole := w.For; ; {
		left := min(w.Until.Sub(p.wall()), whole-time.Since(began))
		if left <= 0 {
			return nil
		}
		if time.Since(told) >= tellEvery {
			told, w.For = time.Now(), left
			p.log.Emit(task, w)
		}
		timer := time.NewTimer(min(left, lookEvery))
		select {
		case <-timer.C:
		case <-nudged:
			timer.Stop()
			p.log.Emit(task, event.Note{Level: event.Info, Text: "trying again now, as somebody asked"})
			return nil
		case <-ctx.Done():
			timer.Stop()
			return unlessSpent(ctx)
		}
	}
}

// unlessSpent is why a wait ended, nil where the run may take no longer: the meter says so itself, and better.
func unlessSpent(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.As(cause, new(*BudgetError)) {
		return cause
	}
	return nil
}

// busy waits a moment after a failure of the server or the connection, a few times. false: it lasts.
func (p *executionPolicy) busy(ctx context.Context, s phase.Session, f *executor.Failure, t *tries) (again bool, err error) {
	if t.transient >= p.cfg.TransientRetries {
		return false, nil
	}
	d := p.cfg.RetryDelay << min(t.transient, 6)
	d += time.Duration(p.jitter() * float64(d/2))
	t.transient++
	p.log.Emit(s.Position, event.Wait{For: d, Reason: f.Message})
	ctx, _, stop := p.staff.met.untilTimeIsUp(ctx)
	defer stop()
	if wait.For(ctx, d) == nil {
		return true, nil
	}
	return true, unlessSpent(ctx)
}
