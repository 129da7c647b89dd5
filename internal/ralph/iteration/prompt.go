package iteration

import (
	"fmt"
	"strings"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// PromptInput is what a prompt is made of.
type PromptInput struct {
	Kind      Kind
	Reason    string // of ChooseKind
	Task      task.Task
	Parents   []task.Task // above it, nearest first
	Objective string      // the PRD
	Progress  string      // the log
	Preflight []string    // lines
	Command   string      // effective validation command; "" = none
	Last      *state.Iteration
	Note      string // of the session before; "" = none
}

// How much of the durable texts goes into a prompt, in UTF-16 units: a prompt stays compact, and whoever works can read the files.
const (
	mostObjective = 3000
	mostProgress  = 1200
	mostPrior     = 1500
)

var intros = map[Kind]string{
	Bootstrap:        "This is the first iteration of this workspace. Look around before you change anything.",
	Normal:           "Work on the selected task.",
	FixFailure:       "The iteration before this one went wrong. Find out why before you try again, and mend it.",
	ContinueProgress: "The iteration before this one got somewhere. Go on from what is there; don't begin anew.",
	HumanReview:      "The iteration before this one asked for a person. Do only what does not need one, and say what does.",
}

// rules are the stable part, which comes first.
const rules = `## Operating Rules

- Work on the selected task, and on no other one.
- Do not edit .ralph/tasks.json, .ralph/progress.md or .ralph/state.json: your report is read, and they are changed for you.
- Do not edit .ralph/doctrine/invariants.md, boundaries.md or agents.md.
- Make the smallest change that does the task, with its test.
- Run the validation command yourself before you report done.

## Execution Contract

What you report is checked: the validation command is run again, the changed files are looked at. A task is done when that agrees with you.

## Final Response

End your last message with this block, and nothing behind it:

` + "```json" + `
{"selectedTaskId": "ID", "requestedStatus": "done | blocked | in_progress", "progressNote": "one line", "blocker": "only if blocked", "validationRan": "the command", "needsHumanReview": false}
` + "```" + `

"suggestedChildTasks" may propose up to 10 smaller tasks: id, title, parentId, dependsOn [{"taskId", "reason": "blocks_sequence"}], validation or null, rationale.
`

// RenderPrompt makes the prompt of a task, and the parts that it was made of. It is a pure function, and ends in one newline.
func RenderPrompt(in PromptInput) (string, artifact.Inputs) {
	var b strings.Builder
	parts := artifact.Inputs{Strategy: []string{intros[in.Kind]}, Preflight: in.Preflight, Objective: excerpt(in.Objective, mostObjective), Task: taskLines(in),
		Runtime: []string{}, Progress: tail(in.Progress, mostProgress), PriorIteration: prior(in), Rules: []string{rules}, Contract: []string{}, FinalResponse: []string{}}
	fmt.Fprintf(&b, "# Ralph Prompt: %s\n\n%s\n\n%s", in.Kind, intros[in.Kind], rules)
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", title, strings.Join(lines, "\n"))
		}
	}
	section("Template Selection", []string{in.Reason})
	section("Preflight", parts.Preflight)
	section("Objective", []string{parts.Objective})
	section("Selected Task", parts.Task)
	section("Progress So Far", parts.Progress)
	section("Prior Iteration", parts.PriorIteration)
	return stable.Text(b.String()), parts
}

func taskLines(in PromptInput) []string {
	t := in.Task
	lines := []string{"- Id: " + t.ID, "- Title: " + t.Title}
	for _, f := range []struct{ label, value string }{{"Notes", t.Notes}, {"Blocker", t.Blocker}, {"Validation command", in.Command}} {
		if f.value != "" {
			lines = append(lines, "- "+f.label+": "+f.value)
		}
	}
	for _, f := range []struct {
		label  string
		values []string
	}{{"Acceptance", t.Acceptance}, {"Constraint", t.Constraints}, {"Context", t.Context}} {
		for _, v := range f.values {
			lines = append(lines, "- "+f.label+": "+v)
		}
	}
	for _, p := range in.Parents {
		lines = append(lines, fmt.Sprintf("- Part of: %s (%s)", p.ID, p.Title))
	}
	return lines
}

func prior(in PromptInput) (lines []string) {
	if it := in.Last; it != nil {
		lines = append(lines, fmt.Sprintf("- Iteration %d: %s", it.Number, stable.CutUTF16(it.Summary, mostPrior)))
		if s := it.Verification.ValidationFailureSignature; s != "" {
			lines = append(lines, "- Its validation failed: "+stable.CutUTF16(s, mostPrior))
		}
		for _, w := range it.ReconciliationWarnings {
			lines = append(lines, "- Its report: "+stable.CutUTF16(w, mostPrior))
		}
	}
	if in.Note != "" {
		lines = append(lines, "- Note of the session before: "+stable.CutUTF16(in.Note, mostPrior))
	}
	return lines
}

// excerpt is the beginning of a text.
func excerpt(s string, most int) string {
	s = stable.Trim(s)
	if stable.UTF16Len(s) <= most {
		return s
	}
	return stable.CutUTF16(s, most) + "\n(cut here; the file has the rest)"
}

// tail is the end of a text, in whole lines.
func tail(s string, most int) []string {
	lines := strings.Split(stable.Trim(s), "\n")
	n := 0
	for i := len(lines) - 1; i >= 0; i-- {
		if n += stable.UTF16Len(lines[i]) + 1; n > most {
			return lines[i+1:]
		}
	}
	return lines
}
