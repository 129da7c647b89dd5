// Package processor runs a plan: the Runner orders the phases by mode, and three services serve the phases.
//
//	Runner ──► phase.Task ──► phase.Review ──► phase.External ──► phase.Review ──► phase.Finalize
//	              │  ▲            loop             rounds        where it changed
//	              │  └─ phase.Between: a review behind each task or group, where `review` says so
//	              ├─ planLocator      where the plan is now (renamed, archived), parsed
//	              ├─ promptBuilder    the prompt of a session
//	              └─ executionPolicy  one session: limits waited for, time-outs, journal entries; one for each phase,
//	                      │           with one staff: budget, count of sessions, which agents can't work now
//	                  executor.Executor
//
// A run of mode plan has one phase, phase.Creation, and none of these. The Runner owns no phase logic. Phases read what may be set later ([Runner.SetBreakCh] …) from phase.Deps at
// each use and never call the Runner.
package processor
