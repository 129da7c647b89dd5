// Package layout knows where everything of a `.ralph` workspace lies. It reads and writes nothing; it only says names, and whether a
// path is inside the workspace.
//
//	<workspace>/
//	├── .ralph/
//	│   ├── prd.md                 the objective            (prdPath)             durable: kept by a reset
//	│   ├── progress.md            the log                  (progressPath)        durable
//	│   ├── tasks.json             the task graph           (ralphTaskFilePath)   durable    tasks.lock beside it
//	│   ├── doctrine/              nine files of rules                            durable
//	│   ├── claims.json            who works on what                              kept       claims.json.lock beside it
//	│   ├── agents/ handoffs/      identities, contracts between roles            kept
//	│   ├── memory-summary.md dead-letter.json structure.json settings.json       kept
//	│   ├── .gitignore             written once at init                           kept
//	│   ├── events/ daemon/        ralphex's own run journals                     kept
//	│   ├── run.lock               ralphex's own: one run per checkout            kept
//	│   ├── state.json             runtime state                                  removed    state.lock beside it
//	│   ├── prompts/  <kind>-NNN.prompt.md                                        removed
//	│   ├── runs/     <kind>-NNN.transcript.md, <kind>-NNN.last-message.md        removed
//	│   ├── handoff/  logs/                                                       removed
//	│   └── artifacts/                                      (artifactRetentionPath) removed  index.json.lock in it
//	│       ├── iteration-NNN/     what one iteration left
//	│       ├── runs/<provenanceId>/  the bundle of a run
//	│       ├── <taskId>/ watchdog/ task-seeding/
//	│       └── latest-*           copies of the newest
//	└── .vscode/settings.json      ralphCodex.* keys, read only
//
// NNN is the iteration's number with at least three digits: 001, 042, 1000.
package layout
