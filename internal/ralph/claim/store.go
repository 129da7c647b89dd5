package claim

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// Store is the claims file of a workspace.
type Store struct {
	path   string
	ttl    time.Duration
	budget lock.Budget

	wrote func() // called between a write and its second look, by tests that come in between
}

// DefaultTTL is after how long an active claim is stale (claimTtlHours).
const DefaultTTL = 24 * time.Hour

// New returns the store of the claims file at path. Active claims that are older than ttl are stale; with 0 none is.
func New(path string, ttl time.Duration) *Store {
	return &Store{path: path, ttl: ttl, budget: lock.Others, wrote: func() {}}
}

// WithBudget returns the store with another patience for its lock.
func (s *Store) WithBudget(b lock.Budget) *Store {
	c := *s
	c.budget = b
	return &c
}

// LockPath returns the path of the lock, which lies beside the file.
func (s *Store) LockPath() string { return s.path + ".lock" }

// Outcome is the answer to an operation.
type Outcome string

// The outcomes.
const (
	Acquired    Outcome = "acquired"
	AlreadyHeld Outcome = "already_held" // by this agent under this provenance id: an iteration that goes on
	Contested   Outcome = "contested"    // somebody holds the task; the file is as it was
	DidRelease  Outcome = "released"
	NotHeld     Outcome = "not_held" // the canonical claim isn't the agent's; the file is as it was
	Resolved    Outcome = "resolved"
	NotEligible Outcome = "not_eligible" // the claim is not the canonical one any more, or not stale; the file is as it was
)

// Result is the answer, with what the file says after it.
type Result struct {
	Outcome   Outcome
	Claim     *Seen // the claim that the operation acquired, found, released or resolved; nil if there is none
	Canonical *Seen // the canonical claim of the task after the operation; nil if there is none
	// LookupMiss tells that the watchdog's claim is no longer the canonical one: somebody else has the task, or nobody.
	LookupMiss bool
	File       *File
}

// Request is who asks for which task.
type Request struct {
	TaskID, AgentID, ProvenanceID                string
	BaseBranch, IntegrationBranch, FeatureBranch string // information for a person; may be empty
}

// Read returns the claims without taking the lock. Our own writes replace the file whole; other programs may take it
// away for a moment, so one that is missing under a held lock is looked for again.
func (s *Store) Read(ctx context.Context) (*File, error) {
	f, err := load(s.path)
	if err != nil || len(f.Claims) > 0 {
		return f, err
	}
	if _, held, err := lock.Inspect(s.LockPath()); err != nil || !held {
		return f, nil
	}
	_, err = lock.With(ctx, s.LockPath(), lock.Tasks, func() (err error) {
		f, err = load(s.path)
		return err
	})
	return f, err
}

// Inspect is File.Inspect for what Read returns, with the store's TTL.
func (s *Store) Inspect(ctx context.Context, now time.Time) (Graph, error) {
	f, err := s.Read(ctx)
	if err != nil {
		return Graph{}, err
	}
	return f.Inspect(now, s.ttl), nil
}

// under runs change with the file under the lock. If it changed the file (its result says how it must look), that is
// written and read again.
func (s *Store) under(ctx context.Context, verb string, change func(*File) (*Result, error)) (*Result, error) {
	var res *Result
	r, err := lock.With(ctx, s.LockPath(), s.budget, func() error {
		f, err := load(s.path)
		if err != nil {
			return err
		}
		res, err = change(f)
		return err
	})
	if err == nil {
		err = r.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", verb, err)
	}
	return res, nil
}

// rewrite saves the file and reads it again.
func (s *Store) rewrite(f *File) (*File, error) {
	if err := f.save(); err != nil {
		return nil, err
	}
	s.wrote()
	return load(s.path)
}

