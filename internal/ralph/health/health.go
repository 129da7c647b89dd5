package health

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/lock"
	"ralphex/internal/ralph/stable"
)

// The codes of signals.
const (
	CodeStateLock        = "stale_state_lock"
	CodeTasksLock        = "stale_tasks_lock"
	CodeAuxLock          = "stale_aux_lock"
	CodeNoResult         = "stale_active_claim_no_result"
	CodeOffline          = "stale_active_claim_agent_offline"
	CodeContestedHandoff = "contested_handoff"
	CodeExpiredHandoff   = "expired_handoff_unresolved"
)

// Signal is one sign. All are warnings but CodeContestedHandoff, which is an error.
type Signal struct {
	Code    string
	Message string
	TaskID  string // empty where it concerns no task
}

// Options are when something counts as old.
type Options struct {
	Now       time.Time
	StaleLock time.Duration // a lock that is strictly older is reported
	ClaimTTL  time.Duration // a claim that is strictly older is looked at; 0 = none is
}

// CheckStaleState looks for what was left behind (checkStaleState in the seed): old locks, then quiet claims in file order, then contracts by
// file name. It changes nothing.
func CheckStaleState(l layout.Layout, o Options) []Signal {
	var out []Signal
	for _, file := range []struct{ path, code, work string }{
		{l.StateLock(), CodeStateLock, "iteration"}, {l.TasksLock(), CodeTasksLock, "iteration"},
		{l.ClaimsLock(), CodeAuxLock, "iteration"}, {l.RegistryLock(), CodeAuxLock, "iteration or cleanup"},
	} {
		info, held, err := lock.Inspect(file.path)
		if err != nil || !held || info.Age(o.Now) <= o.StaleLock {
			continue
		}
		out = append(out, Signal{Code: file.code, Message: fmt.Sprintf("%s is %d seconds old, more than %d. If no %s is in progress, remove it by hand: %s",
			l.Rel(file.path), int(info.Age(o.Now).Seconds()), int(o.StaleLock.Seconds()), file.work, info.Remove())})
	}
	out = append(out, quietClaims(l, o)...)
	return append(out, handoffs(l, o.Now)...)
}

// claim is an active claim whose time can be read.
type claim struct {
	task, agent, provenance string
	at                      time.Time
}

func quietClaims(l layout.Layout, o Options) []Signal {
	var old []claim
	for _, c := range activeClaims(l) {
		if o.ClaimTTL > 0 && o.Now.Sub(c.at) > o.ClaimTTL {
			old = append(old, c)
		}
	}
	if old == nil {
		return nil // the iterations are read only when somebody asks
	}
	results, runs := iterationResults(l), finishedRuns(l)
	var out []Signal
	for _, c := range old {
		age := o.Now.Sub(c.at).Truncate(time.Second)
		if !results.after(c) {
			out = append(out, Signal{CodeNoResult, fmt.Sprintf(
				"Agent %s has claimed task %s for %s, and no iteration result of it is newer than the claim. If its process is gone: ralphex claim resolve %[2]s",
				c.agent, c.task, age), c.task})
		}
		if !runs.after(c) {
			out = append(out, Signal{CodeOffline, fmt.Sprintf(
				"Agent %s may be offline: it has claimed task %s for %s, and state.json has no finished run of it since.", c.agent, c.task, age), c.task})
		}
	}
	return out
}

// activeClaims reads the raw file: what is not exactly active, or has no time that can be read, is left out.
func activeClaims(l layout.Layout) []claim {
	o := object(l.Claims)
	var out []claim
	for _, c := range o.Objects("claims") {
		at, ok := stable.ParseTime(c.Text("claimedAt"))
		if ok && c.Text("status") == "active" {
			out = append(out, claim{c.Text("taskId"), c.Text("agentId"), c.Text("provenanceId"), at})
		}
	}
	return out
}

// signs are the newest signs of life: by provenance, and by task with agent.
type signs map[string]time.Time

func (s signs) add(key string, at time.Time) {
	if at.After(s[key]) {
		s[key] = at
	}
}

// record notes a sign. One without an agent matches by its provenance only: it could be anybody's.
func (s signs) record(o *stable.Object, at time.Time) {
	if p := o.Text("provenanceId"); p != "" {
		s.add("p\x00"+p, at)
	}
	if task, agent := o.Text("selectedTaskId"), o.Text("agentId"); task != "" && agent != "" {
		s.add("t\x00"+task+"\x00"+agent, at)
	}
}

func (s signs) after(c claim) bool {
	return s["p\x00"+c.provenance].After(c.at) || s["t\x00"+c.task+"\x00"+c.agent].After(c.at)
}

// iterationResults notes each iteration-result.json at the time when it was written.
func iterationResults(l layout.Layout) signs {
	s := signs{}
	entries, _ := os.ReadDir(l.Artifacts) // a missing folder has no results
	for _, e := range entries {
		if _, ok := layout.ParseIteration(e.Name()); !ok {
			continue
		}
		path := filepath.Join(l.Artifacts, e.Name(), "iteration-result.json")
		if fi, err := os.Stat(path); err == nil {
			if o := object(path); o != nil {
				s.record(o, fi.ModTime())
			}
		}
	}
	return s
}

// finishedRuns notes the runs and iterations of state.json. A run says no task, so it matches by its provenance.
func finishedRuns(l layout.Layout) signs {
	s := signs{}
	o := object(l.State)
	records := slices.Concat(o.Objects("runHistory"), o.Objects("iterationHistory"))
	for _, key := range []string{"lastRun", "lastIteration"} {
		v, _ := o.Get(key)
		if r, ok := v.(*stable.Object); ok {
			records = append(records, r)
		}
	}
	for _, r := range records {
		if at, ok := stable.ParseTime(r.Text("finishedAt")); ok {
			s.record(r, at)
		}
	}
	return s
}

// handoffs looks at the contracts between roles.
func handoffs(l layout.Layout, now time.Time) []Signal {
	entries, _ := os.ReadDir(l.Handoffs) // sorted by name; a missing folder has none
	var out []Signal
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		o := object(filepath.Join(l.Handoffs, e.Name()))
		id, task := o.Text("handoffId"), o.Text("taskId")
		if id == "" {
			id = strings.TrimSuffix(e.Name(), ".json")
		}
		switch status := o.Text("status"); status {
		case "contested":
			out = append(out, Signal{CodeContestedHandoff, fmt.Sprintf("Handoff %s from %s to %s is contested: settle it before a run goes on.",
				id, o.Text("fromAgentId"), o.Text("toRole")), task})
		case "proposed", "accepted":
			if end, ok := stable.ParseTime(o.Text("expiresAt")); ok && !end.After(now) {
				out = append(out, Signal{CodeExpiredHandoff, fmt.Sprintf("Handoff %s is still %s, and expired at %s.", id, status, o.Text("expiresAt")), task})
			}
		}
	}
	return out
}

// maxSize is the largest file that is looked at.
const maxSize = 64 << 20

// object reads a file that holds a JSON object; nil where it doesn't.
func object(path string) *stable.Object { return stable.ObjectOf(durable.ReadFile(path, maxSize)) }
