package processor

import (
	"fmt"
	"maps"
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
	plan    Template
	reviews Prompts
	trailer string
	verbs   vcs.Verbs // of the repository, with {base} open
	vars    map[string]string
	locator *planLocator
}

// Task renders the prompt for one task: the template, and a last paragraph that names the task of this session,
// since a task whose validation failed has all its boxes ticked and can't be found by looking for open ones.
func (b *promptBuilder) Task(in phase.TaskPrompt) (phase.Prompt, error) {
	vars := maps.Clone(b.vars)
	if vars == nil {
		vars = map[string]string{}
	}
	vars["PLAN_FILE"] = b.locator.Path()
	return func(agent string) string {
		var out strings.Builder
		out.WriteString(b.task(agent, vars))
		fmt.Fprintf(&out, "\n\n=== This session ===\nThe task of this session is task %s (%q), number %d in the plan, at line %d of the plan file.\n",
			in.Task.ID, in.Task.Title, in.Position, in.Task.Line)
		if in.Failure != "" {
			fmt.Fprintf(&out, "\nThis is attempt %d. The attempt before was not accepted. Find the cause and mend it; its boxes may be ticked already.\n\n%s\n", in.Attempt, in.Failure)
		}
		if len(in.Unfinished) > 0 {
			out.WriteString("\nAn earlier session of this run was cut off or did not finish. These uncommitted paths are its work, and yours to go on with, to mend and to commit:\n")
			for i, path := range in.Unfinished {
				if i == mostPaths {
					fmt.Fprintf(&out, "- and %d more (see the status of the repository)\n", len(in.Unfinished)-i)
					break
				}
				fmt.Fprintf(&out, "- %s\n", path)
			}
		}
		if b.trailer != "" {
			fmt.Fprintf(&out, "\nEnd the message of each commit with a blank line and this line:\n%s\n", b.trailer)
		}
		return out.String()
	}, nil
}
