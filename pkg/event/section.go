package event

import (
	"fmt"
	"strings"
)

// The labels are those of the public progress format; other tools look for them.

// NewTaskIterationSection opens a session on the task at the 1-based position in the plan.
func NewTaskIterationSection(pos int) Section {
	return Section{Type: SectionTask, Label: fmt.Sprintf("task iteration %d", pos), TaskNum: pos}
}

// NewReviewSection opens the n-th review session, 0 is the first pass. tool is the reviewer's name, empty where the
// public format leaves it out.
func NewReviewSection(tool string, n int) Section {
	scope := "critical/major"
	if n == 0 {
		scope = "all findings"
	}
	label := strings.TrimSpace(fmt.Sprintf("%s review %d: %s", tool, n, scope))
	return Section{Type: SectionReview, Label: label, Iteration: n}
}

// NewExternalReviewSection opens the phase of a review by another tool.
func NewExternalReviewSection(tool string) Section {
	return Section{Type: SectionGeneric, Label: tool + " external review"}
}

// NewExternalIterationSection opens the n-th run of that tool: "codex iteration 2", "custom review iteration 2".
func NewExternalIterationSection(name string, n int) Section {
	return Section{Type: SectionReview, Label: fmt.Sprintf("%s iteration %d", name, n), Iteration: n}
}

// NewEvaluationSection opens the session that judges what the tool found.
func NewEvaluationSection(evaluator, tool string) Section {
	return Section{Type: SectionGeneric, Label: fmt.Sprintf("%s evaluating %s findings", evaluator, tool)}
}

// NewFinalizeSection opens the finalize step.
func NewFinalizeSection() Section { return Section{Type: SectionGeneric, Label: "finalize step"} }

// NewPlanIterationSection opens the n-th session of plan creation.
func NewPlanIterationSection(n int) Section {
	return Section{Type: SectionGeneric, Label: fmt.Sprintf("plan iteration %d", n), Iteration: n}
}
