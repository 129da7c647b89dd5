package doctrine

import (
	"fmt"
	"path"
	"strings"
	"time"

	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Limits of an update, in UTF-16 units and elements; beyond the first number of a pair there is a warning, beyond the second the update is dropped.
const (
	warnText, maxText           = 1200, 4000
	warnRationale, maxRationale = 600, 1600
	warnEvidence, maxEvidence   = 4, 8
	maxEvidenceLen              = 400
)

// Risk is how much harm an update could do.
type Risk string

// The risks, and their order.
const (
	Low    Risk = "low"
	Medium Risk = "medium"
	High   Risk = "high"
)

var riskOrder = map[Risk]int{Low: 0, Medium: 1, High: 2}

// Update is one proposed change of a doctrine file. Nothing in ralphex applies it.
type Update struct {
	TargetFile   string // .ralph/doctrine/<file>
	Operation    string // append, replaceSection, addSectionItem
	Section      string
	ProposedText string
	Rationale    string
	Evidence     []string

	ProtectedTarget  bool
	RequiresApproval bool
	Risk             Risk
}

// ParseUpdates reads the doctrineUpdates of a completion report. Each element that is no update is dropped with a warning that names its
// index; the good ones stay. A value that is no array is a warning and no update; nil is neither.
func ParseUpdates(v any) (updates []Update, warnings []string) {
	if v == nil {
		return nil, nil
	}
	array, ok := v.(*stable.Array)
	if !ok {
		return nil, []string{"doctrineUpdates is no array: ignored"}
	}
	for i, item := range array.Items {
		u, soft, err := parseUpdate(item)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("doctrineUpdates[%d] was dropped: %v", i, err))
			continue
		}
		for _, s := range soft {
			warnings = append(warnings, fmt.Sprintf("doctrineUpdates[%d]: %s", i, s))
		}
		updates = append(updates, u)
	}
	return updates, warnings
}

func parseUpdate(item any) (u Update, soft []string, err error) {
	o, ok := item.(*stable.Object)
	if !ok {
		return u, nil, fmt.Errorf("expected an object")
	}
	target, _ := o.String("targetFile")
	file, ok := targetFile(target)
	if !ok {
		return u, nil, fmt.Errorf("targetFile %q is no Markdown file of %s", target, layout.DoctrineDir)
	}
	u.TargetFile = path.Join(layout.DoctrineDir, file.Name)
	u.Operation, _ = o.String("operation")
	u.Section = trimmed(o, "section")
	switch u.Operation {
	case "append":
	case "replaceSection", "addSectionItem":
		if u.Section == "" {
			return u, nil, fmt.Errorf("%s needs a section", u.Operation)
		}
	default:
		return u, nil, fmt.Errorf("operation %q: expected append, replaceSection or addSectionItem", u.Operation)
	}
	for _, field := range []struct {
		to         *string
		name       string
		warn, most int
	}{{&u.ProposedText, "proposedText", warnText, maxText}, {&u.Rationale, "rationale", warnRationale, maxRationale}} {
		*field.to = trimmed(o, field.name)
		n := stable.UTF16Len(*field.to)
		if n == 0 || n > field.most {
			return u, nil, fmt.Errorf("%s: expected 1 to %d characters, got %d", field.name, field.most, n)
		}
		if n > field.warn {
			soft = append(soft, fmt.Sprintf("%s is long: %d characters, more than %d", field.name, n, field.warn))
		}
	}
	if u.Evidence, err = evidence(o); err != nil {
		return u, nil, err
	}
	if n := len(u.Evidence); n > warnEvidence {
		soft = append(soft, fmt.Sprintf("evidence is long: %d entries, more than %d", n, warnEvidence))
	}
	u.ProtectedTarget, u.RequiresApproval, u.Risk = file.Protected, file.Protected, Low
	switch {
	case file.Protected:
		u.Risk = High
	case u.Operation == "replaceSection":
		u.Risk = Medium
	}
	return u, soft, nil
}

