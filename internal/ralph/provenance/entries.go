package provenance

import (
	"cmp"
	"path/filepath"
	"slices"

	"ralphex/internal/ralph/artifact"
)

// types are what the registry calls the files.
var types = []struct{ file, name string }{
	{"prompt.md", "prompt"}, {"prompt-evidence.json", "prompt-evidence"}, {"execution-plan.json", "execution-plan"}, {"cli-invocation.json", "cli-invocation"},
	{"completion-report.json", "completion-report"}, {"iteration-result.json", "iteration-result"}, {"summary.md", "iteration-summary"},
	{"verifier-summary.json", "verifier-summary"}, {"execution-summary.json", "execution-summary"}, {"diff-summary.json", "diff-summary"},
	{"task-remediation.json", "task-remediation"}, {"doctrine-proposal.json", "doctrine-proposal-draft"},
}

// Entries are what was written of the session, for the registry.
func (s *Session) Entries() []artifact.Entry {
	it, role := s.it, cmp.Or(s.it.Role, "implementer")
	entry := func(path, name string, class artifact.Retention) artifact.Entry {
		return artifact.Entry{Path: path, Type: name, CreatedAt: s.created, RunID: it.ProvenanceID, TaskID: it.TaskID, AgentID: it.AgentID, AgentRole: role, Provider: it.Provider,
			Iteration: it.Paths.Number, Retention: class}
	}
	var all []artifact.Entry
	for _, t := range types {
		if path := filepath.Join(it.Paths.Dir, t.file); s.sums[path] != "" {
			all = append(all, entry(path, t.name, artifact.OfIteration))
		}
	}
	bundle := entry(s.file(BundleFile), "provenance-bundle", artifact.Durable)
	if s.sums[it.Paths.Result] != "" {
		bundle.GeneratedFrom = it.Paths.Result
	}
	all = append(all, bundle, entry(s.file("summary.md"), "provenance-summary", artifact.Durable))
	for _, path := range s.w.Latest().Paths() {
		if slices.Contains(s.pointers, path) && s.w.Shown(path) {
			e := entry(path, filepath.Base(path), artifact.LatestOnly)
			e.LatestAlias = filepath.Base(path)
			all = append(all, e)
		}
	}
	return all
}

// Iteration is what all files of the session share.
func (s *Session) Iteration() artifact.Iteration { return s.it }
