package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// leadIn is what every reviewer is told before its own text; no file replaces it.
//
//go:embed reviewer.txt
var leadIn string

// Template is a prompt that was read once and is filled in for each session.
type Template struct {
	Name   string // "review_first"
	Source string // file as shown to people, or "embedded"

	text   string
	agents map[string]Agent
	spawn  func(Agent) string
}

// Template reads a prompt and the agents that it calls. spawn words the order by which the session's agent has a
// reviewer run; the Agent that it gets has the whole task as its Body, filled in. Warnings name agents that are
// not there and options that have no effect.
func (c *Config) Template(name string, spawn func(Agent) string) (*Template, []Warning, error) {
	text, source, err := c.Prompt(name)
	if err != nil {
		return nil, nil, err
	}
	t := &Template{Name: name, Source: source, text: text, agents: map[string]Agent{}, spawn: spawn}
	if name == "make_plan" || !strings.Contains(text, "{{agent:") { // a plan is drafted by one alone
		return t, nil, nil
	}
	var warnings []Warning
	for _, called := range t.called() {
		a, warns, err := c.agent(called)
		switch {
		case err == nil:
			t.agents[called] = a
			warnings = append(warnings, warns...)
		case errors.Is(err, fs.ErrNotExist):
			warnings = append(warnings, c.noAgent(called, source))
		default:
			return nil, nil, err
		}
	}
	return t, warnings, nil
}

// noAgent is the warning for a reference to an agent that is not there.
func (c *Config) noAgent(name, source string) Warning {
	names := EmbeddedAgents()
	if all, _, err := c.Agents(); err == nil {
		names = names[:0]
		for _, a := range all {
			names = append(names, a.Name)
		}
	}
	return Warning{Origin: Origin{Name: source}, Text: fmt.Sprintf("agent %q not found, leaving reference unexpanded", name), Hint: DidYouMean(name, names, "")}
}

// Fill fills in variables and agents in one pass: what a value brings in is never filled in again. Unknown ones
// stay as they are. An agent's own text gets the variables that hold for the whole run, and no further agents.
func (t *Template) Fill(vars map[string]string) string {
	return expand(t.text, vars, func(name string) (string, bool) {
		a, ok := t.agents[name]
		if !ok {
			return "", false
		}
		base := map[string]string{}
		for name, value := range vars {
			if v, known := lookupVariable(name); !known || v.In == nil {
				base[name] = value
			}
		}
		a.Body = Expand(strings.TrimSpace(leadIn)+"\n\n"+a.Body, base)
		return t.spawn(a), true
	})
}

// Agents are those that the prompt calls and that are there, in the order of the text.
func (t *Template) Agents() []Agent {
	var list []Agent
	for _, name := range t.called() {
		if a, ok := t.agents[name]; ok {
			list = append(list, a)
		}
	}
	return list
}

// called are the names of the agents in the text, each once.
func (t *Template) called() []string {
	var names []string
	for _, m := range reference.FindAllStringSubmatch(t.text, -1) {
		if m[1] != "" && !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// reference matches {{agent:quality}} and {{PLAN_FILE}}.
var reference = regexp.MustCompile(`\{\{(?:agent:([A-Za-z0-9_-]+)|([A-Z][A-Z0-9_]*))\}\}`)

// Expand fills the variables {{NAME}} of a text, in one pass: what a value brings in is never expanded
// again. Unknown variables stay as they are.
func Expand(text string, vars map[string]string) string {
	return expand(text, vars, func(string) (string, bool) { return "", false })
}

func expand(text string, vars map[string]string, agent func(name string) (string, bool)) string {
	return reference.ReplaceAllStringFunc(text, func(ref string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(ref, "{{"), "}}")
		value, ok := vars[name]
		if called, isAgent := strings.CutPrefix(name, "agent:"); isAgent {
			value, ok = agent(called)
		}
		if !ok {
			return ref
		}
		return value
	})
}
