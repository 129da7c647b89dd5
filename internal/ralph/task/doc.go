// Package task is the task graph of a `.ralph` store: tasks.json, version 2, explicit, flat and readable by people and by other
// Ralph tools.
//
//	people, drafts, plans, reports                     .ralph/tasks.json
//	        │ loose objects                                  │ bytes
//	        ▼                                                ▼
//	┌───────────────┐ newtask.go                     ┌──────────────┐ parse.go, walk.go
//	│ NormalizeNew  │ aliases, parent's fields       │ ParseText    │ places, misspelled keys, repairs
//	└──────┬────────┘                                └──────┬───────┘
//	       └──────────────► normalize.go: one coercion ◄────┘
//	                                 │
//	                                 ▼
//	      File{Tasks} ──► graph.go: who may be worked on, who is below whom   check.go: what is wrong, with its place
//	           │          complete.go: done from the bottom up                children.go, seed.go, pipeline.go: producers
//	           ▼
//	      Stringify ──► store.go: tasks.lock ─ read again ─ change ─ check ─ write whole ─ read back
//
// Two promises hold everywhere. Reading never invents a field that the file does not have. And nothing is written that the checks
// would not let pass, in particular no task that is done above or behind one that is not: such a change is refused with the ids, and
// the file keeps its bytes.
//
// All of it is linear in the size of the file, with one exception that is bounded: messages that list ids.
package task
