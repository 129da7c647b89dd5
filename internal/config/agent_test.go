package config

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAgentFiles(t *testing.T) {
	for _, tt := range []struct {
		name, raw string
		want      Agent
		warns     []string
	}{
		{"text", "look\n\nwell\n", Agent{Body: "look\n\nwell"}, nil},
		{"comments stay", "# Title\nlook", Agent{Body: "# Title\nlook"}, nil},
		{"options", "---\nmodel: opus\nagent: go-expert\n---\nlook\n", Agent{Model: "opus", Type: "go-expert", Body: "look"}, nil},
		{"options below comments", "# a\n\n# b\n---\nmodel: haiku\n---\nlook", Agent{Model: "haiku", Body: "look"}, nil},
		{"full id", "---\nmodel: Claude-Sonnet-4-5\n---\nlook", Agent{Model: "sonnet", Body: "look"}, nil},
		{"quoted", "---\n\"model\": 'fable'\n---\nlook", Agent{Model: "fable", Body: "look"}, nil},
		{"unknown model", "---\nagent: x\nmodel: gpt\n---\nlook", Agent{Type: "x", Body: "look"}, []string{"a.txt:3: model gpt of an agent is not known: the session's own is taken; there are haiku, sonnet, opus, fable"}},
		{"unknown option", "---\nmodle: opus\n---\nlook", Agent{Body: "look"}, []string{"a.txt:2: unknown option modle of an agent has no effect; did you mean model?"}},
		{"no YAML", "---\nmodel: [\n---\nlook", Agent{Body: "---\nmodel: [\n---\nlook"}, []string{"a.txt:1: what stands between the --- lines is no YAML: it counts as text; write model: opus, or agent: NAME"}},
		{"a sentence", "---\nlook\n---\nwell", Agent{Body: "---\nlook\n---\nwell"}, []string{"a.txt:1: what stands between the --- lines is no YAML: it counts as text; write model: opus, or agent: NAME"}},
		{"nothing between", "---\n---\nlook", Agent{Body: "look"}, nil},
		{"a rule, no head", "look\n---\nmodel: opus\n---\n", Agent{Body: "look\n---\nmodel: opus\n---"}, nil},
		{"open head", "---\nmodel: opus\n", Agent{Body: "---\nmodel: opus"}, []string{"a.txt:1: what stands below --- has no second --- behind it: it counts as text; write a line --- below the options"}},
		{"a rule at the beginning", "---\nlook\n", Agent{Body: "---\nlook"}, nil},
		{"no text", "---\nmodel: opus\n---\n", Agent{Model: "opus"}, []string{"a.txt:1: an agent with options and no text: the next one of that name is taken; write what it shall look at below the second ---"}},
		{"numbers", "---\nagent: 7\n---\nlook", Agent{Type: "7", Body: "look"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, warnings := parseAgent("a", tt.raw, Origin{Name: "a.txt"})
			tt.want.Name, tt.want.Source = "a", "a.txt"
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.warns, texts(warnings))
		})
	}
}

func TestAgentsComeFromTheNearestFile(t *testing.T) {
	o := world(t, "", "")
	global := filepath.Join(environment(o.Env)["HOME"], ".config", "ralphex", "agents")
	local := filepath.Join(o.RepoRoot, ".ralphex", "agents")
	write(t, filepath.Join(global, "quality.txt"), "global quality")
	write(t, filepath.Join(global, "testing.txt"), "global testing")
	write(t, filepath.Join(global, "mine.txt"), "---\nmodel: opus\n---\nmine")
	write(t, filepath.Join(global, "note.md"), "no agent")
	write(t, filepath.Join(local, "quality.txt"), "local quality")
	write(t, filepath.Join(local, "testing.txt"), "# only\n\n# comments\n")
	write(t, filepath.Join(local, "gone.txt"), "# comments\n")
	write(t, filepath.Join(local, "documentation.txt"), "---\nmodel: opus\n---\n\n")

	list, warnings, err := load(t, o).Agents()
	require.NoError(t, err)
	got := map[string]string{}
	for _, a := range list {
		got[a.Name] = filepath.ToSlash(a.Source)
	}
	assert.Equal(t, map[string]string{"quality": ".ralphex/agents/quality.txt", "testing": "~/.config/ralphex/agents/testing.txt", "mine": "~/.config/ralphex/agents/mine.txt",
		"documentation": "embedded", "implementation": "embedded", "simplification": "embedded"}, got)
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0].Text, "options and no text")
}

func TestAgentLine(t *testing.T) {
	assert.Equal(t, `agent "quality": model=default, subagent=general-purpose`, Agent{Name: "quality"}.String())
	assert.Equal(t, `agent "q": model=opus, subagent=go-expert`, Agent{Name: "q", Model: "opus", Type: "go-expert"}.String())
}

func TestLinksOutOfTheRepositoryAreRefused(t *testing.T) {
	o := world(t, "", "task_model = x\n")
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	local := filepath.Join(o.RepoRoot, ".ralphex")
	write(t, filepath.Join(local, "prompts", "x.txt"), "x")
	write(t, filepath.Join(local, "agents", "x.txt"), "x")
	link(t, secret, filepath.Join(local, "prompts", "task.txt"))
	link(t, secret, filepath.Join(local, "agents", "quality.txt"))
	link(t, filepath.Join(local, "prompts", "x.txt"), filepath.Join(local, "prompts", "finalize.txt"))
	c := load(t, o)

	var le *LinkError
	_, _, err := c.Prompt("task")
	require.ErrorAs(t, err, &le)
	assert.Equal(t, ".ralphex/prompts/task.txt", filepath.ToSlash(le.File))
	_, _, err = c.Agents()
	assert.ErrorAs(t, err, &le)
	text, _, err := c.Prompt("finalize")
	require.NoError(t, err, "a link within the repository leads nowhere else")
	assert.Equal(t, "x", text)

	global := filepath.Join(environment(o.Env)["HOME"], ".config", "ralphex", "prompts")
	write(t, filepath.Join(global, "x"), "x")
	link(t, secret, filepath.Join(global, "make_plan.txt"))
	text, _, err = c.Prompt("make_plan")
	require.NoError(t, err, "a person's own folder may be made of links")
	assert.Equal(t, "secret", text)

	link(t, secret, filepath.Join(local, "config"))
	_, _, err = Load(o)
	assert.ErrorAs(t, err, &le)
}
