package processor

import (
	"fmt"
	"maps"
	"strings"

	"ralphex/internal/config"
	"ralphex/pkg/processor/phase"
)

// promptBuilder renders the prompts of sessions from templates.
type promptBuilder struct {
	task    string
	vars    map[string]string
	locator *planLocator
}

// Task renders the prompt for one task: the template, and a last paragraph that names the task of this session,
// since a task whose validation failed has all its boxes ticked and can't be found by looking for open ones.
func (b *promptBuilder) Task(in phase.TaskPrompt) (string, error) {
	vars := maps.Clone(b.vars)
	if vars == nil {
		vars = map[string]string{}
	}
	vars["PLAN_FILE"] = b.locator.Path()
	var out strings.Builder
	out.WriteString(config.Expand(b.task, vars))
	fmt.Fprintf(&out, "\n\n=== This session ===\nThe task of this session is task %s (%q), number %d in the plan, at line %d of the plan file.\n",
		in.Task.ID, in.Task.Title, in.Position, in.Task.Line)
	if in.Failure != "" {
		fmt.Fprintf(&out, "\nThis is attempt %d. The attempt before was not accepted. Find the cause and mend it; its boxes may be ticked already.\n\n%s\n", in.Attempt, in.Failure)
	}
	return out.String(), nil
}
