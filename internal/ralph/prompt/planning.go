package prompt

import (
	"fmt"
	"strings"

	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// Planning is the question of the readiness gate: is the task ready, and how would it be done. most is how many parts may be proposed.
func Planning(t *task.Task, shape iteration.Shape, command, objective string, most int) string {
	var b strings.Builder
	b.WriteString("# Ralph Planning\n\nPlan the task below. Look at the project; change no file, and do no part of the task.\n\n## Task\n\n")
	b.WriteString(strings.Join(Input{Task: t, Command: command}.task(), "\n"))
	if len(shape.Findings) > 0 {
		b.WriteString("\n\n## What speaks against executing it as it is\n\n")
		for _, f := range shape.Findings {
			fmt.Fprintf(&b, "- %s: %s\n", f.Code, f.Message)
		}
	}
	fmt.Fprintf(&b, "\n\n## Objective\n\n%s\n\n## Answer\n\nEnd your last message with one json block:\n\n```json\n", excerpt(objective, mostObjective))
	b.WriteString(`{"reasoning": "...", "approach": "...", "steps": ["..."], "risks": ["..."], "suggestedValidationCommand": "...", "readiness": "ready | needs_decomposition | blocked | needs_human_review",
 "readinessReason": "...", "atomicity": "atomic | compound | epic | unknown", "estimatedTaskCount": 1, "suggestedAcceptance": ["..."], "suggestedConstraints": ["..."], "suggestedChildTasks": []}`)
	fmt.Fprintf(&b, "\n```\n\nWith needs_decomposition, \"suggestedChildTasks\" has at most %d tasks {\"id\": \"%s.1\", \"title\", \"parentId\": %q, \"dependsOn\": [{\"taskId\", \"reason\": \"blocks_sequence\"}], \"validation\": null or a command, \"rationale\", \"acceptance\": []}.\n",
		most, t.ID, t.ID)
	return stable.Text(b.String())
}
