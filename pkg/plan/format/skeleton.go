package format

import (
	"fmt"
	"strings"
)

// Skeleton is what a new plan begins with.
type Skeleton struct {
	Title    string   // words; line breaks become blanks
	Commands []string // validation commands; none = no section for them
}

// Plan writes a plan that keeps every rule as it is: its sentences are true and may stay, comments say what
// to write, and nothing has to be filled in before it can be checked or run.
func (s Skeleton) Plan() []byte {
	title := CleanTitle(s.Title)
	validation := ""
	if len(s.Commands) > 0 {
		validation = "\n## Validation Commands\n\n<!-- ralphex runs these after each task; all must end with exit 0 -->\n\n"
		for _, c := range s.Commands {
			validation += "- " + codeSpan(c) + "\n"
		}
	}
	return fmt.Appendf(nil, skeleton, title, title, validation, title)
}

const skeleton = `# %s

## Overview

<!-- who gets what, why, and how one will see that it is there -->

Goal: %s

## Context

<!-- files, decisions and earlier work that an agent without memory needs -->

- The plan itself is all that a session knows about the ones before it.

## Development Approach

<!-- what to keep to: style, order of work, what must not change -->

- One task at a time, each with its tests, in small commits.
- Existing tests stay green and existing behaviour stays as it is.

## Testing Strategy

<!-- which kinds of tests, and where they lie -->

- Every task has tests for what it does and for how it fails.
%s
## Progress Tracking

- A box is ticked when its item is really done, and not before.
- What was found on the way is added to the task that it belongs to.

## Implementation Steps

<!-- a task is what one session can do: five to seven boxes, each with the files it is about -->

### Task 1: %s

- [ ] make the change that the Overview describes
- [ ] describe it where its users will look for it
- [ ] write tests
- [ ] run project tests

### Task 2: Verify acceptance criteria

- [ ] run the full test suite
- [ ] run the linter and mend what it finds
- [ ] confirm that every requirement of the Overview is met
- [ ] write tests
- [ ] run project tests
`

// CleanTitle makes one line of a title: blanks for line breaks, no marks of a heading around it.
func CleanTitle(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	title = strings.TrimSpace(strings.TrimLeft(title, "#"))
	return strings.TrimRight(strings.TrimRight(title, "# "), " ")
}

// codeSpan writes a command as one code span, whatever backquotes it has.
func codeSpan(cmd string) string {
	cmd = strings.TrimSpace(cmd)
	fence := "`"
	for strings.Contains(cmd, fence) {
		fence += "`"
	}
	if strings.HasPrefix(cmd, "`") || strings.HasSuffix(cmd, "`") {
		cmd = " " + cmd + " "
	}
	return fence + cmd + fence
}
