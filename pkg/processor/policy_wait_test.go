package processor

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

func TestLimitRetry(t *testing.T) {
	about := func(executor.Request) executor.Result {
		return executor.Result{Failure: &executor.Failure{Class: executor.ClassLimit, About: time.Now().Add(3 * time.Hour)}}
	}
	tests := []struct {
		name    string
		agent   *stub
		wait    time.Duration
		runs    int
		limit   bool
		elapsed time.Duration
	}{
		{"no waiting ends at once", agent(limit(0)), 0, 1, true, 0},
		{"no waiting ends at once, whenever the limit ends", agent(limit(time.Minute)), 0, 1, true, 0},
		{"waits as configured", agent(limit(0), limit(0), well), time.Hour, 3, false, 2 * time.Hour},
		{"waits for the reset that the agent named", agent(limit(90*time.Minute), well), time.Minute, 2, false, 90*time.Minute + 5*time.Second},
		{"a reset just past means now", agent(limit(-time.Minute), well), time.Hour, 2, false, 5 * time.Second},
		{"a limit that is just over again and again is asked less and less", agent(limit(-time.Second), limit(-time.Second), limit(-time.Second), well), time.Hour, 4, false, 35 * time.Second},
		{"a reset long past is none: the configured wait", agent(limit(-time.Hour), well), time.Minute, 2, false, time.Minute},
		{"a time without a zone is polled for, with growing pauses", agent(about, about, about, well), time.Hour, 4, false, 7 * time.Minute},
		{"a poll is never longer than the configured wait", agent(about, about, about, well), 90 * time.Second, 4, false, 4 * time.Minute},
		{"not for days", agent(limit(72 * time.Hour)), time.Minute, 1, true, 0},
		{"for days, if the wait covers it", agent(limit(72*time.Hour), well), 100 * time.Hour, 2, false, 72*time.Hour + 5*time.Second},
		{"not for ever", agent(limit(0)), 10 * time.Hour, 3, true, 20 * time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := policy(Config{WaitOnLimit: tt.wait}, &heard{}, tt.agent)
				start := time.Now()
				res, err := p.Run(t.Context(), phase.Session{})
				require.NoError(t, err)
				assert.Equal(t, tt.limit, res.Failure != nil)
				assert.Len(t, tt.agent.got, tt.runs)
				assert.Equal(t, tt.elapsed, time.Since(start))
			})
		})
	}
}

func TestLimitWaitEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, context.Canceled)
		defer cancel()
		p := policy(Config{WaitOnLimit: time.Hour}, &heard{}, agent(limit(0)))
		start := time.Now()
		_, err := p.Run(ctx, phase.Session{})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, time.Minute, time.Since(start))
	})
}

// Whoever says how long a run may take wants to hear of it then, whatever it waits for.
func TestAWaitEndsWithTheTimeOfTheRun(t *testing.T) {
	more := func(d time.Duration) func() (Limits, error) {
		began := time.Now()
		return func() (Limits, error) {
			if time.Since(began) < time.Minute {
				return Limits{}, nil
			}
			return Limits{Time: d}, nil
		}
	}
	tests := []struct {
		name    string
		agent   *stub
		cfg     Config
		added   time.Duration // a minute after the start
		elapsed time.Duration
		refused bool
		told    int
	}{
		{"a limit", agent(limit(3*time.Hour), well), Config{WaitOnLimit: time.Hour, Budget: Budget{Run: Limits{Time: 90 * time.Minute}}}, 0, 90 * time.Minute, true, 1},
		{"with the time of before", agent(limit(3*time.Hour), well), Config{WaitOnLimit: time.Hour, Budget: Budget{Run: Limits{Time: 2 * time.Hour}, Spent: Spending{Time: 110 * time.Minute}}}, 0, 10 * time.Minute, true, 1},
		{"a limit that is over before", agent(limit(time.Hour), well), Config{WaitOnLimit: time.Hour, Budget: Budget{Run: Limits{Time: 90 * time.Minute}}}, 0, time.Hour + settleTime, false, 0},
		{"what was added meanwhile", agent(limit(3*time.Hour), well), Config{WaitOnLimit: time.Hour, Budget: Budget{Run: Limits{Time: 90 * time.Minute}}}, 4 * time.Hour, 3*time.Hour + settleTime, false, 1},
		{"a busy server", agent(fails(executor.ClassOverload)), Config{TransientRetries: 9, RetryDelay: time.Minute, Budget: Budget{Run: Limits{Time: 10 * time.Minute}}}, 0, 10 * time.Minute, true, 0},
		{"the wait of an earlier process", agent(well), Config{WaitOnLimit: time.Hour, Waiting: event.Wait{Agent: "one"}, Budget: Budget{Run: Limits{Time: 20 * time.Minute}}}, 0, 20 * time.Minute, true, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				if tt.added > 0 {
					tt.cfg.Budget.Added = more(tt.added)
				}
				if tt.cfg.Waiting.Agent != "" {
					tt.cfg.Waiting.Until = start.Add(40 * time.Minute)
				}
				log := &heard{}
				res, err := policy(tt.cfg, log, tt.agent).Run(t.Context(), phase.Session{})
				assert.Equal(t, tt.elapsed, time.Since(start))
				assert.Len(t, log.notes, tt.told, "the person is told when the run will end")
				if !tt.refused {
					require.NoError(t, err)
					assert.Nil(t, res.Failure)
					return
				}
				over := (*BudgetError)(nil)
				require.ErrorAs(t, err, &over)
				assert.Equal(t, "max_time", over.Key)
			})
		})
	}
}

