package view

import (
	"maps"
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
)

// findings are those of a run, by the rules of finding.Ledger: of facts with one id the newest holds, and a finding whose file was
// renamed is the same finding. The ledger does not know which event told what, which is all that is added here.
type findings struct {
	list []Finding
	byID map[string]int // index in list; with the ids that findings have under a new name of their file
}

func (f *findings) clone() findings {
	return findings{list: slices.Clone(f.list), byID: maps.Clone(f.byID)}
}

func (f *findings) read(seq int64, d event.Finding) {
	if f.byID == nil {
		f.byID = map[string]int{}
	}
	i, known := f.byID[d.ID]
	switch finding.What(d.What) {
	case finding.Settled:
		if known {
			e := &f.list[i]
			e.Disposition, e.Reason, e.Commit, e.Seq = d.Disposition, d.Reason, d.Commit, seq
		}
	case finding.Found:
		if !known {
			i = len(f.list)
			f.list = append(f.list, Finding{ID: d.ID, FirstSeq: seq})
			f.byID[d.ID] = i
		}
		first := f.list[i]
		f.list[i] = Finding{ID: first.ID, File: d.File, Line: d.Line, EndLine: d.EndLine, Also: d.Also, Severity: d.Severity, Text: d.Text, Source: d.Source,
			Reviewer: d.Reviewer, Rule: d.Rule, Disposition: d.Disposition, Reason: d.Reason, Commit: d.Commit, Stage: d.Stage, Round: d.Round,
			FirstSeq: first.FirstSeq, Seq: seq}
		f.byID[string(finding.Finding{File: d.File, Rule: d.Rule, Text: d.Text}.ID())] = i
	}
}

func (f *findings) tally() (t FindingTally) {
	for i := range f.list {
		switch finding.Disposition(f.list[i].Disposition) {
		case finding.Fixed:
			t.Fixed++
		case finding.Refuted:
			t.Refuted++
		case finding.Open:
			t.Open++
		}
	}
	return t
}
