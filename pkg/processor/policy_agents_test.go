package processor

import (
	"io/fs"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/processor/phase"
)

// The prompt is worded for the agent that gets it, whoever that is by then.
func TestAStandInIsToldInItsOwnWords(t *testing.T) {
	one, two := agent(fails(executor.ClassLogin)), &stub{name: "two", sessions: []func(executor.Request) executor.Result{well}}
	p := policy(Config{}, &heard{}, one, two)
	_, err := p.Run(t.Context(), phase.Session{Prompt: func(agent string) string { return "for " + agent }})
	require.NoError(t, err)
	assert.Equal(t, "for one", one.got[0].Prompt)
	assert.Equal(t, "for two", two.got[0].Prompt)
}

func TestFallback(t *testing.T) {
	two := func(sessions ...func(executor.Request) executor.Result) *stub {
		return &stub{name: "two", sessions: sessions}
	}
	tests := []struct {
		name     string
		one, two *stub
		pause    time.Duration // between two sessions of the phase
		switches []string
		runs     [2]int
		failure  executor.Class
	}{
		{"a limit hands over, and its end takes back", agent(limit(time.Hour), well), two(well), 2 * time.Hour, []string{"one>two", "two>one"}, [2]int{2, 1}, ""},
		{"before its end, the other goes on", agent(limit(time.Hour), well), two(well), time.Minute, []string{"one>two"}, [2]int{1, 2}, ""},
		{"logged out: for the rest of the run", agent(fails(executor.ClassLogin), well), two(well), 99 * time.Hour, []string{"one>two"}, [2]int{1, 2}, ""},
		{"no money: likewise", agent(fails(executor.ClassMoney)), two(well), time.Hour, []string{"one>two"}, [2]int{1, 2}, ""},
		{"missing: likewise", &stub{name: "one", err: fs.ErrNotExist}, two(well), time.Hour, []string{"one>two"}, [2]int{1, 2}, ""},
		{"nobody left", agent(fails(executor.ClassLogin)), two(fails(executor.ClassLogin)), 0, []string{"one>two"}, [2]int{1, 2}, executor.ClassLogin},
		{"both at their limit: the first to be free is waited for", agent(limit(3 * time.Hour)), two(limit(time.Hour), well), 0, []string{"one>two"}, [2]int{1, 3}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &heard{}
				p := policy(Config{WaitOnLimit: time.Hour, Model: "opus", Effort: "high"}, log, tt.one, tt.two)
				_, err := p.Run(t.Context(), phase.Session{})
				require.NoError(t, err)
				<-time.After(tt.pause)
				res, err := p.Run(t.Context(), phase.Session{})
				require.NoError(t, err)
				assert.Equal(t, tt.switches, log.switches)
				assert.Equal(t, tt.runs, [2]int{len(tt.one.got), len(tt.two.got)})
				if tt.failure != "" {
					assert.Equal(t, tt.failure, res.Failure.Class)
				} else {
					assert.Nil(t, res.Failure)
				}
				require.NotEmpty(t, tt.two.got, "the other one took over")
				assert.Equal(t, "opus", tt.one.got[0].Model)
				assert.Empty(t, tt.two.got[0].Model, "a model's name is one agent's")
			})
		})
	}
}
