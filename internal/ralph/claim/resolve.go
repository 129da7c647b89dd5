package claim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ralphex/internal/ralph/stable"
)

// Operator is who resolves a claim where no name is given.
const Operator = "operator"

// WatchdogRole is the only role that may recover claims by itself.
const WatchdogRole = "watchdog"

// Resolve marks a stale claim as stale for a person who saw it (Resolve Stale Task Claim), with the time, by whom (Operator if empty) and why. The
// task goes back to where all tasks are selected from; its status stays, and nobody is assigned. The answer is NotEligible
// if the claim isn't the canonical one of its task any more, or not stale.
func (s *Store) Resolve(ctx context.Context, seen Claim, by, reason string) (*Result, error) {
	if by = stable.Trim(by); by == "" {
		by = Operator
	}
	return s.resolve(ctx, seen.TaskID, by, reason, func(c *Claim) bool { return c != nil && c.Same(seen) })
}

// Finding is why a watchdog takes a claim for abandoned. All of it goes into the reason.
type Finding struct {
	Severity string // "high"
	Reason   string // what was concluded
	Evidence string // the durable files that show it: preflight and iteration history
}

// ResolveAsWatchdog is Resolve for the watchdog role. The claim is looked up by its task and agent under the lock, so that one that
// was acquired meanwhile isn't hit: the Result then has LookupMiss.
func (s *Store) ResolveAsWatchdog(ctx context.Context, role, watchdog, task, agent string, f Finding) (*Result, error) {
	if role != WatchdogRole {
		return nil, fmt.Errorf("resolve the claim on %s: the role %q may not: only %q recovers claims by itself", task, role, WatchdogRole)
	}
	if watchdog == "" {
		return nil, fmt.Errorf("resolve the claim on %s: the watchdog needs an agent id", task)
	}
	for _, part := range []string{f.Severity, f.Reason, f.Evidence} {
		if stable.Trim(part) == "" {
			return nil, fmt.Errorf("resolve the claim on %s: a watchdog names severity, reason and evidence", task)
		}
	}
	reason := fmt.Sprintf("watchdog [%s]: %s (evidence: %s)", stable.Trim(f.Severity), stable.Trim(f.Reason), stable.Trim(f.Evidence))
	miss := false
	res, err := s.resolve(ctx, task, watchdog, reason, func(c *Claim) bool {
		miss = c == nil || c.AgentID != agent
		return !miss
	})
	if res != nil {
		res.LookupMiss = miss
	}
	return res, err
}

// resolve marks the canonical claim of the task if fits takes it and it is stale now. fits gets nil where there is none.
func (s *Store) resolve(ctx context.Context, task, by, reason string, fits func(*Claim) bool) (*Result, error) {
	by = strings.ToValidUTF8(by, "\uFFFD") // as it will be on disk
	if reason = stable.Trim(strings.ToValidUTF8(reason, "\uFFFD")); reason == "" {
		return nil, errors.New("resolve the claim on " + task + ": a reason is needed")
	}
	return s.under(ctx, "resolve the claim on "+task, func(f *File) (*Result, error) {
		at, _ := f.canonical(task)
		var c *Claim
		if at >= 0 {
			c = &f.Claims[at]
		}
		now := time.Now()
		if !fits(c) || !c.IsStale(now, s.ttl) {
			return s.answer(f, NotEligible, task, nil), nil
		}
		done := *c
		done.Status, done.ResolvedAt, done.ResolvedBy, done.ResolutionReason = Stale, stable.Time(now), by, reason
		return s.settle(f, at, done, Resolved)
	})
}
