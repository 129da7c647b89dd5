// Package claude runs sessions of the claude CLI, and of any command that speaks its stream-json.
//
//	session.Stream ─► dialect ─► fast (hand-made, frequent shapes) ─┬► Talk: Output, signals, what is waited for
//	                             wire (encoding/json, the rest)  ───┴► facts ─► Outcome: usage, failure
//
// # What counts
//
// The agent's own text is what top-level assistant messages (parent_tool_use_id null) hold in text blocks, or their
// deltas; never thinking, tool input, tool results, a subagent's text, or the CLI's own error texts (model "<synthetic>").
// Text that came in deltas and again whole is taken once; the text of a result line only if no other came.
// Lines that are no JSON objects are shown and kept, and never searched for signals.
//
// A Failure is made from result.is_error, api_error_status, api_error, rate_limit_event, the exit code and stderr.
// An assistant that writes "You've hit your limit" in its prose has written prose.
//
// A result line is not the end, and there may be several: the stream is read to its end. total_cost_usd and
// modelUsage are sums over the whole session (subagents included), usage and num_turns are the turn's own.
package claude
