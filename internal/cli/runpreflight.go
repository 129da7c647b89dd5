package cli

import (
	"context"
	"slices"
	"time"

	"ralphex/internal/ralph/preflight"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
)

// runLooker knows the agent of the run: it was found already, whatever the workspace's settings name.
type runLooker struct {
	*looker
	ex executor.Executor
}

// Provider is the run's agent.
func (l runLooker) Provider(context.Context) preflight.Provider {
	return preflight.Provider{Name: l.ex.Name(), State: preflight.ProviderVerified}
}

// request is what a plan run asks of a preflight: its task comes from the plan, none is selected from the graph.
func (c *recording) request() preflight.Request {
	untracked := 0
	if c.run.ready != nil {
		for _, ch := range c.run.ready.Changes {
			if ch.Untracked() {
				untracked++
			}
		}
	}
	return preflight.Request{AgentID: c.store.settings.AgentID, ProvenanceID: c.provenance, Iteration: c.number, Chosen: true, Untracked: untracked}
}

// lookAt is the preflight's look at the workspace. A repository without one has nothing to be looked at.
func (c *recording) lookAt(ctx context.Context) {
	if !c.store.initialized() {
		return
	}
	look := runLooker{&looker{p: c.run.proc, store: c.store, configDir: c.run.opts.configDir}, c.run.agent.ex}
	c.look = preflight.Evaluate(preflight.Read(ctx, c.store.Layout, c.store.settings, look, time.Now()), c.request())
}

// judge tells what the look found, and is an error if the run must not begin.
func (c *recording) judge(ctx context.Context) error {
	if c.look == nil {
		return nil
	}
	loud := []preflight.Category{preflight.ClaimGraph, preflight.AgentHealth} // the others' warnings are for `ralphex preflight`
	for _, d := range c.look.Diagnostics {
		switch {
		case d.Severity == preflight.Error:
			c.note(event.Error, "preflight: "+d.Line(), "")
		case d.Severity == preflight.Warning && slices.Contains(loud, d.Category):
			c.note(event.Warn, "preflight: "+d.Line(), "")
		}
	}
	blocked := c.look.Blocked()
	switch {
	case !c.writes() || c.number == 0:
	case blocked != nil:
		blocked.Report = c.store.Rel(c.store.Preflight(c.number).PreflightReport)
		if err := c.evidence.blocked(ctx, c.number, c.look); err != nil {
			c.warn("the bundle of the blocked run", err)
		}
	default:
		if err := c.look.Write(c.store.Layout, c.request(), nil, time.Now()); err != nil {
			c.warn("preflight", err)
		}
	}
	if blocked != nil {
		return blocked
	}
	return nil
}
