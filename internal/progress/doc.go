// Package progress writes the text log of a run in the format of the public ralphex.
//
// The file is a view of the run's events for people and for tools that know the public format; nothing of ours reads it
// back. A File is a sink.
//
//	.ralphex/.gitignore                      the folder ignores itself (Ignore)
//	.ralphex/progress/                       0750
//	└── progress-feature.txt                 0600, locked as long as its run lives
//
//	# Ralphex Progress Log                   header, once a file
//	Plan: /repo/docs/plans/feature.md
//	Started: 2026-01-29 15:30:12
//	------------------------------------------------------------
//
//	starting task execution phase            a line without time
//
//	--- task iteration 1 ---                 a section
//	[26-01-29 15:30:13] I read the plan      text of the agent, a line each, as long as it is
//
//	------------------------------------------------------------
//	Completed: 2026-01-29 15:35:42 (5m30s)   footer; a killed run leaves none
//
// A file that ends with a footer of success is begun anew by the next run of its name. Any other is continued: behind a line
// that says so, and the header's fields again, since branch, mode and models may have changed.
//
// Two things differ from the public ralphex, which wraps lines to the width of the terminal also in the file, and
// waits without end for the lock. Here lines are whole, and a lock that is held is an error (durable.ErrHeld).
package progress
