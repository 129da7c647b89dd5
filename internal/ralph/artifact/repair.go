package artifact

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"ralphex/internal/durable"
	"ralphex/internal/ralph/layout"
	"ralphex/internal/ralph/stable"
)

// maxRecord bounds what is read of one artifact.
const maxRecord = 64 << 20

// The fields without which a record is no base for a text.
var (
	identity      = []string{"provenanceId", "iteration", "promptKind", "promptTarget", "trustLevel", "summary", "artifactDir", "createdAt"}
	needPreflight = append([]string{"ready", "reportPath", "diagnostics"}, identity...)
	needFailure   = append([]string{"stage", "blocked", "message"}, identity...)
	needBundle    = append([]string{"status", "bundleDir", "preflightReportPath", "preflightSummaryPath", "updatedAt", "rootPolicy"}, identity...)
	needIteration = []string{"iteration", "promptKind", "executionStatus", "verificationStatus", "completionClassification", "followUpAction", "summary"}
	renderers     = map[string]struct {
		need   []string
		render func(*stable.Object) []byte
	}{
		"preflight":        {needPreflight, RenderPreflight},
		"integrityFailure": {needFailure, RenderFailure},
		"provenanceBundle": {needBundle, RenderBundle},
	}
)

// renderer chooses by the record's kind: latest-result.json is whatever happened last, and the projection of an iteration names none.
func renderer(o *stable.Object) ([]string, func(*stable.Object) []byte) {
	if r, ok := renderers[o.Text("kind")]; ok {
		return r.need, r.render
	}
	return needIteration, RenderIteration
}

// Repair makes the latest summaries that are missing from the JSON beside them (repairLatestArtifactSurfaces in the seed). One that is there is
// never written over. It returns the texts that it made, and the records that are no base for one, relative to the workspace.
func Repair(_ context.Context, l layout.Layout) (repaired, stale []string, err error) {
	latest := l.Latest()
	var w *Writer
	for _, pair := range []struct{ text, record string }{
		{latest.Summary, latest.Result}, {latest.PreflightSummary, latest.PreflightReport}, {latest.ProvenanceSummary, latest.ProvenanceBundle},
	} {
		if _, err := os.Lstat(pair.text); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		data, err := durable.ReadFile(pair.record, maxRecord)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		page := []byte(nil)
		if err == nil {
			page = Render(data)
		}
		if page == nil {
			stale = append(stale, l.Rel(pair.record))
			continue
		}
		if w == nil {
			if w, err = Open(l); err != nil {
				return repaired, stale, err
			}
			defer w.Close()
		}
		if err := w.Put(page, pair.text); err != nil {
			return repaired, stale, err
		}
		repaired = append(repaired, l.Rel(pair.text))
	}
	if w != nil {
		err = w.Sync()
	}
	return repaired, stale, err
}

// Render makes the text of a record, nil if that is no base for one. It is a pure function of the bytes.
func Render(data []byte) []byte {
	o, err := stable.ParseObject(data)
	if err != nil {
		return nil
	}
	need, draw := renderer(o)
	for _, key := range need {
		if v, ok := o.Get(key); !ok || v == nil {
			return nil
		}
	}
	return draw(o)
}
