// Package lock serializes the writes to the files of the .ralph store, the way all programs that share the folder do it: by a file that
// only one of them can create.
//
//	.ralph/tasks.json           .ralph/tasks.lock              10 × 25 ms    Tasks
//	.ralph/state.json           .ralph/state.lock             120 × 250 ms   Others
//	.ralph/claims.json          .ralph/claims.json.lock       120 × 250 ms   Others
//	.ralph/artifacts/index.json .ralph/artifacts/index.json.lock             Others
//
//	create exclusively ──ok──▶ read, modify, write ──▶ delete     on error, panic and Goexit, too
//	     │ exists ▲
//	     └─ delay ┘  budget used up ──▶ Result{Outcome: Timeout, Attempts: 11}, which is no error
//
// A lock is held for one read-modify-write: no session, no command and no question to a person runs under it. It isn't
// re-entrant. Who needs two takes tasks.lock first, and claims.json.lock under it.
//
// # After kill -9
//
// The file stays, and is never taken over or removed by us: only a person can know that its holder is gone. A Result
// tells the path, the age, the process that wrote it, and the command that removes it. Preflight warns of old ones.
package lock
