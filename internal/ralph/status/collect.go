package status

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/preflight"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
)

// Collect makes the report from a snapshot, its preflight, and what state.json and the latest pointers say. It writes nothing.
func Collect(ctx context.Context, s preflight.Snapshot, repo Repo) *Report {
	l := s.Layout
	var loaded state.Loaded
	err := durable.CheckRegular(l.State)
	if err == nil {
		loaded, err = state.New(l.State, state.Options{Artifacts: l.Artifacts}).Load(ctx)
	}
	c := &collector{s: s, l: l, state: loaded.State, r: &Report{Version: 1, Workspace: l.Root, Repo: repo,
		Handoffs: []Handoff{}, History: []string{}, Verifiers: []Verifier{}, DeadLetter: []string{}, Problems: []string{}, Claims: []ClaimLine{}}}
	for _, e := range []error{err, loaded.Warning, s.ClaimsErr} {
		if e != nil {
			c.r.Problems = append(c.r.Problems, e.Error())
		}
	}
	if it := c.state.LastIteration; it != nil {
		c.provenance = it.ProvenanceID
	}
	c.pre = preflight.Evaluate(s, preflight.Request{ProvenanceID: c.provenance, Untracked: repo.Untracked})
	c.preflight()
	c.loop()
	c.claims()
	c.bundle()
	c.iteration()
	c.remedy()
	c.history()
	c.artifacts()
	c.others()
	return c.r
}

type collector struct {
	s          preflight.Snapshot
	l          layout.Layout
	state      state.State
	pre        *preflight.Report
	provenance string
	r          *Report
}

func (c *collector) preflight() {
	c.r.Preflight = Preflight{c.pre.Ready, c.pre.Summary, c.pre.Sections(), c.pre.Diagnostics}
	if c.r.Preflight.Diagnostics == nil {
		c.r.Preflight.Diagnostics = []preflight.Diagnostic{}
	}
	set := c.s.Settings
	c.r.Role = Role{Agent: set.AgentID, Role: set.AgentRole}
	for _, d := range c.pre.Diagnostics {
		if d.Code == "role_policy_effective" {
			c.r.Role.Policy = d.Message
		}
	}
	c.r.Repo.Checkpoint = set.GitCheckpointMode
	if c.r.Repo.First == nil {
		c.r.Repo.First = []string{}
	}
}

func (c *collector) loop() {
	p := &c.r.Loop
	p.NextIteration = max(c.state.NextIteration, 1)
	if t := c.pre.Selected; t != nil {
		p.Task, p.Title, p.Tier = t.ID, t.Title, string(t.Tier)
	}
	p.PromptKind, p.PromptPath = c.state.LastPromptKind, c.rel(c.state.LastPromptPath)
	plan, evidence := c.latest("execution-plan.json"), c.latest("prompt-evidence.json")
	p.PromptTarget, p.PromptHash = plan.Text("promptTarget"), plan.Text("promptHash")
	p.PromptBytes = num(plan, "promptByteLength")
	if b, ok := value(evidence, "promptBudget").(*stable.Object); ok {
		p.PromptBudget = fmt.Sprintf("%s, %d of %d tokens", b.Text("budgetMode"), num(b, "estimatedTokens"), num(b, "targetTokens"))
	}
	v := c.pre.Validation
	p.ValidationHint, p.Validation, p.NormalizedFrom = v.Hint, v.Effective, v.NormalizedFrom
	p.Provenance, p.ClaimState = c.provenance, c.pre.ActiveClaims
	p.Counts, p.Remaining = c.pre.Counts, c.pre.Counts.Remaining()
	p.Drift = []string{}
	for _, d := range c.pre.Diagnostics {
		if d.Category == preflight.TaskGraph && d.Severity == preflight.Error {
			if p.TaskFileProblem == "" {
				p.TaskFileProblem = d.Message
			}
			if len(p.Drift) < 2 {
				p.Drift = append(p.Drift, d.Message)
			}
		}
	}
	if e := c.s.Claims.LatestResolved; e != nil {
		p.LatestRecovery = fmt.Sprintf("%s of %s/%s became %s at %s by %s: %s", e.TaskID, e.AgentID, e.ProvenanceID, e.Status, e.ResolvedAt, e.ResolvedBy, e.ResolutionReason)
	}
}

func (c *collector) claims() {
	for _, t := range c.s.Claims.Tasks {
		k := t.Canonical
		line := ClaimLine{Task: t.TaskID, Holder: k.AgentID + "/" + k.ProvenanceID, Since: k.ClaimedAt, Tags: []string{}}
		if k.Stale {
			line.Tags = append(line.Tags, "stale")
		}
		if t.Contested {
			line.Tags = append(line.Tags, "contested")
		}
		if k.ProvenanceID != c.provenance {
			line.Tags = append(line.Tags, "different provenance")
		}
		c.r.Claims = append(c.r.Claims, line)
		if t.TaskID == c.r.Loop.Task {
			c.r.Loop.ClaimHolder = line.text()
		}
	}
}

func (k ClaimLine) text() string {
	if len(k.Tags) == 0 {
		return k.Holder
	}
	return k.Holder + " (" + strings.Join(k.Tags, ", ") + ")"
}

