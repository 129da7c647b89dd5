// Package health looks for signs that something of the store was left behind: a lock whose holder is gone, a claim whose agent went quiet, a
// contract between roles that nobody settled.
//
//	state.lock tasks.lock ──────── mtime older than the threshold ──▶ stale_state_lock, stale_tasks_lock (others: stale_aux_lock)
//	claims.json ── active, older ─┬─ no iteration-*/iteration-result.json after it ──▶ stale_active_claim_no_result
//	               than the TTL   └─ no finished run in state.json after it ────────▶ stale_active_claim_agent_offline
//	handoffs/*.json ────────────── contested, or open past its end ──▶ contested_handoff, expired_handoff_unresolved
//
// It reads and tells. It removes no lock and touches no claim, ever: that a process is gone is a person's to know (`rm` of the lock, `ralphex
// claim resolve`), or the watchdog's. Files that can't be read count as absent; other checks name them.
//
// Run it before the same process takes a lock of the store, or it sees its own.
package health
