package finding

import "ralphex/pkg/event"

// Fact is the change as the journal has it. That a round began is no fact of its own: ok is false.
func (c Change) Fact() (f event.Finding, ok bool) {
	if c.What == Began {
		return f, false
	}
	return event.Finding{What: string(c.What), ID: string(c.ID), File: c.Finding.File, Line: c.Finding.Line, EndLine: c.Finding.EndLine, Also: c.Finding.Also,
		Severity: string(c.Finding.Severity), Text: c.Finding.Text, Source: c.Finding.Source, Rule: c.Finding.Rule,
		Disposition: string(c.Finding.Disposition), Reason: c.Finding.Reason, Commit: c.Commit,
		Series: c.Round.Kind, Round: c.Round.N, Reviewer: c.Round.Reviewer}, true
}

// Read takes a fact of a journal, if it is one of a ledger.
func (l *Ledger) Read(d event.Data) {
	switch d := d.(type) {
	case event.Finding:
		l.Apply(Change{What: What(d.What), ID: ID(d.ID), Commit: d.Commit, Round: Round{Kind: d.Series, N: d.Round, Reviewer: d.Reviewer},
			Finding: Finding{File: d.File, Line: d.Line, EndLine: d.EndLine, Also: d.Also, Severity: Severity(d.Severity), Text: d.Text,
				Source: d.Source, Rule: d.Rule, Disposition: Disposition(d.Disposition), Reason: d.Reason}})
	case event.ReviewRound:
		if d.Found == 0 { // none of its findings has begun it
			l.Apply(Change{What: Began, Round: Round{Kind: string(d.Stage), N: d.N, Reviewer: d.Reviewer}})
		}
	}
}
