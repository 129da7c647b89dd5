package report

import (
	"io"
	"path/filepath"

	"ralphex/pkg/finding"
)

// fingerprintName is the key of a finding's ID; the number grows when IDs are made in another way.
const fingerprintName = "ralphexFinding/v1"

// reviewRules are the rules that findings of reviews have.
var reviewRules = []sarifRule{
	{ID: "review", Short: sarifText{"A reviewer says that something is wrong."}},
	{ID: "test-weakening", Short: sarifText{"The change makes tests say less than before."}},
}

var sarifLevel = map[finding.Severity]string{finding.Critical: "error", finding.Major: "error", finding.Minor: "warning", "": "warning", finding.Info: "note"}

// FindingsSARIF writes SARIF 2.1.0, with lines and no columns, fingerprints and no fixes. Findings that were refuted are
// suppressed with their reason. Those that were fixed are left out: a result that is no longer there is how SARIF says so. What a reviewer says of a file outside of the repository is no result, since nobody
// who takes results in knows that file, but a notification.
func FindingsSARIF(w io.Writer, f Findings) error {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "ralphex", Version: f.Version, Rules: reviewRules}
	var outside []sarifNote
	for _, e := range f.Entries {
		if e.Disposition == finding.Fixed {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(e.File)) {
			outside = append(outside, sarifNote{sarifLevel[e.Severity], sarifText{e.Place() + " is outside of the repository: " + e.Text}})
			continue
		}
		res := sarifResult{RuleID: ruleOf(e), Level: sarifLevel[e.Severity], Message: sarifText{e.Text}, Fingerprints: map[string]string{fingerprintName: string(e.ID)}}
		for i, rule := range run.Tool.Driver.Rules {
			if rule.ID == res.RuleID {
				res.RuleIndex = i
			}
		}
		for _, line := range append([]int{e.Line}, e.Also...) {
			loc := sarifPhysical{Artifact: sarifArtifact{fileURI(e.File)}}
			if line > 0 {
				loc.Region = &sarifRegion{StartLine: line}
				if line == e.Line && e.EndLine > line {
					loc.Region.EndLine = e.EndLine
				}
			}
			res.Locations = append(res.Locations, sarifLocation{loc})
		}
		if e.Disposition == finding.Refuted {
			res.Suppressions = []sarifSuppression{{"external", "accepted", e.Reason}}
		}
		if e.Source != "" {
			res.Props = map[string]string{"source": e.Source}
		}
		run.Results = append(run.Results, res)
	}
	if len(outside) > 0 {
		run.Invocation = []sarifCall{{Successful: true, Notifications: outside}}
	}
	return writeJSON(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}
