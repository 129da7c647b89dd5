package iteration

import (
	"bytes"
	"time"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// The next actions of a plan.
const (
	ActExecute = "execute_selected_task"
	ActWarn    = "warn_and_execute"
	ActApply   = "apply_child_tasks_and_stop"
	ActBlock   = "mark_blocked_and_stop"
	ActReview  = "request_human_review"
	ActSkip    = "skip_planning"
)

// TaskPlan is task-plan.json: what a planning session said about a task, and what was made of it.
type TaskPlan struct {
	task.PlanningResponse
	Accepted   bool   // acceptedByRalph: the gate has let it through
	NextAction string // "" = not decided

	TaskID, Fingerprint string // of the task as it was planned; "" = not known
	GateMode            string
	MutationCount       *int64 // of tasks.json then; nil = not known
	CreatedAt           string
}

// AtomicPlan is the plan of a task that needs none: nobody was asked.
func AtomicPlan(t *task.Task) *TaskPlan {
	return &TaskPlan{PlanningResponse: task.PlanningResponse{Reasoning: "The task is small, says how one sees that it is done, and can be validated.", Approach: "Do the task as it stands.",
		Steps: []string{t.Title}, Readiness: "ready", Atomicity: "atomic", EstimatedTaskCount: 1}}
}

// Fingerprint identifies what a plan of a task depends on. A task that was changed since needs a new plan.
func Fingerprint(t *task.Task) string {
	return stable.Hash(stable.Compact(stable.NewObject("id", t.ID, "title", t.Title, "validation", stable.NullIfEmpty(t.Validation), "acceptance", t.Acceptance,
		"constraints", t.Constraints, "notes", stable.NullIfEmpty(t.Notes))))
}

// ReadTaskPlan reads a task-plan.json. It needs at least one of reasoning, approach and steps.
func ReadTaskPlan(data []byte) (*TaskPlan, error) {
	r, err := task.ParsePlanningResponse(string(data))
	if err != nil {
		return nil, err
	}
	p := &TaskPlan{PlanningResponse: *r, NextAction: r.Object.Text("nextAction")}
	v, _ := r.Object.Get("acceptedByRalph")
	p.Accepted, _ = v.(bool)
	v, _ = r.Object.Get("planningInput")
	in, _ := v.(*stable.Object)
	p.TaskID, p.Fingerprint, p.GateMode, p.CreatedAt = in.Text("selectedTaskId"), in.Text("taskFingerprint"), in.Text("gateMode"), in.Text("createdAt")
	if v, _ := in.Get("mutationCount"); v != nil {
		if f, ok := v.(float64); ok {
			n := int64(f)
			p.MutationCount = &n
		}
	}
	return p, nil
}

// Fresh tells whether the plan is of the task as it is now.
func (p *TaskPlan) Fresh(t *task.Task) bool {
	return p.TaskID == t.ID && p.Fingerprint == Fingerprint(t)
}

// For notes which task the plan is of.
func (p *TaskPlan) For(t *task.Task, mode string, mutations *int64, now time.Time) *TaskPlan {
	p.TaskID, p.Fingerprint, p.GateMode, p.MutationCount, p.CreatedAt = t.ID, Fingerprint(t), mode, mutations, stable.Time(now)
	return p
}

// Stable is the plan as it is written.
func (p *TaskPlan) Stable() any {
	o := stable.NewObject("reasoning", p.Reasoning, "approach", p.Approach, "steps", p.Steps, "risks", p.Risks)
	text := func(key, v string) {
		if v != "" {
			o.Set(key, v)
		}
	}
	text("suggestedValidationCommand", p.SuggestedValidation)
	text("readiness", p.Readiness)
	text("readinessReason", p.ReadinessReason)
	text("atomicity", p.Atomicity)
	if p.EstimatedTaskCount > 0 {
		o.Set("estimatedTaskCount", p.EstimatedTaskCount)
	}
	o.Set("acceptedByRalph", p.Accepted)
	text("nextAction", p.NextAction)
	mutations := any(nil)
	if p.MutationCount != nil {
		mutations = float64(*p.MutationCount)
	}
	if p.TaskID != "" {
		o.Set("planningInput", stable.NewObject("selectedTaskId", p.TaskID, "taskFingerprint", p.Fingerprint, "gateMode", p.GateMode, "mutationCount", mutations, "createdAt", p.CreatedAt))
	}
	if len(p.SuggestedChildTasks) > 0 {
		o.Set("suggestedChildTasks", children(p.SuggestedChildTasks))
	}
	for _, f := range []struct {
		key  string
		list []string
	}{{"suggestedAcceptance", p.SuggestedAcceptance}, {"suggestedConstraints", p.SuggestedConstraints}, {"skillsOrInputsUsed", p.SkillsOrInputsUsed}} {
		if len(f.list) > 0 {
			o.Set(f.key, f.list)
		}
	}
	return o
}

// Bytes are those of the file, which ends without a newline, as other programs write it.
func (p *TaskPlan) Bytes() []byte { return bytes.TrimSuffix(stable.Marshal(p), []byte("\n")) }

// Lines are the plan in a prompt.
func (p *TaskPlan) Lines() []string {
	if p == nil {
		return nil
	}
	var out []string
	add := func(label string, values ...string) {
		for _, v := range values {
			if v != "" {
				out = append(out, "- "+label+": "+stable.CutUTF16(stable.OneLine(v), mostText))
			}
		}
	}
	add("Approach", p.Approach)
	add("Step", p.Steps...)
	add("Risk", p.Risks...)
	add("Suggested validation", p.SuggestedValidation)
	add("Suggested acceptance", p.SuggestedAcceptance...)
	add("Suggested constraint", p.SuggestedConstraints...)
	return out
}
