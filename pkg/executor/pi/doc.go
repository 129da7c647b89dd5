// Package pi runs sessions of the pi CLI.
//
//	stdout (--mode json) ─► message_end of the assistant ─► Talk.Say, usage, whether it failed
//	                        tool_execution_start ─► Talk.Tool … tool_execution_end ─► ToolEnds, foreign
//	                        auto_retry_end ─► failure
//
// It exits with 0 when the API refused: stopReason "error" of the last message and auto_retry_end say so. Each message_update
// repeats the whole message so far, and agent_end the whole conversation; both are left out unread.
package pi
