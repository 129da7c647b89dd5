package task

import (
	"fmt"
	"slices"
	"strings"
)

// enums are the words that a field takes.
var enums = map[string]string{"priority": oneOf(priorities), "mode": oneOf(modes), "tier": oneOf(tiers), "lastVerifierResult": oneOf(verifiers)}

var listFields = []string{"dependsOn", "acceptance", "constraints", "context", "writeRiskLabels"}

// settable finds the field that a person means. The id is no field to set: others name the task by it.
func settable(field string) (string, error) {
	folded := foldKey(field)
	if to, ok := likelyMistakes[folded]; ok {
		return to, nil
	}
	for _, known := range supportedFields[1:] {
		if foldKey(known) == folded {
			return known, nil
		}
	}
	if folded == "id" {
		return "", &FieldError{"id", "left as it is: other tasks, claims and evidence name the task by it"}
	}
	return "", &UnknownFieldError{Field: field}
}

// UnknownFieldError names a field that tasks don't have.
type UnknownFieldError struct{ Field string }

func (e *UnknownFieldError) Error() string { return fmt.Sprintf("tasks have no field %q", e.Field) }

// Hint says what to do.
func (e *UnknownFieldError) Hint() string {
	return "fields are " + strings.Join(supportedFields[1:], ", ")
}

// setField puts the values into a draft.
func setField(d *Draft, field string, values []string) error {
	if slices.Contains(listFields, field) {
		d.Set(field, array(values))
		return nil
	}
	if len(values) > 1 {
		return &FieldError{field, "one value"}
	}
	v := ""
	if len(values) == 1 {
		v = values[0]
	}
	if v == "" && field != "title" {
		d.Delete(field)
		return nil
	}
	d.Set(field, v)
	if want, ok := enums[field]; ok && !strings.Contains(want, `"`+v+`"`) {
		return &FieldError{field, want}
	}
	return nil
}

func oneOf[T ~string](words []T) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, fmt.Sprintf("%q", w))
	}
	return "one of " + strings.Join(quoted, ", ")
}
