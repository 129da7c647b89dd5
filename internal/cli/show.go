package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"ralphex/pkg/plan"
)

type showCmd struct {
	Plan string `arg:"" help:"Markdown plan."`
	JSON bool   `name:"json" help:"Print it as JSON (docs/plan-format.md)."`
}

// Help shows examples.
func (showCmd) Help() string {
	return `Examples:
  ralphex show docs/plans/feature.md
  ralphex show docs/plans/feature.md --json | jq '.tasks[].status'

Problems are told and don't change the exit code; a plan that a run would refuse is exit 2.`
}

// Run shows what a run would see in a plan.
func (c showCmd) Run(p *Proc) error {
	path, pl, err := namedPlan(c.Plan, p.Dir)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(p.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(pl); err != nil {
			return fmt.Errorf("print plan: %w", err)
		}
	} else {
		showPlan(plainly(p.Out), pl, relative(p.Dir, path))
	}
	if err := pl.Validate(); err != nil {
		return usage(err, "")
	}
	return nil
}

func showPlan(w io.Writer, p *plan.Plan, name string) {
	w = plainly(w)
	title := p.Title
	if title == "" {
		title = "(no title)"
	}
	fmt.Fprintf(w, "%s\n%s\n\n", title, name)
	next := p.NextPlanTaskPosition()
	for i, t := range p.Tasks {
		mark := map[plan.TaskStatus]string{plan.TaskStatusDone: "✓", plan.TaskStatusActive: "◐"}[t.Status]
		if mark == "" {
			mark = "○"
		}
		left := len(t.LeftForPerson())
		if left > 0 && t.Status == plan.TaskStatusDone {
			mark = "◇"
		}
		arrow := "  "
		if i+1 == next {
			arrow = "→ "
		}
		ticked := 0
		for _, b := range t.Checkboxes {
			if b.Checked {
				ticked++
			}
		}
		fmt.Fprintf(w, "%s%s %2d. %s  (%d/%d)", arrow, mark, i+1, t.Title, ticked, len(t.Checkboxes))
		if left > 0 {
			fmt.Fprintf(w, "  %d left for a person", left)
		}
		if t.Review.When != "" {
			fmt.Fprintf(w, "  review: %s", t.Review.When)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	if len(p.ValidationCommands) == 0 {
		fmt.Fprintln(w, "No validation commands: tasks will be done unproven.")
	} else {
		fmt.Fprintln(w, "Validation commands:")
		for _, c := range p.ValidationCommands {
			fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(strings.TrimRight(c.Text, "\n"), "\n", "\n  "))
		}
	}
	for _, pr := range p.ValidationProse {
		fmt.Fprintf(w, "%s:%d: not a command, not run: %s\n", name, pr.Line, pr.Text)
	}
	for _, pr := range p.Problems {
		fmt.Fprintf(w, "%s:%s\n", name, pr)
	}
}

// relative shortens a path for a person, when that is shorter.
func relative(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil || strings.HasPrefix(rel, ".."+string(filepath.Separator)+"..") {
		return path
	}
	return rel
}
