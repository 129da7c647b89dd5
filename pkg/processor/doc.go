// Package processor runs a plan: the Runner orders the phases by mode, and three services serve the phases.
//
//	Runner ──► phase.Task ──► (reviews, external review, finalize: to come)
//	              │
//	              ├─ planLocator      where the plan is now (renamed, archived), parsed
//	              ├─ promptBuilder    the prompt of a session
//	              └─ executionPolicy  one session: limits waited for, time-outs, journal entries
//	                      │
//	                  executor.Executor
//
// The Runner owns no phase logic. Phases read what may be set later ([Runner.SetBreakCh] …) from phase.Deps at
// each use and never call the Runner.
package processor
