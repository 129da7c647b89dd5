// Package session is what all agents have in common once their process runs: start, streams, talk, end.
//
//	Run ─► internal/proc ─► the CLI
//	          │ stdout ─► transcript ─► Stream ─► jsonl.Lines ─► Dialect.Object ─► Talk ─┬─► voice ─► Output, Claimed; text, signals
//	          │                            └─ no JSON ─► shown, kept, not searched       ├─► holds ─► Idle, pending
//	          │                                                                          └─► Output (tools), Note
//	          │ stderr ─► lines, shown as they come; the end is kept
//	          ▼
//	        Exit ─► Dialect.Outcome (session id, usage, failure) ─► Patterns ─► executor.Result
//
// A large piece of stdout is dealt with by three goroutines: one keeps it in the transcript, one understands it, and one tells
// what was understood (teller). All three are done with a piece before the next one is read; so what a reader of facts may find
// of a session is never more than a piece behind, and memory stays flat. Small pieces, the usual case, know one goroutine.
//
// A Dialect is the one thing that an agent's folder must bring besides its argv and environment: it says of each line what
// the agent itself said, which tools it called, what it waits for, and in the end what the session was.
//
// Only what a dialect gives to Talk.Say and Talk.Delta is the agent's own word, and searched for signals. What a tool printed,
// a sub-agent said or the model thought goes to Foreign, where signals are counted and mean nothing.
package session
