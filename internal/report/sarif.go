package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"ralphex/pkg/plan/check"
)

// The shapes of SARIF 2.1.0 that we use (OASIS, sections 3.13 to 3.57). What only one of plans and reviews has is left out by the other.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind,omitempty"`
		Results    []sarifResult `json:"results"`
		Invocation []sarifCall   `json:"invocations,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string            `json:"id"`
		Short   sarifText         `json:"shortDescription"`
		Full    sarifText         `json:"fullDescription,omitzero"`
		Help    sarifText         `json:"help,omitzero"`
		Default sarifConfig       `json:"defaultConfiguration,omitzero"`
		Props   *sarifRuleDetails `json:"properties,omitempty"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifRuleDetails struct {
		Tags    []string `json:"tags"`
		Fixable bool     `json:"fixable"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Props        map[string]string  `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted *sarifText  `json:"insertedContent,omitempty"`
	}
	sarifCall struct {
		Successful    bool        `json:"executionSuccessful"`
		Notifications []sarifNote `json:"toolExecutionNotifications"`
	}
	sarifNote struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification,omitempty"`
	}
)

// SARIF writes SARIF 2.1.0 with the rules, the findings and their fixes. Columns count characters.
func SARIF(w io.Writer, r Report) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "ralphex", Version: r.Version}
	index := map[string]int{}
	for i, rule := range check.Rules() {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule))
	}
	for _, f := range r.Files {
		lines := f.lines()
		for _, x := range f.Findings {
			res := sarifResult{RuleID: x.Rule, RuleIndex: index[x.Rule], Level: string(x.Severity), Message: sarifText{x.Message}}
			art := sarifArtifact{fileURI(f.Path)}
			at := f.region(lines, x.Offset, x.Len)
			res.Locations = []sarifLocation{{sarifPhysical{art, &at}}}
			if x.Fix != nil && writable(x.Fix) {
				res.Fixes = []sarifFix{f.sarifFix(art, lines, x.Fix)}
			}
			run.Results = append(run.Results, res)
		}
	}
	return writeJSON(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func sarifRuleOf(r check.Rule) sarifRule {
	return sarifRule{
		ID: r.ID, Short: sarifText{r.Title + "."}, Full: sarifText{r.Why},
		Help:    sarifText{"See docs/plan-format.md, " + r.Doc + ", or `ralphex check --explain " + r.ID + "`."},
		Default: sarifConfig{string(r.Severity)},
		Props:   &sarifRuleDetails{Tags: []string{"plan", string(r.Profile)}, Fixable: r.Fixable},
	}
}

func (f File) sarifFix(art sarifArtifact, lines []int, fix *check.Fix) sarifFix {
	c := sarifChange{Artifact: art}
	for _, e := range fix.Edits {
		rep := sarifReplacement{Deleted: f.region(lines, e.Offset, e.Len)}
		if e.New != "" {
			rep.Inserted = &sarifText{e.New}
		}
		c.Replacements = append(c.Replacements, rep)
	}
	return sarifFix{Description: sarifText{fix.Title}, Changes: []sarifChange{c}}
}

// region is a range of bytes in lines and characters.
func (f File) region(lines []int, offset, length int) sarifRegion {
	end := offset + length
	return sarifRegion{
		StartLine: lineOf(lines, offset), StartColumn: f.runeCol(offset),
		EndLine: lineOf(lines, end), EndColumn: f.runeCol(end),
	}
}

// lines lists the offsets at which lines begin.
func (f File) lines() []int {
	out := []int{0}
	for i, b := range f.Src {
		if b == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// lineOf is the 1-based line of an offset.
func lineOf(lines []int, offset int) int {
	i, found := slices.BinarySearch(lines, offset)
	if found {
		return i + 1
	}
	return i
}

// fileURI is a path as a relative reference, or a file URI where it is absolute.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	u := url.URL{Path: slashed}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
		if !strings.HasPrefix(slashed, "/") { // C:/x
			u.Path = "/" + slashed
		}
	}
	return u.String()
}
