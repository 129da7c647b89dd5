// Package journal keeps the events of a run as JSON lines, and reads from them where a run stands.
//
//	.ralph/events/                             0750, ignores itself
//	├── .gitignore                             "*"
//	├── 20260128-090000-9a71be.jsonl           {"v":1,"seq":1,…,"type":"run_start",…}   one event a line,
//	└── 20260129-153012-4f2a9c.jsonl             …                                      0600, append only
//	                                           {"v":1,"seq":812,…,"type":"run_end",…}   missing: died, or lives
//
// The journal is the record; every other view of a run can be made from it. A run that is resumed goes on in its own
// file, behind a run_restart.
//
// # What survives what
//
//	                     kill -9 of ralphex      power loss
//	Output               but for the last 0.1 s  but for the last seconds
//	any other event      yes                     yes, at a boundary
//
// Handle writes an event that is no Output to the kernel before it returns, with the Output before it in the same
// write(2). At the boundaries of a run (boundaries in writer.go) the file is synced by the Writer's one goroutine, so that a slow
// disk does not hold a run up; only the first and the last event of a run wait for the disk.
//
// # Reading
//
// A torn last line is passed over; any other broken line is a *durable.CorruptError, a line of a newer ralphex an
// *event.VersionError. Find and ListRuns read the ends of files, and the middle of no more than one.
package journal
