package codex

import "ralphex/pkg/executor"

var _ executor.Director = (*Executor)(nil)

// The titles are those of the public ralphex.
const (
	taskDirectives = `=== Codex task-execution directives ===
This prompt decides what this session does. Skills, memories and instruction files that switch themselves on may tell you how to do a step; where they ask for another procedure, further planning, a question to somebody or more than the one task, this prompt outranks them.`

	reviewDirectives = `=== Codex orchestration directives ===
Start each reviewer with spawn_agent, with the arguments agent and task and no other; no fork_context. Start all of them before you wait for the first. Then use wait_agent until each has answered. A reviewer that died or gave no answer is started again once; if it fails again, go on without it and say so.`
)

// Directives implements executor.Director.
func (*Executor) Directives(prompt string) string {
	switch prompt {
	case "task":
		return taskDirectives
	case "review_first", "review_second":
		return reviewDirectives
	}
	return ""
}
