// Package prompt makes the text that an agent gets in an iteration.
//
//	PRD, progress, task, plan of the task, state ──Input──▶ parts, one per placeholder
//	template: the workspace's own <role>.md or <kind>.md, else the built-in one ──▶ {{name}} → part
//	budget of kind and target ──▶ optional parts go, in the kind's order, until the text is small enough
//	                                        ▼
//	                       Text, and for prompt-evidence.json what it was made of and what was left out
//
// It is a pure function of its input: the same input gives the same bytes, which end in one newline, so that the hash of the text is that of its file.
// What never changes from one iteration to the next stands first. Transcripts and lists of all files never go in.
package prompt
