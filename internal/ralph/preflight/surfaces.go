package preflight

import (
	"fmt"
	"os"
	"path/filepath"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Surfaces is how the latest pointers stand to what they point at.
type Surfaces struct {
	WithoutText []string // latest JSON files whose Markdown is missing
	Dangling    []string // "latest-result.json: promptPath → .ralph/…": targets that are gone
}

// pointerFields are the path fields of each pointer.
func pointerFields(p layout.Latest) []struct {
	path   string
	fields []string
} {
	return []struct {
		path   string
		fields []string
	}{
		{p.Result, []string{"artifactDir", "summaryPath", "promptPath", "promptArtifactPath", "transcriptPath", "lastMessagePath"}},
		{p.PreflightReport, []string{"artifactDir", "reportPath", "summaryPath"}},
		{p.PromptEvidence, nil},
		{p.ExecutionPlan, []string{"artifactDir", "promptPath", "promptArtifactPath", "executionPlanPath"}},
		{p.CLIInvocation, []string{"promptArtifactPath", "cliInvocationPath", "transcriptPath", "lastMessagePath"}},
		{p.ProvenanceBundle, []string{"artifactDir", "preflightReportPath", "preflightSummaryPath", "promptArtifactPath", "promptEvidencePath", "executionPlanPath",
			"cliInvocationPath", "iterationResultPath", "provenanceFailurePath", "provenanceFailureSummaryPath"}},
		{p.ProvenanceFailure, []string{"artifactDir", "executionPlanPath", "promptArtifactPath", "cliInvocationPath", "provenanceFailurePath", "provenanceFailureSummaryPath"}},
	}
}

func readSurfaces(l layout.Layout) Surfaces {
	var s Surfaces
	p := l.Latest()
	for _, twin := range [][2]string{{p.Result, p.Summary}, {p.PreflightReport, p.PreflightSummary}, {p.ProvenanceBundle, p.ProvenanceSummary}} {
		if exists(twin[0]) && !exists(twin[1]) {
			s.WithoutText = append(s.WithoutText, l.Rel(twin[0]))
		}
	}
	for _, pointer := range pointerFields(p) {
		o := stable.ObjectOf(durable.ReadFile(pointer.path, maxSize))
		if o == nil {
			continue
		}
		name := filepath.Base(pointer.path)
		for _, field := range pointer.fields {
			if target, _ := o.String(field); filepath.IsAbs(target) && !exists(target) {
				s.Dangling = append(s.Dangling, fmt.Sprintf("%s: %s → %s", name, field, l.Rel(target)))
			}
		}
		if pointer.path == p.PromptEvidence {
			s.Dangling = append(s.Dangling, derivedTargets(l, name, o)...)
		}
	}
	return s
}

// derivedTargets are what a prompt's evidence implies: its iteration's folder and the prompt's copy.
func derivedTargets(l layout.Layout, name string, o *stable.Object) []string {
	kind, _ := o.String("kind")
	v, _ := o.Get("iteration")
	n, ok := v.(float64)
	if kind == "" || filepath.Base(kind) != kind || !ok || n < 1 || n > 1e9 {
		return nil
	}
	var out []string
	for _, target := range []string{l.Iteration(int(n)).Dir, l.PromptFile(kind, int(n))} {
		if !exists(target) {
			out = append(out, fmt.Sprintf("%s: kind, iteration → %s", name, l.Rel(target)))
		}
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
