package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"ralphex/pkg/event"
	"ralphex/pkg/processor/phase"
)

// pendingJSON is what a run that makes a plan tells a program at its end. Version 1; docs/create.md explains it.
type pendingJSON struct {
	Version int         `json:"version"`
	Run     event.RunID `json:"run"`
	Kind    string      `json:"kind"` // question, draft, ready

	Question string   `json:"question,omitempty"`
	Options  []string `json:"options,omitempty"`
	Context  string   `json:"context,omitempty"`

	N        int      `json:"n,omitempty"` // of the draft
	Draft    string   `json:"draft,omitempty"`
	Before   string   `json:"before,omitempty"` // the draft that was shown before it
	Problems []string `json:"problems,omitempty"`

	Plan string `json:"plan,omitempty"` // of ready: slash-separated, relative to the repository's root

	Next []string `json:"next,omitempty"` // what to type
}

// printPending prints what waits for a person.
func printPending(w io.Writer, run event.RunID, p *phase.PendingError) error {
	out := pendingJSON{Version: 1, Run: run}
	say := "ralphex answer " + string(run)
	if q := p.Question; q != nil {
		out.Kind, out.Question, out.Options, out.Context = "question", q.Question, q.Options, q.Context
		out.Next = []string{say + " --option N", say + " --text TEXT"}
		return printOne(w, out)
	}
	d := p.Draft
	out.Kind, out.N, out.Draft, out.Before, out.Problems = "draft", d.N, d.Text, p.Before, d.Problems
	out.Next = []string{say + " --accept", say + " --revise TEXT", say + " --reject"}
	return printOne(w, out)
}

// printCreated prints where the plan lies.
func printCreated(w io.Writer, run event.RunID, plan string) error {
	return printOne(w, pendingJSON{Version: 1, Run: run, Kind: "ready", Plan: plan, Next: []string{"ralphex " + shellQuote(plan)}})
}

func printOne(w io.Writer, v pendingJSON) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("print what waits: %w", err)
	}
	return nil
}
