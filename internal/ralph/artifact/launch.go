package artifact

import (
	"fmt"
	"time"

	"ralphex/internal/ralph/stable"
)

// Inputs are the parts that a prompt was made of.
type Inputs struct {
	Strategy, Preflight []string
	Objective           string
	Repo                []string
	RepoSnapshot        *stable.Object // nil = an empty one
	Runtime             []string
	TaskPlan            []string // nil = left out
	Structure           string   // left out where empty
	Task, Progress      []string
	PriorIteration      []string
	Rules, Contract     []string // operating rules, execution contract
	FinalResponse       []string
}

// Measures are what is known of the prompt's size and make; nil ones are left out.
type Measures struct {
	CacheStats, Memory, Budget *stable.Object
}

// Evidence is prompt-evidence.json: what the prompt was made of, and why it is this one.
func (it Iteration) Evidence(promptBytes int, in Inputs, m Measures) *stable.Object {
	r := &stable.Record{}
	r.Put("schemaVersion", 1).Put("provenanceId", it.ProvenanceID).Put("iteration", it.Paths.Number).Put("kind", it.Kind).Put("target", it.Target)
	r.Put("templatePath", it.Template).Put("selectionReason", it.Reason).Null("selectedTaskId", it.TaskID)
	it.Validation.put(r)
	r.Null("validationCommand", it.Validation.Effective).Put("promptByteLength", promptBytes)
	for _, opt := range []struct {
		key string
		o   *stable.Object
	}{{"promptCacheStats", m.CacheStats}, {"memoryObservability", m.Memory}, {"promptBudget", m.Budget}} {
		if opt.o != nil {
			r.Put(opt.key, opt.o)
		}
	}
	return &r.Put("inputs", in.record(it.Policy)).Object
}

func (in Inputs) record(p Policy) *stable.Object {
	snapshot := in.RepoSnapshot
	if snapshot == nil {
		snapshot = &stable.Object{}
	}
	r := &stable.Record{}
	r.Put("rootPolicy", p).Put("strategyContext", in.Strategy).Put("preflightContext", in.Preflight).Put("objectiveContext", in.Objective)
	r.Put("repoContext", in.Repo).Put("repoContextSnapshot", snapshot).Put("runtimeContext", in.Runtime)
	if in.TaskPlan != nil {
		r.Put("taskPlanContext", in.TaskPlan)
	}
	r.Opt("structureContext", in.Structure).Put("taskContext", in.Task).Put("progressContext", in.Progress)
	r.Put("priorIterationContext", in.PriorIteration).Put("operatingRules", in.Rules).Put("executionContract", in.Contract)
	return &r.Put("finalResponseContract", in.FinalResponse).Object
}

// Omitted is an artifact that the agent was not shown, and why.
type Omitted struct{ Path, Reason string }

// Envelope is context-envelope.json: which artifacts the agent was shown, and which not. source is preset, crew or explicit.
func (it Iteration) Envelope(role, source string, exposed []string, omitted []Omitted) *stable.Object {
	list := []any{}
	for _, o := range omitted {
		r := &stable.Record{}
		list = append(list, &r.Put("path", o.Path).Put("reason", o.Reason).Object)
	}
	r := &stable.Record{}
	r.Put("iterationId", it.ProvenanceID).Put("agentRole", role).Put("exposedArtifacts", exposed)
	return &r.Put("omittedArtifacts", list).Put("policySource", source).Object
}

// Plan is execution-plan.json: what is about to be executed, bound to the bytes of the prompt.
func (it Iteration) Plan(promptHash string, promptBytes int, now time.Time) *stable.Object {
	r := &stable.Record{}
	r.Put("schemaVersion", 1).Put("kind", "executionPlan").Put("agentId", it.AgentID).Put("provenanceId", it.ProvenanceID).Put("iteration", it.Paths.Number)
	r.Null("selectedTaskId", it.TaskID).Null("selectedTaskTitle", it.TaskTitle)
	it.Validation.put(r)
	r.Put("promptKind", it.Kind).Put("promptTarget", it.Target).Put("selectionReason", it.Reason).Put("rootPolicy", it.Policy).Put("templatePath", it.Template)
	r.Put("promptPath", it.PromptFile).Put("promptArtifactPath", it.Paths.Prompt).Put("promptEvidencePath", it.Paths.PromptEvidence)
	r.Put("promptHash", promptHash).Put("promptByteLength", promptBytes).Put("artifactDir", it.Paths.Dir)
	return &r.Put("createdAt", stable.Time(now)).Object
}

// ReadPlan returns what a launch needs of an execution plan.
func ReadPlan(data []byte) (promptPath, promptHash string, err error) {
	o, err := stable.ParseObject(data)
	if err != nil {
		return "", "", err
	}
	if kind := o.Text("kind"); kind != "executionPlan" {
		return "", "", fmt.Errorf("kind is %q, expected executionPlan", kind)
	}
	return o.Text("promptArtifactPath"), o.Text("promptHash"), nil
}

// Invocation is cli-invocation.json: the process that was started.
type Invocation struct {
	Command     string
	Args        []string
	Effort      string // reasoning effort; empty = none was asked for
	PromptHash  string
	PromptBytes int
	StdinHash   string // of the bytes that were handed over
	At          time.Time
}

// Invocation returns the record. It names itself, so that cleanups spare it while it is the latest.
func (it Iteration) Invocation(v Invocation) *stable.Object {
	r := it.invoked("cliInvocation", it.Paths.Prompt, v)
	return &r.Put("transcriptPath", it.Transcript).Put("lastMessagePath", it.LastMessage).Put("createdAt", stable.Time(v.At)).Put("cliInvocationPath", it.Paths.CLIInvocation).Object
}

// PlanningInvocation is the record of the planning session, which was handed the file at prompt: planning-invocation.json.
func (it Iteration) PlanningInvocation(prompt string, v Invocation) *stable.Object {
	return &it.invoked("planningInvocation", prompt, v).Put("createdAt", stable.Time(v.At)).Object
}

func (it Iteration) invoked(kind, prompt string, v Invocation) *stable.Record {
	r := &stable.Record{}
	r.Put("schemaVersion", 1).Put("kind", kind).Put("agentId", it.AgentID).Put("provenanceId", it.ProvenanceID).Put("iteration", it.Paths.Number)
	r.Put("commandPath", v.Command).Put("args", v.Args).Null("reasoningEffort", v.Effort)
	r.Put("workspaceRoot", it.Policy.Workspace).Put("rootPolicy", it.Policy).Put("promptArtifactPath", prompt)
	return r.Put("promptHash", v.PromptHash).Put("promptByteLength", v.PromptBytes).Put("stdinHash", v.StdinHash)
}
