package preflight

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/claim"
)

func (e *evaluation) claims() {
	if e.s.ClaimsErr != nil {
		e.add("claims_file_unreadable", fmt.Sprintf("%s can't be understood: %v. No claim can be taken until it is repaired by hand.", e.s.Layout.Rel(e.s.Layout.Claims), e.s.ClaimsErr))
		return
	}
	e.collision()
	for _, t := range e.s.Claims.Tasks {
		if t.Contested {
			var who []string
			for _, c := range t.Active {
				who = append(who, c.AgentID+"/"+c.ProvenanceID)
			}
			e.add("task_claim_contested", fmt.Sprintf("Task %s has %d active claims: %s. The last one counts.", t.TaskID, len(t.Active), strings.Join(who, ", ")), onTask(t.TaskID))
		}
		c := t.Canonical
		if c.Stale {
			e.add("task_claim_stale", fmt.Sprintf("The claim of %s/%s on task %s is stale: it was made at %s. If its process is gone: ralphex claim resolve %s",
				c.AgentID, c.ProvenanceID, t.TaskID, c.ClaimedAt, t.TaskID), onTask(t.TaskID))
		}
		if c.ProvenanceID != e.q.ProvenanceID {
			current := e.q.ProvenanceID
			if current == "" {
				current = "none"
			}
			e.add("task_claim_provenance_mismatch", fmt.Sprintf("Task %s is claimed by %s/%s; the current iteration is %s.", t.TaskID, c.AgentID, c.ProvenanceID, current), onTask(t.TaskID))
		}
	}
	if c := e.s.Claims.LatestResolved; c != nil && c.ResolutionReason != "" {
		e.add("stale_claim_resolved", fmt.Sprintf("The claim of %s/%s on task %s was resolved as %s at %s by %s: %s", c.AgentID, c.ProvenanceID, c.TaskID, c.Status,
			c.ResolvedAt, orNone(c.ResolvedBy), c.ResolutionReason), onTask(c.TaskID))
	}
}

// collision looks whether agents that never got a name share the default one: their releases would meet.
func (e *evaluation) collision() {
	const nobody = "default"
	if e.q.AgentID != nobody {
		return
	}
	for _, t := range e.s.Claims.Tasks {
		for _, c := range t.Active {
			if c.AgentID == nobody && c.ProvenanceID != e.q.ProvenanceID {
				e.add("default_agent_id_collision", fmt.Sprintf(
					"This agent has the default id, and so has %s, which claims task %s: one could release the other's claim. Set ralphCodex.agentId.", c.ProvenanceID, t.TaskID))
				return
			}
		}
	}
}

// activeClaims says who has what: "a: T1 - title @ time (fresh), T2 …; b: …".
func (e *evaluation) activeClaims() string {
	if e.s.ClaimsErr != nil {
		return "unknown"
	}
	titles := map[string]string{}
	if in := e.s.Tasks; in != nil && in.File != nil && len(e.s.Claims.Tasks) > 0 {
		for _, t := range in.File.Tasks {
			if _, ok := titles[t.ID]; !ok {
				titles[t.ID] = t.Title
			}
		}
	}
	byAgent := map[string][]string{}
	for _, t := range e.s.Claims.Tasks {
		byAgent[t.Canonical.AgentID] = append(byAgent[t.Canonical.AgentID], describeClaim(t, titles[t.TaskID]))
	}
	var out []string
	for agent, tasks := range byAgent {
		out = append(out, agent+": "+strings.Join(tasks, ", "))
	}
	if out == nil {
		return "none"
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func describeClaim(t claim.TaskClaims, title string) string {
	name, age := t.TaskID, "fresh"
	if title != "" {
		name += " - " + title
	}
	if t.Canonical.Stale {
		age = "stale"
	}
	return fmt.Sprintf("%s @ %s (%s)", name, t.Canonical.ClaimedAt, age)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
