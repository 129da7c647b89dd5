// Package event says what can happen in a run, as types, and brings each fact to those who draw or keep it.
//
// A fact is a Data (event.go, review.go, create.go and order.go have one type for each); the envelope Event adds what all
// facts share: number, time, run, phase and task. The Bus numbers facts and hands each one to its sinks, one after the other, in the order in which
// they were attached. So the journal, which is attached first, holds a fact before anybody sees it.
//
//	executor, gate, workspace, phases
//	        │ Data
//	        ▼
//	      Bus.Emit ── seq, time ──▶ Event ─┬──▶ journal       (.ralph/events/<run>.jsonl, the record)
//	        one lock: events have          ├──▶ progress file (.ralphex/progress/*.txt, a view)
//	        one order, whoever emits       └──▶ Async ──▶ own goroutine ──▶ terminal
//	                                              a queue; drops Output while its reader stands still
//
// # What a sink may do to a run
//
// Nothing. A sink that returns an error is named to the other sinks in one Note, and is then tried again with each
// event that is no Output; when it works again, a second Note tells how many events it missed. A sink that may block
// (a terminal under Ctrl-S, a pipe that nobody reads) is wrapped in Async.
//
// # On disk
//
// An event is one JSON object, and one line in the journal:
//
//	{"v":1,"seq":7,"time":"2026-01-29T15:30:12.123456Z","run":"20260129-153012-4f2a9c","phase":"task","task":2,"type":"tick","data":{…}}
//
// Fields without a value are left out. Decode reads facts it does not know as Unknown and writes them back as they
// were; it refuses a line of a newer format (VersionError). Fields of data that it does not know are ignored.
package event
