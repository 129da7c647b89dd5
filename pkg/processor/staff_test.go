package processor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// A limit that the task phase met is known to the review, which then does not run into it once more.
func TestPhasesShareWhatIsKnownOfAgents(t *testing.T) {
	one, two := agent(limit(time.Hour)), agent(well)
	two.name = "two"
	log := &heard{}
	st := newStaff(Config{}, log)
	tasks := newExecutionPolicy(Config{WaitOnLimit: time.Hour}, log, st, Model{Name: "big"}, one, two)
	reviews := newExecutionPolicy(Config{WaitOnLimit: time.Hour}, log, st, Model{Name: "small"}, one, two)
	for _, p := range []*executionPolicy{tasks, reviews} {
		res, err := p.Run(t.Context(), phase.Session{})
		require.NoError(t, err)
		assert.Equal(t, "done", res.Text)
		assert.Equal(t, "two", res.By, "whose words these are")
	}
	assert.Len(t, one.got, 1)
	assert.Equal(t, "big", one.got[0].Model)
	assert.Len(t, two.got, 2)
	assert.Equal(t, 3, st.n, "sessions of all phases have one count")
}

func TestPhasesShareTheBudget(t *testing.T) {
	cfg := Config{Budget: Budget{Run: Limits{Sessions: 1}}}
	st := newStaff(cfg, &heard{})
	a := agent(well)
	_, err := newExecutionPolicy(cfg, &heard{}, st, Model{}, a).Run(t.Context(), phase.Session{})
	require.NoError(t, err)
	_, err = newExecutionPolicy(cfg, &heard{}, st, Model{}, a).Run(t.Context(), phase.Session{})
	require.ErrorAs(t, err, new(*BudgetError))
}

// A review belongs to no task: what a task may use up is no limit of it.
func TestBudgetOfTasksIsNoneOfReviews(t *testing.T) {
	cfg := Config{Budget: Budget{Task: Limits{Sessions: 1, Time: time.Nanosecond}}}
	a := agent(well)
	p := newExecutionPolicy(cfg, &heard{}, newStaff(cfg, &heard{}), Model{}, a)
	for range 2 {
		_, err := p.Run(t.Context(), phase.Session{})
		require.NoError(t, err)
	}
	_, err := p.Run(t.Context(), phase.Session{Position: 1})
	require.NoError(t, err)
	_, err = p.Run(t.Context(), phase.Session{Position: 1})
	require.ErrorAs(t, err, new(*BudgetError))
}

// The reviewer is never the session of the author: each begins afresh.
func TestReviewerIsNoSessionOfTheAuthor(t *testing.T) {
	a := agent(says("done"))
	a.caps = executor.Caps{Resume: true}
	st := newStaff(Config{}, &heard{})
	for range 2 {
		_, err := newExecutionPolicy(Config{Resumes: 2}, &heard{}, st, Model{}, a).Run(t.Context(), phase.Session{})
		require.NoError(t, err)
	}
	for _, req := range a.got {
		assert.Empty(t, req.Resume)
	}
}
