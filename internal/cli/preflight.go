package cli

import (
	"context"
	"fmt"

	"ralphex/internal/ralph/preflight"
)

type preflightCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (preflightCmd) Help() string {
	return `Looks whether anything may be executed in the .ralph workspace: task graph, claims, files, agent, validation, and what was left
behind. Nothing is started, claimed or written. Exit 1 when an error would block a run; warnings don't count.

Examples:
  ralphex preflight
  ralphex preflight --json | jq -r '.diagnostics[] | select(.severity == "error") | .message'

docs/ralph-store.md lists the codes.`
}

// preflightAnswer is the answer as JSON.
type preflightAnswer struct {
	Version     int                    `json:"version"`
	Ready       bool                   `json:"ready"`
	Summary     string                 `json:"summary"`
	Claims      string                 `json:"active_claims"`
	Task        string                 `json:"selected_task"`
	Validation  string                 `json:"validation"`
	Remaining   int                    `json:"backlog_remaining"`
	Diagnostics []preflight.Diagnostic `json:"diagnostics"`
}

// Run evaluates and prints.
func (c preflightCmd) Run(ctx context.Context, p *Proc, g *root) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	if err := s.mustExist(); err != nil {
		return err
	}
	var q preflight.Request
	if s.repo != nil {
		tree, err := s.repo.Status(ctx)
		if err != nil {
			return fmt.Errorf("read the working tree: %w", err)
		}
		q.Untracked = untracked(tree)
	}
	r := preflight.Evaluate(s.snapshot(ctx, p, g.ConfigDir), q)
	if c.JSON {
		a := preflightAnswer{1, r.Ready, r.Summary, r.ActiveClaims, "", r.Validation.Effective, r.Counts.Remaining(), append([]preflight.Diagnostic{}, r.Diagnostics...)}
		if r.Selected != nil {
			a.Task = r.Selected.ID
		}
		err = printJSON(p.Out, a)
	} else {
		_, err = fmt.Fprint(p.Out, r.Render())
	}
	if err == nil && !r.Ready {
		err = &exitError{code: exitFailed}
	}
	return err
}
