package journal

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

func TestResumable(t *testing.T) {
	begin := begin
	begin.Done = []string{"0: Before"}
	reopened := event.TaskEnd{ID: "0", Title: "Before", Outcome: event.Failed}
	leftover := map[string]string{"a.go": "5tamp"}
	tests := []struct {
		name     string
		facts    []event.Data
		none     bool
		died     bool
		proven   []string
		attempts map[string]int
		leftover map[string]string
	}{
		{name: "died at once", facts: []event.Data{begin}, died: true, proven: []string{"0: Before"}},
		{name: "died behind a task", facts: []event.Data{begin, work, taskEnd}, died: true, proven: []string{"0: Before", "1: Parser"}},
		{name: "died in a task", facts: []event.Data{begin, work, session, ended, red}, died: true,
			proven: []string{"0: Before"}, attempts: map[string]int{"1: Parser": 1}},
		{name: "a task was reopened", facts: []event.Data{begin, reopened}, died: true},
		{name: "failed", facts: []event.Data{begin, work, taskEnd, event.RunEnd{Outcome: event.Failed, Leftover: leftover}},
			proven: []string{"0: Before", "1: Parser"}, leftover: leftover},
		{name: "interrupted", facts: []event.Data{begin, event.RunEnd{Outcome: event.Interrupted}}, proven: []string{"0: Before"}},
		{name: "went on and died", facts: []event.Data{begin, event.RunEnd{Outcome: event.Interrupted}, event.RunRestart{}}, died: true, proven: []string{"0: Before"}},
		{name: "done", facts: []event.Data{begin, event.RunEnd{Outcome: event.Done}}, none: true},
		{name: "left for a person", facts: []event.Data{begin, event.RunEnd{Outcome: event.LeftHuman}}, none: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, run, numbered(1, tt.facts...)...)
			r, err := Resumable(dir, begin.Plan, nil)
			require.NoError(t, err)
			if tt.none {
				require.Nil(t, r)
				return
			}
			require.NotNil(t, r)
			assert.Equal(t, tt.died, r.Died)
			assert.Equal(t, tt.proven, append([]string(nil), r.Proven...))
			if tt.attempts == nil {
				tt.attempts = map[string]int{}
			}
			assert.Equal(t, tt.attempts, r.Attempts)
			assert.Equal(t, tt.leftover, r.Leftover)
		})
	}
}
