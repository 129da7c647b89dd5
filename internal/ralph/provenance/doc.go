// Package provenance binds what is executed to what was prepared, and keeps the proof in a bundle that anybody can check with sha256sum.
//
//	Prepare ─▶ prompt.md, execution-plan.json … on disk; bundle: prepared
//	   │
//	Prompt  ─▶ reads plan and prompt back, and hashes them          ┐ anything that differs: no process is started,
//	Payload ─▶ hashes the bytes that are about to be handed over    ┘ provenance-failure.json, bundle: blocked
//	   │
//	Finish  ─▶ what ran, what it said, what was verified; bundle: executed
//
//	artifacts/runs/run-i007-cli-20260317T120000Z/
//	├── provenance-bundle.json    the hashes, and what they prove
//	├── summary.md                the same for a person
//	├── preflight-report.json preflight-summary.md prompt.md prompt-evidence.json execution-plan.json
//	├── cli-invocation.json iteration-result.json            once there was a process
//	├── provenance-failure.json provenance-failure-summary.md   instead, if something differed
//	├── SHA256SUMS                of all of these and of ../../iteration-007/*: `sha256sum -c SHA256SUMS`
//	├── SHA256SUMS.next           only where a kill kept the sums from being replaced: a file is as in one of both
//	└── events.jsonl              of a run's first bundle; it grows, so its sum is events.jsonl.sha256, written when the run is over
//
// Verify does what sha256sum does, and follows the chain besides: the hash in the bundle, the one in the plan, and the one of the
// bytes that were handed over are one hash.
//
// What it does not prove: that somebody who may write all these files has not written all of them anew.
package provenance
