package processor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/wait"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// spender is an agent that uses up what it is told, a minute a step, until it is asked to end.
type spender struct{ steps []event.Spent }

func (spender) Name() string                { return "spender" }
func (spender) Check(context.Context) error { return nil }
func (s spender) Run(ctx context.Context, req executor.Request) (r executor.Result, err error) {
	began := time.Now()
	for _, step := range s.steps {
		if err = wait.For(ctx, time.Minute); err != nil {
			break
		}
		r.Usage, r.Models = step.Usage, step.Models
		req.Emit(step)
	}
	r.Elapsed = time.Since(began)
	return r, err
}

type silent struct{ facts []event.Data }

func (s *silent) Emit(_ int, d event.Data) { s.facts = append(s.facts, d) }

func tokens(n int64) event.Spent { return event.Spent{Usage: event.Usage{InputTokens: n}} }

func TestMeterEndsASession(t *testing.T) {
	steps := spender{[]event.Spent{tokens(10), tokens(20), tokens(30), tokens(40)}}
	for _, tt := range []struct {
		name string
		b    Budget
		key  string
		at   time.Duration
	}{
		{"nothing is limited", Budget{}, "", 4 * time.Minute},
		{"tokens", Budget{Run: Limits{Tokens: 30}}, "max_tokens", 3 * time.Minute},
		{"tokens, with those of before", Budget{Run: Limits{Tokens: 30}, Spent: Spending{Tokens: 20}}, "max_tokens", time.Minute},
		{"time", Budget{Run: Limits{Time: 90 * time.Second}}, "max_time", 90 * time.Second},
		{"time, with that of before", Budget{Run: Limits{Time: time.Hour}, Spent: Spending{Time: time.Hour - 30*time.Second}}, "max_time", 30 * time.Second},
		{"dollars at list prices", Budget{Run: Limits{CostUSD: 2}, Dollars: func(_ string, u event.Usage, _ map[string]event.Usage) (float64, bool) {
			return float64(u.InputTokens) / 10, true
		}}, "max_cost", 2 * time.Minute},
		{"of a task", Budget{Task: Limits{Tokens: 20}, Tasks: map[int]Spending{2: {Tokens: 100}}}, "max_task_tokens", 2 * time.Minute},
		{"what was added counts", Budget{Run: Limits{Tokens: 20}, Added: func() (Limits, error) { return Limits{Tokens: 20}, nil }}, "max_tokens", 4 * time.Minute},
		{"added time, too", Budget{Run: Limits{Time: time.Minute}, Added: func() (Limits, error) { return Limits{Time: time.Hour}, nil }}, "", 4 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMeter(Config{Budget: tt.b}, &silent{})
				require.NoError(t, m.Allow(1))
				res, err := m.Run(t.Context(), steps, 1, executor.Request{})
				require.NoError(t, err, "it is a result as any other")
				assert.Equal(t, tt.at, res.Elapsed)
				over := (*BudgetError)(nil)
				if tt.key == "" {
					assert.NoError(t, m.Allow(1))
					assert.Nil(t, res.Failure)
					return
				}
				require.True(t, errors.As(m.Allow(1), &over), "no further session")
				assert.Equal(t, tt.key, over.Key)
				assert.NotEmpty(t, over.Hint())
			})
		})
	}
}

// A pause that a person makes is no time of the run.
func TestMeterLeavesPausesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMeter(Config{Budget: Budget{Run: Limits{Time: time.Hour}}}, &silent{})
		deps := phase.NewDeps()
		m.held = deps.Held
		deps.SetPause(func(ctx context.Context) bool { return wait.For(ctx, 10*time.Hour) == nil })
		deps.Pause(t.Context())
		require.NoError(t, m.Allow(1))
		_, err := m.Run(t.Context(), spender{[]event.Spent{tokens(1)}}, 1, executor.Request{})
		require.NoError(t, err)
		assert.Equal(t, 10*time.Hour, deps.Held())
		assert.Less(t, m.took(), time.Hour)
	})
}

func TestMeterCountsSessions(t *testing.T) {
	m := newMeter(Config{Budget: Budget{Run: Limits{Sessions: 2}}}, &silent{})
	for range 2 {
		require.NoError(t, m.Allow(1))
		_, err := m.Run(t.Context(), spender{}, 1, executor.Request{})
		require.NoError(t, err)
	}
	assert.ErrorContains(t, m.Allow(1), "2 of 2 sessions (max_sessions)")
}

// Dollars that nobody knows are told of once, and tokens of a session that ended otherwise are counted all the same.
func TestMeterWarnsOfUnknownDollars(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &silent{}
		m := newMeter(Config{Budget: Budget{Run: Limits{CostUSD: 1}}}, log)
		for range 2 {
			_, err := m.Run(t.Context(), spender{[]event.Spent{tokens(5)}}, 1, executor.Request{Model: "unheard-of"})
			require.NoError(t, err)
		}
		require.Len(t, log.facts, 1)
		assert.Contains(t, log.facts[0].(event.Note).Text, `"unheard-of"`)
		assert.Equal(t, 2, m.run.Unpriced)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := m.Run(ctx, spender{[]event.Spent{tokens(5)}}, 1, executor.Request{})
		assert.ErrorIs(t, err, context.Canceled, "a break is no budget")
	})
}
