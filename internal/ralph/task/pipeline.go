package task

import "fmt"

// PipelineStep is one piece of what a pipeline is made of: a section of a PRD, a task of a plan.
type PipelineStep struct {
	Key        string // what the id ends in; "" = the step's number
	Title      string
	Notes      string
	Validation string
	Acceptance []string
	Context    []string
}

// BuildPipelineRoot is the draft of a pipeline's root (buildPipelineRootTask). It has exactly id, title and notes: the scaffold knows
// no more at that time.
func BuildPipelineRoot(id, title, notes string) *Draft {
	d := new(Draft)
	d.Set("id", id)
	d.Set("title", title)
	if notes != "" {
		d.Set("notes", notes)
	}
	return d
}

// BuildPipelineChildren proposes the steps as children of a root, each waiting for the one before (buildPipelineChildTasks). after is
// the id of a child that is there already and that the first one waits for, "" = none.
func BuildPipelineChildren(root, after string, steps []PipelineStep) []SuggestedChild {
	var out []SuggestedChild
	for i, s := range steps {
		key := s.Key
		if key == "" {
			key = fmt.Sprint(i + 1)
		}
		c := SuggestedChild{ID: root + "." + key, Title: s.Title, ParentID: root, DependsOn: []SuggestedDependency{}, Validation: orNil(s.Validation),
			Rationale: s.Notes, Acceptance: s.Acceptance, Context: s.Context}
		if i > 0 {
			after = out[i-1].ID
		}
		if after != "" {
			c.DependsOn = append(c.DependsOn, SuggestedDependency{TaskID: after, Reason: BlocksSequence})
		}
		out = append(out, c)
	}
	return out
}
