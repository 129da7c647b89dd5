package provenance

import (
	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/stable"
)

// BundleFile is the record of a bundle.
const BundleFile = "provenance-bundle.json"

// bundle writes the bundle as it stands, its summary, their latest copies, and the sums of everything. The new sums lie beside the old ones until
// everything is written, so that a bundle can be checked also when its process was killed in between.
func (s *Session) bundle(status, summary string) error {
	s.status, s.summary = status, summary
	record := stable.Marshal(s.record())
	page, latest := artifact.Render(record), s.w.Latest()
	s.sums[s.file(BundleFile)], s.sums[s.file("summary.md")] = sumOf(record), sumOf(page)
	text, err := s.sums.text(s.dir)
	if err != nil {
		return err
	}
	if err := s.w.Put(text, s.file(NextSums)); err != nil {
		return err
	}
	if err := s.put(put{record, []string{s.file(BundleFile), latest.ProvenanceBundle}}); err != nil {
		return err
	}
	if err := s.put(put{page, []string{s.file("summary.md"), latest.ProvenanceSummary}}); err != nil {
		return err
	}
	return s.w.Rename(s.file(NextSums), s.file(SumsFile))
}

// there is the path of a file of the bundle, null if none was written.
func (s *Session) there(name string) any { return s.ifThere(s.file(name)) }

func (s *Session) ifThere(path string) any {
	if s.sums[path] == "" {
		return nil
	}
	return path
}

func orNull(o *stable.Object) any {
	if o == nil {
		return nil
	}
	return o
}

func (s *Session) record() *stable.Object {
	it := s.it
	r := &stable.Record{}
	r.Put("schemaVersion", 1).Put("kind", "provenanceBundle").Put("agentId", it.AgentID).Put("provenanceId", it.ProvenanceID).Put("iteration", it.Paths.Number)
	r.Put("promptKind", it.Kind).Put("promptTarget", it.Target).Put("trustLevel", it.Trust()).Put("status", s.status).Put("summary", s.summary)
	r.Put("rootPolicy", it.Policy).Null("selectedTaskId", it.TaskID).Null("selectedTaskTitle", it.TaskTitle).Put("artifactDir", it.Paths.Dir).Put("bundleDir", s.dir)
	r.Put("preflightReportPath", s.file("preflight-report.json")).Put("preflightSummaryPath", s.file("preflight-summary.md"))
	r.Put("promptArtifactPath", s.there("prompt.md")).Put("promptEvidencePath", s.there("prompt-evidence.json")).Put("executionPlanPath", s.there("execution-plan.json"))
	r.Null("executionPlanHash", s.in.PlanHash).Put("cliInvocationPath", s.there("cli-invocation.json")).Put("iterationResultPath", s.there("iteration-result.json"))
	r.Put("provenanceFailurePath", s.there("provenance-failure.json")).Put("provenanceFailureSummaryPath", s.there("provenance-failure-summary.md"))
	size := any(nil)
	if s.in.PromptHash != "" {
		size = s.in.PromptBytes
	}
	r.Null("promptHash", s.in.PromptHash).Put("promptByteLength", size).Null("executionPayloadHash", s.in.PayloadHash)
	r.Put("executionPayloadMatched", stable.NullIfUnknown(s.in.Matched)).Null("mismatchReason", s.in.Mismatch)
	r.Put("promptCacheStats", orNull(s.measures.CacheStats)).Put("executionCostUsd", stable.NullIfUnknown(s.out.CostUSD))
	r.Put("memoryObservability", orNull(s.measures.Memory)).Put("diagnosticCost", nil)
	r.Put("createdAt", stable.Time(s.created)).Put("updatedAt", stable.Time(s.now()))
	r.Put("executionSummaryPath", s.ifThere(it.Paths.ExecutionSummary)).Put("verifierSummaryPath", s.ifThere(it.Paths.VerifierSummary))
	r.Opt("completionReportStatus", s.out.Report.Status)
	if s.status == Executed {
		r.Put("reconciliationWarnings", s.out.Report.Warnings).Put("completionReportPath", it.Paths.CompletionReport)
	}
	r.Put("epistemicGap", s.gap())
	return &r.Opt("runProvenanceId", s.run).Object
}

// gap says what the bundle proves, and what it can't.
func (s *Session) gap() *stable.Object {
	it := s.it
	report := s.ifThere(it.Paths.CompletionReport)
	r := &stable.Record{}
	if s.status == Executed {
		r.Put("trustBoundary", "the start of the agent's process")
		r.Put("bundleProves", "the prompt that was prepared, the plan that names it, and the bytes that were handed to the agent are the same; what the validation commands returned was seen by the control plane")
	} else {
		r.Put("trustBoundary", "the prepared prompt")
		r.Put("bundleProves", "which prompt was prepared, and by which plan")
	}
	r.Put("bundleDoesNotProve", "that the agent did what it says, or that what was verified is all that matters; and nothing against somebody who writes all these files anew")
	r.Put("modelClaimsPath", report).Null("modelClaimsStatus", s.out.Report.Status).Put("modelClaimsAreUnverified", report != nil)
	r.Put("verifierEvidencePaths", []string{it.Paths.ExecutionSummary, it.Paths.VerifierSummary, it.Paths.Result}).Put("verifierEvidenceIsAuthoritative", true)
	r.Put("reconciliationWarnings", s.out.Report.Warnings)
	return &r.Put("noWarningsMeans", "no contradiction was found between what was claimed and what was seen; it does not mean that the claims are true").Object
}
