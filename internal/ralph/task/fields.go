package task

import (
	"slices"

	"ralphex/internal/ralph/stable"
)

// supportedFields are the keys of a task that survive reading, in the order in which they are written (SUPPORTED_TASK_FIELDS).
var supportedFields = []string{"id", "title", "status", "parentId", "dependsOn", "notes", "validation", "blocker", "priority", "mode", "tier",
	"acceptance", "constraints", "context", "writeRiskLabels", "lastVerifierResult", "lastReconciliationWarning"}

// SupportedFields returns them.
func SupportedFields() []string { return slices.Clone(supportedFields) }

// likelyMistakes are folded keys that people and models write, and what they mean (LIKELY_TASK_FIELD_MISTAKES).
var likelyMistakes = map[string]string{
	"dependencies": "dependsOn", "dependency": "dependsOn", "dependson": "dependsOn",
	"acceptancecriteria": "acceptance", "donecriteria": "acceptance",
	"guardrails": "constraints",
	"files":      "context", "relevantfiles": "context",
	"type": "mode", "taskmode": "mode", "tasktype": "mode",
}

// foldKey makes spellings of a key equal: it keeps ASCII letters and digits, and lowers them (normalizedFieldKey).
func foldKey(key string) string {
	out := make([]byte, 0, len(key))
	for i := range len(key) {
		switch c := key[i]; {
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			out = append(out, c)
		}
	}
	return string(out)
}

// correction is a misspelled key, and the key that it was read as.
type correction struct{ from, to string }

// correct renames misspelled keys of an entry. A key whose target is there, null included, is only removed. Later keys see what
// earlier ones did, so the first of two misspellings wins.
func correct(o *stable.Object) []correction {
	if plainly(o) {
		return nil
	}
	var list []correction
	for _, key := range o.Keys() {
		if supported[key] {
			continue
		}
		to, ok := likelyMistakes[foldKey(key)]
		if !ok {
			continue
		}
		v, _ := o.Get(key)
		if _, there := o.Get(to); !there {
			o.Set(to, v)
		}
		o.Delete(key)
		list = append(list, correction{key, to})
	}
	return list
}

// supported holds the same keys, for looking up.
var supported = func() map[string]bool {
	m := map[string]bool{}
	for _, key := range supportedFields {
		m[key] = true
	}
	return m
}()

// plainly tells whether an entry has no key that could be misspelled. Nearly all have none, and this is asked of each.
func plainly(o *stable.Object) bool {
	for key := range o.All() {
		switch key { // the usual ones; a switch over words is faster than the map
		case "id", "title", "status", "parentId", "dependsOn", "notes", "validation", "acceptance":
		default:
			if !supported[key] {
				return false
			}
		}
	}
	return true
}
