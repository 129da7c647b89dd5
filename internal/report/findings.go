package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"ralphex/pkg/finding"
)

// Findings is what reviewers of one run found, and what became of it.
type Findings struct {
	Run     string // id
	Plan    string // as people know it
	Version string // of ralphex
	Entries []finding.Entry
	Color   bool // for text only
}

// FindingsFormat is one way to write findings of reviews.
type FindingsFormat struct {
	Name  string
	Write func(io.Writer, Findings) error
}

// FindingsFormats lists the formats; the first one is for people.
func FindingsFormats() []FindingsFormat {
	return []FindingsFormat{{"text", FindingsText}, {"json", FindingsJSON}, {"sarif", FindingsSARIF}, {"github", FindingsGitHub}}
}

// FindingsSummary counts findings by what became of them.
type FindingsSummary struct {
	Total   int `json:"total"`
	Open    int `json:"open"`
	Fixed   int `json:"fixed"`
	Refuted int `json:"refuted"`
}

// Summary counts what there is.
func (f Findings) Summary() FindingsSummary {
	s := FindingsSummary{Total: len(f.Entries)}
	for _, e := range f.Entries {
		switch e.Disposition {
		case finding.Fixed:
			s.Fixed++
		case finding.Refuted:
			s.Refuted++
		default:
			s.Open++
		}
	}
	return s
}

var dispositionColor = map[finding.Disposition]string{finding.Open: yellow, finding.Fixed: blue, finding.Refuted: faint}

// FindingsText writes two lines for each finding: what was found where, and what became of it.
func FindingsText(w io.Writer, f Findings) error {
	t := &textWriter{w: bufio.NewWriter(w), r: Report{Color: f.Color}}
	for _, e := range f.Entries {
		severity := ""
		if e.Severity != "" {
			severity = t.paint(findingColor(e.Severity), string(e.Severity)+":") + " "
		}
		fmt.Fprintf(t.w, "%s %s%s\n", t.paint(bold, visible(e.Place()+":")), severity, visible(e.Text))
		fmt.Fprintf(t.w, "    %s%s\n", t.paint(dispositionColor[e.Disposition], string(e.Disposition)), visible(fate(e)))
	}
	s := f.Summary()
	if s.Total == 0 {
		fmt.Fprintln(t.w, "no findings")
	} else {
		fmt.Fprintf(t.w, "%s: %d open, %d fixed, %d refuted\n", count(s.Total, "finding"), s.Open, s.Fixed, s.Refuted)
	}
	return t.w.Flush()
}

func findingColor(s finding.Severity) string {
	switch s {
	case finding.Critical, finding.Major:
		return red
	case finding.Minor:
		return yellow
	default:
		return blue
	}
}

// fate tells the rest of a finding's life in one line.
func fate(e finding.Entry) string {
	var b strings.Builder
	if e.Commit != "" {
		b.WriteString(" in " + e.Commit[:min(len(e.Commit), 12)])
	}
	if e.Reason != "" {
		b.WriteString(": " + e.Reason)
	}
	b.WriteString(" (" + roundName(e.First))
	if e.Source != "" && e.Source != e.First.Reviewer {
		b.WriteString(", by " + e.Source)
	}
	if e.Last != e.First {
		fmt.Fprintf(&b, "; named %d times, last in %s", e.Times, roundName(e.Last))
	}
	for i, line := range e.Also {
		b.WriteString([]string{"; also at line ", ", "}[min(i, 1)] + fmt.Sprint(line))
	}
	fmt.Fprintf(&b, "; %s)", e.ID)
	return b.String()
}

// roundName is a round as people say it: "review 2 of claude".
func roundName(r finding.Round) string {
	name := fmt.Sprintf("%s %d", r.Kind, r.N)
	if r.Reviewer != "" && r.Reviewer != r.Kind {
		name += " of " + r.Reviewer
	}
	return name
}

var findingCommand = map[finding.Severity]string{finding.Critical: "error", finding.Major: "error", finding.Minor: "warning", "": "warning", finding.Info: "notice"}

// FindingsGitHub writes workflow commands for what is open.
func FindingsGitHub(w io.Writer, f Findings) error {
	out := bufio.NewWriter(w)
	for _, e := range f.Entries {
		if e.Disposition != finding.Open {
			continue
		}
		fmt.Fprintf(out, "::%s file=%s", findingCommand[e.Severity], githubProperty.Replace(e.File))
		if e.Line > 0 {
			fmt.Fprintf(out, ",line=%d,endLine=%d", e.Line, max(e.Line, e.EndLine))
		}
		fmt.Fprintf(out, ",title=ralphex %s::%s\n", ruleOf(e), githubText.Replace(visible(e.Text)))
	}
	return out.Flush()
}

// ruleOf is the finding's own rule, or what all that reviewers find has in common.
func ruleOf(e finding.Entry) string {
	if e.Rule != "" {
		return e.Rule
	}
	return "review"
}

// findingsVersion is the version of docs/schema/findings.json. It grows when a reader of the old shape would break.
const findingsVersion = 1

type (
	jsonFindings struct {
		Version  int             `json:"version"`
		Run      string          `json:"run,omitempty"`
		Plan     string          `json:"plan,omitempty"`
		Summary  FindingsSummary `json:"summary"`
		Findings []jsonFinding   `json:"findings"`
	}
	jsonFinding struct {
		ID finding.ID `json:"id"`
		finding.Finding
		Commit string        `json:"commit,omitempty"`
		First  finding.Round `json:"first"`
		Last   finding.Round `json:"last"`
		Times  int           `json:"times"`
	}
)

// FindingsJSON writes one object; see docs/schema/findings.json.
func FindingsJSON(w io.Writer, f Findings) error {
	out := jsonFindings{Version: findingsVersion, Run: f.Run, Plan: f.Plan, Summary: f.Summary(), Findings: []jsonFinding{}}
	for _, e := range f.Entries {
		out.Findings = append(out.Findings, jsonFinding{e.ID, e.Finding, e.Commit, e.First, e.Last, e.Times})
	}
	return writeJSON(w, out)
}
