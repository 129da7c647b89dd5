package finding

import (
	"path"
	"path/filepath"
	"strings"
)

// Severity is how bad a finding is in the words of its reviewer; "" where nothing was said.
type Severity string

// The severities, worst first.
const (
	Critical Severity = "critical"
	Major    Severity = "major"
	Minor    Severity = "minor"
	Info     Severity = "info"
)

// Disposition is what became of a finding; "" where nobody has said a word yet.
type Disposition string

// The dispositions.
const (
	Open    Disposition = "open"    // still there, or could not be fixed
	Fixed   Disposition = "fixed"   // a commit or the tree changed its file
	Refuted Disposition = "refuted" // there is a reason why it is none
)

// Finding is one thing that somebody says is wrong.
type Finding struct {
	File        string      `json:"file"`              // relative to the repository's root, with slashes: "pkg/a/b.go"
	Line        int         `json:"line,omitempty"`    // 1-based; 0 = the file as a whole
	EndLine     int         `json:"endLine,omitempty"` // 0 = Line
	Also        []int       `json:"also,omitempty"`    // other lines of which the same report says the same
	Severity    Severity    `json:"severity,omitempty"`
	Text        string      `json:"text"`                  // what is wrong, in one line
	Source      string      `json:"source,omitempty"`      // who found it: "quality", "codex", "ralphex"
	Rule        string      `json:"rule,omitempty"`        // of our own: "test-weakening"
	Disposition Disposition `json:"disposition,omitempty"` // in a Report: what the reviewer claims
	Reason      string      `json:"reason,omitempty"`      // for the disposition
}

// Report is what one reviewer said.
type Report struct {
	Findings []Finding
	Clean    bool // the reviewer said NO ISSUES FOUND, and named none
}

// In makes paths below a folder relative to it: some reviewers name files from the root of the disk. from is the
// Source of findings that have none.
func (r Report) In(root, from string) Report {
	out := Report{Findings: make([]Finding, len(r.Findings)), Clean: r.Clean}
	root = strings.TrimSuffix(filepath.ToSlash(root), "/")
	for i, f := range r.Findings {
		if rest, below := strings.CutPrefix(f.File, root+"/"); below && root != "" {
			f.File = path.Clean(rest)
		}
		if f.Source == "" {
			f.Source = from
		}
		out.Findings[i] = f
	}
	return out
}

// Judge weighs what a reviewer claims of a finding's fate. "Fixed" holds only where the file did change in that
// session; what it refutes is taken with its reason, and without one stays open.
func Judge(f Finding, changed func(file string) bool) (Disposition, string) {
	switch f.Disposition {
	case Fixed:
		if changed(f.File) {
			return Fixed, f.Reason
		}
		return Open, "said to be fixed, but the file did not change"
	case Refuted:
		if strings.TrimSpace(f.Reason) == "" {
			return Open, "said to be none, without a reason"
		}
		return Refuted, f.Reason
	default:
		return Open, f.Reason
	}
}
