// Package retention says which old artifacts of a `.ralph` workspace may go, and takes them away.
//
//	disk ──Look──▶ Snapshot ──┐
//	                          ├──Compute (pure)──▶ Plan ──▶ shown by Preview, executed by Cleanup and Prune: never anything else
//	state.json, latest-* ──▶ Protected
//
// Only seven kinds of names are ever deleted, each for itself; whatever is called otherwise stays, and a symlink is neither followed nor removed:
//
//	artifacts/iteration-NNN/              prompts/<kind>-NNN.prompt.md          runs/<kind>-NNN.transcript.md, .last-message.md
//	artifacts/runs/run-*/                 handoff/<agent>-NNN.json              artifacts/watchdog/<agent>-NNN.json
//	artifacts/RUN/gate-NNN/, setup/       what the validation commands of a run of a plan printed
//
// Of each kind the newest N by number stay. What the state and the stable pointers name stays besides: protection adds, and never costs a
// newer one its place. N of 0 deletes nothing.
//
// Prune runs after each iteration. Cleanup is for a person: it protects the current state and the pointers but not the histories, deletes logs too,
// and leaves a manifest of all it did, which no cleanup removes.
package retention
