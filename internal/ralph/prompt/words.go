package prompt

import (
	"fmt"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/iteration"
)

// intros say what the iteration is for.
var intros = map[iteration.Kind]string{
	iteration.Bootstrap:        "This is the first iteration of this workspace. Look around before you change anything.",
	iteration.Normal:           "Work on the selected task.",
	iteration.FixFailure:       "The iteration before this one went wrong. Find out why before you try again, and mend it.",
	iteration.ContinueProgress: "The iteration before this one got somewhere. Go on from what is there; don't begin anew.",
	iteration.HumanReview:      "The iteration before this one asked for a person. Do only what does not need one, and say what does.",
	iteration.Replenish:        "No task is left. Propose the next ones from the objective; do none of them.",
}

// repairFirst is the introduction where the task graph contradicts itself: nothing may be added to it.
const repairFirst = "The task graph contradicts itself. Say how it is to be repaired, from the findings below, before anything is added to it; do no task."

// roleWords are what a session of a role is for, where it does not do tasks.
var roleWords = map[string]struct {
	intro    string
	strategy []string
	report   string // keys of its report besides the task's
}{
	"planner": {"Plan the selected task; do no part of it.", []string{"- Find what has to change, in which order, and how one sees that it is done.", "- Change no file."},
		`"proposedPlan": "how it is to be done"`},
	"reviewer": {"Review what was done for the selected task.", reviewStrategy, reviewReport},
	"review":   {"Review what was done for the selected task.", reviewStrategy, reviewReport},
	"watchdog": {"Look for claims and tasks that stand still, in the findings of the preflight and in the history.", []string{"- Ask only for what durable files show; name them as evidence.", "- Change no file."},
		`"watchdog_actions": [{"taskId": "ID", "agentId": "whose claim", "action": "resolve_stale_claim | decompose_task | escalate_to_human", "severity": "MEDIUM | HIGH | CRITICAL", "reason": "...", "evidence": "files", "trailingNoProgressCount": 0, "trailingRepeatedFailureCount": 0}]`},
}

const reviewReport = `"reviewOutcome": "approved | changes_required", "reviewNotes": "..."`

var reviewStrategy = []string{"- Hold the work against the task, its acceptance and its validation; run the validation.", "- Change no file."}

func (in Input) intro() string {
	if w, ok := roleWords[in.Role]; ok && in.Kind != iteration.Replenish {
		return w.intro
	}
	if in.Kind == iteration.Replenish && !in.Usable {
		return repairFirst
	}
	return intros[in.Kind]
}

// strategy is how to go about it.
func (in Input) strategy() []string {
	if w, ok := roleWords[in.Role]; ok && in.Kind != iteration.Replenish {
		return w.strategy
	}
	switch {
	case in.Kind == iteration.Replenish && !in.Usable:
		return []string{"- Read .ralph/tasks.json with the findings of the preflight beside it.", "- Say for each finding which entry is wrong and what it should be."}
	case in.Kind == iteration.Replenish:
		return []string{"- Compare the objective with what the progress file says is done.", "- Propose few tasks, each one session's work, in the order in which they are to be done."}
	case in.Kind == iteration.FixFailure:
		return []string{"- Reproduce the failure first, with the smallest command that shows it.", "- Change one thing at a time."}
	case in.Kind == iteration.Bootstrap:
		return []string{"- Find how the project is built and tested.", "- Then make the smallest change that does the task."}
	}
	return []string{"- Make the smallest change that does the task, with its test."}
}

// rules are what holds for every session of the kind.
func (in Input) rules() []string {
	doctrine := "- Do not edit .ralph/doctrine/invariants.md, boundaries.md or agents.md."
	if in.Kind == iteration.Replenish {
		return []string{
			"- Do not edit .ralph/tasks.json: what you propose is checked, and added for you. The graph stays explicit, flat and version 2.",
			"- Change no other file of the project.", doctrine,
		}
	}
	whose := "your report is read, and they are changed for you."
	if in.Target == artifact.IDEHandoff {
		whose = "the person who asks you does."
	}
	return []string{
		"- Work on the selected task, and on no other one.",
		"- Do not edit .ralph/tasks.json, .ralph/progress.md or .ralph/state.json: " + whose,
		doctrine,
		"- Run the validation command yourself before you report done.",
	}
}

// contract says what becomes of the work.
func (in Input) contract() []string {
	if in.Kind == iteration.Replenish && in.Target != artifact.IDEHandoff {
		return []string{"The file that you write is checked as a whole: one wrong task, and none is added."}
	}
	if in.Target == artifact.IDEHandoff {
		return []string{"This prompt was prepared for a person's own session: no claim was taken on the task, and nothing is changed by what you report. The person closes the task."}
	}
	return []string{"What you report is checked: the validation command is run again, the changed files are looked at. A task is done when that agrees with you."}
}

// final says how the session ends.
func (in Input) final() []string {
	switch {
	case in.Kind == iteration.Replenish && !in.Usable:
		return []string{"End your last message with the repaired entries, in one json block."}
	case in.Kind == iteration.Replenish:
		where := in.Proposal
		if where == "" {
			return []string{"End your last message with one json block, as `ralphex task seed --response` takes it:", "", "```json", proposalForm, "```"}
		}
		return []string{fmt.Sprintf("Write the tasks to %s, in this form, and say in your last message what you proposed:", where), "", "```json", proposalForm, "```", "",
			`"dependsOn" may name tasks that are there and those of the file. "validation" is a command that proves the task; "acceptance" is a list of sentences.`}
	case in.Target == artifact.IDEHandoff:
		return []string{"End your last message with what you changed, what you ran, and what is left."}
	}
	if w, ok := roleWords[in.Role]; ok {
		return []string{"End your last message with this block, and nothing behind it:", "", "```json",
			`{"selectedTaskId": "ID", "requestedStatus": "in_progress", "progressNote": "one line", ` + w.report + `}`, "```"}
	}
	return []string{"End your last message with this block, and nothing behind it:", "", "```json", reportForm, "```", "",
		`"suggestedChildTasks" may propose up to 10 smaller tasks: id, title, parentId, dependsOn [{"taskId", "reason": "blocks_sequence"}], validation or null, rationale.`}
}

const (
	reportForm   = `{"selectedTaskId": "ID", "requestedStatus": "done | blocked | in_progress", "progressNote": "one line", "blocker": "only if blocked", "validationRan": "the command", "needsHumanReview": false}`
	proposalForm = `{"tasks": [{"id": "T10", "title": "...", "dependsOn": [], "acceptance": ["..."], "validation": "..."}]}`
)
