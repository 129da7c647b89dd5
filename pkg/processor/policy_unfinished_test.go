package processor

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
	"ralphex/pkg/signals"
)

func TestUnfinishedTurns(t *testing.T) {
	open, done := func() bool { return false }, func() bool { return true }
	pending := func(executor.Request) executor.Result {
		return executor.Result{Text: "Started it.", SessionID: "s-1", Pending: []string{"npm test"}}
	}
	asks := signals.Signal{Kind: signals.KindQuestion, Question: &signals.Question{Question: "Which one?"}}
	tests := []struct {
		name     string
		session  func(executor.Request) executor.Result
		finished func() bool
		failure  executor.Class
		resumed  bool
	}{
		{"work still runs", pending, open, executor.ClassPending, true},
		{"work still runs, whatever the boxes say", pending, done, executor.ClassPending, true},
		{"waits", says("All set.\n\nI'm waiting for the test run to finish."), open, executor.ClassPending, true},
		{"will check back", says("The build is running; I'll check back when it completes."), open, executor.ClassPending, true},
		{"waits, but the task is done", says("Waiting for the deploy to finish."), done, "", false},
		{"no word of a task: no judgement of words", says("Shall I?"), nil, "", false},
		{"asks in prose", says("Two ways are possible.\nShall I take **the first**?"), open, executor.ClassInput, true},
		{"asks, but the task is done", says("Shall I go on with task 2?"), done, "", false},
		{"speaks of waiting", says("The client now retries instead of waiting forever."), open, "", false},
		{"asks by a signal", func(executor.Request) executor.Result {
			return executor.Result{SessionID: "s-1", Signals: []signals.Signal{asks}}
		}, open, executor.ClassInput, true},
		{"a signal says how it is meant", func(executor.Request) executor.Result {
			return executor.Result{Text: "Why?", Signals: []signals.Signal{{Kind: signals.TaskFailed}}}
		}, open, "", false},
		{"nothing at all: a fresh one", fails(executor.ClassEmpty), open, executor.ClassEmpty, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := agent(tt.session, well)
			a.caps.Resume = true
			log := &heard{}
			res, err := policy(Config{Resumes: 2}, log, a).Run(t.Context(), phase.Session{Prompt: phase.Told("the whole prompt"), Finished: tt.finished})
			require.NoError(t, err)
			assert.Equal(t, string(tt.failure), log.failures[0])
			if tt.failure == "" {
				assert.Len(t, a.got, 1)
				return
			}
			assert.Nil(t, res.Failure)
			require.Len(t, a.got, 2)
			if tt.resumed {
				assert.Equal(t, "s-1", a.got[1].Resume)
				assert.NotContains(t, a.got[1].Prompt, "the whole prompt")
			} else {
				assert.Empty(t, a.got[1].Resume)
				assert.Equal(t, "the whole prompt", a.got[1].Prompt)
			}
		})
	}
	t.Run("bounded, and no success", func(t *testing.T) {
		a := agent(pending)
		res, err := policy(Config{Resumes: 2}, &heard{}, a).Run(t.Context(), phase.Session{Finished: done})
		require.NoError(t, err)
		assert.Equal(t, executor.ClassPending, res.Failure.Class)
		assert.Len(t, a.got, 3)
		assert.Empty(t, a.got[1].Resume, "it can't be resumed: a fresh one")
	})
	t.Run("signals of the first part count until there are later ones", func(t *testing.T) {
		a := agent(func(executor.Request) executor.Result {
			return executor.Result{SessionID: "s", Pending: []string{"x"}, Signals: []signals.Signal{{Kind: signals.AllTasksDone}}}
		}, well)
		a.caps.Resume = true
		res, err := policy(Config{Resumes: 1}, &heard{}, a).Run(t.Context(), phase.Session{Finished: done})
		require.NoError(t, err)
		require.NotNil(t, res.Last())
		assert.Equal(t, signals.AllTasksDone, res.Last().Kind)
	})
}
