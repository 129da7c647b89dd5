// Package events keeps the journal of one provenance id, which the trust timeline is folded from.
//
//	.ralph/artifacts/runs/run-i007-cli-20260317T120000Z/events.jsonl
//	  {"type":"run_started","mode":"loop","schemaVersion":1,"runId":"run-i007-cli-…","seq":1,"timestamp":"…"}
//	  {"type":"task_selected","taskId":"T1",…,"seq":2,…}
//	  …
//	  {"type":"run_completed","stopReason":null,…,"seq":9,…}      ◀── always the last one: Close writes it if nobody has
//
//	pkg/event facts ──bus──▶ .ralph/events/<run>.jsonl      the record: every fact, also the agent's output
//	                 └─────▶ Mapper ──▶ Writer ──▶ events.jsonl ──Read──▶ Fold ──▶ Timeline
//	                         the same facts in the words that other programs of the .ralph store know
//
// So there is one stream of facts with two views on disk, and this one can be made again from the other by the same
// Mapper. A journal has one Writer: the process that runs the provenance id.
//
// Reading: blank lines are passed over, types that we don't know are ignored, a malformed line is a *LineError. Only a last
// line without its newline, which a killed writer left, counts as not written; the next Writer cuts it off.
package events
