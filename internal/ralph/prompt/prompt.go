package prompt

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/iteration"
	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/state"
	"ralphex/internal/ralph/task"
)

// Input is what a prompt is made of.
type Input struct {
	Kind   iteration.Kind
	Target string // artifact.CLIExec or artifact.IDEHandoff
	Reason string // of iteration.ChooseKind
	Role   string // of the agent; "" = it does tasks
	Usable bool   // the task graph has no error

	Task      *task.Task  // nil = none is selected
	Parents   []task.Task // above it, nearest first
	Plan      []string    // lines of the plan of the task
	Command   string      // effective validation command; "" = none
	Proposal  string      // file that takes the tasks of a replenishment; "" = the last message does
	Objective string      // the PRD
	Progress  string      // the log
	Preflight []string
	Repo      []string
	Snapshot  *stable.Object // of the repository, for the evidence; nil = an empty one
	Structure string
	Runtime   []string

	History   []state.Iteration // oldest first
	Note      string            // of the session before; "" = none
	Diagnosis string            // of the failure before; "" = none
	Memory    Memory

	Template Template // zero = the built-in one
	Budget   Budget
}

// Prompt is what an agent gets, and what is known of it.
type Prompt struct {
	Text     string
	Inputs   artifact.Inputs
	Measures artifact.Measures

	Selected []string // keys of the parts that are in it, as promptBudget names them
	Omitted  []string // of those that the budget left out
}

// section is a part of a prompt.
type section struct {
	key, placeholder, title string
	required                bool // it is never left out
}

// sections are the parts that a budget knows, in the order of a prompt.
var sections = []section{
	{"strategyContext", "strategy_context", "Strategy", true},
	{"operatingRules", "operating_rules", "Operating Rules", true},
	{"executionContract", "execution_contract", "Execution Contract", true},
	{"finalResponseContract", "final_response_contract", "Final Response", true},
	{"preflightContext", "preflight_context", "Preflight", true},
	{"objectiveContext", "objective_context", "Objective", true},
	{"repoContext", "repo_context", "Repository", false},
	{"structureContext", "structure_context", "Structure", false},
	{"runtimeContext", "runtime_context", "Runtime", false},
	{"taskContext", "task_context", "Selected Task", true},
	{"taskPlanContext", "task_plan_context", "Plan of the Task", false},
	{"progressContext", "progress_context", "Progress So Far", false},
	{"priorIterationContext", "prior_iteration_context", "Prior Iterations", false},
}

// placeholders are all that a template may hold.
var placeholders = append([]string{"prompt_title", "prompt_intro", "template_selection_reason"}, names()...)

func names() (out []string) {
	for _, s := range sections {
		out = append(out, s.placeholder)
	}
	return out
}

// How much of the durable texts goes into a prompt, in UTF-16 units: a prompt stays compact, and whoever works can read the files.
const (
	mostObjective = 3000
	mostProgress  = 1200
	mostStructure = 800
)

