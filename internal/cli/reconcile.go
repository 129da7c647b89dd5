package cli

import (
	"context"
	"fmt"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/prd"
	"ralphex/internal/ralph/task"
)

// maxObjective bounds the text of an objective, in bytes.
const maxObjective = 16 << 20

type reconcileCmd struct {
	DryRun bool `name:"dry-run" short:"n" help:"Only print; write no report."`
	JSON   bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (reconcileCmd) Help() string {
	return `Compares the live part of the objective (below "## Current scope", "## Live view" or "## Live backlog"; without those, all that is not archived)
with the task graph: ids that are cited and not there, active tasks that the objective says nothing of, active tasks of one title. It is a
proposal: neither file is changed. The report is artifacts/prd-reconciliation.json and .md.

Examples:
  ralphex reconcile
  ralphex reconcile --dry-run --json | jq .findingCount`
}

// Run compares, prints, and leaves the report.
func (c reconcileCmd) Run(ctx context.Context, p *Proc) error {
	s, err := openToPropose(ctx, p, "reconcile", c.DryRun)
	if err != nil {
		return err
	}
	objective, err := durable.ReadFile(s.PRD, maxObjective)
	if err != nil {
		return fmt.Errorf("read the objective: %w", err)
	}
	in, err := task.At(s.Tasks).Read(ctx)
	if err == nil {
		err = in.Err(s.Tasks)
	}
	if err != nil {
		return s.taskError(p, c.JSON, err)
	}
	found := prd.Reconcile(string(objective), in.File.Tasks)
	report := ""
	if !c.DryRun {
		path, err := prd.WriteDrift(s.Artifacts, found, time.Now())
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
		report = s.Rel(path)
		s.register(ctx, p, "prd-reconciliation", artifact.Durable, path)
	}
	if c.JSON {
		return printJSON(p.Out, struct {
			Version  int         `json:"version"`
			Count    int         `json:"findingCount"`
			Findings []prd.Drift `json:"findings"`
			Report   string      `json:"report,omitempty"`
		}{1, len(found), found, report})
	}
	for _, f := range found {
		fmt.Fprintf(p.Out, "%s: %s [%s]\n", f.Severity, task.Plain(f.Message), f.Type)
	}
	if len(found) == 0 {
		fmt.Fprintln(p.Err, "objective and backlog agree")
	}
	return nil
}
