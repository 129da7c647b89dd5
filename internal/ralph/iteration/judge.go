package iteration

import (
	"fmt"
	"slices"

	"ralphex/internal/ralph/task"
)

// ReportStatus is what became of a report.
type ReportStatus string

// The statuses.
const (
	Applied  ReportStatus = "applied"
	Rejected ReportStatus = "rejected"
	Missing  ReportStatus = "missing"
	Invalid  ReportStatus = "invalid"
)

// The reasons for a rejection.
const (
	TaskIDMismatch         = "task_id_mismatch"
	PolicyViolated         = "policy_violation"
	VerificationFailed     = "verification_failed"
	ReviewWithDone         = "needs_human_review_with_done"
	BlockedOverComplete    = "blocked_overrides_complete"
	Contested              = "claim_contested"
	IncompleteDescendants  = task.IncompleteDescendants
	IncompleteDependencies = task.IncompleteDependencies
)

// role is what an agent's role may do with a task.
type role struct {
	changes  []string // of status, as "from→to"
	executes bool     // it may propose children
}

const (
	toDone    = "in_progress→done"
	toBlocked = "in_progress→blocked"
)

// roles is the table of roles. Reviewers say changes_required in their report and change no status.
var roles = map[string]role{
	"implementer": {[]string{"todo→in_progress", toDone, toBlocked}, true},
	"build":       {[]string{toDone, toBlocked}, true},
	"planner":     {nil, true},
	"watchdog":    {},
	"scm":         {},
	"reviewer":    {},
	"review":      {},
}

// Works tells whether a role does tasks; the others plan, review and watch.
func Works(name string) bool { return slices.Contains(roles[name].changes, toDone) }

// Validates tells whether the validation command says something of what a role did: of a plan, or a look around, it doesn't.
func Validates(name string) bool { return Works(name) || name == "reviewer" || name == "review" }

// Terms are the facts that a report is held against.
type Terms struct {
	Task *task.Task // that was selected; nil = none
	Kind Kind
	Role string

	Command     string        // effective validation command; "" = none
	CommandOn   bool          // its verifier is switched on
	Validation  task.Verifier // what it said
	Preliminary task.Verifier // of validation and files together
	StateOnly   bool          // the task's state is the only verifier that is switched on
	Class       Classification

	PlannedCommand string // that task-plan.json suggests; "" = none
	ContractTask   string // task of a contract between roles that was accepted; "" = none
}

// Judgement is what is made of a report before the task graph is looked at under its lock.
type Judgement struct {
	Status           ReportStatus
	Reason           string // of a rejection
	Warnings         []string
	NeedsHumanReview bool
	Report           *Report    // of Applied and Rejected
	Stop             StopReason // the loop ends with it; "" = the decision is the loop's
}

// Judge holds a report against the facts. Applied means that it may be applied: Ledger.Apply does it, or finds why not.
func Judge(p Parsed, t Terms) Judgement {
	if t.Task == nil || t.Kind == Replenish {
		return Judgement{Status: Missing, Warnings: []string{}}
	}
	switch p.Status {
	case ReportMissing:
		return Judgement{Status: Missing, Warnings: []string{"The session's last message does not end with a completion report."}}
	case ReportInvalid:
		return Judgement{Status: Invalid, Warnings: []string{fmt.Sprintf("The completion report can't be used: %v.", p.Err)}}
	}
	r := p.Report
	j := Judgement{Status: Applied, Warnings: []string{}, Report: r, NeedsHumanReview: r.NeedsHumanReview != nil && *r.NeedsHumanReview}
	j.Warnings = append(j.Warnings, r.DoctrineWarnings...)
	if r.TaskID != t.Task.ID {
		return j.reject(TaskIDMismatch, "The report is about %s, and %s was selected.", task.Plain(r.TaskID), task.Plain(t.Task.ID))
	}
	if why := t.forbidden(r); why != "" {
		j.NeedsHumanReview, j.Stop = true, PolicyViolation
		return j.reject(PolicyViolated, "%s", why)
	}
	if t.ContractTask != "" && t.ContractTask != t.Task.ID {
		j.NeedsHumanReview = true
		j.Warnings = append(j.Warnings, fmt.Sprintf("The accepted contract is about %s, and %s was worked on.", task.Plain(t.ContractTask), task.Plain(t.Task.ID)))
	}
	switch {
	case r.Requested == task.Done && !t.proven():
		return j.reject(VerificationFailed, "%s was reported as done, and %s.", task.Plain(t.Task.ID), t.unproven())
	case r.Requested == task.Done && j.NeedsHumanReview:
		return j.reject(ReviewWithDone, "%s can't be done while a person has to look at it.", task.Plain(t.Task.ID))
	case r.Requested == task.Blocked && t.Class == Complete:
		return j.reject(BlockedOverComplete, "%s was reported as blocked, and what we saw says that it is complete.", task.Plain(t.Task.ID))
	}
	if r.Requested == task.Done && t.Command != "" && r.ValidationRan == "" {
		j.Warnings = append(j.Warnings, fmt.Sprintf("The report does not say that `%s` was run.", t.Command))
	}
	if t.PlannedCommand != "" && t.PlannedCommand != t.Command {
		j.Warnings = append(j.Warnings, fmt.Sprintf("planner_suggested_stronger_validation_not_used: the plan of the task suggests `%s`.", t.PlannedCommand))
	}
	return j
}

