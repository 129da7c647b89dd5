package cli

import (
	"context"
	"fmt"
	"strings"

	"ralphex/internal/workspace"
	"ralphex/pkg/event"
)

// readyElsewhere is what would be known of a worktree that is not there yet.
func (j *job) readyElsewhere(ctx context.Context) (*workspace.Prepared, error) {
	head, err := j.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	main, err := j.repo.DefaultBranch(ctx)
	if err != nil {
		return nil, err
	}
	return &workspace.Prepared{Start: head, Branch: j.tree.chosen.Branch, Default: main}, nil
}

// text words a dry run for a person.
func (d *dryRun) text() string {
	var b strings.Builder
	b.WriteString("dry run: this is what would happen; nothing was touched\n\n")
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s %s\n", name, inLine(fmt.Sprintf(format, args...)))
	}
	if d.Plan != "" {
		line("plan", "%s", d.Plan)
	}
	line("mode", "%s", d.Mode)
	if d.Resumes != "" {
		line("goes on with", "run %s", d.Resumes)
	}
	line("place", "%s", d.Place)
	for i, t := range d.Tasks {
		line(first(i, "tasks"), "%s", t)
	}
	d.validation(line)
	for i, s := range d.Steps {
		line(first(i, "phases"), "%s", s)
	}
	if d.Archive {
		line("then", "the plan moves to completed/, unless something is left for a person")
	}
	for i, l := range d.Limits {
		line(first(i, "limits"), "%s = %s", l.Name, l.Value)
	}
	if len(d.Notify) > 0 {
		line("tells", "%s", strings.Join(d.Notify, ", "))
	}
	line("record", "%s; progress log %s", d.Record, d.Log)
	for i, n := range d.Notes {
		word := map[event.Level]string{event.Warn: "warning: ", event.Error: "error: "}[n.Level]
		line(first(i, "notes"), "%s%s", word, n.Text)
	}
	for _, s := range d.Steps {
		for _, p := range s.Prompts {
			fmt.Fprintf(&b, "\n--- prompt %s of %s, for %s ---\n%s\n", p.Name, s.Stage, s.Agent, strings.TrimRight(p.Text, "\n"))
		}
	}
	return b.String()
}

func (d *dryRun) validation(line func(name, format string, args ...any)) {
	switch {
	case d.Validate == "":
	case d.Validate == "off":
		line("validation", "off")
	case len(d.Validation) == 0:
		line("validation", "none: tasks will be done unproven")
	}
	for i, c := range d.Validation {
		if d.Validate != "off" {
			line(first(i, "validation"), "$ %s", strings.ReplaceAll(strings.TrimRight(c, "\n"), "\n", "; "))
		}
	}
}

// first names a row, if it is the first of its kind.
func first(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

func (p dryPlace) String() string {
	var parts []string
	switch {
	case p.MakeWorktree:
		parts = append(parts, "a new worktree "+p.Worktree)
	case p.Worktree != "":
		parts = append(parts, "worktree "+p.Worktree)
	}
	switch {
	case p.CreateBranch:
		parts = append(parts, "a new branch "+p.Branch)
	case p.SwitchBranch:
		parts = append(parts, "switches to branch "+p.Branch)
	case p.Branch != "":
		parts = append(parts, "branch "+p.Branch)
	}
	if p.CommitPlan {
		parts = append(parts, "the plan is committed first")
	}
	if p.Dirty > 0 {
		parts = append(parts, fmt.Sprintf("%d %s of yours that a run does not commit", p.Dirty, plural(p.Dirty, "changed path", "changed paths")))
	}
	if len(parts) == 0 {
		return "what is checked out"
	}
	return strings.Join(parts, ", ")
}

func (t dryTask) String() string {
	text := fmt.Sprintf("%d %s: ", t.Position, t.Title)
	switch {
	case t.Done:
		text += "done"
	case t.Open == 0:
		text += "nothing for an agent"
	default:
		text += fmt.Sprintf("%d open %s", t.Open, plural(t.Open, "box", "boxes"))
	}
	if t.Person > 0 {
		text += fmt.Sprintf(", %d for a person", t.Person)
	}
	return text
}

func (s dryStep) String() string {
	text := string(s.Stage) + ": "
	if s.Skipped != "" {
		return text + "skipped: " + s.Skipped
	}
	text += s.Agent
	if s.Model != "" {
		text += ", " + s.Model
	}
	if s.When != "" {
		text += ", " + s.When
	}
	return text
}
