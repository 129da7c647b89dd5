package executor

import "strings"

// EnvRules make an agent's environment of the parent's.
type EnvRules struct {
	Drop []string // names, or beginnings of names with a star; see DropEnv
	Set  []string // NAME=VALUE, where the parent does not set NAME itself
}

// Apply returns the environment by these rules. nil stands for the environment of this process.
func (r EnvRules) Apply(env []string) []string {
	out := DropEnv(env, r.Drop...)
	for _, s := range r.Set {
		name, _, _ := strings.Cut(s, "=")
		if !hasEnv(out, name) {
			out = append(out, s)
		}
	}
	return out
}

func hasEnv(env []string, name string) bool {
	for _, e := range env {
		if strings.HasPrefix(e, name+"=") {
			return true
		}
	}
	return false
}

// SessionMarkers are the variables by which CLIs tell their children that they run within a session: a CLI that finds
// them takes itself for a child, or talks to the wrong editor. No agent gets them.
var SessionMarkers = []string{
	"CLAUDECODE",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_SSE_PORT",
	"CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_PARENT_SESSION_ID",
	"CLAUDE_CODE_CHILD_SESSION",
	"CODEX_SANDBOX",
	"CODEX_SANDBOX_NETWORK_DISABLED",
	"CODEX_THREAD_ID",
	"GEMINI_CLI",
	"QWEN_CODE",
	"OPENCODE",
	"COPILOT_CLI",
	"PI_CODING_AGENT",
}

// RulesFor are the rules of an agent: no session markers, no ANTHROPIC_API_KEY (it would be billed instead of a
// subscription) unless it is wanted, and what the agent needs besides.
func RulesFor(keepKey bool, set ...string) EnvRules {
	drop := SessionMarkers
	if !keepKey {
		drop = append([]string{"ANTHROPIC_API_KEY"}, drop...)
	}
	return EnvRules{Drop: drop, Set: set}
}
