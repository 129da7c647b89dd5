package claude

import (
	"time"

	"ralphex/pkg/event"
)

// facts are what the stream said in its structure.
type facts struct {
	sessionID string
	stop      string // stop_reason of the last message

	last   *wire                  // the last result line
	turns  int                    // of all results
	cost   float64                // the highest total; it grows over a session
	sums   map[string]event.Usage // of the turns that a result ended, by model
	apiErr *refusal
	limit  *limit // rejected

	msgID    string // the message that msgUsage belongs to
	msgModel string
	msgUsage usage
	msgSums  map[string]event.Usage // of the messages before it that no result counts yet, by model
}

// refusal is an error of the API as an assistant line reports it.
type refusal struct {
	apiError
	text string
	at   time.Time
}

// spent counts the tokens of a message; a message comes in several lines that repeat its usage.
func (f *facts) spent(id, model string, u usage) {
	if id != f.msgID || id == "" {
		f.settle()
	}
	if model == "" {
		model = f.msgModel // a wrapper says it once, or never
	}
	f.msgID, f.msgModel, f.msgUsage = id, model, u
}

// settle adds the last message to the sums.
func (f *facts) settle() {
	if f.msgUsage != (usage{}) {
		f.msgSums = plus(f.msgSums, f.msgModel, f.msgUsage.event())
	}
	f.msgID, f.msgUsage = "", usage{}
}

func plus(sums map[string]event.Usage, model string, u event.Usage) map[string]event.Usage {
	if sums == nil {
		sums = map[string]event.Usage{}
	}
	sums[model] = sums[model].Add(u)
	return sums
}

func (f *facts) result(w *wire) {
	kept := *w
	kept.Message, kept.Event = nil, nil
	f.last = &kept
	f.turns += w.NumTurns
	f.counted(w)
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

// counted takes what a result says of tokens, in place of the messages before it. The models' shares are sums over the session
// and count subagents, too; where a result has none, it speaks of its own turn.
func (f *facts) counted(w *wire) {
	if len(w.ModelUsage) > 0 {
		f.sums = map[string]event.Usage{}
		for name, m := range w.ModelUsage {
			u := usage{m.Input, m.Output, m.CacheRead, m.CacheWrite}.event()
			u.CostUSD = m.Cost
			f.sums[name] = u
		}
	} else if w.Usage != (usage{}) {
		f.sums = plus(f.sums, f.msgModel, w.Usage.event())
	}
	f.msgID, f.msgUsage, f.msgSums = "", usage{}, nil
}

// usage is what the session cost so far, and the shares of the models that have a name.
func (f *facts) usage() (all event.Usage, models map[string]event.Usage) {
	add := func(name string, u event.Usage) {
		all = all.Add(u)
		if name != "" && u != (event.Usage{}) {
			models = plus(models, name, u)
		}
	}
	for _, sums := range []map[string]event.Usage{f.sums, f.msgSums} {
		for name, u := range sums {
			add(name, u)
		}
	}
	add(f.msgModel, f.msgUsage.event())
	all.CostUSD, all.Turns = f.cost, f.turns
	return all, models
}

func (u usage) event() event.Usage {
	return event.Usage{InputTokens: u.Input, OutputTokens: u.Output, CacheReadTokens: u.CacheRead, CacheWriteTokens: u.CacheWrite}
}
