//go:build unix

package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
)

// mute understands nothing and lets everything pass.
type mute struct{ *Talk }

func (m mute) Object(line []byte, _ *jsonl.Long) bool { return jsonl.Type(line) != "" }
func (mute) Outcome(e End) Outcome                    { return Outcome{Failure: e.Verdict(nil, true, nil)} }

func agent(t *testing.T, body string, change func(*Spec)) *CLI {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agent")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
	s := Spec{Name: "agent", Install: "get it", Options: Options{Command: file, Args: []string{"--more"}}, Rules: executor.RulesFor(true),
		Args: func(r executor.Request) []string { return executor.WithFlag([]string{"run"}, "-m", r.Model) },
		Open: func(t *Talk) Dialect { return mute{t} }}
	if change != nil {
		change(&s)
	}
	return NewCLI(s)
}

const tellArgs = `printf '%s|' "$@"; echo; cat | wc -c`

func TestPromptIsAnArgument(t *testing.T) {
	r, err := agent(t, tellArgs, nil).Run(t.Context(), executor.Request{Prompt: "do it", Model: "big", Env: os.Environ()})
	require.NoError(t, err)
	assert.Equal(t, "run|-m|big|--more|do it|\n0\n", r.Text)
	r, err = agent(t, tellArgs, nil).Run(t.Context(), executor.Request{Prompt: "--help"})
	require.NoError(t, err)
	assert.Contains(t, r.Text, "|\n--help|", "no option")
}

// A prompt that is too long for an argument reaches the agent all the same.
func TestLongPrompt(t *testing.T) {
	prompt := strings.Repeat("long ", 60_000)
	r, err := agent(t, tellArgs, func(s *Spec) { s.ReadsStdin = true }).Run(t.Context(), executor.Request{Prompt: prompt})
	require.NoError(t, err)
	assert.Equal(t, "run|--more|\n300000\n", r.Text)

	t.Setenv("TMPDIR", t.TempDir())
	r, err = agent(t, `for last; do :; done; file=${last#Read the file }; wc -c <"${file%%. It holds *}"`, nil).Run(t.Context(), executor.Request{Prompt: prompt})
	require.NoError(t, err)
	assert.Equal(t, "300000\n", r.Text)
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		body  string
		ended bool
		want  executor.Class
	}{
		{`echo '{"type":"x"}'`, true, executor.ClassEmpty},
		{`echo '{"type":"x"}'`, false, executor.ClassCrash},
		{`echo '{"type":"x"}'; exit 3`, true, executor.ClassCrash},
		{`echo "unknown option --x" >&2; exit 1`, true, executor.ClassUsage},
		{`echo text; exit 0`, true, ""},
	} {
		a := agent(t, tt.body, func(s *Spec) {
			s.Open = func(t *Talk) Dialect { return judge{mute{t}, tt.ended} }
		})
		r, err := a.Run(t.Context(), executor.Request{})
		require.NoError(t, err)
		if tt.want == "" {
			assert.Nil(t, r.Failure, tt.body)
		} else if assert.NotNil(t, r.Failure, tt.body) {
			assert.Equal(t, tt.want, r.Failure.Class, tt.body)
		}
	}
}

type judge struct {
	mute
	ended bool
}

func (j judge) Outcome(e End) Outcome { return Outcome{Failure: e.Verdict(nil, j.ended, nil)} }

func TestDescribesItself(t *testing.T) {
	a := agent(t, "echo agent v1.2.3", func(s *Spec) { s.Caps.SubAgents = "task" })
	require.NoError(t, a.Check(t.Context()))
	v, err := a.Version(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "1.2.3", v)
	assert.Contains(t, a.Spawn(executor.Reviewer{Task: "x"}), "Use the task tool")
	assert.Contains(t, agent(t, "", nil).Spawn(executor.Reviewer{Name: "q", Task: "x"}), "Take the part of the reviewer")
	gone := agent(t, "", func(s *Spec) { s.Options.Command = "no-such-agent" })
	err = gone.Check(t.Context())
	require.Error(t, err)
	assert.Contains(t, err.(*NotFoundError).Hint(), "get it, or name its command: agent_command = CMD")
}
