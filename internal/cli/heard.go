package cli

import (
	"fmt"
	"io"

	"ralphex/internal/ralph/provenance"
	"ralphex/internal/term"
	"ralphex/pkg/event"
)

// heard is what was said in a session, as it is kept: by the agent and its tools, and on stderr. It is bounded, and lines that come in parts are whole.
type heard struct{ words, errs provenance.Text }

// hear takes an output. It is without secrets already.
func (h *heard) hear(d event.Output) {
	to := &h.words
	switch d.Source {
	case event.FromStderr:
		to = &h.errs
	case event.FromTool:
		to.Add("> ")
	case event.FromAgent:
	default:
		return
	}
	to.Add(d.Text)
	if !d.Partial {
		to.Add("\n")
	}
}

// shown prints what is said for a person, as lines that can do their terminal no harm.
type shown struct {
	w    io.Writer
	from event.Source
	open bool // the last line goes on
}

func (s *shown) show(d event.Output) {
	if s.open && s.from != d.Source {
		fmt.Fprintln(s.w)
	}
	fmt.Fprint(s.w, term.Clean(d.Text))
	if s.from, s.open = d.Source, d.Partial; !s.open {
		fmt.Fprintln(s.w)
	}
}
