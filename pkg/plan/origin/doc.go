// Package origin remembers which files a plan was made from, and which box came from which line, and carries
// ticks back to those files.
//
// The memory is one HTML comment at the end of the plan. No renderer shows it, and whoever deletes it loses
// nothing but the way back:
//
//	plan.md                                       openspec/changes/add-x/tasks.md
//	┌──────────────────────────────┐              ┌──────────────────────┐
//	│ ### Task 2: Storage          │              │ ## 2. Storage        │
//	│ - [x] 2.1 add the table ─────┼──── Push ────┼►- [x] 2.1 add the …  │ one byte
//	│ …                            │              └──────────▲───────────┘
//	│ <!-- ralphex-origin 1        │                         │ the line must still hold a box with this text,
//	│ source openspec SUM PATH ────┼── Stale: sum ───────────┤ or nothing is written: *MovedError
//	│ box 1 12 5f3c2a10 90ab12cd ──┼─────────────────────────┘
//	│ -->                          │
//	└──────────────────────────────┘
//
// A box of the plan is known by its task's title and its own text, so the plan may be renumbered, reordered
// and extended. A box of a source is known by its line and its text, so a source that changed above a box is
// noticed and never guessed at. A source whose tasks are objects of a JSON file has no line to change: they are known by
// their ids (`object 1 T1.1 FROM TO`), and a Store that the caller brings makes them done.
package origin
