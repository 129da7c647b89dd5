// Package claim keeps .ralph/claims.json: which agent works on which task, for everybody to see.
//
//	{"version": 1, "claims": [
//	  {"taskId": "T1", "agentId": "a", "provenanceId": "run-i001-cli-…", "claimedAt": "…", "status": "released"},
//	  {"taskId": "T1", "agentId": "b", "provenanceId": "run-i002-cli-…", "claimedAt": "…", "status": "active"}   ◀── canonical for T1
//	]}
//
// Records are appended, never removed and never put in another order. Of an old one only status and the resolution
// fields change. Records and keys that we don't know stay in the file as they are.
//
//	               Acquire                         Release (by its agent)
//	(none) ───────────────────▶ active ─────────────────────────────────▶ released
//	                             │  ▲ older than the TTL: still active, and still blocks
//	                             │  └── Stale is seen, not stored
//	                             └──────Resolve (a person) or ResolveAsWatchdog───▶ stale   + resolvedAt, resolvedBy, resolutionReason
//
// The canonical claim of a task is the last active one in the file. Acquire never replaces it: its answer is then
// contested, and the file stays. Each change happens under claims.json.lock, is read again from disk, and counts only if the disk shows it.
//
// Only a path that also reconciles and releases holds a claim: Hold acquires, works, and releases whatever happens, and
// ends the work when the claim is lost. Preparing a prompt for a person acquires none.
package claim
