package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/provenance"
	"ralphex/pkg/event"
)

// gateOf is a gate of one command.
func gateOf(f *facts, exit int) {
	f.add(event.GateStart{Commands: 1})
	f.add(event.GateCommand{Command: "make test", Exit: exit, Tail: "FAIL one"})
	f.add(event.GateEnd{Commands: 1, Green: exit == 0})
}

// TestTheLastGateSpeaksForASession: of several gates behind a session the last one counts, and none of the others adds to it.
func TestTheLastGateSpeaksForASession(t *testing.T) {
	it := artifact.Iteration{TaskID: "T1", Validation: artifact.Commands{Effective: "make test"}}
	for _, c := range []struct {
		exits  []int
		status string
		sign   string
	}{{[]int{1, 0}, artifact.Passed, ""}, {[]int{0, 2}, artifact.Failed, "make test::exit:2::FAIL one"}} {
		f := facts{}
		for _, exit := range c.exits {
			gateOf(&f, exit)
		}
		v, outputs := f.validation(it)
		require.NotNil(t, v)
		assert.Len(t, v.EachCommand, 1)
		assert.Len(t, outputs, 1)
		assert.Equal(t, c.exits[1], v.Exit)
		assert.Equal(t, c.sign, v.Signature)
		gate := f.verifiers(it, v, nil)[0]
		assert.Equal(t, c.status, gate.Status)
		assert.Equal(t, c.sign, gate.FailureSignature)
	}
}

// TestHowASessionEnded: what was not seen to end well did not.
func TestHowASessionEnded(t *testing.T) {
	at := time.Now()
	for name, c := range map[string]struct {
		f               facts
		status, message string
	}{
		"it ended":               {facts{argv: []string{"claude"}, ended: at, end: event.SessionEnd{Exit: "exit 0"}}, "succeeded", ""},
		"no process was started": {facts{}, "skipped", "no process was started"},
		"the run ended first":    {facts{argv: []string{"claude"}}, "failed", "the run ended before the session did"},
		"it failed":              {facts{argv: []string{"claude"}, ended: at, end: event.SessionEnd{Exit: "exit 0", Failure: "limit"}}, "failed", "limit"},
		"another exit code":      {facts{argv: []string{"claude"}, ended: at, end: event.SessionEnd{Exit: "exit 3"}}, "failed", "exit 3"},
	} {
		t.Run(name, func(t *testing.T) {
			e := &evidence{c: &recording{run: &running{}}}
			r := e.result(c.f, artifact.Iteration{TaskID: "T1"}, provenance.Outcome{})
			assert.Equal(t, c.status, r.ExecutionStatus)
			assert.Equal(t, c.message, r.Execution.Message)
			assert.Equal(t, c.status == "failed", len(r.Errors) > 0)
			if c.status == "failed" {
				assert.Equal(t, "failed", r.Classification)
			}
		})
	}
}
