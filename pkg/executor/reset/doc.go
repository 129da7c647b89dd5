// Package reset reads from an agent's message when its usage limit ends.
//
//	"resets 2:30pm (UTC)"                          ─┐
//	"resets Dec 4 at 4pm (Europe/Berlin)"           ├─► Parse ─► Time{At, Zoned}
//	"try again at Dec 1st, 2026 1:00 PM."           │
//	"Please try again in 1h 20m", "retry-after: 30" ─┘
//	resets_at 1796040641, "2026-12-01T13:00:00Z"   ───► Epoch, Stamp
//
// A time without a zone is read in the zone of now and says so: who can't know that the agent meant that zone should poll
// instead of waiting for it. A clock time is the next one after now, where up to Grace ago counts as now, because
// messages are cut to minutes. In a night when clocks are put forward, a time that does not exist is the moment after
// the gap; when they are put back, the first of the two that is still to come.
package reset
