package report

import (
	"encoding/json"
	"io"
	"unicode/utf8"

	"ralphex/pkg/plan/check"
)

// jsonVersion is the version of docs/schema/check.json. It grows when a reader of the old shape would break.
const jsonVersion = 1

type jsonReport struct {
	Version int           `json:"version"`
	Profile check.Profile `json:"profile"`
	Summary Summary       `json:"summary"`
	Files   []jsonFile    `json:"files"`
}

type jsonFile struct {
	Path     string          `json:"path"`
	Fixed    int             `json:"fixed"`
	Findings []check.Finding `json:"findings"`
}

// JSON writes one object; see docs/schema/check.json.
func JSON(w io.Writer, r Report) error {
	out := jsonReport{Version: jsonVersion, Profile: r.Profile, Summary: r.Summary(), Files: []jsonFile{}}
	for _, f := range r.Files {
		findings := f.Findings
		if findings == nil {
			findings = []check.Finding{}
		}
		out.Files = append(out.Files, jsonFile{Path: f.Path, Fixed: f.Fixed, Findings: safe(findings)})
	}
	return writeJSON(w, out)
}

// safe leaves out fixes whose text is no UTF-8: JSON can't hold it, and another text would break the plan.
func safe(findings []check.Finding) []check.Finding {
	out := make([]check.Finding, len(findings))
	for i, x := range findings {
		if x.Fix != nil && !writable(x.Fix) {
			x.Fix = nil
		}
		out[i] = x
	}
	return out
}

func writable(f *check.Fix) bool {
	for _, e := range f.Edits {
		if !utf8.ValidString(e.New) {
			return false
		}
	}
	return true
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
