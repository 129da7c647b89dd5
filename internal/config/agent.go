package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Agent is a reviewer that a prompt calls by {{agent:NAME}}.
type Agent struct {
	Name   string // file name without .txt, "quality"
	Model  string // "haiku", "sonnet", "opus", "fable"; empty = the session's own
	Type   string // kind of sub-agent; empty = the usual one
	Body   string // what it is asked to look at; variables are not filled in
	Source string // file as shown to people, or "embedded"
}

// String is the line of the run's log that says how the agent was called.
func (a Agent) String() string {
	return fmt.Sprintf("agent %q: model=%s, subagent=%s", a.Name, cmp.Or(a.Model, "default"), cmp.Or(a.Type, "general-purpose"))
}

// agentModels are the models that frontmatter can ask for; a full id means the first of them that it holds.
var agentModels = []string{"haiku", "sonnet", "opus", "fable"}

// Agents returns all agents by name: those of the local folder, the global one and the embedded ones, of each
// name the strongest that has a text. Warnings tell what of their frontmatter has no effect.
func (c *Config) Agents() ([]Agent, []Warning, error) {
	names := map[string]bool{}
	for _, name := range EmbeddedAgents() {
		names[name] = true
	}
	for _, dir := range c.folders {
		own, err := dir.names("agents")
		if err != nil {
			return nil, nil, err
		}
		for _, name := range own {
			names[name] = true
		}
	}
	var (
		list     []Agent
		warnings []Warning
	)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, warns, err := c.agent(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // a file of comments only, of no embedded name
		case err != nil:
			return nil, nil, err
		}
		list, warnings = append(list, a), append(warnings, warns...)
	}
	return list, warnings, nil
}

// EmbeddedAgents are the names of the agents that are always there.
func EmbeddedAgents() []string { return embeddedNames("agents") }

// agent reads one agent. A name without any text is fs.ErrNotExist.
func (c *Config) agent(name string) (Agent, []Warning, error) {
	var warnings []Warning
	for _, dir := range c.folders {
		raw, err := dir.read("agents", name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return Agent{}, nil, fmt.Errorf("read agent %s: %w", name, err)
		}
		if !hasText(raw) {
			continue
		}
		a, warns := parseAgent(name, raw, Origin{Layer: dir.layer, Name: dir.show("agents", name)})
		warnings = append(warnings, warns...)
		if a.Body != "" {
			return a, warnings, nil
		}
	}
	raw, err := embedded.ReadFile("agents/" + name + ".txt")
	if err != nil {
		return Agent{}, nil, fmt.Errorf("agent %s: %w", name, fs.ErrNotExist)
	}
	a, _ := parseAgent(name, string(raw), Origin{Name: "embedded"})
	return a, warnings, nil
}

// agentOptions are what frontmatter may say.
var agentOptions = []string{"model", "agent"}

// parseAgent reads an agent's file. Its options lie between two lines ---; # lines and blank lines may stand
// before them. What is no YAML is part of the text, as for the public ralphex.
func parseAgent(name, raw string, at Origin) (Agent, []Warning) {
	a := Agent{Name: name, Source: at.Name, Body: strings.TrimSpace(raw)}
	head, body, line, ok := cutFrontmatter(raw)
	if !ok && optionLike.MatchString(head) {
		at.Line = line
		return a, []Warning{{at, "what stands below --- has no second --- behind it: it counts as text", "write a line --- below the options"}}
	}
	if !ok {
		return a, nil
	}
	var warnings []Warning
	warn := func(n int, text, hint string) {
		at.Line = line + n
		warnings = append(warnings, Warning{at, text, hint})
	}
	var options map[string]any
	if err := yaml.Unmarshal([]byte(head), &options); err != nil {
		warn(0, "what stands between the --- lines is no YAML: it counts as text", "write model: opus, or agent: NAME")
		return a, warnings
	}
	a.Body = strings.TrimSpace(body)
	for _, key := range slices.Sorted(maps.Keys(options)) {
		switch value := strings.TrimSpace(fmt.Sprint(options[key])); {
		case key == "agent":
			a.Type = value
		case key == "model":
			if a.Model = modelWord(value); a.Model == "" && value != "" {
				warn(lineWith(head, key), fmt.Sprintf("model %s of an agent is not known: the session's own is taken", value), "there are "+strings.Join(agentModels, ", "))
			}
		default:
			warn(lineWith(head, key), fmt.Sprintf("unknown option %s of an agent has no effect", key), DidYouMean(key, agentOptions, "there are model and agent"))
		}
	}
	if a.Body == "" {
		warn(0, "an agent with options and no text: the next one of that name is taken", "write what it shall look at below the second ---")
	}
	return a, warnings
}

// modelWord finds the first model that a name holds: "claude-opus-4-1" is opus.
func modelWord(name string) string {
	for _, word := range agentModels {
		if strings.Contains(strings.ToLower(name), word) {
			return word
		}
	}
	return ""
}

// optionLike matches a line of frontmatter.
var optionLike = regexp.MustCompile(`^(model|agent)[ \t]*:`)

// cutFrontmatter splits a file into what stands between its --- lines and what comes after. line is the 1-based
// line of the first ---. Where the second is missing, it is not ok, and head is the rest of the file.
func cutFrontmatter(raw string) (head, body string, line int, ok bool) {
	lines := strings.Split(raw, "\n")
	start := 0
	for start < len(lines) && (strings.TrimSpace(lines[start]) == "" || strings.HasPrefix(lines[start], "#")) {
		start++
	}
	if start == len(lines) || strings.TrimRight(lines[start], " \t") != "---" {
		return "", "", 0, false
	}
	head = strings.Join(lines[start+1:], "\n")
	for end := start + 1; end < len(lines); end++ {
		if strings.TrimRight(lines[end], " \t") == "---" {
			return strings.Join(lines[start+1:end], "\n"), strings.Join(lines[end+1:], "\n"), start + 1, true
		}
	}
	return head, "", start + 1, false
}

// lineWith is the 1-based line of text that sets key, 0 where there is none.
func lineWith(text, key string) int {
	for i, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimLeft(l, ` "'`), key) {
			return i + 1
		}
	}
	return 0
}

// agentName matches what a prompt can call.
var agentName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
