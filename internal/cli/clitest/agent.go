package clitest

import "strings"

// Say is the step of a scripted agent that says a text of several lines.
func Say(text string) string { return "\tsay " + strings.ReplaceAll(text, "\n", `\n`) + "\n" }

// Draft is the step that proposes a plan.
func Draft(plan string) string {
	return Say("<<<RALPHEX:PLAN_DRAFT>>>\n" + plan + "<<<RALPHEX:END>>>")
}

// Plan is one that the strict rules have nothing against, called Greetings.
func Plan(overview string) string {
	return "# Greetings\n\n## Overview\n" + overview + "\n\n## Context\nOne file.\n\n## Development Approach\nSmall steps.\n\n## Testing Strategy\nLook at it.\n\n" +
		"## Validation Commands\n- `test -f greet.txt`\n\n## Progress Tracking\nBoxes.\n\n## Implementation Steps\n\n" +
		"### Task 1: Greet\n- [ ] write greet.txt\n- [ ] write tests\n- [ ] run project tests\n\n" +
		"### Task 2: Verify acceptance criteria\n- [ ] re-run the test suite\n- [ ] run the linter\n- [ ] confirm the requirements of the Overview\n- [ ] write tests\n- [ ] run project tests\n"
}
