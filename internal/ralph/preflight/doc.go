// Package preflight looks at a `.ralph` workspace before anything is executed in it, and says whether it may be.
//
//	Read      disk ─▶ Snapshot     each file once; the only part that touches the disk
//	Evaluate  Snapshot + Request ─▶ Report     a pure function: equal input, equal diagnostics in equal order
//	          │ taskGraph        Task graph            what is wrong with tasks.json
//	          │ claimGraph       Claim graph           who works on what
//	          │ workspaceRuntime Workspace/runtime     files, artifacts, retention, doctrine
//	          │ codexAdapter     Codex adapter         is the agent's command there (of any agent; the name is the format's)
//	          │ validationVerifier Validation/verifier is there something to prove the task with
//	          ▼ agentHealth      Agent Health          what was left behind
//	Write     Report ─▶ preflight-report.json, preflight-summary.md, latest-preflight-*
//
// One diagnostic of severity error makes a report not ready, and nothing may be started then: Blocked is the error that says so.
// docs/ralph-store.md lists the codes; a test holds that list to the table in codes.go.
package preflight
