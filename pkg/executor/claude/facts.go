package claude

import (
	"time"

	"ralphex/pkg/event"
)

// facts are what the stream said in its structure.
type facts struct {
	sessionID string
	stop      string // stop_reason of the last message

	last   *wire   // the last result line
	turns  int     // of all results
	sum    usage   // of all results
	cost   float64 // the highest total; it grows over a session
	apiErr *refusal
	limit  *limit // rejected

	msgID    string // the message that msgUsage belongs to
	msgUsage usage
	msgSum   usage // of all messages before it
}

// refusal is an error of the API as an assistant line reports it.
type refusal struct {
	apiError
	text string
	at   time.Time
}

// spent counts the tokens of a message; a message comes in several lines that repeat its usage.
func (f *facts) spent(id string, u usage) {
	if id != f.msgID || id == "" {
		f.msgSum = f.msgSum.add(f.msgUsage)
	}
	f.msgID, f.msgUsage = id, u
}

func (f *facts) result(w *wire) {
	kept := *w
	kept.Message, kept.Event = nil, nil
	f.last = &kept
	f.turns += w.NumTurns
	f.sum = f.sum.add(w.Usage)
	f.cost = max(f.cost, w.CostUSD)
	if w.SessionID != "" {
		f.sessionID = w.SessionID
	}
	if !w.IsError {
		f.apiErr = nil // it got over it
	}
}

func (f *facts) refused(w *wire, now time.Time) {
	f.apiErr = &refusal{apiError: w.apiError, at: now}
	f.rateLimit(w.Params.RateLimit)
}

// rateLimit keeps a window that is used up; a warning is none.
func (f *facts) rateLimit(l *limit) {
	if l != nil && l.Status == "rejected" {
		f.limit = l
	}
}

// usage is what the session cost. The models' shares are sums over the session and count subagents, too; without them the
// turns are added up, and if no turn was finished, the messages.
func (f *facts) usage() event.Usage {
	u := f.msgSum.add(f.msgUsage)
	if f.last != nil {
		u = f.sum
		if len(f.last.ModelUsage) > 0 {
			u = usage{}
			for _, m := range f.last.ModelUsage {
				u = u.add(usage(m))
			}
		}
	}
	return event.Usage{
		InputTokens: u.Input, OutputTokens: u.Output, CacheReadTokens: u.CacheRead, CacheWriteTokens: u.CacheWrite,
		CostUSD: f.cost, Turns: f.turns,
	}
}

func (u usage) add(o usage) usage {
	return usage{u.Input + o.Input, u.Output + o.Output, u.CacheRead + o.CacheRead, u.CacheWrite + o.CacheWrite}
}
