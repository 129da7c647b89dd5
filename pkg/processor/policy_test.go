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

// stub is an agent whose sessions a test writes; the last one is repeated.
type stub struct {
	name     string
	err      error // the session can't be run
	caps     executor.Caps
	sessions []func(executor.Request) executor.Result
	got      []executor.Request
}

func (a *stub) Name() string                   { return a.name }
func (a *stub) Check(context.Context) error    { return nil }
func (a *stub) Caps() executor.Caps            { return a.caps }
func (a *stub) Spawn(executor.Reviewer) string { return "" }
func (a *stub) EnvRules() executor.EnvRules    { return executor.EnvRules{} }
func (a *stub) Run(_ context.Context, req executor.Request) (executor.Result, error) {
	a.got = append(a.got, req)
	if a.err != nil {
		return executor.Result{}, a.err
	}
	return a.sessions[min(len(a.got), len(a.sessions))-1](req), nil
}

func agent(sessions ...func(executor.Request) executor.Result) *stub {
	return &stub{name: "one", sessions: sessions}
}

func well(executor.Request) executor.Result { return executor.Result{Text: "done"} }

func fails(class executor.Class) func(executor.Request) executor.Result {
	return func(executor.Request) executor.Result {
		return executor.Result{Failure: &executor.Failure{Class: class, Message: "no " + string(class)}}
	}
}

// limit is a session that meets a limit which ends after a while; 0 = the agent doesn't say when.
func limit(resets time.Duration) func(executor.Request) executor.Result {
	return func(executor.Request) executor.Result {
		f := &executor.Failure{Class: executor.ClassLimit, Message: "You've hit your limit"}
		if resets != 0 {
			f.ResetAt = time.Now().Add(resets)
		}
		return executor.Result{Failure: f}
	}
}

func says(text string) func(executor.Request) executor.Result {
	return func(executor.Request) executor.Result { return executor.Result{Text: text, SessionID: "s-1"} }
}

// heard is a log that keeps what is told.
type heard struct {
	waits    []event.Wait
	switches []string
	failures []string
	notes    []event.Note
}

func (h *heard) Emit(_ int, data event.Data) {
	switch d := data.(type) {
	case event.Wait:
		h.waits = append(h.waits, d)
	case event.Switch:
		h.switches = append(h.switches, d.From+">"+d.To)
	case event.Note:
		h.notes = append(h.notes, d)
	case event.SessionEnd:
		h.failures = append(h.failures, d.Failure)
	}
}

func policy(cfg Config, log phase.Log, ex executor.Executor, more ...executor.Executor) *executionPolicy {
	p := newExecutionPolicy(cfg, log, newStaff(cfg, log), Model{cfg.Model, cfg.Effort}, ex, more...)
	p.jitter = func() float64 { return 0 }
	return p
}

// The wall clock jumps: the machine slept, or somebody set it.
// A run that was killed in the middle of a wait goes on with it.
func TestTransientFailuresAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := agent(fails(executor.ClassOverload), fails(executor.ClassOverload), well)
		log := &heard{}
		p := policy(Config{TransientRetries: 4, RetryDelay: 5 * time.Second}, log, a)
		renewed := 0
		start := time.Now()
		res, err := p.Run(t.Context(), phase.Session{Prompt: phase.Told("p"), Renew: func(_ context.Context, s phase.Session, ended executor.Result) (phase.Session, error) {
			assert.Equal(t, executor.ClassOverload, ended.Failure.Class)
			renewed++
			s.Prompt = phase.Told(s.Prompt.For("") + "+")
			return s, nil
		}})
		require.NoError(t, err)
		assert.Nil(t, res.Failure)
		assert.Equal(t, 15*time.Second, time.Since(start))
		assert.Equal(t, "p++", a.got[2].Prompt, "the tree may have changed: the prompt is made anew")
		assert.Equal(t, 2, renewed)

		lasting := agent(fails(executor.ClassOverload))
		p = policy(Config{TransientRetries: 2, RetryDelay: time.Second}, log, lasting)
		res, err = p.Run(t.Context(), phase.Session{})
		require.NoError(t, err)
		assert.Equal(t, executor.ClassOverload, res.Failure.Class)
		assert.Len(t, lasting.got, 3)
	})
}

// Each class has its way: what no second session mends is not tried again.
func TestClassesThatAreNotTriedAgain(t *testing.T) {
	for _, c := range []executor.Class{executor.ClassRefused, executor.ClassContext, executor.ClassMoney, executor.ClassLogin, executor.ClassUsage,
		executor.ClassRequest, executor.ClassCrash, executor.ClassCancelled} {
		t.Run(string(c), func(t *testing.T) {
			a := agent(fails(c))
			res, err := policy(Config{TransientRetries: 9, Resumes: 9, WaitOnLimit: time.Hour}, &heard{}, a).Run(t.Context(), phase.Session{})
			require.NoError(t, err)
			assert.Equal(t, c, res.Failure.Class)
			assert.Len(t, a.got, 1)
		})
	}
}