// targetFile folds the spellings of a path and finds its file.
func targetFile(target string) (File, bool) {
	target = strings.TrimPrefix(strings.ReplaceAll(stable.Trim(target), `\`, "/"), "./")
	target = path.Clean(target)
	for _, f := range Files {
		if target == path.Join(layout.DoctrineDir, f.Name) {
			return f, true
		}
	}
	return File{}, false
}

func evidence(o *stable.Object) ([]string, error) {
	v, _ := o.Get("evidence")
	a, ok := v.(*stable.Array)
	if !ok || len(a.Items) == 0 || len(a.Items) > maxEvidence {
		return nil, fmt.Errorf("evidence: expected 1 to %d entries", maxEvidence)
	}
	var out []string
	for _, item := range a.Items {
		s, _ := item.(string)
		if s = stable.Trim(s); s == "" || stable.UTF16Len(s) > maxEvidenceLen {
			return nil, fmt.Errorf("evidence: expected strings of 1 to %d characters", maxEvidenceLen)
		}
		out = append(out, s)
	}
	return out, nil
}

func trimmed(o *stable.Object, key string) string {
	s, _ := o.String(key)
	return stable.Trim(s)
}

// Origin is where a proposal comes from. Empty strings and a zero iteration are unknown.
type Origin struct {
	ProvenanceID string
	Iteration    int
	TaskID       string
	TaskTitle    string
	Source       string // completionReport, manual, diagnostic; anything else is written as unknown
}

// Propose is the artifact doctrine-proposal.json for a person to read. It is written to the iteration's folder; no doctrine file changes.
func Propose(updates []Update, warnings []string, from Origin, now time.Time) *stable.Object {
	risk := Low
	var list []any
	for _, u := range updates {
		if riskOrder[u.Risk] > riskOrder[risk] {
			risk = u.Risk
		}
		list = append(list, u)
	}
	id := "doctrine-proposal-" + from.ProvenanceID
	if from.ProvenanceID == "" {
		id = fmt.Sprintf("doctrine-proposal-iteration-%d", from.Iteration)
	}
	switch from.Source {
	case "completionReport", "manual", "diagnostic":
	default:
		from.Source = "unknown"
	}
	o := &stable.Object{}
	o.Set("schemaVersion", 1)
	o.Set("kind", "doctrineUpdateProposal")
	o.Set("proposalId", id)
	o.Set("createdAt", stable.Time(now))
	o.Set("provenanceId", stable.NullIfEmpty(from.ProvenanceID))
	o.Set("iteration", any(nil))
	if from.Iteration > 0 {
		o.Set("iteration", from.Iteration)
	}
	o.Set("selectedTaskId", stable.NullIfEmpty(from.TaskID))
	o.Set("selectedTaskTitle", stable.NullIfEmpty(from.TaskTitle))
	o.Set("source", from.Source)
	o.Set("status", "proposed")
	o.Set("risk", string(risk))
	o.Set("summary", summary(updates))
	o.Set("updates", append([]any{}, list...))
	o.Set("warnings", append([]string{}, warnings...))
	return o
}

func summary(updates []Update) string {
	protected := 0
	for _, u := range updates {
		if u.ProtectedTarget {
			protected++
		}
	}
	return fmt.Sprintf("%d proposed doctrine update(s), %d of them to protected files. Nothing was applied.", len(updates), protected)
}

// Stable is the update as it is written.
func (u Update) Stable() any {
	o := &stable.Object{}
	o.Set("targetFile", u.TargetFile)
	o.Set("operation", u.Operation)
	if u.Section != "" {
		o.Set("section", u.Section)
	}
	o.Set("proposedText", u.ProposedText)
	o.Set("rationale", u.Rationale)
	o.Set("evidence", u.Evidence)
	o.Set("protectedTarget", u.ProtectedTarget)
	o.Set("requiresApproval", u.RequiresApproval)
	o.Set("risk", string(u.Risk))
	return o
}
