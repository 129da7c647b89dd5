package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/claim"
	"ralphex/internal/ralph/events"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Files of a task's own folder.
const (
	reviewFile   = "review.json"
	analysisFile = "failure-analysis.json"
)

// forRole keeps what an applied report says beside the task's status: a planner's plan, a reviewer's review, what a watchdog asks for. now is the task as the
// report left it.
func (e *ending) forRole(ctx context.Context, w *artifact.Writer, ledger iteration.Ledger, now *task.Task) {
	r := e.judgement.Report
	if e.judgement.Status != iteration.Applied {
		return
	}
	switch e.s.settings.AgentRole {
	case "planner":
		if r.ProposedPlan == "" {
			return
		}
		p := &iteration.TaskPlan{PlanningResponse: task.PlanningResponse{Reasoning: r.ProgressNote, Approach: r.ProposedPlan, Readiness: "ready", SuggestedChildTasks: r.Children}}
		if len(r.Children) > 0 {
			p.Readiness = "needs_decomposition"
		}
		e.keepForTask(w, taskPlanFile, p.For(now, e.s.settings.ReadinessGate, e.mutations, time.Now()).Bytes())
	case "reviewer", "review":
		if r.ReviewOutcome == "" {
			return
		}
		e.tell(events.ReviewResult{TaskID: e.task.ID, Status: map[string]string{"approved": "passed", "changes_required": "flagged"}[r.ReviewOutcome]})
		e.keepForTask(w, reviewFile, stable.Marshal(stable.NewObject("schemaVersion", 1, "kind", "taskReview", "taskId", e.task.ID, "iteration", e.n, "provenanceId", e.id,
			"reviewOutcome", r.ReviewOutcome, "reviewNotes", stable.NullIfEmpty(r.ReviewNotes), "createdAt", stable.Time(time.Now()))))
		if r.ReviewOutcome == "changes_required" {
			e.warnings = append(e.warnings, fmt.Sprintf("The review of %s asks for changes: %s. `ralphex task set %s status in_progress` opens it again.", e.task.ID, r.ReviewNotes, e.task.ID))
		}
	case claim.WatchdogRole:
		e.watchdog(ctx, ledger, r.Watchdog)
	}
}

// watchdog carries out what a session in the watchdog role asks for, each within its own rule; what can't be done is a warning.
func (e *ending) watchdog(ctx context.Context, ledger iteration.Ledger, actions []iteration.WatchdogAction) {
	if len(actions) == 0 {
		return
	}
	agent := e.s.settings.AgentID
	path := filepath.Join(e.s.Watchdog, agent+"-"+layout.Number(e.n)+".json")
	record := iteration.WatchdogRecord(agent, e.id, e.n, actions, time.Now())
	if err := errors.Join(e.w.Put(stable.Marshal(record), path), e.w.Sync()); err != nil {
		e.warnings = append(e.warnings, "watchdog: "+err.Error())
	}
	e.s.register(ctx, e.p, "watchdog-diagnostic", artifact.OfIteration, path)
	claims := claim.New(e.s.Claims, e.s.settings.WatchdogStaleTTL)
	for _, a := range actions {
		var err error
		what := a.Action
		switch a.Action {
		case "resolve_stale_claim":
			var res *claim.Result
			if res, err = claims.ResolveAsWatchdog(ctx, claim.WatchdogRole, agent, a.TaskID, a.AgentID, claim.Finding{Severity: a.Severity, Reason: a.Reason, Evidence: a.Evidence}); err == nil && res.Outcome != claim.Resolved {
				err = fmt.Errorf("the claim of %s is not there any more, or not stale", task.Plain(a.AgentID))
			}
		case "decompose_task":
			if children := a.SuggestedChildren; len(children) > 0 {
				_, err = e.tasks.ApplySuggestedChildren(ctx, a.TaskID, children)
			} else {
				_, _, err = e.tasks.Decompose(ctx, a.TaskID, "")
			}
		case "escalate_to_human":
			err = ledger.Escalate(ctx, a.TaskID, fmt.Sprintf("[human-review-needed] watchdog %s, %s: %s (evidence: %s)", agent, a.Severity, a.Reason, a.Evidence))
		}
		if err != nil {
			e.warnings = append(e.warnings, fmt.Sprintf("The watchdog's %s on %s could not be done: %v.", what, task.Plain(a.TaskID), strings.TrimRight(err.Error(), ".")))
			continue
		}
		e.tell(events.RecoveryApplied{TaskID: a.TaskID, Action: what, Severity: a.Severity})
		fmt.Fprintf(e.p.Err, "watchdog: %s on %s\n", what, task.Plain(a.TaskID))
	}
}

// diagnose keeps why the iteration got nowhere, for the prompt of the next attempt and for people.
func (e *ending) diagnose(w *artifact.Writer, class iteration.Classification) {
	if e.s.settings.FailureDiagnostics != "auto" || e.selected() == nil {
		return
	}
	s := iteration.Symptoms{Task: &e.task, Class: class, Crashed: e.execution == iteration.Crashed, Message: e.message, Effective: e.report.Validation.Effective}
	if f := e.failure; f != nil {
		s.Passing = !f.Class.Final()
	}
	if v := e.validation; v != nil {
		s.Signature, s.TimedOut, s.Output = v.Signature, v.TimedOut, string(e.streams.Stderr)+"\n"+string(e.streams.Stdout)
	}
	if r := e.parsed.Report; r != nil {
		s.Claimed = r.Requested == task.Done
	}
	if d := iteration.Diagnose(s); d != nil {
		e.keepForTask(w, analysisFile, stable.Marshal(d.Record(e.task.ID, time.Now())))
	}
}

// diagnosis is what the last attempt at the task failed at, if it was the last iteration; "" = nothing is known.
func (o *oneTurn) diagnosis() string {
	last := o.earlier.LastIteration
	if last == nil || last.TaskID != o.task.ID || o.s.settings.FailureDiagnostics != "auto" {
		return ""
	}
	dir, err := o.s.TaskDir(o.task.ID)
	if err != nil {
		return ""
	}
	a := stable.ObjectOf(durable.ReadFile(filepath.Join(dir, analysisFile), maxTaskPlan))
	if a.Text("createdAt") < last.StartedAt {
		return "" // of an attempt before
	}
	return strings.TrimSpace(a.Text("summary") + " " + a.Text("retryPromptAddendum"))
}

// remember notes in the agent's own file what it completed and touched.
func (e *ending) remember(ctx context.Context) {
	completed := ""
	if e.completed() {
		completed = e.task.ID
	}
	if err := iteration.Remember(ctx, e.s.Layout, e.s.settings.AgentID, completed, slices.Clone(e.diff.Relevant), time.Now()); err != nil {
		fmt.Fprintf(e.p.Err, "warning: agents: %v\n", err)
	}
}
