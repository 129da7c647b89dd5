//go:build linux

package e2e

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/executor/claude"
	"ralphex/pkg/executor/codex"
	"ralphex/pkg/executor/copilot"
	"ralphex/pkg/executor/gemini"
	"ralphex/pkg/executor/opencode"
	"ralphex/pkg/executor/pi"
	"ralphex/pkg/executor/qwen"
	"ralphex/pkg/executor/session"
)

// described is an executor that says what it can.
type described interface {
	executor.Executor
	executor.Describer
}

// executor drives the agent without ralphex around it.
func (a agent) executor() described {
	command := filepath.Join(a.bin(), a.name)
	o := session.Options{Command: command}
	switch a.name {
	case claude.Name:
		return claude.New(claude.Options{Command: command})
	case codex.Name:
		return codex.New(codex.Options{Command: command, Model: "gpt-5.5"})
	case opencode.Name:
		return opencode.New(o)
	case copilot.Name:
		return copilot.New(o)
	case gemini.Name:
		return gemini.New(o)
	case pi.Name:
		o.Args = []string{"--provider", "fake", "--model", "fake-model"}
		return pi.New(o)
	default:
		o.Args = []string{"--auth-type", "openai"}
		return qwen.New(o)
	}
}

// TestSessionGoesOn resumes a session by the id that the first one told: the model is asked with what was said before.
func TestSessionGoesOn(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		ex := a.executor()
		if !ex.Caps().Resume {
			t.Log("it cannot go on with a session by its id")
			return
		}
		w := newWorld(t, a)
		w.plays(turn{Match: []string{"and now the second"}, Text: "Two.", Times: -1}, turn{Text: "One.", Times: -1})
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		req := executor.Request{Prompt: "say the first number, a purple one", Dir: w.dir, Env: w.env}
		first, err := ex.Run(ctx, req)
		require.NoError(t, err)
		require.Nil(t, first.Failure)
		assert.Contains(t, first.Text, "One.")
		require.NotEmpty(t, first.SessionID)

		req.Prompt, req.Resume = "and now the second", first.SessionID
		second, err := ex.Run(ctx, req)
		require.NoError(t, err)
		require.Nil(t, second.Failure)
		assert.Contains(t, second.Text, "Two.")
		assert.NotContains(t, second.Text, "One.", "what was said before is not said again")
		asked := ""
		for _, r := range w.model.Requests() {
			if r.Turn == 1 {
				asked = r.Body
			}
		}
		assert.Contains(t, asked, "a purple one")
		assert.Contains(t, asked, "One.")
		assert.Empty(t, w.survivors())
	})
}

// TestDoctorNamesTheVersion asks ralphex doctor about each agent.
func TestDoctorNamesTheVersion(t *testing.T) {
	each(t, func(t *testing.T, a agent) {
		w := newWorld(t, a)
		w.plays()
		cmd := exec.Command(binary, "doctor")
		cmd.Dir, cmd.Env = w.dir, w.env
		out, _ := cmd.CombinedOutput() // its code speaks of more than this agent
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, " "+a.name+" ") && strings.Contains(line, a.version) {
				return
			}
		}
		assert.Fail(t, "the version "+a.version+" is not told", string(out))
	})
}
