package claim

import (
	"time"

	"ralphex/internal/ralph/stable"
)

// Status is what became of a claim.
type Status string

// The statuses. A record without one, or with another one, counts as active.
const (
	Active   Status = "active"
	Released Status = "released"
	Stale    Status = "stale"
)

// Claim is one record. Its first four fields are its identity. Claims are equal (==) if all fields are.
type Claim struct {
	TaskID       string // "T1.2"
	AgentID      string // "default"
	ProvenanceID string // "run-i007-cli-20260317T120000Z"
	ClaimedAt    string // as it stands in the file; never rewritten
	Status       Status

	// Branches are information for a person. Nothing acts on them.
	BaseBranch, IntegrationBranch, FeatureBranch string

	// The recovery fields, written by Resolve and ResolveAsWatchdog only, and then all three.
	ResolvedAt, ResolvedBy, ResolutionReason string
}

// Same tells whether both are the same claim, whatever became of it.
func (c Claim) Same(o Claim) bool {
	return c.TaskID == o.TaskID && c.AgentID == o.AgentID && c.ProvenanceID == o.ProvenanceID && c.ClaimedAt == o.ClaimedAt
}

// Age returns how old the claim is, or false if its time can't be read.
func (c Claim) Age(now time.Time) (time.Duration, bool) {
	t, ok := stable.ParseTime(c.ClaimedAt)
	return now.Sub(t), ok
}

// IsStale tells whether the claim is active and older than ttl. A ttl of 0 makes none stale, and neither is one whose time can't be read.
func (c Claim) IsStale(now time.Time, ttl time.Duration) bool {
	age, ok := c.Age(now)
	return c.Status == Active && ttl > 0 && ok && age > ttl
}

// optional are the fields that a record may lack, in the order in which a new record has them.
func (c *Claim) optional() []field {
	return []field{
		{"baseBranch", &c.BaseBranch}, {"integrationBranch", &c.IntegrationBranch}, {"featureBranch", &c.FeatureBranch},
		{"resolvedAt", &c.ResolvedAt}, {"resolvedBy", &c.ResolvedBy}, {"resolutionReason", &c.ResolutionReason},
	}
}

type field struct {
	key string
	to  *string
}

// read returns false for what is no claim.
func read(v any) (c Claim, ok bool) {
	o, ok := v.(*stable.Object)
	if !ok {
		return c, false
	}
	for _, f := range []field{{"taskId", &c.TaskID}, {"agentId", &c.AgentID}, {"provenanceId", &c.ProvenanceID}, {"claimedAt", &c.ClaimedAt}} {
		if *f.to, ok = o.String(f.key); !ok {
			return c, false
		}
	}
	for _, f := range c.optional() {
		*f.to, _ = o.String(f.key)
	}
	c.Status = Active
	if s, _ := o.String("status"); Status(s) == Released || Status(s) == Stale {
		c.Status = Status(s)
	}
	return c, true
}

// Stable returns the record as a new one is written.
func (c Claim) Stable() any {
	o := &stable.Object{}
	o.Set("taskId", c.TaskID)
	o.Set("agentId", c.AgentID)
	o.Set("provenanceId", c.ProvenanceID)
	o.Set("claimedAt", c.ClaimedAt)
	o.Set("status", string(c.Status))
	for _, f := range c.optional() {
		if *f.to != "" {
			o.Set(f.key, *f.to)
		}
	}
	return o
}
