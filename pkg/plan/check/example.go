package check

import "strings"

// Plan returns the example as a whole plan: what its frame says is around it.
func (e Example) Plan() []byte {
	title, sections, tasks, last, end := "# Add a health check\n\n", frameSections, frameTasks, frameLast, ""
	text := e.Text + "\n"
	switch e.Frame {
	case WholeFile:
		return []byte(text)
	case InSections:
		sections = text
	case InTasks:
		tasks = text
	case InLastTask:
		last = text
	case AtEnd:
		end = "\n" + text
	}
	return []byte(strings.Join([]string{title, sections, "\n## Implementation Steps\n\n", tasks, "\n", last, end}, ""))
}

const frameSections = `## Overview

Load balancers need to know whether we are alive.

## Context

The server is in ` + "`internal/server`" + `.

## Development Approach

Small steps, each with its tests.

## Testing Strategy

Unit tests for each handler.

## Progress Tracking

Tick a box when it is done.

## Validation Commands

- ` + "`go test ./...`" + `
`

const frameTasks = `### Task 1: The endpoint

- [ ] answer GET /healthz with the version
- [ ] write tests
- [ ] run project tests
`

const frameLast = `### Task 2: Verify acceptance criteria

- [ ] re-run the whole test suite
- [ ] run the linter
- [ ] confirm every requirement of the Overview
- [ ] write tests
- [ ] run project tests
`
