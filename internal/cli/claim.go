package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/health"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

type claimCmd struct {
	List     claimListCmd     `cmd:"" help:"Show which agent works on which task."`
	Resolve  claimResolveCmd  `cmd:"" help:"Mark a stale claim as stale, so that its task can be selected again; --yes does it."`
	Watchdog claimWatchdogCmd `cmd:"" help:"As the watchdog role: mark the stale claims that nothing on disk speaks for; --yes does it."`
}

// openClaims opens the claims of a workspace that exists, or of a repository where a run with `record = full` made some.
func openClaims(ctx context.Context, p *Proc) (*store, *claim.Store, error) {
	s, err := openStore(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	claims := claim.New(s.Claims, s.settings.ClaimTTL)
	if _, err := os.Stat(s.Claims); err == nil {
		return s, claims, nil
	}
	return s, claims, s.mustExist()
}

// claimJSON is a claim as the verbs print it.
type claimJSON struct {
	TaskID           string `json:"task"`
	AgentID          string `json:"agent"`
	ProvenanceID     string `json:"provenance"`
	ClaimedAt        string `json:"claimed_at"`
	Status           string `json:"status"`
	Stale            bool   `json:"stale"`
	Canonical        bool   `json:"canonical"`
	Contested        bool   `json:"contested"`
	ResolvedAt       string `json:"resolved_at,omitempty"`
	ResolvedBy       string `json:"resolved_by,omitempty"`
	ResolutionReason string `json:"resolution_reason,omitempty"`
}

func asJSON(c claim.Seen, g claim.Graph) claimJSON {
	j := claimJSON{
		TaskID: c.TaskID, AgentID: c.AgentID, ProvenanceID: c.ProvenanceID, ClaimedAt: c.ClaimedAt, Status: string(c.Status), Stale: c.Stale,
		ResolvedAt: c.ResolvedAt, ResolvedBy: c.ResolvedBy, ResolutionReason: c.ResolutionReason,
	}
	if t := g.Task(c.TaskID); t != nil && c.Status == claim.Active {
		j.Canonical, j.Contested = t.Canonical.Claim == c.Claim, t.Contested
	}
	return j
}

type claimListCmd struct {
	All  bool `help:"Also those that were released or resolved."`
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (claimListCmd) Help() string {
	return `A claim says that an agent works on a task. The last active one of a task is its holder. One that is older than claimTtlHours is stale: it
still blocks, until a person resolves it.

Examples:
  ralphex claim list
  ralphex claim list --all --json | jq -r '.claims[] | select(.stale) | .task'`
}

// Run prints the claims in the order of the file.
func (c claimListCmd) Run(ctx context.Context, p *Proc) error {
	s, claims, err := openClaims(ctx, p)
	if err != nil {
		return err
	}
	f, err := claims.Read(ctx)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	now := time.Now()
	g := f.Inspect(now, s.settings.ClaimTTL)
	shown := []claimJSON{}
	for _, one := range f.Claims {
		if c.All || one.Status == claim.Active {
			shown = append(shown, asJSON(claim.Seen{Claim: one, Stale: one.IsStale(now, s.settings.ClaimTTL)}, g))
		}
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version int         `json:"version"`
			Claims  []claimJSON `json:"claims"`
		}{1, shown})
	}
	for _, one := range shown {
		fmt.Fprintln(plainly(p.Out), one.line(now))
	}
	if len(shown) == 0 {
		fmt.Fprintln(p.Err, "no task is claimed")
	}
	return nil
}

func (j claimJSON) line(now time.Time) string {
	state := []string{j.Status}
	if j.Stale {
		state = append(state, "stale")
	}
	if j.Contested {
		state = append(state, "contested")
	}
	age := ""
	if at, ok := stable.ParseTime(j.ClaimedAt); ok {
		age = ", " + howOld(now.Sub(at)) + " old"
	}
	s := fmt.Sprintf("%s  %s  %s  %s%s", task.Plain(j.TaskID), task.Plain(j.AgentID), task.Plain(j.ProvenanceID), strings.Join(state, ", "), age)
	if j.ResolvedAt != "" {
		s += fmt.Sprintf("\n    resolved %s by %s: %s", task.Plain(j.ResolvedAt), task.Plain(j.ResolvedBy), task.Plain(j.ResolutionReason))
	}
	return s
}

