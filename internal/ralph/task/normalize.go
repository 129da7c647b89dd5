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
	for key, v := range o.All() { // one walk: a backlog has ten thousand entries
		switch key {
		case "id":
			t.ID = trimmed(v)
		case "title":
			t.Title = trimmed(v)
		case "status":
			t.Status = word(v, Statuses)
		case "parentId":
			t.ParentID = trimmed(v)
		case "dependsOn":
			t.DependsOn = unique(list(v))
		case "notes":
			t.Notes = trimmed(v)
		case "validation":
			t.Validation = trimmed(v)
		case "blocker":
			t.Blocker = trimmed(v)
		case "priority":
			t.Priority = word(v, priorities)
		case "mode":
			t.Mode = word(v, modes)
		case "tier":
			t.Tier = word(v, tiers)
		case "acceptance":
			t.Acceptance = list(v)
		case "constraints":
			t.Constraints = list(v)
		case "context":
			t.Context = list(v)
		case "writeRiskLabels":
			t.WriteRiskLabels = list(v)
		case "lastVerifierResult":
			t.LastVerifierResult = word(v, verifiers)
		case "lastReconciliationWarning":
			t.LastReconciliationWarning = trimmed(v)
		}
	}
	switch {
	case t.ID == "":
		return Task{}, &FieldError{"id", "a string that is not blank"}
	case t.Title == "":
		return Task{}, &FieldError{"title", "a string that is not blank"}
	case t.Status == "":
		return Task{}, &FieldError{"status", `one of "todo", "in_progress", "blocked", "done"`}
	}
	return t, nil
}

// trimmed is a string without blanks around it. Nothing but a string is one.
func trimmed(v any) string {
	s, _ := v.(string)
	return stable.Trim(s)
}

// text reads an optional string.
func text(o *stable.Object, key string) string {
	v, _ := o.Get(key)
	return trimmed(v)
}

// texts reads an optional list of strings.
func texts(o *stable.Object, key string) []string {
	v, _ := o.Get(key)
	return list(v)
}

// list is those items of a list that are strings, trimmed, without blank ones. A lone string is no list.
func list(v any) []string {
	a, ok := v.(*stable.Array)
	if !ok {
		return nil
	}
	var out []string
	for _, item := range a.Items {
		if s := trimmed(item); s != "" {
			if out == nil {
				out = make([]string, 0, len(a.Items))
			}
			out = append(out, s)
		}
	}
	return out
}

// word is a word of a fixed set; anything else is none.
func word[T ~string](v any, words []T) T {
	s, _ := v.(string)
	return known(s, words)
}

// known is the word if it is one of the set.
func known[T ~string](s string, words []T) T {
	if !slices.Contains(words, T(s)) {
		return ""
	}
	return T(s)
}

func wordAt[T ~string](o *stable.Object, key string, words []T) T {
	v, _ := o.Get(key)
	return word(v, words)
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
