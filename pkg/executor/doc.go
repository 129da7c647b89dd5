// Package executor is the contract for one session of a coding agent, and what all agents have in common.
//
//	processor ── Request ──► Executor ─────────► agent (a process tree of internal/proc)
//	    ▲                     │  ▲                 │ stdout: a stream in the agent's own format
//	    │                     │  └── facts ────────┘
//	    ├───── Result ────────┤
//	    └───── event.Data ────┘ Emit: Output, Claimed, Survivor, Note, Tick
//
// A Result is made of facts: how the process ended, what structured events said, which signals the agent's own text
// holds. Whatever the agent says in words is a claim, and no word of it makes a Failure.
//
// An agent is one folder below this one: its argv, its environment, its stream. The table of all of them belongs to
// internal/cli; a new agent is a folder and a line there. What several need is here: SplitArgs and WithFlag for argv,
// DropEnv for the environment, Trace for debugging.
package executor
