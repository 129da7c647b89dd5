package status

import (
	"fmt"
	"strconv"
	"strings"

	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/stable"
)

// The two sentences about claims that stand in every report.
const (
	claimLifecycle = "CLI iterations own the blocking claim of a task: they acquire it, and release it at their end. Preparing a prompt for an IDE holds no claim."
	claimRecovery  = "A stale canonical claim is recovered only by the operator's command (`ralphex claim resolve TASK`) or by the watchdog, and not by editing claims.json."
)

// Markdown is the report as a document (Show Status in the seed).
func (r *Report) Markdown() string {
	d := &doc{}
	d.line("# Ralph Status: " + r.Workspace)
	r.loop(d)
	d.section("Role Policy")
	d.row("Agent", r.Role.Agent)
	d.row("Role", r.Role.Role)
	d.row("Policy", r.Role.Policy)
	d.section("Preflight")
	d.row("Ready", yesNo(r.Preflight.Ready))
	d.row("Summary", r.Preflight.Summary)
	for _, c := range preflight.Categories {
		d.line("\n### " + c.Label() + "\n")
		d.b.WriteString((&preflight.Report{Diagnostics: r.Preflight.Diagnostics}).Lines(c))
	}
	d.section("Repo Context")
	d.row("Repository", yesNo(r.Repo.Present))
	d.row("Branch", r.Repo.Branch)
	d.section("Provenance")
	p := r.Provenance
	for _, row := range [][2]string{{"Latest bundle", p.ID}, {"Status", p.Status}, {"Trust level", p.Trust}, {"Bundle folder", p.Dir}, {"Summary", p.Summary}, {"Blocked launch", p.Failure}} {
		d.row(row[0], row[1])
	}
	if len(r.Handoffs) > 0 {
		d.section("Active Handoffs")
		for _, h := range r.Handoffs {
			d.item(fmt.Sprintf("%s: task %s to %s, %s: %s", orNone(h.ID), orNone(h.Task), orNone(h.To), h.Status, h.Objective))
		}
	}
	r.iteration(d)
	d.section("Recent History")
	d.items(r.History)
	d.section("Verifiers")
	for _, v := range r.Verifiers {
		d.row(v.Name, v.Last)
	}
	r.artifacts(d)
	if len(r.DeadLetter) > 0 {
		d.section("Dead-Letter Queue")
		d.items(r.DeadLetter)
	}
	d.section("Git")
	d.row("Checkpoint mode", r.Repo.Checkpoint)
	d.row("Repository", yesNo(r.Repo.Present))
	d.row("Changes", strconv.Itoa(r.Repo.Changes))
	for _, c := range r.Repo.First {
		d.item(c)
	}
	if len(r.Problems) > 0 {
		d.section("Problems")
		d.items(r.Problems)
	}
	return stable.Page(d.b.String())
}

func (r *Report) loop(d *doc) {
	l := r.Loop
	d.section("Loop")
	task := "none"
	if l.Task != "" {
		task = fmt.Sprintf("%s - %s (tier %s)", l.Task, l.Title, orNone(l.Tier))
	}
	size := "none"
	if l.PromptBytes > 0 {
		size = strconv.Itoa(l.PromptBytes)
	}
	drift := "none"
	if len(l.Drift) > 0 {
		drift = strings.Join(l.Drift, " | ")
	}
	for _, row := range [][2]string{
		{"Next iteration", strconv.Itoa(l.NextIteration)}, {"Current task", task}, {"Backlog remaining", strconv.Itoa(l.Remaining)},
		{"Tasks", fmt.Sprintf("%d todo, %d in progress, %d blocked, %d done", l.Counts.Todo, l.Counts.InProgress, l.Counts.Blocked, l.Counts.Done)},
		{"Task file", orWord(l.TaskFileProblem, "ok")}, {"Task-ledger drift", drift},
		{"Prompt kind", l.PromptKind}, {"Prompt target", l.PromptTarget}, {"Prompt", l.PromptPath}, {"Prompt hash", l.PromptHash}, {"Prompt bytes", size},
		{"Prompt budget", l.PromptBudget}, {"Task validation hint", l.ValidationHint}, {"Effective validation command", l.Validation},
		{"Validation normalized from", l.NormalizedFrom}, {"Current provenance", l.Provenance}, {"Claim holder", l.ClaimHolder},
		{"Latest claim resolution", l.LatestRecovery}, {"Claim state", l.ClaimState},
	} {
		d.row(row[0], row[1])
	}
	for _, c := range r.Claims {
		d.item("Claim of " + c.Task + ": " + c.text() + " since " + c.Since)
	}
	d.line("\n" + claimLifecycle + "\n" + claimRecovery)
}

