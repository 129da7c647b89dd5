package claude

import "ralphex/pkg/executor"

// dropped are the variables by which a CLI tells its children that they run within a session: a CLI that finds them takes
// itself for a child, or talks to the wrong editor.
var dropped = []string{
	"CLAUDECODE",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_SSE_PORT",
	"CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_PARENT_SESSION_ID",
	"CLAUDE_CODE_CHILD_SESSION",
}

// env is the environment of the CLI: the parent's without session markers, and without the key that would be billed
// instead of the subscription, unless it is wanted.
func (e *Executor) env(env []string) []string {
	rules := dropped
	if !e.o.PreserveAPIKey {
		rules = append([]string{"ANTHROPIC_API_KEY"}, rules...)
	}
	return executor.DropEnv(env, rules...)
}
