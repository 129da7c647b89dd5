// Package artifact writes down what one iteration was asked, did and left. It knows the shape of each file, to the order of its keys, and where
// it lies; what happened comes in as data.
//
//	Iteration ──┬─ Evidence, Envelope, Plan ─────▶ prompt-evidence.json, context-envelope.json, execution-plan.json    before the launch
//	            ├─ Invocation ───────────────────▶ cli-invocation.json                                                 ┐
//	            ├─ Verifier, Validation, Diff … ─▶ verifier-summary.json, validation-command.json, git-diff.json …     │ behind it
//	            ├─ ExecutionSummary, Integrity ──▶ execution-summary.json; iteration-result.json is state.Iteration    │
//	            └─ Projection ───────────────────▶ latest-result.json ──RenderIteration──▶ summary.md, latest-summary.md ┘
//
//	Writer    puts files whole, and syncs them in one go (durable.Batch)
//	Registry  artifacts/index.json: what there is, for other programs; nothing is decided from it
//	Repair    latest-*.md that somebody deleted, made again from the JSON beside them
//
// The texts for people are pure functions of the JSON beside them, so one that is made again has the same bytes. The bundle of a run, and
// whether all of it still is what it was, is internal/ralph/provenance.
package artifact