// Render makes the prompt. It is a pure function.
func Render(in Input) Prompt {
	if in.Template.Text == "" {
		in.Template = Template{Text: builtin}
	}
	objective := excerpt(in.Objective, mostObjective)
	parts := map[string][]string{
		"prompt_title": {"Ralph Prompt: " + string(in.Kind)}, "prompt_intro": {in.intro()}, "template_selection_reason": {in.Reason},
		"strategy_context": in.strategy(), "operating_rules": in.rules(), "execution_contract": in.contract(), "final_response_contract": in.final(),
		"preflight_context": in.Preflight, "objective_context": lines(objective), "repo_context": in.Repo, "structure_context": lines(excerpt(in.Structure, mostStructure)),
		"runtime_context": in.Runtime, "task_context": in.task(), "task_plan_context": in.Plan, "progress_context": tail(in.Progress, mostProgress),
		"prior_iteration_context": in.prior(),
	}
	full := map[string][]string{}
	for name, part := range parts {
		full[name] = part
	}
	text := stable.Text(stable.Visible(in.Template.fill(parts), false))
	omitted := []string{}
	for _, key := range policies[in.Kind].omission {
		if tokensOf(text) <= in.Budget.tokens(in.Kind, in.Target) {
			break
		}
		name := placeholderOf(key)
		if len(parts[name]) == 0 {
			continue
		}
		parts[name], omitted = nil, append(omitted, key)
		text = stable.Text(stable.Visible(in.Template.fill(parts), false))
	}
	selected := []string{}
	for _, s := range sections {
		if len(parts[s.placeholder]) > 0 {
			selected = append(selected, s.key)
		}
	}
	m := artifact.Measures{Budget: in.Budget.record(in, text, selected, omitted), Memory: in.Memory.record(in.History)}
	prefix := strings.Index(text, stableEnd)
	m.CacheStats = stable.NewObject("staticPrefixBytes", max(prefix, 0), "cacheHit", nil)
	return Prompt{text, in.inputs(full), m, selected, omitted}
}

// inputs are the parts before anything was left out.
func (in Input) inputs(parts map[string][]string) artifact.Inputs {
	out := func(name string) []string { return slices.Concat([]string{}, parts[name]) }
	i := artifact.Inputs{Strategy: out("strategy_context"), Preflight: out("preflight_context"), Objective: strings.Join(parts["objective_context"], "\n"),
		Repo: out("repo_context"), RepoSnapshot: in.Snapshot, Runtime: out("runtime_context"), Structure: strings.Join(parts["structure_context"], "\n"),
		Task: out("task_context"), Progress: out("progress_context"), PriorIteration: out("prior_iteration_context"), Rules: out("operating_rules"),
		Contract: out("execution_contract"), FinalResponse: out("final_response_contract")}
	if len(in.Plan) > 0 {
		i.TaskPlan = in.Plan
	}
	return i
}

func placeholderOf(key string) string {
	for _, s := range sections {
		if s.key == key {
			return s.placeholder
		}
	}
	return ""
}

func (in Input) task() []string {
	if in.Task == nil {
		return []string{"- None is selected."}
	}
	t := in.Task
	out := []string{"- Id: " + stable.OneLine(t.ID), "- Title: " + stable.OneLine(t.Title)}
	for _, f := range []struct{ label, value string }{{"Notes", t.Notes}, {"Blocker", t.Blocker}, {"Validation command", in.Command}} {
		if f.value != "" {
			out = append(out, "- "+f.label+": "+below(f.value))
		}
	}
	for _, f := range []struct {
		label  string
		values []string
	}{{"Acceptance", t.Acceptance}, {"Constraint", t.Constraints}, {"Context", t.Context}} {
		for _, v := range f.values {
			out = append(out, "- "+f.label+": "+below(v))
		}
	}
	for _, p := range in.Parents {
		out = append(out, fmt.Sprintf("- Part of: %s (%s)", stable.OneLine(p.ID), stable.OneLine(p.Title)))
	}
	return out
}

// below sets the further lines of a text in, so that they stay in its bullet: what a task says makes no section of the prompt, and closes no fence of it.
func below(s string) string { return strings.ReplaceAll(s, "\n", "\n  ") }

// lines are those of a text; a blank one has none.
func lines(s string) []string {
	if stable.Trim(s) == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// excerpt is the beginning of a text.
func excerpt(s string, most int) string {
	s = stable.Trim(s)
	if stable.UTF16Len(s) <= most {
		return s
	}
	return stable.CutUTF16(s, most) + "\n(cut here; the file has the rest)"
}

// tail is the end of a text, in whole lines.
func tail(s string, most int) []string {
	all := lines(stable.Trim(s))
	n := 0
	for i := len(all) - 1; i >= 0; i-- {
		if n += stable.UTF16Len(all[i]) + 1; n > most {
			return all[i+1:]
		}
	}
	return all
}
