package preflight

import (
	"fmt"
	"strings"

	"ralphex/internal/ralph/stable"
)

// summary is the report in a line.
func (r *Report) summary() string { return oneLine(r.sentences()) }

func (r *Report) sentences() string {
	selection, prefix := "No task selected.", "Preflight blocked: "
	if r.Ready {
		prefix = "Preflight ready: "
	}
	switch {
	case len(r.Drift) > 0:
		// The sentence opens the summary: somebody who reads no further knows that this is no empty backlog.
		selection, prefix = "No task selected because task-ledger drift blocks safe selection: "+strings.TrimSuffix(r.Drift[0], ".")+".", ""
	case r.Selected != nil:
		selection = "Selected task " + r.Selected.ID + "."
	}
	return fmt.Sprintf("%s%s %s Active claims %s. %s", prefix, selection, r.Validation.sentence(), r.ActiveClaims, r.Sections())
}

// Sections is each category with what was found in it: "Task graph: ok | Claim graph: 1 warning | …".
func (r *Report) Sections() string {
	var parts []string
	for _, c := range Categories {
		parts = append(parts, c.Label()+": "+count(of(r.Diagnostics, c)))
	}
	return strings.Join(parts, " | ")
}

func count(all []Diagnostic) string {
	n := map[Severity]int{}
	for _, d := range all {
		n[d.Severity]++
	}
	var parts []string
	for _, s := range []Severity{Error, Warning, Info} {
		word := string(s)
		if n[s] != 1 && s != Info {
			word += "s"
		}
		if n[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[s], word))
		}
	}
	if parts == nil {
		return "ok"
	}
	return strings.Join(parts, ", ")
}

// Lines are a category's diagnostics as a Markdown list; `- ok` where there is none.
func (r *Report) Lines(c Category) string {
	var b strings.Builder
	for _, d := range of(r.Diagnostics, c) {
		b.WriteString("- " + oneLine(d.Line()) + "\n")
	}
	if b.Len() == 0 {
		return "- ok\n"
	}
	return b.String()
}

// Render is the report as a log shows it: without iteration and identity (renderPreflightReport in the seed).
func (r *Report) Render() string {
	var b strings.Builder
	b.WriteString("# Ralph Preflight\n\n")
	bullet(&b, "Ready", yesNo(r.Ready))
	bullet(&b, "Summary", r.Summary)
	bullet(&b, "Active claim state", r.ActiveClaims)
	r.sections(&b)
	return stable.Page(b.String())
}

// RenderFor is the report of an iteration, preflight-summary.md. Cleanups read its heading and its Report bullet.
func (r *Report) RenderFor(q Request, reportPath string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Ralph Preflight %d\n\n", q.Iteration)
	trust := "verified CLI execution"
	if q.PromptTarget == IDEHandoff {
		trust = "prepared prompt only"
	}
	selected := "none"
	if r.Selected != nil {
		selected = r.Selected.ID + " - " + r.Selected.Title
	}
	for _, row := range [][2]string{
		{"Agent ID", q.AgentID}, {"Provenance ID", q.ProvenanceID}, {"Trust level", trust}, {"Ready", yesNo(r.Ready)},
		{"Prompt kind", q.PromptKind}, {"Prompt target", string(q.target())}, {"Selected task", selected},
		{"Task validation hint", r.Validation.Hint}, {"Effective validation command", r.Validation.Effective},
		{"Validation normalized from", r.Validation.NormalizedFrom}, {"Validation", r.Validation.Effective},
		{"Summary", r.Summary}, {"Active claim state", r.ActiveClaims}, {"Session handoff", q.Handoff}, {"Report", reportPath},
	} {
		bullet(&b, row[0], row[1])
	}
	b.WriteString("\n" + r.headline() + "\n")
	r.sections(&b)
	return stable.Page(b.String())
}

func (r *Report) headline() string {
	n := 0
	for _, d := range r.Diagnostics {
		if d.Severity == Error {
			n++
		}
	}
	if n == 0 {
		return "Nothing blocks execution."
	}
	return fmt.Sprintf("Execution is blocked by %s. No agent was started.", count(r.Diagnostics[:n]))
}

func (r *Report) sections(b *strings.Builder) {
	for _, c := range Categories {
		b.WriteString("\n## " + c.Label() + "\n\n" + r.Lines(c))
	}
}

func bullet(b *strings.Builder, label, value string) {
	b.WriteString("- " + label + ": " + orNone(oneLine(value)) + "\n")
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// oneLine keeps a text that quotes a file or an agent from making lines, and so headings, of its own.
func oneLine(s string) string {
	return strings.TrimSpace(lineEnds.Replace(s))
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

func (q Request) target() Target {
	if q.PromptTarget == "" {
		return CLIExec
	}
	return q.PromptTarget
}
