// Package view is what a dashboard shows of a run, and the one place where facts become that.
//
//	journal ──▶ event.Event ─┬─▶ State.Apply ──▶ Run (a row of the list), Detail (all of one run)
//	progress file ──▶ (source)│
//	                          └─▶ BroadcastLogger ──▶ PublicEvent (the public stream)
//
// A State is a pure function of the events it took: a run that is watched, one that is replayed, and one that is read half before and
// half after a restart of the server are the same. It reads no file and no clock. What no journal can tell (what time it is, whether the process
// is still there) comes in when the State is asked: Run and Detail take now and Alive.
//
// # States
//
// The state of a run is that of its process and of its own last words, RunEnd; what an agent signals does not move it.
//
//	                       the process is     RunEnd
//	active                 running            -         it works
//	waiting                running            -         for a limit, an answer, a retry: Waiting says for what
//	paused                 running            -         somebody paused it
//	stalled                running            -         it works, and has told nothing for StalledAfter
//	completed              -                  done, unproven, left, skipped
//	failed                 -                  failed
//	aborted                -                  interrupted
//	killed                 dead               -         no last words: the same command goes on
//
// Where nobody knows of the process (another machine's file), a run without RunEnd is taken for running as long as it tells something,
// and for stalled after that.
package view
