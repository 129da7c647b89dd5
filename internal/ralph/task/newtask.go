package task

import (
	"slices"

	"ralphex/internal/ralph/stable"
)

// Draft is a task that a producer proposes: loose, as a model or a form gave it. It becomes a Task through NormalizeNew.
type Draft = stable.Object

// NewOptions says what NormalizeNew may fill in.
type NewOptions struct {
	Status Status // for a draft without a status; "" = todo
	Parent *Task  // what mode, tier and validation are inherited from where the draft has none; nil = nothing is
}

// NormalizeNew makes a task of a draft (normalizeNewTask). Every producer goes through it, so that whatever one knows survives, and
// looks the same whoever it came from:
//
//  1. rationale is notes, suggestedValidationCommand is validation, where those are absent
//  2. a dependency {"taskId": …} is its id
//  3. null is absent
//  4. a missing status is todo, or what the options say
//  5. misspelled keys are corrected
//  6. mode, tier and validation come from the parent, if there is one
//  7. the coercion of every task that is read
//
// The draft stays as it is. The error is a *FieldError.
func NormalizeNew(draft *Draft, o NewOptions) (Task, error) {
	d := draft.Clone()
	for _, key := range d.Keys() {
		if v, _ := d.Get(key); v == nil {
			d.Delete(key)
		}
	}
	alias(d, "rationale", "notes")
	alias(d, "suggestedValidationCommand", "validation")
	if _, ok := d.Get("status"); !ok {
		d.Set("status", string(firstOf(o.Status, Todo)))
	}
	correct(d)
	flatten(d) // behind the correction, so that "dependencies": [{"taskId": …}] is not lost
	if p := o.Parent; p != nil {
		inherit(d, "mode", string(p.Mode))
		inherit(d, "tier", string(p.Tier))
		inherit(d, "validation", p.Validation)
	}
	return normalize(d)
}

func alias(d *Draft, from, to string) {
	v, ok := d.Get(from)
	if !ok {
		return
	}
	if _, there := d.Get(to); !there {
		d.Set(to, v)
	}
	d.Delete(from)
}

func inherit(d *Draft, key, v string) {
	if _, there := d.Get(key); !there && v != "" {
		d.Set(key, v)
	}
}

// flatten makes ids of structured dependencies.
func flatten(d *Draft) {
	v, _ := d.Get("dependsOn")
	list, ok := v.(*stable.Array)
	if !ok {
		return
	}
	items := slices.Clone(list.Items)
	for i, item := range items {
		if o, ok := item.(*stable.Object); ok {
			items[i], _ = o.Get("taskId")
		}
	}
	d.Set("dependsOn", &stable.Array{Items: items})
}

func firstOf(a, b Status) Status {
	if a != "" {
		return a
	}
	return b
}

// DraftOf is a task as a draft, for producers that have one already.
func DraftOf(t Task) *Draft {
	d := t.Stable().(*stable.Object)
	for _, key := range d.Keys() {
		if v, _ := d.Get(key); v != nil {
			if list, ok := v.([]string); ok {
				d.Set(key, array(list))
			}
		}
	}
	return d
}

func array(list []string) *stable.Array {
	a := &stable.Array{Items: make([]any, len(list))}
	for i, s := range list {
		a.Items[i] = s
	}
	return a
}

// draft is the suggestion as a draft. Its status is todo whatever was suggested, and its mode is the parent's.
func (s *SuggestedChild) draft() *Draft {
	d := new(Draft)
	d.Set("id", s.ID)
	d.Set("title", s.Title)
	d.Set("status", string(Todo))
	d.Set("parentId", s.ParentID)
	var ids []string
	for _, on := range s.DependsOn {
		ids = append(ids, on.TaskID)
	}
	d.Set("dependsOn", array(ids))
	if s.Validation != nil {
		d.Set("validation", *s.Validation)
	}
	d.Set("rationale", s.Rationale)
	d.Set("acceptance", array(s.Acceptance))
	d.Set("constraints", array(s.Constraints))
	d.Set("context", array(s.Context))
	if s.Tier != "" {
		d.Set("tier", string(s.Tier))
	}
	return d
}
