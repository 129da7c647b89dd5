package processor

import (
	"context"

	"ralphex/pkg/processor/phase"
)

// Launch is a session that is about to begin.
type Launch struct {
	N        int // its number in the run
	Session  phase.Session
	Prompt   string // as this agent is asked
	Executor string
	Model    string // as it is asked for; empty = the agent's own choice
	Effort   string
	Resumed  bool   // an earlier session is gone on with, and the prompt is what it is told
	Stream   string // file that gets its raw stream; empty = none
}

// Recorded is what is kept of a launch.
type Recorded struct {
	Prompt    string // what is handed over: the prompt, read back from where it is kept
	Iteration int    // number that the .ralph store gave out for it; 0 = none
	Evidence  string // name of its evidence; empty = there is none
	// Handed is called with what is handed over, right before that. An error refuses the session.
	Handed func(prompt string) error
}

// record has evidence kept, if there is anybody who keeps it.
func (c Config) record(ctx context.Context, l Launch) (Recorded, error) {
	r := Recorded{Prompt: l.Prompt}
	if c.Record != nil {
		var err error
		if r, err = c.Record(ctx, l); err != nil {
			return r, err
		}
	}
	if r.Handed == nil {
		r.Handed = func(string) error { return nil }
	}
	return r, nil
}
