package provenance

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/layout"
)

// Restore makes the latest copies again that are missing, from the newest bundle, and returns them relative to the workspace. A copy that is there is
// never written over. Texts that artifact.Repair makes of them are left to it; latest-result.json is a record of its own, which nothing is left of.
func Restore(l layout.Layout) (restored []string, err error) {
	ids, err := List(l)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	dir, err := l.Bundle(ids[0])
	if err != nil {
		return nil, err
	}
	latest, in := l.Latest(), func(name string) string { return filepath.Join(dir, name) }
	type pair struct{ to, from string }
	copies := []pair{{latest.Prompt, in("prompt.md")}, {latest.PromptEvidence, in("prompt-evidence.json")}, {latest.ExecutionPlan, in("execution-plan.json")}, {latest.CLIInvocation, in("cli-invocation.json")}}
	for _, both := range [][]pair{ // a text whose record is there is made of that
		{{latest.ProvenanceBundle, in(BundleFile)}, {latest.ProvenanceSummary, in("summary.md")}},
		{{latest.PreflightReport, in("preflight-report.json")}, {latest.PreflightSummary, in("preflight-summary.md")}},
		{{latest.Result, in("provenance-failure.json")}, {latest.Summary, in("provenance-failure-summary.md")}},
		{{latest.Result, ""}, {latest.Summary, l.Iteration(number(ids[0])).Summary}},
	} {
		if isMissing(both[0].to) {
			copies = append(copies, both...)
		}
	}
	var w *artifact.Writer
	for _, c := range copies {
		if !isMissing(c.to) {
			continue
		}
		data, err := durable.ReadFile(c.from, maxPrompt)
		if err != nil {
			continue // the bundle has none, or what it has is no file
		}
		if w == nil {
			if w, err = artifact.Open(l); err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, w.Close()) }()
		}
		if err := w.Put(data, c.to); err != nil {
			return restored, err
		}
		restored = append(restored, l.Rel(c.to))
	}
	return restored, nil
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
