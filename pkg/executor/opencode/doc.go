// Package opencode runs sessions of the opencode CLI.
//
//	stdout (run --format json) ─► text ─► Talk.Say;  tool_use ─► Talk.Tool;  reasoning ─► foreign
//	                              step_finish ─► usage, and whether the turn is over;  error ─► failure
//
// A text comes whole, a tool call when it is over: while a tool runs the stream is silent. There is no result line: the turn
// is over when a step finishes for another reason than tool calls. A server that stays busy is asked again without any output.
package opencode
