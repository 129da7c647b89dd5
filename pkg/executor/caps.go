package executor

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Describer is an Executor that says what it can. All agents with a CLI are.
type Describer interface {
	Caps() Caps
	// Spawn is the text by which a prompt asks this agent to have a reviewer run, or to review itself where it has no
	// sub-agents.
	Spawn(Reviewer) string
	// EnvRules make its environment.
	EnvRules() EnvRules
}

// Director is an agent that has to be told some things first, whatever the prompt says.
type Director interface {
	// Directives is a paragraph for the head of the prompt of that name ("task", "review_first"); empty = none.
	Directives(prompt string) string
}

// Versioned is an agent whose command says its version.
type Versioned interface {
	Version(context.Context) (string, error)
}

// modelChecker is an agent that knows better than its Caps which models and efforts it takes.
type modelChecker interface {
	CheckModel(model, effort string) error
}

// Caps is what an agent's CLI can, as data.
type Caps struct {
	Resume     bool     // a session can be gone on with by its id (Request.Resume)
	SubAgents  string   // what starts a sub-agent: the name of its tool; empty = it has none
	Models     []string // names that are known, for help
	AnyModel   bool     // names beside Models are passed on as they are
	Efforts    []string // levels of effort, weakest first; empty = it takes none
	AnyEffort  bool     // others are passed on as they are: a wrapper whose levels we can't know
	Usage      string   // what it reports: "tokens", "tokens and dollars"; empty = nothing
	Sandboxes  []string // modes of a sandbox of its own; empty = none
	Background bool     // a turn can end while commands of it run, and the stream says so
}

// String lists what it can, for a person.
func (c Caps) String() string {
	var can []string
	add := func(ok bool, what string) {
		if ok {
			can = append(can, what)
		}
	}
	add(c.Resume, "resume")
	add(c.SubAgents != "", "sub-agents")
	add(c.Background, "background tasks")
	add(len(c.Efforts) > 0, "effort "+strings.Join(c.Efforts, "|"))
	add(len(c.Sandboxes) > 0, "sandbox "+strings.Join(c.Sandboxes, "|"))
	add(c.Usage != "", "reports "+c.Usage)
	if len(can) == 0 {
		return "no model to choose, no resume, reports nothing"
	}
	return strings.Join(can, ", ")
}

// CheckModel tells whether the agent can be asked for this model and effort. The error lists what is known.
func (c Caps) CheckModel(agent, model, effort string) error {
	if model != "" && !c.AnyModel && !slices.Contains(c.Models, model) {
		return &ModelError{Agent: agent, What: "model", Value: model, Known: c.Models}
	}
	if effort != "" && !c.AnyEffort && !slices.Contains(c.Efforts, effort) {
		return &ModelError{Agent: agent, What: "effort", Value: effort, Known: c.Efforts}
	}
	return nil
}

// CheckModel asks an executor whether it can be asked for this model and effort; one that doesn't describe itself can.
func CheckModel(e Executor, model, effort string) error {
	if c, ok := e.(modelChecker); ok {
		return c.CheckModel(model, effort)
	}
	if d, ok := e.(Describer); ok {
		return d.Caps().CheckModel(e.Name(), model, effort)
	}
	return nil
}

// ModelError says that an agent can't be asked for a model or an effort.
type ModelError struct {
	Agent, What, Value string
	Known              []string
}

func (e *ModelError) Error() string {
	return fmt.Sprintf("%s knows no %s %q", e.Agent, e.What, e.Value)
}

// Hint lists what is known.
func (e *ModelError) Hint() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("leave the %s out: %s takes none (task_model = MODEL:EFFORT)", e.What, e.Agent)
	}
	return fmt.Sprintf("take one of these: %s (task_model = MODEL:EFFORT)", strings.Join(e.Known, ", "))
}

// Reviewer is somebody whom an agent is asked to have review a change.
type Reviewer struct {
	Name  string // "quality"
	Type  string // kind of sub-agent; empty = the agent's usual one
	Model string // empty = the agent's own choice
	Task  string // what to do, whole
}

// findingsOnly ends each order to review.
const findingsOnly = "Report findings only - no positive observations."

// quoted keeps a text in double quotes together.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// SpawnWith is the order to run a reviewer by a tool that takes a text. Within its quotes the text is escaped, so that one of its own ends nothing.
func (r Reviewer) SpawnWith(tool string) string {
	kind, model := r.Type, ""
	if kind == "" {
		kind = "general-purpose"
	}
	if r.Model != "" {
		model = " with model=" + r.Model
	}
	return fmt.Sprintf("Use the %s tool%s to launch a %s agent with this prompt:\n\"%s\"\n\n%s", tool, model, kind, quoted.Replace(r.Task), findingsOnly)
}

// ReviewYourself is the order for an agent without sub-agents.
func (r Reviewer) ReviewYourself() string {
	return fmt.Sprintf("Take the part of the reviewer %q now, before you go on, and do this yourself, as if you had not written the code:\n%s\n\n%s", r.Name, r.Task, findingsOnly)
}