type claimResolveCmd struct {
	Task   string `arg:"" help:"Task whose claim is stale."`
	Reason string `help:"Why the claim is taken for abandoned; it is kept in the file." placeholder:"TEXT" required:""`
	By     string `help:"Who decides it (default: the user's name)." placeholder:"NAME"`
	Yes    bool   `help:"Do it."`
	JSON   bool   `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (claimResolveCmd) Help() string {
	return `Marks the claim as stale, with the time, your name and the reason. The task keeps its status and goes back to where all tasks are
selected from; nobody is assigned. A claim that is not stale is left alone. First make sure that no process of its run lives.

Examples:
  ralphex claim resolve T3 --reason 'the machine was switched off'
  ralphex claim resolve T3 --reason 'the machine was switched off' --yes`
}

// Run resolves the canonical claim of a task.
func (c claimResolveCmd) Run(ctx context.Context, p *Proc) error {
	if err := refuseInSession(p, "claim resolve"); err != nil {
		return err
	}
	s, claims, err := openClaims(ctx, p)
	if err != nil {
		return err
	}
	if err := s.CheckInside(); err != nil {
		return err
	}
	now := time.Now()
	g, err := claims.Inspect(ctx, now)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	t := g.Task(c.Task)
	if t == nil {
		return c.refuse(p, "not_claimed", fmt.Errorf("no active claim on %s", c.Task), "ralphex claim list shows the claims")
	}
	if !t.Canonical.Stale {
		return c.refuse(p, string(claim.NotEligible), fmt.Errorf("the claim of %s on %s is not stale", t.Canonical.AgentID, c.Task),
			"let its run end; when it is older than claimTtlHours it can be resolved")
	}
	if stable.Trim(c.Reason) == "" {
		return usage(errors.New("a reason is needed"), "--reason 'what happened to its run'")
	}
	if !c.Yes {
		if c.JSON {
			return printResolved(p, []claimJSON{asJSON(t.Canonical, g)}, false)
		}
		fmt.Fprintln(plainly(p.Out), asJSON(t.Canonical, g).line(now))
		fmt.Fprintf(plainly(p.Err), "next: make sure that no process of run %s lives, then the same command with --yes\n", t.Canonical.ProvenanceID)
		return nil
	}
	by := c.By
	if by == "" {
		by = getenv(p.Env, "USER")
	}
	r, err := claims.Resolve(ctx, t.Canonical.Claim, by, c.Reason)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	if r.Outcome != claim.Resolved {
		return c.refuse(p, string(r.Outcome), fmt.Errorf("the claim on %s changed in the meantime: %s", c.Task, r.Outcome), "ralphex claim list")
	}
	done := asJSON(*r.Claim, g)
	if c.JSON {
		return printResolved(p, []claimJSON{done}, true)
	}
	fmt.Fprintln(plainly(p.Out), done.line(now))
	return nil
}

// refuse says why the claim stays as it is.
func (c claimResolveCmd) refuse(p *Proc, code string, err error, next string) error {
	return refusal{Code: code, Task: c.Task}.print(p, c.JSON, hinted(err, next))
}

func printResolved(p *Proc, list []claimJSON, done bool) error {
	return printJSON(p.Out, struct {
		Version  int         `json:"version"`
		Resolved bool        `json:"resolved"` // false: it was only shown
		Claims   []claimJSON `json:"claims"`
	}{1, done, list})
}

type claimWatchdogCmd struct {
	Agent string `help:"Agent id of the watchdog (default: the workspace's agentId)." placeholder:"ID"`
	Yes   bool   `help:"Do it."`
	JSON  bool   `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (claimWatchdogCmd) Help() string {
	return `Marks canonical claims as stale that are older than watchdogStaleTtlMs and that neither an iteration result nor a finished run speaks
for since. That evidence stands in the reason. A contested task is left to a person, and no task is given to anybody. Only
a workspace whose agentRole is watchdog may do it.

Examples:
  ralphex claim watchdog
  ralphex claim watchdog --yes --json`
}

// Run looks for abandoned claims, and resolves them with --yes.
func (c claimWatchdogCmd) Run(ctx context.Context, p *Proc) error {
	if err := refuseInSession(p, "claim watchdog"); err != nil {
		return err
	}
	s, _, err := openClaims(ctx, p)
	if err != nil {
		return err
	}
	if err := s.CheckInside(); err != nil {
		return err
	}
	if role := s.settings.AgentRole; role != claim.WatchdogRole {
		return refusal{Code: "not_watchdog"}.print(p, c.JSON, usage(fmt.Errorf("the role of this workspace is %s, and only %s recovers claims by itself", role, claim.WatchdogRole),
			"ralphex claim resolve TASK --reason TEXT, or set agentRole"))
	}
	if c.Agent == "" {
		c.Agent = s.settings.AgentID
	}
	claims, now := claim.New(s.Claims, s.settings.WatchdogStaleTTL), time.Now()
	g, err := claims.Inspect(ctx, now)
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	list := []claimJSON{}
	for _, t := range g.Tasks {
		why, ok := abandoned(s, now, t)
		if !ok {
			continue
		}
		found := t.Canonical
		if c.Yes {
			r, err := claims.ResolveAsWatchdog(ctx, s.settings.AgentRole, c.Agent, t.TaskID, found.AgentID, why)
			if err != nil {
				return s.taskError(p, c.JSON, err)
			}
			if r.Outcome != claim.Resolved {
				continue // somebody claimed or resolved it since: that is what the lock is for
			}
			found = *r.Claim
		}
		list = append(list, asJSON(found, g))
	}
	if c.JSON {
		return printResolved(p, list, c.Yes)
	}
	for _, one := range list {
		fmt.Fprintln(plainly(p.Out), one.line(now))
	}
	if len(list) > 0 && !c.Yes {
		fmt.Fprintln(p.Err, "next: the same command with --yes")
	}
	return nil
}

// abandoned tells whether a task's only claim is stale and nothing on disk shows that its run went on.
func abandoned(s *store, now time.Time, t claim.TaskClaims) (claim.Finding, bool) {
	if !t.Canonical.Stale || t.Contested {
		return claim.Finding{}, false
	}
	signs := map[string]string{}
	for _, sign := range health.CheckStaleState(s.Layout, health.Options{Now: now, StaleLock: s.settings.StaleLock, ClaimTTL: s.settings.WatchdogStaleTTL}) {
		if sign.TaskID == t.TaskID {
			signs[sign.Code] = sign.Message
		}
	}
	noResult, offline := signs[health.CodeNoResult], signs[health.CodeOffline]
	return claim.Finding{
		Severity: "high", Reason: "no iteration result and no finished run since the claim", Evidence: noResult + "; " + offline,
	}, noResult != "" && offline != ""
}

// howOld words an age; from two days on nobody counts its hours.
func howOld(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= 2*day {
		return fmt.Sprintf("%d days", d/day)
	}
	return max(d, 0).Round(time.Second).String()
}
