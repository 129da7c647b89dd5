package doctrine

import (
	"strings"
	"time"

	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// EvidenceIndex is the one file that is no Markdown.
const EvidenceIndex = "evidence-index.json"

// File is a Markdown file of the pack.
type File struct {
	Name      string
	Title     string
	Protected bool
	Headings  []string // level 2; a file that lacks one is incomplete
}

// Files is the pack in the order in which it is made and told of; the evidence index comes after it.
var Files = []File{
	{"project-profile.md", "Project profile", false, []string{"Purpose", "Current Understanding", "Source Of Truth", "Unknowns"}},
	{"invariants.md", "Invariants", true, []string{"Purpose", "Source Of Truth", "Protected Status", "Invariants", "Candidate Invariants Pending Review"}},
	{"boundaries.md", "Boundaries", true, []string{"Purpose", "Source Of Truth", "Protected Status", "Explicit Non-Goals", "Trust And Safety Boundaries", "Candidate Boundaries Pending Review"}},
	{"workflows.md", "Workflows", false, []string{"Purpose", "Source Of Truth", "Build", "Test", "Validate", "Release", "Unknowns"}},
	{"agents.md", "Agents", true, []string{"Purpose", "Source Of Truth", "Protected Status", "Working Rules", "Provider Boundaries", "Prompt Context Rules"}},
	{"decisions.md", "Decisions", false, []string{"Purpose", "Source Of Truth", "Decisions", "Superseded Decisions"}},
	{"risks.md", "Risks", false, []string{"Purpose", "Source Of Truth", "Known Risks", "Watch Items"}},
	{"open-questions.md", "Open questions", false, []string{"Purpose", "Source Of Truth", "Questions", "Resolved Questions"}},
}

// purposes is what each file is for; it fills the Purpose section of a new one.
var purposes = map[string]string{
	"project-profile.md": "What this project is, for somebody who has never seen it.",
	"invariants.md":      "What must stay true whatever is changed.",
	"boundaries.md":      "What this project does not do, and where trust ends.",
	"workflows.md":       "How the project is built, tested and released.",
	"agents.md":          "How an agent works here, and what it must leave alone.",
	"decisions.md":       "What was decided, and why.",
	"risks.md":           "What could go wrong.",
	"open-questions.md":  "What nobody has answered yet.",
}

// scaffold is the text of a new file: every required heading, with a line to be replaced below each.
func (f File) scaffold() []byte {
	var b strings.Builder
	b.WriteString("# " + f.Title + "\n")
	for _, h := range f.Headings {
		b.WriteString("\n## " + h + "\n\n- " + f.placeholder(h) + "\n")
	}
	return []byte(b.String())
}

func (f File) placeholder(heading string) string {
	switch heading {
	case "Purpose":
		return purposes[f.Name]
	case "Source Of Truth":
		return "Name the files or people that this page is taken from."
	case "Protected Status":
		return "This file is protected: an agent must not rewrite it. It may propose changes through `doctrineUpdates` in its completion report; a person decides."
	default:
		return "Nothing recorded yet."
	}
}

// evidenceIndex is a new index; evidence is what is kept of an old one, or nil.
func evidenceIndex(now time.Time, evidence []any) []byte {
	o := &stable.Object{}
	o.Set("schemaVersion", 1)
	o.Set("generatedAt", stable.Time(now))
	o.Set("doctrineRoot", layout.DoctrineDir)
	if evidence == nil {
		evidence = []any{}
	}
	o.Set("evidence", evidence)
	return stable.Marshal(o)
}

// checkEvidenceIndex says why an index is structurally invalid; empty = it is fine. What the evidence array holds is not looked at.
func checkEvidenceIndex(data []byte) string {
	v, err := stable.Parse(data)
	if err != nil {
		return "it is no JSON: " + err.Error()
	}
	o, ok := v.(*stable.Object)
	if !ok {
		return "it is no JSON object"
	}
	if version, _ := o.Get("schemaVersion"); version != 1.0 {
		return "schemaVersion is not 1"
	}
	if _, ok := o.String("generatedAt"); !ok {
		return "generatedAt is no string"
	}
	if root, _ := o.String("doctrineRoot"); root != layout.DoctrineDir {
		return "doctrineRoot is not " + layout.DoctrineDir
	}
	if evidence, _ := o.Get("evidence"); !isArray(evidence) {
		return "evidence is no array"
	}
	return ""
}

func isArray(v any) bool {
	_, ok := v.(*stable.Array)
	return ok
}

// missingHeadings lists the required headings that no line of the text is.
func (f File) missingHeadings(data []byte) []string {
	have := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "## "); ok {
			have[strings.TrimSpace(strings.TrimRight(stable.Trim(text), "# \t"))] = true
		}
	}
	var out []string
	for _, h := range f.Headings {
		if !have[h] {
			out = append(out, h)
		}
	}
	return out
}
