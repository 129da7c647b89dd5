package journal

import (
	"slices"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
)

// Pipeline is how far a run came in its stages.
type Pipeline struct {
	Ended  map[event.Stage]event.PhaseEnd      // stages that came to their end, one that a person broke off among them
	Rounds map[event.Stage][]event.ReviewRound // of a stage that began and did not end
	Said   *event.Opinion                      // of a round that did not end; nil = none
	// Reviewed is the revision up to which the work is reviewed, empty = it is not; Unseen are the keys of tasks that were done since.
	Reviewed string
	Unseen   []string
	Findings *finding.Ledger // what reviews named, and what became of it
}

func newPipeline() Pipeline {
	return Pipeline{Ended: map[event.Stage]event.PhaseEnd{}, Rounds: map[event.Stage][]event.ReviewRound{}, Findings: &finding.Ledger{}}
}

// apply moves it by one event.
func (p *Pipeline) apply(e event.Event) {
	p.Findings.Read(e.Data)
	switch d := e.Data.(type) {
	case event.PhaseStart:
		if d.Stage != event.StageNone {
			delete(p.Ended, d.Stage) // it is run again
		}
	case event.Opinion:
		p.Said = &d
	case event.ReviewRound:
		p.Said = nil
		p.Rounds[d.Stage] = append(p.Rounds[d.Stage], d)
	case event.PhaseEnd:
		if d.Stage != event.StageNone && d.Skipped == "" && d.Err == "" {
			p.ended(d)
		}
	case event.TaskEnd:
		t := Task{ID: d.ID, Title: d.Title, End: &d}
		p.Unseen = slices.DeleteFunc(p.Unseen, func(key string) bool { return key == t.Key() })
		if t.Done() {
			p.Unseen = append(p.Unseen, t.Key())
			p.forget()
		}
	}
}

func (p *Pipeline) ended(d event.PhaseEnd) {
	p.Ended[d.Stage], p.Said = d, nil
	delete(p.Rounds, d.Stage)
	if d.Stage == event.StageReview {
		p.Reviewed, p.Unseen = d.Head, nil
	}
}

// forget drops what was found out about the work before there was more of it.
func (p *Pipeline) forget() {
	p.Said = nil
	for _, s := range event.Stages[1:] {
		delete(p.Ended, s)
		delete(p.Rounds, s)
	}
}
