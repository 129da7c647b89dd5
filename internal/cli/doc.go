// Package cli is the command line: the grammar, one file a command, the wiring of a run, and the one place where
// an error becomes an exit code and a hint.
//
//	args ─► grammar.go ─► <command>.go: read input, call the libraries, show the result
//	                          │
//	                run.go ─► prepare.go looks at everything ─► execute.go: lock, journal, Runner
//	                          │
//	                          │            recording.go, projection.go, claimrun.go: what of it goes into the .ralph store
//	                          │
//	        error ◄───────────┘─► exit.go: message on stderr, hint, exit code
//
// Three voices, never mixed: stdout is the answer, stderr is for the person, events are the record.
package cli
