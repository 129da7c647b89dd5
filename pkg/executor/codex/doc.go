// Package codex runs sessions of the codex CLI.
//
//	stdout (exec --json) ─► dialect: agent_message ─► Talk.Say; reasoning ─► shown, foreign
//	                                 command_execution, file_change, … ─► Talk.Tool … ToolEnds
//	                                 turn.completed ─► usage; turn.failed ─► failure
//
//	older than 0.130:  stdout (exec) ─► plain: the last message, whole ─► Talk
//	                   stderr ─► session id ─► rollout file under CODEX_HOME/sessions, tailed ─► shown
//
// # What counts
//
// The agent's own text is what agent_message items hold, whole and once. Reasoning, commands and their output, and what
// collab_tool_call items report of other agents are foreign.
//
// A line of type error is final only when turn.failed follows, or the process ends badly: "Reconnecting... 1/5" is the CLI
// helping itself, and so is an item of type error. A command that has no item.completed when the turn ends is pending work;
// codex ends it at its own end.
//
// Its times are this machine's: "try again at Dec 1st, 2026 1:00 PM" names no zone and means the local one.
package codex
