package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"ralphex/internal/journal"
	findings "ralphex/internal/report"
	"ralphex/internal/term"
	"ralphex/pkg/event"
	"ralphex/pkg/finding"
)

type findingsCmd struct {
	Name   string `arg:"" optional:"" name:"run" help:"Run: its id, the beginning of it, or its plan. Without it, the newest."`
	Open   bool   `help:"Only what is neither fixed nor refuted."`
	Format string `help:"text, json, sarif or github." enum:"text,json,sarif,github" default:"text" placeholder:"NAME"`
	JSON   bool   `name:"json" help:"The same as --format json."`
}

// Help shows examples.
func (findingsCmd) Help() string {
	return `Examples:
  ralphex findings                          the newest run: what reviewers found, and what became of it
  ralphex findings --open docs/plans/p.md   what is left
  ralphex findings --format sarif > review.sarif
  ralphex findings --json | jq '.findings[] | select(.severity == "critical")'

Open: still there. Fixed: a commit, or the tree, changed its file. Refuted: there is a reason why it is none (docs/findings.md).

Exit codes: 0, whatever was found; 2 for a run that isn't there.`
}

// Run replays the findings of a journal and prints them.
func (c findingsCmd) Run(ctx context.Context, p *Proc, g *root) error {
	repo, run, err := namedRun(ctx, p, c.Name)
	if err != nil {
		return err
	}
	ledger, err := foundIn(run.Path)
	if err != nil {
		return err
	}
	r := findings.Findings{Run: string(run.Run), Plan: run.Start.Plan, Version: versionString(), Entries: ledger.Entries()}
	if rel, err := filepath.Rel(repo.Root(), run.Start.Plan); err == nil && filepath.IsLocal(rel) {
		r.Plan = filepath.ToSlash(rel)
	}
	if c.Open {
		r.Entries = ledger.Open()
	}
	format := c.Format
	if c.JSON {
		format = "json"
	}
	if err := printFindings(p, g.NoColor, format, r); err != nil {
		return fmt.Errorf("print findings: %w", err)
	}
	return nil
}

// printFindings prints findings in one of the formats of --format.
func printFindings(p *Proc, plain bool, format string, f findings.Findings) error {
	f.Color = term.Of(p.In, p.Out, p.Err, p.Env, plain).Color
	for _, known := range findings.FindingsFormats() {
		if known.Name == format {
			return known.Write(p.Out, f)
		}
	}
	return fmt.Errorf("format %q of findings: %w", format, errors.ErrUnsupported)
}

// foundIn replays the findings of a journal.
func foundIn(path string) (*finding.Ledger, error) {
	var l finding.Ledger
	for e, err := range journal.Events(path, event.Output{}.Kind()) {
		if err != nil {
			return nil, err
		}
		l.Read(e.Data)
	}
	return &l, nil
}

// runWords are the ids of runs, the newest first.
func runWords(ctx context.Context, p *Proc) []string {
	repo, err := runsRepo(ctx, p)
	if err != nil {
		return nil
	}
	runs, err := journal.ListRuns(filepath.Join(repo.Root(), storeDir, "events"))
	if err != nil {
		return nil
	}
	slices.SortStableFunc(runs, func(a, b journal.Summary) int { return b.Started.Compare(a.Started) })
	var out []string
	for _, s := range runs {
		out = append(out, string(s.Run))
	}
	return out
}
