// Package prd makes the first version of a project out of an objective: a PRD and a backlog, for a person to review and confirm.
//
//	objective (Markdown, or a sentence)
//	      │ Generate: no model, the same text gives the same draft
//	      ▼
//	Draft{PRD, Tasks, Warnings} ── a person reviews and changes it ──► Write ──► .ralph/prd.md, .ralph/tasks.json: both or, if anything
//	      │                                                                      is wrong with either, none; and no other file
//	      └── Append, for a workspace that has tasks already
//
// Tasks are complete when the source is complete: what the objective does not say about a task stays absent, and is a warning. Warnings
// stop nothing.
//
// Later, Reconcile tells where the two have drifted apart. It is a proposal: it changes neither.
package prd