// Acquire claims the task for the agent: Acquired, AlreadyHeld or Contested. A stale claim of somebody else still
// blocks. Claims that were left by prompts prepared in an editor block nobody, and are released in passing.
func (s *Store) Acquire(ctx context.Context, q Request) (*Result, error) {
	for _, id := range []string{q.TaskID, q.AgentID, q.ProvenanceID} {
		if id == "" || !utf8.ValidString(id) {
			return nil, fmt.Errorf("claim: task %q, agent %q and provenance id %q have to be UTF-8, and not empty", q.TaskID, q.AgentID, q.ProvenanceID)
		}
	}
	return s.under(ctx, "claim "+q.TaskID, func(f *File) (*Result, error) {
		f, err := s.releaseHandoffs(f, q.TaskID)
		if err != nil {
			return nil, err
		}
		if at, contested := f.canonical(q.TaskID); at >= 0 {
			c := f.Claims[at]
			if contested || c.AgentID != q.AgentID || c.ProvenanceID != q.ProvenanceID {
				return s.answer(f, Contested, q.TaskID, nil), nil
			}
			return s.answer(f, AlreadyHeld, q.TaskID, &c), nil
		}
		mine := Claim{
			TaskID: q.TaskID, AgentID: q.AgentID, ProvenanceID: q.ProvenanceID, ClaimedAt: stable.Time(time.Now()), Status: Active,
			BaseBranch: q.BaseBranch, IntegrationBranch: q.IntegrationBranch, FeatureBranch: q.FeatureBranch,
		}
		f.append(mine)
		if f, err = s.rewrite(f); err != nil {
			return nil, err
		}
		if at, _ := f.canonical(q.TaskID); at < 0 || f.Claims[at] != mine {
			return s.answer(f, Contested, q.TaskID, nil), nil
		}
		return s.answer(f, Acquired, q.TaskID, &mine), nil
	})
}

// releaseHandoffs releases the task's active claims that a prompt preparation left, whoever held them.
func (s *Store) releaseHandoffs(f *File, task string) (*File, error) {
	found := false
	for i, c := range f.Claims {
		if c.TaskID == task && c.Status == Active && isIDE(c.ProvenanceID) {
			c.Status = Released
			f.change(i, c)
			found = true
		}
	}
	if !found {
		return f, nil
	}
	return s.rewrite(f)
}

// Release ends the agent's claim on the task. It may be called again: the answer is then NotHeld.
func (s *Store) Release(ctx context.Context, task, agent string) (*Result, error) {
	return s.release(ctx, task, func(c Claim) bool { return c.AgentID == agent })
}

// release releases the canonical claim of the task if mine takes it.
func (s *Store) release(ctx context.Context, task string, mine func(Claim) bool) (*Result, error) {
	return s.under(ctx, "release "+task, func(f *File) (*Result, error) {
		at, _ := f.canonical(task)
		if at < 0 || !mine(f.Claims[at]) {
			return s.answer(f, NotHeld, task, nil), nil
		}
		c := f.Claims[at]
		c.Status = Released
		return s.settle(f, at, c, DidRelease)
	})
}

// settle changes a claim and makes sure that the disk has it.
func (s *Store) settle(f *File, at int, c Claim, o Outcome) (*Result, error) {
	f.change(at, c)
	f, err := s.rewrite(f)
	if err != nil {
		return nil, err
	}
	for _, there := range f.Claims {
		if there == c {
			return s.answer(f, o, c.TaskID, &c), nil
		}
	}
	return nil, fmt.Errorf("%s was changed by another program in the same moment: the claim of %s on %s is not %s there",
		s.path, c.AgentID, c.TaskID, c.Status)
}

// Holds tells whether the canonical claim of the task is active under this agent and this provenance id. It is asked
// under tasks.lock, right before what the claim allows is written.
func (s *Store) Holds(ctx context.Context, task, agent, provenance string) (bool, error) {
	held := false
	_, err := s.under(ctx, "look at the claim of "+task, func(f *File) (*Result, error) {
		at, _ := f.canonical(task)
		held = at >= 0 && f.Claims[at].AgentID == agent && f.Claims[at].ProvenanceID == provenance
		return nil, nil
	})
	return held, err
}

// answer describes the file after an operation.
func (s *Store) answer(f *File, o Outcome, task string, c *Claim) *Result {
	now := time.Now()
	r := &Result{Outcome: o, File: f}
	if c != nil {
		r.Claim = &Seen{*c, c.IsStale(now, s.ttl)}
	}
	if at, _ := f.canonical(task); at >= 0 {
		r.Canonical = &Seen{f.Claims[at], f.Claims[at].IsStale(now, s.ttl)}
	}
	return r
}
