package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"ralphex/internal/config"
	"ralphex/internal/term"
	plancheck "ralphex/pkg/plan/check"
)

// ruleJSON is one rule of `ralphex check --list-rules --json`.
type ruleJSON struct {
	ID       string             `json:"id"`
	Severity plancheck.Severity `json:"severity"`
	Profile  plancheck.Profile  `json:"profile"`
	Fixable  bool               `json:"fixable"`
	Title    string             `json:"title"`
	Why      string             `json:"why"`
	Doc      string             `json:"doc"`
}

func listRules(w io.Writer, asJSON bool) error {
	rules := plancheck.Rules()
	if asJSON {
		out := make([]ruleJSON, len(rules))
		for i, r := range rules {
			out[i] = ruleJSON{r.ID, r.Severity, r.Profile, r.Fixable, r.Title, r.Why, "docs/plan-format.md#" + r.Doc}
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{"version": 1, "rules": out})
	}
	for _, r := range rules {
		fix := ""
		if r.Fixable {
			fix = "fix"
		}
		if _, err := fmt.Fprintf(w, "%-18s %-7s %-6s %-3s  %s\n", r.ID, r.Severity, r.Profile, fix, r.Title); err != nil {
			return err
		}
	}
	return nil
}

func explainRule(w io.Writer, id string) error {
	r, ok := plancheck.Lookup(id)
	if !ok {
		var ids []string
		for _, r := range plancheck.Rules() {
			ids = append(ids, r.ID)
		}
		hint := "ralphex check --list-rules"
		if near := nearRule(id, ids); near != "" {
			hint = "did you mean " + near + "?"
		}
		return usage(fmt.Errorf("there is no rule %s", id), hint)
	}
	fmt.Fprintf(w, "%s\n\n%s.\n%s\n\n", r.ID, r.Title, r.Why)
	fmt.Fprintf(w, "severity: %s; profile: %s", r.Severity, r.Profile)
	if r.Fixable {
		fmt.Fprint(w, "; --fix mends what is certain")
	}
	fmt.Fprintf(w, "\noff: [check] %s = off in .ralphex/config, or <!-- ralphex-check: off %s --> in the plan\n", r.ID, r.ID)
	for _, e := range []struct{ name, text string }{{"wrong", r.Wrong.Text}, {"right", r.Right.Text}} {
		if e.text != "" {
			fmt.Fprintf(w, "\n%s:\n\n    %s\n", e.name, strings.ReplaceAll(strings.TrimSpace(e.text), "\n", "\n    "))
		}
	}
	_, err := fmt.Fprintf(w, "\ndocs/plan-format.md#%s\n", r.Doc)
	return err
}

// nearRule is the rule that was most likely meant.
func nearRule(id string, ids []string) string {
	if i := slices.IndexFunc(ids, func(r string) bool { return strings.Contains(r, id) }); i >= 0 && len(id) > 2 {
		return ids[i]
	}
	return config.Nearest(id, ids)
}

// colorDiff paints the lines of a diff.
func colorDiff(diff string, color bool) string {
	if !color {
		return diff
	}
	var b strings.Builder
	for l := range strings.Lines(diff) {
		code := ""
		switch {
		case strings.HasPrefix(l, "+++"), strings.HasPrefix(l, "---"):
			code = "\x1b[1m"
		case strings.HasPrefix(l, "+"):
			code = "\x1b[32m"
		case strings.HasPrefix(l, "-"):
			code = "\x1b[31m"
		case strings.HasPrefix(l, "@@"):
			code = "\x1b[36m"
		}
		if code == "" {
			b.WriteString(term.Clean(l))
			continue
		}
		b.WriteString(code + term.Clean(strings.TrimSuffix(l, "\n")) + "\x1b[0m\n")
	}
	return b.String()
}
