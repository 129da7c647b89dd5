package report

import (
	"io"

	"ralphex/pkg/finding"
)

// The shapes of SARIF 2.1.0 for findings, which have lines and no columns, fingerprints and no fixes.
type (
	sarifReviewLog struct {
		Schema  string           `json:"$schema"`
		Version string           `json:"version"`
		Runs    []sarifReviewRun `json:"runs"`
	}
	sarifReviewRun struct {
		Tool    sarifReviewTool     `json:"tool"`
		Results []sarifReviewResult `json:"results"`
	}
	sarifReviewTool struct {
		Driver sarifReviewDriver `json:"driver"`
	}
	sarifReviewDriver struct {
		Name    string            `json:"name"`
		Version string            `json:"version,omitempty"`
		Rules   []sarifReviewRule `json:"rules"`
	}
	sarifReviewRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifReviewResult struct {
		RuleID       string                `json:"ruleId"`
		RuleIndex    int                   `json:"ruleIndex"`
		Level        string                `json:"level"`
		Message      sarifText             `json:"message"`
		Locations    []sarifReviewLocation `json:"locations"`
		Fingerprints map[string]string     `json:"partialFingerprints"`
		Suppressions []sarifSuppression    `json:"suppressions,omitempty"`
		Props        map[string]string     `json:"properties,omitempty"`
	}
	sarifReviewLocation struct {
		Physical sarifReviewPhysical `json:"physicalLocation"`
	}
	sarifReviewPhysical struct {
		Artifact sarifArtifact     `json:"artifactLocation"`
		Region   *sarifReviewLines `json:"region,omitempty"`
	}
	sarifReviewLines struct {
		StartLine int `json:"startLine"`
		EndLine   int `json:"endLine,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification,omitempty"`
	}
)

// fingerprintName is the key of a finding's ID; the number grows when IDs are made in another way.
const fingerprintName = "ralphexFinding/v1"

// reviewRules are the rules that findings of reviews have.
var reviewRules = []sarifReviewRule{
	{"review", sarifText{"A reviewer says that something is wrong."}},
	{"test-weakening", sarifText{"The change makes tests say less than before."}},
}

var sarifLevel = map[finding.Severity]string{finding.Critical: "error", finding.Major: "error", finding.Minor: "warning", "": "warning", finding.Info: "note"}

// FindingsSARIF writes SARIF 2.1.0. Findings that were refuted are suppressed with their reason. Those that were fixed are left out: a
// result that is no longer there is how SARIF says so.
func FindingsSARIF(w io.Writer, f Findings) error {
	run := sarifReviewRun{Results: []sarifReviewResult{}}
	run.Tool.Driver = sarifReviewDriver{Name: "ralphex", Version: f.Version, Rules: reviewRules}
	for _, e := range f.Entries {
		if e.Disposition == finding.Fixed {
			continue
		}
		res := sarifReviewResult{RuleID: ruleOf(e), Level: sarifLevel[e.Severity], Message: sarifText{e.Text}, Fingerprints: map[string]string{fingerprintName: string(e.ID)}}
		for i, rule := range run.Tool.Driver.Rules {
			if rule.ID == res.RuleID {
				res.RuleIndex = i
			}
		}
		for _, line := range append([]int{e.Line}, e.Also...) {
			loc := sarifReviewPhysical{Artifact: sarifArtifact{fileURI(e.File)}}
			if line > 0 {
				loc.Region = &sarifReviewLines{StartLine: line}
			}
			if line == e.Line && e.EndLine > line {
				loc.Region.EndLine = e.EndLine
			}
			res.Locations = append(res.Locations, sarifReviewLocation{loc})
		}
		if e.Disposition == finding.Refuted {
			res.Suppressions = []sarifSuppression{{"external", "accepted", e.Reason}}
		}
		if e.Source != "" {
			res.Props = map[string]string{"source": e.Source}
		}
		run.Results = append(run.Results, res)
	}
	return writeJSON(w, sarifReviewLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifReviewRun{run}})
}
