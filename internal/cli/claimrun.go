package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/stable"
	"ralphex/pkg/plan"
)

// watchClaim is how often the claims are looked at during a session.
const watchClaim = time.Second

// claimError says that a task is not this run's: somebody else had it before, or took it away.
type claimError struct {
	task, who string // who: "agent bob (run-i003-cli-…)"
	lost      bool
}

func (e *claimError) Error() string {
	if e.lost {
		return fmt.Sprintf("the claim on %s was lost: %s; the session was ended, and nothing more is committed", e.task, e.who)
	}
	return fmt.Sprintf("task %s is claimed by %s", e.task, e.who)
}

// Hint says what to do.
func (e *claimError) Hint() string {
	if e.lost {
		return "ralphex claim list shows who has it; the same command goes on when it is free"
	}
	return fmt.Sprintf("wait for it: ralphex claim list shows it; when it is stale and its run is gone: ralphex claim resolve %s --reason TEXT --yes", shellQuote(e.task))
}

// holding is a claim that this run holds, on a goroutine of its own that watches and releases it.
type holding struct {
	task string
	stop chan struct{} // closed when the claim may go
	done chan struct{} // closed when it is gone; what follows is set then

	lost *claimError // somebody took it
	gone bool        // the file with all claims is gone: nobody decided anything
	err  error       // the claim could not be taken or released
}

// isOver tells whether the claim has gone while it was wanted.
func (h *holding) isOver() bool {
	select {
	case <-h.done:
		return true
	default:
		return false
	}
}

func (c *recording) claimStore() *claim.Store {
	return claim.New(c.store.Claims, c.store.settings.ClaimTTL).WithBudget(patience)
}

// Take is the phase's Lease: it makes the store know the task, and claims it.
func (c *recording) Take(ctx context.Context, position int, t plan.Task) error {
	if c.level != recordFull {
		return nil
	}
	if err := context.Cause(ctx); err != nil { // lost, among others
		return err
	}
	c.project()
	id := c.projected(position, t.ID)
	if id == "" || c.provenance == "" {
		return nil // paused, or told of already: the plan is worked on all the same
	}
	if c.held != nil {
		over := c.held.isOver()
		switch {
		case over && c.held.lost != nil:
			return c.held.lost
		case !over && c.held.task == id:
			return nil
		}
		c.release()
	}
	var contested error
	c.try(ctx, "its tasks are not claimed", c.claimStore().LockPath(), func() error {
		h, err := c.hold(ctx, id)
		if other := (*claimError)(nil); errors.As(err, &other) {
			contested = other
			return nil
		}
		c.held = h
		return err
	})
	return contested
}

// hold claims a task. The claim outlives ctx: it is held until the run has let go of the task.
func (c *recording) hold(ctx context.Context, id string) (*holding, error) {
	h := &holding{task: id, stop: make(chan struct{}), done: make(chan struct{})}
	claims, r := c.claimStore(), c.run
	q := claim.Request{TaskID: id, AgentID: c.store.settings.AgentID, ProvenanceID: c.provenance,
		BaseBranch: string(r.ready.Default), FeatureBranch: string(r.ready.Branch)}
	got := make(chan struct{})
	go func() {
		defer close(h.done)
		res, err := claims.Hold(context.WithoutCancel(ctx), q, watchClaim, func(inner context.Context) error {
			close(got)
			select {
			case <-h.stop:
				return nil
			case <-inner.Done():
			}
			if _, err := os.Stat(c.store.Claims); err != nil {
				h.gone = true
				return nil
			}
			h.lost = lostTo(context.WithoutCancel(inner), claims, q)
			r.cancel(h.lost)
			return nil
		})
		if h.err = err; err == nil && res.Outcome == claim.Contested {
			h.err = &claimError{task: id, who: holder(res.Canonical)}
		}
	}()
	select {
	case <-got:
		return h, nil
	case <-h.done:
		return nil, h.err
	}
}

// holder words who has a claim, and since when.
func holder(s *claim.Seen) string {
	if s == nil {
		return "somebody who wrote the claims in the same moment"
	}
	text := fmt.Sprintf("agent %s (%s)", s.AgentID, s.ProvenanceID)
	if at, ok := stable.ParseTime(s.ClaimedAt); ok {
		text += " since " + at.Local().Format(time.DateTime)
	}
	if s.Stale {
		text += ", which is stale"
	}
	return text
}

// lostTo finds out what became of a claim.
func lostTo(ctx context.Context, claims *claim.Store, q claim.Request) *claimError {
	e := &claimError{task: q.TaskID, who: "nobody holds it", lost: true}
	f, err := claims.Read(ctx)
	if err != nil {
		e.who = err.Error()
		return e
	}
	for _, one := range f.Claims {
		if one.TaskID != q.TaskID {
			continue
		}
		mine := one.AgentID == q.AgentID && one.ProvenanceID == q.ProvenanceID
		switch {
		case one.Status == claim.Active && !mine:
			e.who = holder(&claim.Seen{Claim: one}) + " holds it"
		case mine && one.ResolvedBy != "":
			e.who = fmt.Sprintf("%s resolved it (%s)", one.ResolvedBy, one.ResolutionReason)
		case mine && one.Status == claim.Released:
			e.who = "it was released"
		}
	}
	return e
}

// Holds is the phase's Lease: it looks once more, before anything is committed.
func (c *recording) Holds(ctx context.Context, position int, t plan.Task) error {
	if c.held == nil {
		return nil
	}
	if c.held.isOver() {
		return c.Take(ctx, position, t)
	}
	q := claim.Request{TaskID: c.held.task, AgentID: c.store.settings.AgentID, ProvenanceID: c.provenance}
	claims, holds := c.claimStore(), false
	if looked := c.try(ctx, "its tasks are not claimed", claims.LockPath(), func() (err error) {
		holds, err = claims.Holds(ctx, q.TaskID, q.AgentID, q.ProvenanceID)
		return err
	}); holds || !looked { // who can't look has not lost it: the watch reads without the lock
		return nil
	}
	if _, err := os.Stat(c.store.Claims); err != nil {
		c.release()
		return c.Take(ctx, position, t)
	}
	return lostTo(ctx, claims, q)
}

// release lets go of the claim, if there is one.
func (c *recording) release() {
	h := c.held
	if h == nil {
		return
	}
	c.held = nil
	close(h.stop)
	<-h.done
	if h.err != nil {
		c.warn("the claim on "+h.task+" stays", h.err)
	}
}
