package iteration

import (
	"errors"
	"fmt"

	"ralphex/internal/ralph/stable"
	"ralphex/internal/ralph/task"
)

// children are proposed tasks as they are written.
func children(all []task.SuggestedChild) []any {
	out := make([]any, len(all))
	for i, c := range all {
		deps := make([]any, len(c.DependsOn))
		for j, d := range c.DependsOn {
			deps[j] = stable.NewObject("taskId", d.TaskID, "reason", string(d.Reason))
		}
		validation := any(nil)
		if c.Validation != nil {
			validation = *c.Validation
		}
		o := stable.NewObject("id", c.ID, "title", c.Title, "parentId", c.ParentID, "dependsOn", deps, "validation", validation, "rationale", c.Rationale)
		for _, f := range []struct {
			key    string
			values []string
		}{{"acceptance", c.Acceptance}, {"constraints", c.Constraints}, {"context", c.Context}} {
			if len(f.values) > 0 {
				o.Set(f.key, f.values)
			}
		}
		if c.Tier != "" {
			o.Set("tier", string(c.Tier))
		}
		out[i] = o
	}
	return out
}

// mostChildren is how many tasks one report may propose.
const mostChildren = 10

// readChildren reads proposed tasks; one that is not whole makes all of them invalid.
func readChildren(v any) ([]task.SuggestedChild, error) {
	a, ok := v.(*stable.Array)
	if !ok {
		return nil, errors.New(`"suggestedChildTasks" must be an array`)
	}
	if len(a.Items) > mostChildren {
		return nil, fmt.Errorf(`"suggestedChildTasks" has %d entries; at most %d are taken`, len(a.Items), mostChildren)
	}
	var out []task.SuggestedChild
	for i, item := range a.Items {
		c, err := readChild(item)
		if err != nil {
			return nil, fmt.Errorf(`"suggestedChildTasks", entry %d: %w`, i+1, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func readChild(v any) (c task.SuggestedChild, err error) {
	o, ok := v.(*stable.Object)
	if !ok {
		return c, errors.New("it must be an object")
	}
	for _, f := range []struct {
		key  string
		into *string
	}{{"id", &c.ID}, {"title", &c.Title}, {"parentId", &c.ParentID}, {"rationale", &c.Rationale}} {
		if *f.into = stable.Trim(o.Text(f.key)); *f.into == "" {
			return c, fmt.Errorf("%q must be a string that is not blank", f.key)
		}
	}
	switch v, there := o.Get("validation"); v := v.(type) {
	case string:
		if s := stable.Trim(v); s != "" {
			c.Validation = &s
		}
	default:
		if !there || v != nil {
			return c, errors.New(`"validation" must be there, a string or null`)
		}
	}
	deps, ok := first(o, "dependsOn", "dependencies", "depends_on").(*stable.Array)
	if !ok {
		return c, errors.New(`"dependsOn" must be an array`)
	}
	c.DependsOn = []task.SuggestedDependency{}
	for _, item := range deps.Items {
		d, ok := item.(*stable.Object)
		reason := task.DependencyReason(d.Text("reason"))
		on := task.SuggestedDependency{TaskID: stable.Trim(d.Text("taskId")), Reason: reason}
		if !ok || on.TaskID == "" || reason != task.BlocksSequence && reason != task.InheritsParentDependency {
			return c, fmt.Errorf(`an entry of "dependsOn" must be {"taskId", "reason"} with the reason %s or %s`, task.BlocksSequence, task.InheritsParentDependency)
		}
		c.DependsOn = append(c.DependsOn, on)
	}
	c.Acceptance = texts(first(o, "acceptance", "acceptanceCriteria", "acceptance_criteria"))
	c.Constraints = texts(first(o, "constraints", "guardrails", "guard_rails"))
	c.Context = texts(first(o, "context", "files", "relevantFiles", "relevant_files"))
	if t := task.Tier(o.Text("tier")); t == task.Simple || t == task.Medium || t == task.Complex {
		c.Tier = t
	}
	return c, nil
}

// first is the value of the first key that is there.
func first(o *stable.Object, keys ...string) any {
	for _, key := range keys {
		if v, ok := o.Get(key); ok {
			return v
		}
	}
	return nil
}

// texts are the strings of an array that are not blank, trimmed.
func texts(v any) (out []string) {
	a, ok := v.(*stable.Array)
	if !ok {
		return nil
	}
	for _, item := range a.Items {
		if s, ok := item.(string); ok && stable.Trim(s) != "" {
			out = append(out, stable.Trim(s))
		}
	}
	return out
}
