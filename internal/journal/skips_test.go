package journal

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ralphex/pkg/event"
)

// A skip holds as long as its run has not ended, whatever dies; a person who starts the run again means the whole plan.
func TestStateKnowsSkips(t *testing.T) {
	skip := event.Order{What: event.OrderSkip}
	tests := []struct {
		name          string
		facts         []event.Data
		left, ordered []string
	}{
		{"left", []event.Data{skip, event.TaskEnd{ID: "1", Title: "one", Outcome: event.Skipped}}, []string{"1: one"}, nil},
		{"killed between the order and its effect", []event.Data{skip}, nil, []string{"1: one"}},
		{"killed, and killed again", []event.Data{skip, event.RunRestart{}}, nil, []string{"1: one"}},
		{"done before the order came through", []event.Data{skip, event.TaskEnd{ID: "1", Title: "one", Outcome: event.Done}}, nil, nil},
		{"another order", []event.Data{event.Order{What: "pause"}}, nil, nil},
		{"begun again behind an end", []event.Data{skip, event.TaskEnd{ID: "1", Title: "one", Outcome: event.Skipped},
			event.RunEnd{Outcome: event.LeftHuman}, event.RunRestart{}}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &State{Tasks: map[int]*Task{}, Pipeline: newPipeline()}
			for _, d := range append([]event.Data{event.TaskStart{ID: "1", Title: "one"}, event.SetAside{Paths: []string{"half"}, By: event.BySkip}}, tt.facts...) {
				s.apply(event.Event{Task: 1, Data: d})
			}
			left, ordered := s.Skips()
			assert.Equal(t, tt.left, left)
			assert.Equal(t, tt.ordered, ordered)
			assert.Equal(t, tt.name != "begun again behind an end", len(s.Aside) == 1)
		})
	}
}
