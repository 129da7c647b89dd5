package task

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralphex/internal/ralph/stable"
)

// PlanningResponse is what a planning session answered about a task. It decides nothing by itself: a decision counts once it stands
// in task-plan.json, plan.md, the iteration's result or the gate's evidence.
type PlanningResponse struct {
	Reasoning            string
	Approach             string
	Steps                []string
	Risks                []string
	SuggestedValidation  string
	Readiness            string // ready, needs_decomposition, blocked, needs_human_review; "" = not said
	ReadinessReason      string
	Atomicity            string // atomic, compound, epic, unknown; "" = not said
	EstimatedTaskCount   int    // 0 = not said
	SuggestedChildTasks  []SuggestedChild
	SuggestedAcceptance  []string
	SuggestedConstraints []string
	SkillsOrInputsUsed   []string
	Warnings             []string // what could not be read
	Object               *stable.Object
}

// ErrNoPlan says that a text holds no plan of a task.
var ErrNoPlan = errors.New(`no JSON object with "reasoning", "approach" or "steps" was found`)

var (
	readinessWords = []string{"ready", "needs_decomposition", "blocked", "needs_human_review"}
	atomicityWords = []string{"atomic", "compound", "epic", "unknown"}
)

// ParsePlanningResponse reads what a planning session said (parsePlanningResponse): the last fenced JSON object, or a text that is
// one. Children that can't be read are left out with a warning.
func ParsePlanningResponse(text string) (*PlanningResponse, error) {
	o := lastObject(text)
	if o == nil {
		return nil, ErrNoPlan
	}
	p := &PlanningResponse{Reasoning: stringIn(o, "reasoning"), Approach: stringIn(o, "approach"), Steps: texts(o, "steps"), Risks: texts(o, "risks"),
		SuggestedValidation: stringIn(o, "suggestedValidationCommand"), Readiness: wordAt(o, "readiness", readinessWords), ReadinessReason: stringIn(o, "readinessReason"),
		Atomicity: wordAt(o, "atomicity", atomicityWords), SuggestedAcceptance: texts(o, "suggestedAcceptance"), SuggestedConstraints: texts(o, "suggestedConstraints"),
		SkillsOrInputsUsed: texts(o, "skillsOrInputsUsed"), Object: o}
	if p.Reasoning == "" && p.Approach == "" && len(p.Steps) == 0 {
		return nil, ErrNoPlan
	}
	if n, _ := o.Get("estimatedTaskCount"); n != nil {
		if f, ok := n.(float64); ok && f > 0 && f < 1e6 {
			p.EstimatedTaskCount = int(f)
		}
	}
	v, _ := o.Get("suggestedChildTasks")
	list, ok := v.(*stable.Array)
	if !ok {
		return p, nil
	}
	for i, item := range list.Items {
		c, err := suggestedChild(item)
		if err != nil {
			p.Warnings = append(p.Warnings, fmt.Sprintf("suggested child %d was left out: %v", i+1, err))
			continue
		}
		p.SuggestedChildTasks = append(p.SuggestedChildTasks, c)
	}
	return p, nil
}

// suggestedChild reads a proposed task. What else is wrong with it is found when it is applied.
func suggestedChild(v any) (SuggestedChild, error) {
	o, ok := v.(*stable.Object)
	if !ok {
		return SuggestedChild{}, errors.New("it must be an object")
	}
	c := SuggestedChild{ID: stringIn(o, "id"), Title: stringIn(o, "title"), ParentID: stringIn(o, "parentId"), Validation: orNil(stringIn(o, "validation")),
		Rationale: stringIn(o, "rationale"), Acceptance: texts(o, "acceptance"), Constraints: texts(o, "constraints"), Context: texts(o, "context"),
		Tier: wordAt(o, "tier", tiers), DependsOn: []SuggestedDependency{}}
	for _, f := range []struct{ key, v string }{{"id", c.ID}, {"title", c.Title}, {"parentId", c.ParentID}} {
		if f.v == "" {
			return SuggestedChild{}, &FieldError{f.key, "a string that is not blank"}
		}
	}
	deps, _ := o.Get("dependsOn")
	list, ok := deps.(*stable.Array)
	if !ok {
		return c, nil
	}
	for _, d := range list.Items {
		on := SuggestedDependency{Reason: BlocksSequence}
		switch d := d.(type) {
		case string:
			on.TaskID = stable.Trim(d)
		case *stable.Object:
			on.TaskID = stringIn(d, "taskId")
			if r := wordAt(d, "reason", []DependencyReason{BlocksSequence, InheritsParentDependency}); r != "" {
				on.Reason = r
			}
		}
		if on.TaskID == "" {
			return SuggestedChild{}, errors.New(`an entry of "dependsOn" names no task`)
		}
		c.DependsOn = append(c.DependsOn, on)
	}
	return c, nil
}

func stringIn(o *stable.Object, key string) string { return text(o, key) }

// lastObject finds the last fenced block of a text that is a JSON object, or takes the text for one; nil if there is none.
func lastObject(text string) *stable.Object {
	blocks := fenced(text)
	slices.Reverse(blocks)
	for _, b := range append(blocks, text) {
		if o, err := stable.ParseObject([]byte(b)); err == nil {
			return o
		}
	}
	return nil
}

// fenced are the contents of the fenced blocks of a text that are marked json, or not marked.
func fenced(text string) []string {
	var out []string
	var block []string
	fence, wanted := "", false
	for line := range strings.Lines(text) {
		s := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(s, "```"):
			info := strings.TrimLeft(s, "`")
			fence, block = s[:len(s)-len(info)], nil
			wanted = info == "" || strings.EqualFold(strings.TrimSpace(info), "json")
		case fence != "" && strings.HasPrefix(s, fence) && strings.Trim(s, "`") == "":
			if wanted {
				out = append(out, strings.Join(block, ""))
			}
			fence = ""
		case fence != "":
			block = append(block, line)
		}
	}
	return out
}