func (c *collector) bundle() {
	b, failure := c.latest("provenance-bundle.json"), c.latest("provenance-failure.json")
	c.r.Provenance = Provenance{ID: b.Text("provenanceId"), Status: b.Text("status"), Trust: b.Text("trustLevel"), Dir: c.rel(b.Text("bundleDir")), Summary: b.Text("summary")}
	if failure != nil {
		c.r.Provenance.Failure = fmt.Sprintf("%s: %s", failure.Text("stage"), failure.Text("message"))
	}
}

func (c *collector) iteration() {
	it := c.state.LastIteration
	if it == nil {
		return
	}
	out := &Iteration{Number: it.Number, Task: it.TaskID, Title: it.TaskTitle, PromptKind: it.PromptKind, Outcome: it.Classification,
		Remaining: it.Backlog.RemainingTaskCount, Actionable: it.Backlog.ActionableTaskAvailable, Execution: it.ExecutionStatus, Verification: it.VerificationStatus,
		CompletionReport: it.CompletionReportStatus, Warnings: append([]string{}, it.ReconciliationWarnings...), StopReason: it.StopReason, Finished: it.FinishedAt}
	if matched, ok := value(it.ExecutionIntegrity, "executionPayloadMatched").(bool); ok {
		out.PayloadMatched = &matched
	}
	c.r.Latest = out
}

// remedy prefers the file: it stays until it is superseded, while the state may be that of a later iteration, or of none.
func (c *collector) remedy() {
	o, from := c.latest("remediation.json"), "latest-remediation.json"
	if o == nil && c.state.LastIteration != nil {
		o, from = c.state.LastIteration.Remediation, "state.json"
	}
	if o == nil {
		return
	}
	task := o.Text("selectedTaskId")
	if task == "" {
		task = o.Text("taskId")
	}
	human, _ := value(o, "humanReviewRecommended").(bool)
	r := &Remedy{From: from, Task: task, Summary: o.Text("summary"), Action: o.Text("action"), Attempts: num(o, "attemptCount"), Human: human, Children: []string{}}
	for _, child := range o.Objects("suggestedChildTasks") {
		r.Children = append(r.Children, child.Text("id")+" - "+child.Text("title"))
	}
	c.r.Remedy = r
}

func (c *collector) history() {
	const shown = 3
	its, runs := c.state.IterationHistory, c.state.RunHistory
	for _, it := range slices.Backward(its[max(0, len(its)-shown):]) {
		c.r.History = append(c.r.History, fmt.Sprintf("iteration %d: %s, %s, %s", it.Number, orNone(it.TaskID), it.Classification, it.FinishedAt))
	}
	for _, run := range slices.Backward(runs[max(0, len(runs)-shown):]) {
		c.r.History = append(c.r.History, fmt.Sprintf("run %d: %s, %s, %s", run.Iteration, run.Mode, run.Status, run.FinishedAt))
	}
}

func (c *collector) artifacts() {
	a := &c.r.Artifacts
	a.Latest, a.Stale, a.Gone = map[string]string{}, append([]string{}, c.s.Latest.WithoutText...), append([]string{}, c.s.Latest.Dangling...)
	for _, path := range c.l.Latest().Paths() {
		name := filepath.Base(path)
		a.names = append(a.names, name)
		a.Latest[name] = ""
		if _, err := os.Stat(path); err == nil {
			a.Latest[name] = c.l.Rel(path)
		}
	}
	n := c.s.Retention
	a.Counts = map[string]int{"iterations": n.Iterations, "prompts": n.Prompts, "runs": n.Runs, "bundles": n.Bundles}
	a.Keep, a.Bundles = c.s.Settings.GeneratedRetention, c.s.Settings.BundleRetention
}

func (c *collector) others() {
	for _, name := range c.s.Settings.Verifiers {
		c.r.Verifiers = append(c.r.Verifiers, Verifier{Name: name, Last: c.verdict(name)})
	}
	entries, _ := os.ReadDir(c.l.Handoffs) // a missing folder has none
	for _, e := range entries {
		o := object(filepath.Join(c.l.Handoffs, e.Name()))
		if s := o.Text("status"); s == "proposed" || s == "accepted" || s == "contested" {
			c.r.Handoffs = append(c.r.Handoffs, Handoff{o.Text("handoffId"), o.Text("taskId"), o.Text("toRole"), s, o.Text("objective")})
		}
	}
	letters := object(c.l.DeadLetter)
	for _, key := range []string{"entries", "tasks"} {
		for _, o := range letters.Objects(key) {
			c.r.DeadLetter = append(c.r.DeadLetter, orNone(o.Text("taskId")))
		}
	}
}

// verdict is what a verifier said in the last iteration.
func (c *collector) verdict(name string) string {
	if c.state.LastIteration == nil {
		return ""
	}
	for _, v := range c.state.LastIteration.Verification.Verifiers {
		if v.Text("verifier") == name {
			return v.Text("status")
		}
	}
	return ""
}

func (c *collector) latest(name string) *stable.Object {
	return object(filepath.Join(c.l.Artifacts, "latest-"+name))
}

// rel shortens a path of the workspace; an empty one stays empty.
func (c *collector) rel(path string) string {
	if path == "" {
		return ""
	}
	return c.l.Rel(path)
}

// maxSize is the largest file that is looked at.
const maxSize = 64 << 20

func object(path string) *stable.Object { return stable.ObjectOf(durable.ReadFile(path, maxSize)) }

func value(o *stable.Object, key string) any {
	v, _ := o.Get(key)
	return v
}

func num(o *stable.Object, key string) int {
	f, _ := value(o, key).(float64)
	return int(min(max(f, -1<<53), 1<<53))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
