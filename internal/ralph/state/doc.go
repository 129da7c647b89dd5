// Package state keeps .ralph/state.json: which iteration comes next, and what the last ones did.
//
//	{
//	  "version": 2,
//	  "objectivePreview": "…" | null,
//	  "nextIteration": 8,                      ◀── Allocate gives out 8 and writes 9
//	  "lastPromptKind", "lastPromptPath",
//	  "lastRun",       "runHistory":       [ ≤ 20 Run, newest last ],
//	  "lastIteration", "iterationHistory": [ ≤ 30 Iteration, newest last ],
//	  "updatedAt": "2026-03-17T12:00:00.000Z"
//	}
//
//	        state.lock (120 × 250 ms)
//	┌──────────────────────────────────────────────────────┐
//	│ read the live file ─ change ─ write whole ─ Mirror   │   Allocate, Record, RecordPrompt, Refresh
//	│                       write whole ─ Mirror           │   Save: the snapshot of its caller; the last one wins
//	└──────────────────────────────────────────────────────┘
//
// Allocate may be called by any number of processes, and never gives a number twice. Save is for who holds the one
// canonical state; two Saves can't mix, but the later one is what stays.
//
// # A file that can't be read
//
// Reading never writes. Load then goes on with the Mirror's state, or with an empty one whose next iteration lies behind
// all iteration folders on disk, and says so in Loaded.Warning. The next write keeps the broken bytes beside the file, as state.json.corrupt-<time>.
package state
