package provenance

import (
	"errors"
	"fmt"
	"os"
	"time"

	"ralphex/internal/ralph/artifact"
	"ralphex/internal/ralph/stable"
)

// The stages at which a launch is checked. The last one is of the session that the readiness gate asks, before the iteration's own is prepared.
const (
	StagePlan     = "executionPlanHash"
	StagePrompt   = "promptArtifactHash"
	StagePayload  = "stdinPayloadHash"
	StagePlanning = "planningPromptHash"
)

// Failure says that what would have been launched is not what was prepared. No process was started. Hashes are empty where they were not looked at.
type Failure struct {
	Stage   string
	Message string
	Dir     string // of the bundle, which has the whole story

	ExpectedPlan, ActualPlan       string
	ExpectedPrompt, ActualPrompt   string
	ExpectedPayload, ActualPayload string
	NotWritten                     error // why the failure could not be written down; nil = it was
}

func (f *Failure) Error() string {
	text := fmt.Sprintf("provenance: %s (%s); no agent was started", f.Message, f.Stage)
	if f.NotWritten != nil {
		text += "; that could not be written down: " + f.NotWritten.Error()
	}
	return text
}

// Hint says what to do.
func (f *Failure) Hint() string {
	return "somebody changed files under .ralph/artifacts while the run was preparing: see " + f.Dir + ", then type the same command again"
}

func (f *Failure) record(it artifact.Iteration, at string) *stable.Object {
	r := &stable.Record{}
	r.Put("schemaVersion", 1).Put("kind", "integrityFailure").Put("provenanceId", it.ProvenanceID).Put("iteration", it.Paths.Number)
	r.Put("promptKind", it.Kind).Put("promptTarget", it.Target).Put("trustLevel", it.Trust()).Put("stage", f.Stage).Put("blocked", true)
	r.Put("summary", fmt.Sprintf("Iteration %d was not executed: %s.", it.Paths.Number, f.Message)).Put("message", f.Message).Put("artifactDir", it.Paths.Dir)
	r.Put("executionPlanPath", onDisk(it.Paths.ExecutionPlan)).Put("promptArtifactPath", onDisk(it.Paths.Prompt)).Put("cliInvocationPath", nil)
	r.Null("expectedExecutionPlanHash", f.ExpectedPlan).Null("actualExecutionPlanHash", f.ActualPlan)
	r.Null("expectedPromptHash", f.ExpectedPrompt).Null("actualPromptHash", f.ActualPrompt)
	r.Null("expectedPayloadHash", f.ExpectedPayload).Null("actualPayloadHash", f.ActualPayload)
	return &r.Put("createdAt", at).Object
}

// onDisk is the path of a file, null if that is gone: a cleanup drops a failure that names what is not there any more.
func onDisk(path string) any {
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	return path
}

// Refuse blocks a session because of what was found before it was prepared, as ReadBack finds it. The error is a *Failure.
func (s *Session) Refuse(f Failure) error { return s.block(f) }

// block writes the failure into the bundle and under the latest pointers, and returns it.
func (s *Session) block(f Failure) error {
	f.Dir = s.dir
	delete(s.sums, s.it.Paths.Prompt) // one of these was changed: the bundle has them as they were
	delete(s.sums, s.it.Paths.ExecutionPlan)
	matched := false
	s.in.Matched, s.in.Mismatch = &matched, f.Message
	record := stable.Marshal(f.record(s.it, stable.Time(s.now())))
	page := artifact.Render(record)
	latest := s.w.Latest()
	f.NotWritten = errors.Join(
		s.put(put{record, []string{s.file("provenance-failure.json"), latest.ProvenanceFailure, latest.Result}}),
		s.put(put{page, []string{s.file("provenance-failure-summary.md"), latest.Summary}}),
		s.bundle(Blocked, fmt.Sprintf("Iteration %d was blocked: %s.", s.it.Paths.Number, f.Message)),
		s.w.Sync())
	return &f
}

// BlockedByPreflight writes the bundle of a launch that a preflight kept from being prepared: it has the preflight's report and nothing else. They lie
// in the iteration's folder, too, and are the last thing that happened: latest-result.json and latest-summary.md.
func BlockedByPreflight(w *artifact.Writer, it artifact.Iteration, report, page []byte, summary string, now func() time.Time) (*Session, error) {
	dir, err := w.Bundle(it.ProvenanceID)
	if err != nil {
		return nil, err
	}
	s, latest := &Session{it: it, w: w, dir: dir, sums: sums{}, now: now, created: now()}, w.Latest()
	if err := errors.Join(
		s.put(put{report, []string{it.Paths.PreflightReport, s.file("preflight-report.json"), latest.PreflightReport, latest.Result}}),
		s.put(put{page, []string{it.Paths.PreflightSummary, s.file("preflight-summary.md"), latest.PreflightSummary, latest.Summary}})); err != nil {
		return nil, err
	}
	return s, s.bundle(Blocked, summary)
}
