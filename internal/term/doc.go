// Package term shows a run on a terminal, and as plain lines where there is none.
//
// A Screen is a sink. What goes where:
//
//	stdout   log lines, the start block, the summary; on a terminal also the status line
//	stderr   warnings, errors and what to do about them
//
// On a terminal the last row is a status line, redrawn under the lines that scroll:
//
//	[26-01-29 15:30:12] I read the plan.                       scrolls away
//	[26-01-29 15:30:14] Now the tests.
//	task 2/5 Add the parser · boxes 1/3 · 4m10s · 12.3k in …   is erased before lines are written, and drawn again behind
//	                                                           them: at most ten times a second, and each second
//
// The terminal stays in its usual mode: Ctrl+C is still an interrupt, and Ctrl+S still stops the output, so a Screen
// belongs behind an event.Async. One goroutine ticks the clock and hears of a changed window size; Close ends it.
//
// A Panel is another sink: the whole terminal, each key is its own. A Screen without status line words the events for it, into what is kept:
//
//	event ─► Panel ─► Screen ─► kept ──► the log's rows, ten times a second
//	           └────► panelState ──────► head, tasks, foot
//	Close: the terminal as it was ◄── all that was kept, as lines
//
// Its program has one goroutine of its own, which Close awaits; RestoreNow is for a process that can't wait.
//
// Beside these, Pick lets a person choose from a list on the whole terminal, and IO.Markdown and IO.Diff draw a draft of a plan and its changes.
//
// Text of agents and commands is shown, not obeyed: escape sequences are taken out and other control characters made visible
// (clean), so that no output can move the cursor, hide a line or change the window's title. Lines are wrapped on the screen
// only, never where stdout is a file or a pipe.
package term
