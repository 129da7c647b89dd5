package iteration

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// GateOutcome is what the readiness gate decided about a task.
type GateOutcome string

// The outcomes.
const (
	GateSkipped   GateOutcome = "skipped"
	GateProceed   GateOutcome = "proceed"
	GateWarned    GateOutcome = "warn_and_proceed"
	GateCut       GateOutcome = "decomposed_and_stop"
	GateBlock     GateOutcome = "blocked_and_stop"
	GateAskPerson GateOutcome = "human_review_and_stop"
)

// The modes of taskReadinessGate.
const (
	GateOff    = "off"
	GateWarn   = "warn"
	GateAuto   = "auto"
	GateStrict = "strict"
)

// Gate is the readiness gate before a task is executed.
type Gate struct {
	Mode        string // taskReadinessGate
	Inline      bool   // the inline planning pass is on
	MaxChildren int    // maxGeneratedChildren
	Task        *task.Task
	Shape       Shape // without a plan
	Ground      Ground
}

// Off tells whether nothing is to be looked at.
func (g Gate) Off() bool { return g.Task == nil || g.Mode == GateOff && !g.Inline }

// Atomic tells whether the task can go on without a plan: no model is asked.
func (g Gate) Atomic() bool {
	return (g.Mode == GateAuto || g.Mode == GateStrict) && g.Shape.Advice == Execute
}

// GateResult is a decision of the gate.
type GateResult struct {
	Outcome  GateOutcome
	Summary  string
	Warnings []string
	Plan     *TaskPlan // nil = there is none
	Children []task.SuggestedChild
}

// Stop is why the loop ends; "" = the task is executed.
func (r GateResult) Stop() StopReason {
	return map[GateOutcome]StopReason{GateCut: GateDecomposed, GateBlock: GateBlocked, GateAskPerson: GateHumanReview}[r.Outcome]
}

// Class is the classification of an iteration that the gate ended.
func (r GateResult) Class() Classification {
	if r.Outcome == GateAskPerson {
		return NeedsHumanReview
	}
	return Blocked
}

// NextAction is the decision as task-plan.json has it.
func (r GateResult) NextAction() string {
	return map[GateOutcome]string{GateSkipped: ActSkip, GateProceed: ActExecute, GateWarned: ActWarn, GateCut: ActApply, GateBlock: ActBlock, GateAskPerson: ActReview}[r.Outcome]
}

// Decide decides, with the plan of the task. nil = the planning session answered nothing that can be read.
func (g Gate) Decide(plan *TaskPlan) GateResult {
	shape := ShapeOf(g.Task, plan, g.Ground)
	r := GateResult{Outcome: GateProceed, Plan: plan, Warnings: []string{}}
	for _, f := range shape.Findings {
		r.Warnings = append(r.Warnings, f.Code+": "+f.Message)
	}
	id := task.Plain(g.Task.ID)
	if plan == nil {
		r.Warnings = append(r.Warnings, "The planning session answered nothing that can be read as a plan.")
	} else {
		r.Warnings = append(r.Warnings, plan.Warnings...)
	}
	stop := func(o GateOutcome, format string, args ...any) GateResult {
		r.Outcome, r.Summary = o, fmt.Sprintf(format, args...)
		return r
	}
	readiness, reason := "", ""
	if plan != nil {
		readiness, reason = plan.Readiness, because(plan.ReadinessReason)
	}
	firm := g.Mode == GateAuto || g.Mode == GateStrict
	switch {
	case firm && shape.Advice == BlockOrReview:
		return stop(GateBlock, "%s can't be executed: %s", id, shape.blocks().Message)
	case firm && readiness == "needs_decomposition" && g.fits(plan.SuggestedChildTasks):
		r.Children = plan.SuggestedChildTasks
		return stop(GateCut, "%s is cut into %d tasks%s.", id, len(r.Children), reason)
	case firm && readiness == "blocked":
		return stop(GateBlock, "%s is blocked%s.", id, reason)
	case firm && readiness == "needs_human_review":
		return stop(GateAskPerson, "A person has to look at %s%s.", id, reason)
	case g.Mode == GateStrict:
		if why := strictly(shape, plan); why != "" {
			return stop(GateBlock, "%s is not ready: %s", id, why)
		}
	}
	switch {
	case plan == nil:
		return stop(GateSkipped, "%s is executed without a plan.", id)
	case len(r.Warnings) > 0 || readiness != "" && readiness != "ready":
		return stop(GateWarned, "%s is executed, with warnings%s.", id, reason)
	}
	return stop(GateProceed, "%s is ready.", id)
}

// strictly says what strict misses; "" = nothing. What an unreadable plan would have said does not count as said.
func strictly(s Shape, plan *TaskPlan) string {
	if f := s.blocks(); f != nil {
		return f.Message
	}
	i := slices.IndexFunc(s.Findings, func(f ShapeFinding) bool { return f.Code == MissingAcceptance || f.Code == MissingValidation })
	switch {
	case i >= 0:
		return s.Findings[i].Message
	case plan == nil:
		return "the planning session gave no plan."
	case plan.Readiness != "ready":
		return fmt.Sprintf("its plan calls it %s%s.", orWord(plan.Readiness, "neither ready nor anything else"), because(plan.ReadinessReason))
	}
	return ""
}

// fits tells whether children can be put below the task. Whether the graph takes them is found when they are applied.
func (g Gate) fits(children []task.SuggestedChild) bool {
	return len(children) > 0 && len(children) <= g.MaxChildren && !slices.ContainsFunc(children, func(c task.SuggestedChild) bool { return c.ParentID != g.Task.ID })
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + stable.CutUTF16(stable.OneLine(reason), mostText) + ")"
}

func orWord(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Evidence is planning-gate-result.json, which ends without a newline, as other programs write it.
func (g Gate) Evidence(r GateResult, now time.Time) []byte {
	plan := any(nil)
	if r.Plan != nil {
		plan = r.Plan
	}
	o := stable.NewObject("schemaVersion", 1, "kind", "planningReadinessGate", "outcome", string(r.Outcome), "selectedTaskId", g.Task.ID, "selectedTaskTitle", g.Task.Title,
		"summary", r.Summary, "warnings", r.Warnings, "plan", plan, "createdAt", stable.Time(now))
	return bytes.TrimSuffix(stable.Marshal(o), []byte("\n"))
}
