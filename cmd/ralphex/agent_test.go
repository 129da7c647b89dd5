package main

import "strings"

// says is the step of a scripted agent that prints a text.
func says(text string) string { return "\tsay " + strings.ReplaceAll(text, "\n", `\n`) + "\n" }

// aPlan is one that the strict rules have nothing against.
func aPlan(overview string) string {
	return "# Greetings\n\n## Overview\n" + overview + "\n\n## Context\nOne file.\n\n## Development Approach\nSmall steps.\n\n## Testing Strategy\nLook at it.\n\n" +
		"## Validation Commands\n- `test -f greet.txt`\n\n## Progress Tracking\nBoxes.\n\n## Implementation Steps\n\n" +
		"### Task 1: Greet\n- [ ] write greet.txt\n- [ ] write tests\n- [ ] run project tests\n\n" +
		"### Task 2: Verify acceptance criteria\n- [ ] re-run the test suite\n- [ ] run the linter\n- [ ] confirm the requirements of the Overview\n- [ ] write tests\n- [ ] run project tests\n"
}

// draftOf is the step that proposes a plan.
func draftOf(plan string) string {
	return says("<<<RALPHEX:PLAN_DRAFT>>>\n" + plan + "<<<RALPHEX:END>>>")
}
