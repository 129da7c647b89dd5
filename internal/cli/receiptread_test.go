package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/event"
	"ralphex/pkg/finding"
)

// Reviews that belong to no task are shared by those that were done, equally; one that was not has no part of them.
func TestReviewsAreSharedByWhatWasDone(t *testing.T) {
	r := receiptReading{receipts: &receipts{}, at: map[int]*receipt{}}
	for i, outcome := range []event.Outcome{event.Done, event.Unproven, event.Failed} {
		r.apply(event.Event{Task: i + 1, Data: event.TaskStart{ID: string(rune('1' + i))}})
		r.apply(event.Event{Task: i + 1, Data: event.TaskEnd{Outcome: outcome}})
	}
	r.other = []receiptSession{{Tokens: 100, USD: 0.5, Elapsed: time.Minute}, {Tokens: 20, USD: 0.1, Elapsed: time.Minute}, {Tokens: 0}}
	r.share()
	want := reviewShare{Sessions: 1.5, Tokens: 60, USD: 0.3, Elapsed: time.Minute}
	assert.Equal(t, []reviewShare{want, want, {}}, []reviewShare{r.Tasks[0].Review, r.Tasks[1].Review, r.Tasks[2].Review})
}

// A receipt has the findings in the files of its task's commits, and no others.
func TestFindingsAreOfTheirFiles(t *testing.T) {
	r := receiptReading{receipts: &receipts{}, at: map[int]*receipt{}}
	for i, path := range []string{"a.go", "b.go"} {
		r.apply(event.Event{Task: i + 1, Data: event.TaskStart{ID: path}})
		r.apply(event.Event{Task: i + 1, Data: event.Commit{Rev: path, Paths: []string{path}}})
	}
	r.ledger.Add(finding.Round{Kind: "review", N: 1}, []finding.Finding{{File: "a.go", Text: "it says too little"}, {File: "c.go", Text: "it is of nobody"}})
	r.share()
	if assert.Len(t, r.Tasks[0].Findings, 1) {
		assert.Equal(t, "it says too little", r.Tasks[0].Findings[0].Text)
	}
	assert.Empty(t, r.Tasks[1].Findings)
}
