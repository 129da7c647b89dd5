package task

import "ralphex/internal/ralph/stable"

// Stringify is the file as it is written: version 2, keys in their order, nothing that is absent (stringifyTaskFile). Equal graphs
// give equal bytes.
func Stringify(f *File) []byte { return stable.Marshal(f) }

// Stable is the file as a value of package stable.
func (f *File) Stable() any {
	o := new(stable.Object)
	o.Set("version", 2)
	list := make([]any, len(f.Tasks))
	for i := range f.Tasks {
		list[i] = f.Tasks[i].Stable()
	}
	o.Set("tasks", list)
	if f.MutationCount != nil {
		o.Set("mutationCount", *f.MutationCount)
	}
	return o
}

// Stable is the task as a value of package stable, without its source location.
func (t *Task) Stable() any {
	o := new(stable.Object)
	o.Set("id", t.ID)
	o.Set("title", t.Title)
	o.Set("status", string(t.Status))
	put(o, "parentId", t.ParentID)
	putList(o, "dependsOn", t.DependsOn)
	put(o, "notes", t.Notes)
	put(o, "validation", t.Validation)
	put(o, "blocker", t.Blocker)
	put(o, "priority", t.Priority)
	put(o, "mode", t.Mode)
	put(o, "tier", t.Tier)
	putList(o, "acceptance", t.Acceptance)
	putList(o, "constraints", t.Constraints)
	putList(o, "context", t.Context)
	putList(o, "writeRiskLabels", t.WriteRiskLabels)
	put(o, "lastVerifierResult", t.LastVerifierResult)
	put(o, "lastReconciliationWarning", t.LastReconciliationWarning)
	return o
}

func put[T ~string](o *stable.Object, key string, v T) {
	if v != "" {
		o.Set(key, string(v))
	}
}

func putList(o *stable.Object, key string, list []string) {
	if len(list) > 0 {
		o.Set(key, list)
	}
}
