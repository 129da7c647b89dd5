package processor

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/processor/phase"
)

func TestARecorderGivesThePromptAndMayRefuse(t *testing.T) {
	var told []Launch
	record := func(r Recorded, err error) func(context.Context, Launch) (Recorded, error) {
		return func(_ context.Context, l Launch) (Recorded, error) {
			told = append(told, l)
			return r, err
		}
	}
	run := func(r Recorded, err error) (*stub, error) {
		a := agent(well)
		_, got := policy(Config{Model: "m", Record: record(r, err)}, &heard{}, a).Run(t.Context(), phase.Session{Prompt: phase.Told("p"), Position: 2})
		return a, got
	}
	handed := ""
	a, err := run(Recorded{Prompt: "as kept", Handed: func(p string) error { handed = p; return nil }}, nil)
	require.NoError(t, err)
	assert.Equal(t, "as kept", a.got[0].Prompt)
	assert.Equal(t, "as kept", handed)
	assert.Equal(t, "p", told[0].Prompt)
	assert.Equal(t, []any{1, 2, "one", "m", false}, []any{told[0].N, told[0].Session.Position, told[0].Executor, told[0].Model, told[0].Resumed})

	tampered := errors.New("tampered")
	a, err = run(Recorded{}, tampered)
	assert.ErrorIs(t, err, tampered)
	assert.Empty(t, a.got, "no process is started")
	a, err = run(Recorded{Prompt: "x", Handed: func(string) error { return tampered }}, nil)
	assert.ErrorIs(t, err, tampered)
	assert.Empty(t, a.got, "no process is started")
}