// Doubt holds the task as it stands in the graph right behind the session, before the report is applied, against the facts: nobody but who holds the claim does a
// task, so that one which is done by now without proof, or is to be proven otherwise than when it was selected, was changed by its session, or by a person who
// will say so. What is written there is left as it is; the loop ends, and a person looks. now is nil where the task can't be read.
func (j Judgement) Doubt(t Terms, now *task.Task) Judgement {
	if t.Task == nil || now == nil {
		return j
	}
	doubt := func(format string, args ...any) {
		j.NeedsHumanReview, j.Stop = true, HumanReviewNeeded
		j.Warnings = append(slices.Clip(j.Warnings), fmt.Sprintf(format, args...))
	}
	if now.Status == task.Done && t.Task.Status != task.Done && !t.proven() {
		doubt("%s stands as done in the task graph. This run did not write that, and %s: `ralphex task set %s status in_progress` opens it again.", task.Plain(t.Task.ID), t.unproven(), task.Plain(t.Task.ID))
	}
	if now.Validation != t.Task.Validation {
		doubt("The validation of %s was `%s` when the session began, and is `%s` now; this run did not change it.", task.Plain(t.Task.ID), task.Plain(t.Task.Validation), task.Plain(now.Validation))
	}
	return j
}

func (j Judgement) reject(reason, format string, args ...any) Judgement {
	j.Status, j.Reason = Rejected, reason
	j.Warnings = append(j.Warnings, fmt.Sprintf(format, args...))
	return j
}

// forbidden says why a report asks for more than its role may; "" = it does not.
func (t Terms) forbidden(r *Report) string {
	allowed := roles[t.Role]
	from := t.Task.Status
	if from == task.Todo {
		from = task.InProgress // the selection made it so
	}
	change := string(from) + "→" + string(r.Requested)
	if r.Requested != task.InProgress && !slices.Contains(allowed.changes, change) {
		return fmt.Sprintf("The role %s may not change a task %s.", t.Role, change)
	}
	if len(r.Children) > 0 && !allowed.executes {
		return fmt.Sprintf("The role %s may not propose tasks.", t.Role)
	}
	return ""
}

// proven tells whether the task may be done by what was verified: a validation command that is there must have passed.
func (t Terms) proven() bool {
	switch {
	case t.Task.Mode == task.Documentation:
		return true
	case t.Command != "" && t.CommandOn:
		return t.Validation == task.Passed
	}
	return t.Preliminary == task.Passed || t.StateOnly
}

func (t Terms) unproven() string {
	if t.Command != "" && t.CommandOn {
		return fmt.Sprintf("its validation `%s` %s", t.Command, map[task.Verifier]string{task.Failed: "failed"}[t.Validation]+map[bool]string{true: "did not run"}[t.Validation != task.Failed])
	}
	return "nothing verified it"
}
