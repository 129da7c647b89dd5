package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/doctrine"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/setup"
)

type workspaceDoctorCmd struct {
	Fix  bool `help:"Make missing folders and files first. Nothing that is there is changed, but tasks.json is brought into its canonical form."`
	JSON bool `name:"json" help:"Print it as JSON."`
}

// Help shows examples.
func (workspaceDoctorCmd) Help() string {
	return `Exit 1 when something would block a run; warnings don't count.

Examples:
  ralphex workspace doctor
  ralphex workspace doctor --fix     after an init that was interrupted`
}

// Run checks the workspace.
func (c workspaceDoctorCmd) Run(ctx context.Context, p *Proc, g *root) error {
	s, err := openStore(ctx, p)
	if err != nil {
		return err
	}
	made := []string{}
	if c.Fix {
		if err := refuseInSession(p, "workspace doctor --fix"); err != nil {
			return err
		}
		if err := s.mustExist(); err != nil {
			return err
		}
		if made, err = setup.Repair(ctx, s.Layout, s.saveState, time.Now()); err != nil {
			return err
		}
	}
	checks := s.examine(ctx, p, g.ConfigDir)
	if c.JSON {
		err = printJSON(p.Out, map[string]any{"version": 1, "made": made, "checks": checks})
	} else {
		printPaths(p.Out, "made", made)
		printChecks(p.Out, checks)
	}
	for _, k := range checks {
		if err == nil && k.State == "fail" {
			err = &exitError{code: exitFailed}
		}
	}
	return err
}

// examine says of each part of the workspace whether it is well.
func (s *store) examine(ctx context.Context, p *Proc, configDir string) []check {
	var out []check
	add := func(name, state, text, next string) {
		out = append(out, check{Name: name, State: state, Text: text, Next: next})
	}
	if err := s.CheckInside(); err != nil {
		add("places", "fail", err.Error(), hintOf(err))
	}
	for _, f := range []struct{ name, path string }{{"objective", s.PRD}, {"progress", s.Progress}, {"tasks", s.Tasks}} {
		if err := durable.CheckRegular(f.path); err != nil {
			add(f.name, "fail", err.Error(), "move it away, then ralphex workspace doctor --fix")
		} else if _, err := os.Stat(f.path); err != nil {
			next := "ralphex workspace doctor --fix"
			if !s.initialized() {
				next = "ralphex workspace init"
			}
			add(f.name, "fail", s.Rel(f.path)+" is missing", next)
		} else {
			add(f.name, "ok", s.Rel(f.path), "")
		}
	}
	if !s.initialized() {
		return out
	}
	snap := s.snapshot(ctx, p, configDir)
	pack := check{Name: "doctrine", State: "ok", Text: string(snap.Doctrine.Health)}
	if snap.Doctrine.Health != doctrine.Healthy {
		pack.State, pack.Next = "warn", "ralphex workspace adopt"
		for _, f := range snap.Doctrine.Findings {
			pack.Text += fmt.Sprintf("\n[%s] %s", f.Code, f.Message)
		}
		pack.Text = strings.ReplaceAll(pack.Text, "\n", fmt.Sprintf("\n  %-14s ", ""))
	}
	report := preflight.Evaluate(snap, preflight.Request{})
	for _, c := range preflight.Categories {
		out = append(out, examineCategory(report, c)...)
	}
	return append(out, pack)
}

// short are the categories' names in the doctor's column.
var short = map[preflight.Category]string{preflight.TaskGraph: "task graph", preflight.ClaimGraph: "claims", preflight.WorkspaceRuntime: "runtime",
	preflight.CodexAdapter: "agent", preflight.ValidationVerifier: "validation", preflight.AgentHealth: "agent health"}

// examineCategory is one line where a category is well, and one for each error and warning where not. Doctrine has a line of its own.
func examineCategory(r *preflight.Report, c preflight.Category) []check {
	var out []check
	for _, d := range r.Diagnostics {
		if d.Category != c || d.Severity == preflight.Info || d.Code == "ralph_files_missing" || strings.HasPrefix(d.Code, "doctrine_") {
			continue
		}
		state := "warn"
		if d.Severity == preflight.Error {
			state = "fail"
		}
		out = append(out, check{Name: short[c], State: state, Text: fmt.Sprintf("[%s] %s", d.Code, d.Message)})
	}
	if out == nil {
		return []check{{Name: short[c], State: "ok", Text: "nothing to say"}}
	}
	return out
}
