package preflight

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// Record is preflight-report.json of an iteration. handoff is the note of the session before as an object, nil = none.
func (r *Report) Record(l layout.Layout, q Request, handoff *stable.Object, now time.Time) *stable.Object {
	paths := l.Iteration(q.Iteration)
	trust := "verifiedCliExecution"
	if q.target() == IDEHandoff {
		trust = "preparedPromptOnly"
	}
	var id, title string
	if r.Selected != nil {
		id, title = r.Selected.ID, r.Selected.Title
	}
	all := []any{}
	for _, d := range r.Diagnostics {
		all = append(all, d)
	}
	o := &stable.Object{}
	for _, f := range []struct {
		key   string
		value any
	}{
		{"schemaVersion", 1}, {"kind", "preflight"}, {"agentId", q.AgentID}, {"provenanceId", q.ProvenanceID}, {"iteration", q.Iteration},
		{"promptKind", q.PromptKind}, {"promptTarget", string(q.target())}, {"trustLevel", trust}, {"ready", r.Ready}, {"summary", r.Summary},
		{"activeClaimSummary", r.ActiveClaims}, {"selectedTaskId", stable.NullIfEmpty(id)}, {"selectedTaskTitle", stable.NullIfEmpty(title)},
		{"taskValidationHint", stable.NullIfEmpty(r.Validation.Hint)}, {"effectiveValidationCommand", stable.NullIfEmpty(r.Validation.Effective)},
		{"normalizedValidationCommandFrom", stable.NullIfEmpty(r.Validation.NormalizedFrom)}, {"validationCommand", stable.NullIfEmpty(r.Validation.Effective)},
		{"artifactDir", paths.Dir}, {"reportPath", paths.PreflightReport}, {"summaryPath", paths.PreflightSummary}, {"blocked", !r.Ready},
		{"createdAt", stable.Time(now)}, {"diagnostics", all}, {"sessionHandoff", nil},
	} {
		o.Set(f.key, f.value)
	}
	if handoff != nil {
		o.Set("sessionHandoff", handoff)
	}
	return o
}

// BlockedError says that a run must not start.
type BlockedError struct {
	First  Diagnostic // the first that blocks
	Report string     // where the whole report is; empty = it was not written
}

func (e *BlockedError) Error() string { return "preflight blocked: " + e.First.Line() }

// Hint says what to do.
func (e *BlockedError) Hint() string {
	if e.Report == "" {
		return "ralphex preflight shows all findings"
	}
	return "ralphex preflight shows all findings; this run's are in " + e.Report
}

// Blocked is the error of a report that is not ready, and nil for one that is.
func (r *Report) Blocked() *BlockedError {
	for _, d := range r.Diagnostics {
		if d.Severity == Error {
			return &BlockedError{First: d}
		}
	}
	return nil
}

// Write puts the report and its summary into the iteration's folder, and copies of them under latest-preflight-*. A report that is not ready
// also becomes latest-result.json and latest-summary.md: it is the last thing that happened. The bundle of a blocked run is its caller's.
func (r *Report) Write(l layout.Layout, q Request, handoff *stable.Object, now time.Time) error {
	if err := l.CheckInside(); err != nil {
		return err
	}
	paths, latest := l.Preflight(q.Iteration), l.Latest()
	report := stable.Marshal(r.Record(l, q, handoff, now))
	summary := []byte(r.RenderFor(q, paths.PreflightReport))
	files := []struct {
		path string
		data []byte
	}{{paths.PreflightReport, report}, {paths.PreflightSummary, summary}, {latest.PreflightReport, report}, {latest.PreflightSummary, summary}}
	if !r.Ready {
		files = append(files, struct {
			path string
			data []byte
		}{latest.Result, report}, struct {
			path string
			data []byte
		}{latest.Summary, summary})
	}
	dir, err := durable.OpenDir(l.Root)
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, f := range files {
		rel, err := filepath.Rel(l.Root, f.path)
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		if err := dir.Root().MkdirAll(filepath.Dir(rel), os.FileMode(0o755)); err != nil {
			return err
		}
		if err := dir.WriteFile(rel, f.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
