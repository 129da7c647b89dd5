package journal

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
)

func pipelineOf(facts ...event.Data) Pipeline {
	p := newPipeline()
	for _, d := range facts {
		p.apply(event.Event{Data: d})
	}
	return p
}

func starts(s event.Stage) event.Data { return event.PhaseStart{Stage: s} }
func closes(s event.Stage) event.Data { return event.PhaseEnd{Stage: s, Head: "h1"} }

func TestPipelineKnowsPhaseAndRound(t *testing.T) {
	round := func(n int) event.Data {
		return event.ReviewRound{Stage: event.StageReview, N: n, Result: event.RoundAgain}
	}
	p := pipelineOf(starts(event.StageTasks), closes(event.StageTasks), starts(event.StageReview), round(0), round(1))
	assert.Contains(t, p.Ended, event.StageTasks)
	assert.NotContains(t, p.Ended, event.StageReview)
	assert.Len(t, p.Rounds[event.StageReview], 2)

	// The next process begins the stage again; its rounds go on behind those.
	p = pipelineOf(starts(event.StageReview), round(0), event.RunRestart{}, starts(event.StageReview), round(1), closes(event.StageReview))
	assert.Contains(t, p.Ended, event.StageReview)
	assert.Empty(t, p.Rounds[event.StageReview])

	p = pipelineOf(starts(event.StageReview), round(0), event.PhaseEnd{Stage: event.StageReview, Err: "a usage limit"})
	assert.NotContains(t, p.Ended, event.StageReview, "a stage that failed is not over")
	assert.Len(t, p.Rounds[event.StageReview], 1)

	p = pipelineOf(event.PhaseEnd{Stage: event.StageExternal, Skipped: "no tool"})
	assert.Empty(t, p.Ended, "what was skipped is thought over again")

	p = pipelineOf(starts(event.StageReview), closes(event.StageReview), starts(event.StageReview), round(0))
	assert.NotContains(t, p.Ended, event.StageReview, "it is run again")
}

// What an external tool said counts until its round has ended, and not for work that came later.
func TestPipelineKnowsWhatTheToolSaid(t *testing.T) {
	said := event.Opinion{Stage: event.StageExternal, N: 1, Text: "a.go:1 - x"}
	p := pipelineOf(starts(event.StageExternal), said, event.RunRestart{}, starts(event.StageExternal))
	assert.Equal(t, &said, p.Said)
	assert.Nil(t, pipelineOf(said, event.ReviewRound{Stage: event.StageExternal, N: 1}).Said)
	assert.Nil(t, pipelineOf(said, closes(event.StageExternal)).Said)
	assert.Nil(t, pipelineOf(said, event.TaskEnd{ID: "1", Title: "one", Outcome: event.Done}).Said)
}

func TestPipelineOfReviewsBetweenTasks(t *testing.T) {
	done := func(title string) event.Data { return event.TaskEnd{ID: "1", Title: title, Outcome: event.Done} }
	p := pipelineOf(done("one"), starts(event.StageReview), closes(event.StageReview), done("two"))
	assert.Equal(t, "h1", p.Reviewed)
	assert.Equal(t, []string{"1: two"}, p.Unseen)
	assert.Empty(t, p.Ended, "there is more work than what was reviewed")

	p = pipelineOf(done("one"), event.TaskEnd{ID: "1", Title: "one", Outcome: event.Failed})
	assert.Empty(t, p.Unseen)
}

func TestPipelineHasTheLedgerOfTheRun(t *testing.T) {
	l := &finding.Ledger{}
	f := finding.Finding{File: "a.go", Line: 3, Text: "it leaks", Source: "claude"}
	var facts []event.Data
	tell := func(c finding.Change) {
		if fact, ok := c.Fact(); ok {
			facts = append(facts, fact)
		}
	}
	for n := range 3 {
		found := []finding.Finding{f}
		if n == 1 {
			found = nil
		}
		for _, c := range l.Add(finding.Round{Kind: "review", N: n, Reviewer: "claude"}, found).Changes {
			tell(c)
		}
		if n == 0 {
			c, _ := l.Settle(f.ID(), finding.Fixed, "", "abc")
			tell(c)
		}
		facts = append(facts, event.ReviewRound{Stage: "review", N: n, Reviewer: "claude", Found: len(found)})
	}
	got := pipelineOf(facts...).Findings
	assert.Equal(t, l.Entries(), got.Entries())
	again := []finding.Finding{f}
	assert.Equal(t, l.Add(finding.Round{Kind: "review", N: 3}, again).Same, got.Add(finding.Round{Kind: "review", N: 3}, again).Same)
}
