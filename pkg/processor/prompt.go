package processor

import (
	"fmt"
	"strings"

	"ralphex/pkg/processor/phase"
	"ralphex/pkg/vcs"
)

// mostPaths is how many unfinished paths a prompt lists.
const mostPaths = 50

// Template renders a prompt for an agent, by its name, with the given variables filled in, in one pass.
type Template func(agent string, vars map[string]string) string

// promptBuilder renders the prompts of sessions from templates.
type promptBuilder struct {
	task    Template
	others  Prompts
	trailer string
	verbs   vcs.Verbs // of the repository, with {base} open
	vars    map[string]string
	locator *planLocator
}

// Task renders the prompt for one task: the template, and a last paragraph that names the task of this session,
// since a task whose validation failed has all its boxes ticked and can't be found by looking for open ones.
func (b *promptBuilder) Task(in phase.TaskPrompt) (phase.Prompt, error) {
	vars := b.variables("")
	return func(agent string) string {
		out := newSheet(b.task(agent, vars))
		out.add("The task of this session is task %s (%q), number %d in the plan, at line %d of the plan file.", in.Task.ID, in.Task.Title, in.Position, in.Task.Line)
		if in.Failure != "" {
			out.add("This is attempt %d. The attempt before was not accepted. Find the cause and mend it; its boxes may be ticked already.\n\n%s", in.Attempt, in.Failure)
		}
		if len(in.Unfinished) > 0 {
			out.add("An earlier session of this run was cut off or did not finish. These uncommitted paths are its work, and yours to go on with, to mend and to commit:\n%s",
				listed(in.Unfinished))
		}
		return out.close(b.trailer, true)
	}, nil
}

// listed is a list of paths, a line each.
func listed(paths []string) string {
	var lines []string
	for i, path := range paths {
		if i == mostPaths {
			lines = append(lines, fmt.Sprintf("- and %d more (see the status of the repository)", len(paths)-i))
			break
		}
		lines = append(lines, "- "+path)
	}
	return strings.Join(lines, "\n")
}
