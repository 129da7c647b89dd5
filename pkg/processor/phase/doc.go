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
// One round of a review, and of the evaluation of an external tool's findings:
//
//	rules, ledger ──► prompt ──► session ──► HEAD, status again ──► nothing changed: the last round
//	      ▲                                       │ something changed
//	      │    red: the failure goes into         ▼
//	      ├─── the next prompt ◄──────────────── gate
//	      │                                       │ green: what is uncommitted is committed
//	      └── findings, with what became of them ◄┘
//
// What a reviewer says became of a finding is a claim: fixed is what a commit of that round changed the file of. A tree that is red
// behind the last round is no reviewed tree. The external tool changes nothing: the tree is compared around it.
//
// A break (Ctrl+\) ends a task's session, and a person is asked whether to go on, since a task can't be left out. A review, the external
// review and the last step can: there a break ends the phase, which is told as interrupted, and the run goes on with the next one.
// What the session left is judged and committed like any other's.
//
// Plan creation is a conversation, and where it stands is a fold over its events (talk), so that it goes on after a kill where it was:
//
//	session ──► QUESTION ──► the person answers ──┐
//	   ▲    └─► PLAN_DRAFT ─► rules of the format │
//	   │            │ broken: back, once          │
//	   ├────────────┤                             │
//	   │            ▼                             │
//	   ├── revise ◄─ the person reads ─► reject   │
//	   └──────────────┼───────────────────────────┘
//	                  ▼ accept
//	      a session writes the file ──► other bytes, or none: ralphex writes the accepted ones
//
// Until a draft is accepted the tree is compared around each session; PLAN_READY is a claim like others.
//
// Phases know neither the Runner that orders them nor each other. What they need is declared here, in
// interfaces of one to four methods; what may be set after construction is read from [Deps] at each use.
package phase
