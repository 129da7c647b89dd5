// Package claude runs sessions of the claude CLI, and of any command that speaks its stream-json.
//
//	stdout ─► lines ──┬─ ≤ 1 MiB ─► fast (hand-made, frequent shapes) ─┬► record ─► stream ─┬─► voice ─► Output, signals
//	                  │             wire (encoding/json, the rest)  ───┘     ▲              ├─► holds ─► Idle
//	                  └─ longer ──► spool: bytes to an unlinked file,        │              └─► facts ─► Result, Failure
//	                                skeleton in memory (long strings cut) ───┘
//	                                and the long strings read back from the file, piece by piece
//	stderr ─► last lines, shown as they come
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
//
// Memory is bounded by one line of 1 MiB, its skeleton, and the last MaxText bytes of text, whatever is printed.
package claude
