// Package phase holds the engines of a run's phases. A phase decides from facts: what the plan says at a
// position, what HEAD and the tree are, how a session ended, what the validation commands printed. What an
// agent says is a claim; it only makes the phase look.
//
// One iteration of the task phase:
//
//	plan ──► position ──► session ──► plan, HEAD, status again
//	 ▲                                       │
//	 │        no new claim: stall? failed?   │ a task's boxes are all ticked: a claim
//	 ├───────────────────────────────────────┤
//	 │                                       ▼
//	 │   red: the failure goes into       gate (validation commands)
//	 ├── the next prompt; after the last    │ green
//	 │   retry the boxes are reopened       ▼
//	 └────────────────────────────── commit leftovers, task done
//
// Phases know neither the Runner that orders them nor each other. What they need is declared here, in
// interfaces of one to four methods; what may be set after construction is read from [Deps] at each use.
package phase
