package term

import (
	"fmt"
	"path/filepath"
	"strings"

	"ralphex/pkg/event"
)

// startBlock is what a run says first, in the words of the public ralphex.
func (s *Screen) startBlock(d event.RunStart) string {
	var b strings.Builder
	b.WriteString("starting ralphex loop")
	if s.opt.MaxIterations > 0 {
		fmt.Fprintf(&b, " (max %d iterations)", s.opt.MaxIterations)
	}
	if d.Mode != "" && d.Mode != "full" {
		fmt.Fprintf(&b, " (%s mode)", d.Mode)
	}
	b.WriteString("\n")
	if d.Request != "" {
		fmt.Fprintf(&b, "request: %s\n", clean(strings.Join(strings.Fields(d.Request), " ")))
	}
	branch := d.Branch
	if branch == "" {
		branch = "unknown"
	}
	s.places(&b, "", d.Plan, branch)
	if d.Worktree != "" {
		fmt.Fprintf(&b, "worktree: %s\n", clean(s.relative(d.Worktree)))
	}
	b.WriteString("\n")
	return b.String()
}

// summary is what a run says last. Why it failed is said by who prints the error.
func (s *Screen) summary(d event.RunEnd) string {
	var b strings.Builder
	verb := map[event.Outcome]string{event.Failed: "failed after", event.Interrupted: "interrupted after"}[d.Outcome]
	switch {
	case d.Outcome == event.Interrupted && d.Exit == 3:
		verb = "waits for an answer after"
	case d.Exit == 4 || d.Exit == 5: // a limit or a login: nobody interrupted it
		verb = "stopped after"
	case verb == "":
		verb = "completed in"
	}
	fmt.Fprintf(&b, "\n%s %s", verb, event.Elapsed(d.Elapsed))
	if d.Files > 0 {
		fmt.Fprintf(&b, " (%d files, +%d/-%d lines)", d.Files, d.Additions, d.Deletions)
	}
	b.WriteString("\n")
	s.places(&b, "  ", s.plan, s.branch)
	if parts := append(UsageParts(d.Usage), listParts(d)...); len(parts) > 0 {
		fmt.Fprintf(&b, "  usage: %s\n", strings.Join(parts, ", "))
	}
	switch d.Outcome {
	case event.Unproven:
		b.WriteString("  unproven: no green validation stands behind it\n")
	case event.LeftHuman:
		if d.Reason == "" {
			d.Reason = "something is left"
		}
		fmt.Fprintf(&b, "  a person has to look: %s\n", clean(d.Reason))
	}
	return b.String()
}

// listParts words what sessions cost at list price that reported no dollars.
func listParts(d event.RunEnd) (parts []string) {
	if d.ListUSD > 0 {
		text := fmt.Sprintf("$%.2f at API list price", d.ListUSD)
		if d.ListUSD < 0.1 {
			text = fmt.Sprintf("$%.4f at API list price", d.ListUSD)
		}
		parts = append(parts, text)
	}
	if d.Unpriced > 0 {
		parts = append(parts, fmt.Sprintf("no price known for %d session(s): ralphex cost --prices", d.Unpriced))
	}
	return parts
}

// places names plan, branch and log, as far as they are known.
func (s *Screen) places(b *strings.Builder, indent, plan, branch string) {
	for _, p := range []struct{ name, value string }{
		{"plan", s.relative(plan)}, {"branch", branch}, {"progress log", s.relative(s.opt.ProgressLog)},
	} {
		if p.value != "" {
			fmt.Fprintf(b, "%s%s: %s\n", indent, p.name, clean(p.value))
		}
	}
}

// relative shortens a path, unless it is far away.
func (s *Screen) relative(path string) string {
	if s.opt.Dir == "" || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(s.opt.Dir, path)
	if err != nil || strings.HasPrefix(filepath.ToSlash(rel), "../../") {
		return path
	}
	return rel
}
