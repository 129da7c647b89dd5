// Package status says how a `.ralph` workspace stands, so that nobody has to open a JSON file for it.
//
//	preflight.Snapshot ─┐
//	preflight.Report ───┤
//	state.json ─────────┼─▶ Collect ─▶ Report ─▶ Markdown   # Ralph Status: <workspace>
//	latest-*.json ──────┤                   └──▶ Lines      the short form
//	Repo (of the caller)┘                   └──▶ JSON       the fields as they are
//
// It only reads. What is wrong stays wrong and is named: drift of the task graph, claims that got stale, files that are gone. The text of every
// field comes from files that anybody may have written, so none of it makes a line of its own.
package status