func TestWaitsByTheWallClock(t *testing.T) {
	tests := []struct {
		name    string
		jump    time.Duration // ten minutes into a wait of two hours
		elapsed time.Duration // by the clock that nobody sets
	}{
		{"no jump", 0, 2*time.Hour + 5*time.Second},
		{"slept for an hour", time.Hour, time.Hour + 5*time.Second},
		{"slept past the end: seen at the next look", 24 * time.Hour, 10*time.Minute + lookEvery},
		{"put back by a year: no longer than it was to be", -365 * 24 * time.Hour, 2*time.Hour + 5*time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := policy(Config{WaitOnLimit: time.Minute}, &heard{}, agent(limit(2*time.Hour), well))
				start := time.Now()
				p.wall = func() time.Time {
					if time.Since(start) > 10*time.Minute {
						return time.Now().Add(tt.jump)
					}
					return time.Now()
				}
				res, err := p.Run(t.Context(), phase.Session{})
				require.NoError(t, err)
				assert.Nil(t, res.Failure)
				assert.Equal(t, tt.elapsed, time.Since(start).Truncate(5*time.Second))
			})
		})
	}
}

func TestALongWaitIsToldOfEachHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &heard{}
		p := policy(Config{WaitOnLimit: 150 * time.Minute}, log, agent(limit(0), well))
		start := time.Now()
		_, err := p.Run(t.Context(), phase.Session{})
		require.NoError(t, err)
		var left []time.Duration
		for _, w := range log.waits {
			left = append(left, w.For)
			assert.Equal(t, start.Add(150*time.Minute), w.Until.In(start.Location()))
		}
		assert.Equal(t, []time.Duration{150 * time.Minute, 90 * time.Minute, 30 * time.Minute}, left)
	})
}

func TestANudgeEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nudge := func(context.Context) <-chan struct{} {
			ch := make(chan struct{}, 1)
			time.AfterFunc(time.Minute, func() { ch <- struct{}{} })
			return ch
		}
		p := policy(Config{WaitOnLimit: time.Hour, Nudge: nudge}, &heard{}, agent(limit(0), well, well))
		start := time.Now()
		_, err := p.Run(t.Context(), phase.Session{})
		require.NoError(t, err)
		assert.Equal(t, time.Minute, time.Since(start))
		_, err = p.Run(t.Context(), phase.Session{})
		require.NoError(t, err)
		assert.Equal(t, time.Minute, time.Since(start), "the agent works again: the next session waits for nothing")
	})
}

func TestWaitSurvivesARestart(t *testing.T) {
	tests := []struct {
		name    string
		until   time.Duration
		agent   string
		wait    time.Duration
		elapsed time.Duration
	}{
		{"goes on", 40 * time.Minute, "one", time.Hour, 40 * time.Minute},
		{"the end has come meanwhile", -time.Hour, "one", time.Hour, 0},
		{"another agent's limit", 40 * time.Minute, "two", time.Hour, 0},
		{"waiting is not wanted any more", 40 * time.Minute, "one", 0, 0},
		{"an end that no wait may reach is asked for again", 900 * time.Hour, "one", time.Hour, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				a := agent(well)
				p := policy(Config{WaitOnLimit: tt.wait, Waiting: event.Wait{Agent: tt.agent, Until: start.Add(tt.until)}}, &heard{}, a)
				_, err := p.Run(t.Context(), phase.Session{})
				require.NoError(t, err)
				assert.Equal(t, tt.elapsed, time.Since(start))
				assert.Len(t, a.got, 1)
			})
		})
	}
}
