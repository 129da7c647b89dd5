package task

import (
	"fmt"
	"slices"

	"ralphex/internal/ralph/stable"
)

// FieldError says what is wrong with a required field.
type FieldError struct {
	Field string
	Want  string // what was expected
}

func (e *FieldError) Error() string { return fmt.Sprintf("field %q must be %s", e.Field, e.Want) }

// normalize reads one entry (normalizeTask). It coerces, and never makes a value up: what the entry does not have stays absent, and
// so does what has a wrong type, an unknown word or only blanks. Keys are matched exactly; unknown ones are left behind.
func normalize(o *stable.Object) (Task, error) {
	var t Task
	var err error
	if t.ID, err = required(o, "id"); err != nil {
		return Task{}, err
	}
	if t.Title, err = required(o, "title"); err != nil {
		return Task{}, err
	}
	status, _ := o.Get("status")
	s, _ := status.(string)
	if t.Status = Status(s); !slices.Contains(Statuses, t.Status) {
		return Task{}, &FieldError{"status", `one of "todo", "in_progress", "blocked", "done"`}
	}
	t.ParentID = text(o, "parentId")
	t.DependsOn = unique(texts(o, "dependsOn"))
	t.Notes = text(o, "notes")
	t.Validation = text(o, "validation")
	t.Blocker = text(o, "blocker")
	t.Priority = word(o, "priority", priorities)
	t.Mode = word(o, "mode", modes)
	t.Tier = word(o, "tier", tiers)
	t.Acceptance = texts(o, "acceptance")
	t.Constraints = texts(o, "constraints")
	t.Context = texts(o, "context")
	t.WriteRiskLabels = texts(o, "writeRiskLabels")
	t.LastVerifierResult = word(o, "lastVerifierResult", verifiers)
	t.LastReconciliationWarning = text(o, "lastReconciliationWarning")
	return t, nil
}

func required(o *stable.Object, key string) (string, error) {
	v, _ := o.Get(key)
	s, ok := v.(string)
	if s = stable.Trim(s); !ok || s == "" {
		return "", &FieldError{key, "a string that is not blank"}
	}
	return s, nil
}

// text reads an optional string, trimmed. Nothing but a string is one.
func text(o *stable.Object, key string) string {
	v, _ := o.Get(key)
	s, _ := v.(string)
	return stable.Trim(s)
}

// texts reads an optional list of strings: those that are strings, trimmed, without blank ones. A lone string is no list.
func texts(o *stable.Object, key string) []string {
	v, _ := o.Get(key)
	list, ok := v.(*stable.Array)
	if !ok {
		return nil
	}
	var out []string
	for _, item := range list.Items {
		if s, ok := item.(string); ok {
			if s = stable.Trim(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// word reads an optional word of a fixed set.
func word[T ~string](o *stable.Object, key string, known []T) T {
	v, _ := o.Get(key)
	s, _ := v.(string)
	if !slices.Contains(known, T(s)) {
		return ""
	}
	return T(s)
}

// unique drops repeated strings and keeps the first of each.
func unique(list []string) []string {
	if len(list) < 2 {
		return list
	}
	out := list[:0:0]
	const short = 16
	if len(list) <= short {
		for _, s := range list {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		return out
	}
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