func (r *Report) iteration(d *doc) {
	d.section("Latest Iteration")
	if it := r.Latest; it != nil {
		matched := "not recorded"
		if it.PayloadMatched != nil {
			matched = yesNo(*it.PayloadMatched)
		}
		task := it.Task
		if it.Title != "" {
			task += " - " + it.Title
		}
		for _, row := range [][2]string{
			{"Iteration", strconv.Itoa(it.Number)}, {"Task", task}, {"Prompt kind", it.PromptKind}, {"Outcome (selected task)", it.Outcome},
			{"Backlog remaining", strconv.Itoa(it.Remaining)}, {"Next task actionable", yesNo(it.Actionable)}, {"Execution", it.Execution},
			{"Verification", it.Verification}, {"Completion report", it.CompletionReport}, {"Reconciliation warnings", strings.Join(it.Warnings, "; ")},
			{"Stop reason", it.StopReason}, {"Payload matched", matched}, {"Finished", it.Finished},
		} {
			d.row(row[0], row[1])
		}
	} else {
		d.item("none")
	}
	m := r.Remedy
	if m == nil {
		d.row("Remediation", "none")
		return
	}
	d.row("Remediation", m.Summary)
	d.row("Remediation task", m.Task)
	d.row("Remediation action", m.Action)
	d.row("Remediation attempts", strconv.Itoa(m.Attempts))
	d.row("Human review recommended", yesNo(m.Human))
	d.row("Proposed children", strings.Join(m.Children, "; "))
}

func (r *Report) artifacts(d *doc) {
	a := r.Artifacts
	d.section("Artifacts")
	for _, name := range a.names {
		d.row(name, a.Latest[name])
	}
	d.row("Still stale", strings.Join(a.Stale, ", "))
	d.row("Targets that are gone", strings.Join(a.Gone, "; "))
	d.row("Kept by a cleanup", fmt.Sprintf("%d of each kind, %d bundles", a.Keep, a.Bundles))
	d.row("There are", fmt.Sprintf("%d iteration folders, %d prompts, %d run pairs, %d bundles", a.Counts["iterations"], a.Counts["prompts"], a.Counts["runs"], a.Counts["bundles"]))
}

// Lines is the report in short: what a person wants to know first.
func (r *Report) Lines() []string {
	l := r.Loop
	out := []string{r.Preflight.Summary,
		fmt.Sprintf("backlog: %d remaining (%d todo, %d in progress, %d blocked), %d done", l.Remaining, l.Counts.Todo, l.Counts.InProgress, l.Counts.Blocked, l.Counts.Done)}
	for _, text := range l.Drift {
		out = append(out, "Task-ledger drift: "+text)
	}
	for _, c := range r.Claims {
		out = append(out, "claim of "+c.Task+": "+c.text()+" since "+c.Since)
	}
	for _, d := range r.Preflight.Diagnostics {
		if d.Category == preflight.AgentHealth && d.Severity != preflight.Info {
			out = append(out, "Agent Health: "+d.Line())
		}
	}
	if r.Remedy != nil {
		out = append(out, "remediation: "+r.Remedy.Summary)
	}
	out = append(out, r.Problems...)
	for i := range out {
		out[i] = oneLine(out[i])
	}
	return out
}

// doc is a Markdown text in the making.
type doc struct{ b strings.Builder }

func (d *doc) line(s string)    { d.b.WriteString(s + "\n") }
func (d *doc) section(s string) { d.line("\n## " + s + "\n") }
func (d *doc) item(s string)    { d.line("- " + oneLine(s)) }

func (d *doc) items(all []string) {
	if len(all) == 0 {
		d.item("none")
	}
	for _, s := range all {
		d.item(s)
	}
}

func (d *doc) row(label, value string) { d.item(label + ": " + orNone(oneLine(value))) }

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func oneLine(s string) string {
	return strings.TrimSpace(lineEnds.Replace(s))
}

func orWord(s, word string) string {
	if s == "" {
		return word
	}
	return s
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}
