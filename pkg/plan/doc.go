// Package plan reads Markdown plans tolerantly and writes them exactly.
//
// A plan is read twice, and the two readings are laid over each other:
//
//	bytes ──┬─► outline.go   goldmark's blocks: headings, items, fences, comments, quotes
//	        │                          │
//	        └─► linerule.go  the public rule: one line at a time, its own fence tracker
//	                                   │
//	                   reading.go      ▼      what either one counts, counts; except in
//	                 ┌───────────────────┐    closed fences, closed comments and quotes
//	                 │ Plan              │
//	                 │  ├ Tasks[pos-1]   │    position (1-based) is the identity of a task,
//	                 │  │  └ Checkboxes  │    a box is known by (position, box), both 1-based
//	                 │  ├ Validation…    │
//	                 │  └ Problems       │    each difference of the two readings, and all
//	                 └───────────────────┘    that a person would want to know before a run
//	                    │            ▲
//	         Tick: one byte changes  │  Reparse: only box bytes differ → patched, not parsed
//
// Why two: Markdown does not see a box that is indented too far, or stands inside <details>, <pre> or after
// a comment that was never closed. A box that nobody sees is a task that looks done. So a box or task header
// counts if the line rule of the public ralphex counts it, and the difference is reported as a Problem.
//
// A Plan is a value of the moment: it holds the text it was read from, and no open file. Its methods may be
// called from several goroutines, except those that write (Tick, Untick, SetBoxes).
package plan
