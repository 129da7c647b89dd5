package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode"

	"ralphex/internal/web/view"
	"ralphex/pkg/event"
)

// The parts of an exported run. It is opened from a disk, so it holds all it needs; what comes from the run is escaped, and its policy lets no
// other script run than this one.
var (
	//go:embed export/page.html
	exportPage string
	//go:embed export/page.css
	exportStyle string
	//go:embed export/page.js
	exportScript string

	exportTemplate = template.Must(template.New("export").Funcs(template.FuncMap{
		"stamp": stamp, "took": tookWords, "usd": usdWords, "rev": shortRev, "mark": taskMark, "verdict": verdict,
	}).Parse(exportPage))
	exportPolicy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", sourceHash(exportStyle), sourceHash(exportScript))
)

// exported is what the template is given.
type exported struct {
	Policy  string
	Style   template.CSS
	Script  template.JS
	Version string
	Now     time.Time
	Run     view.Detail
	Tone    string
	Took    string
	Plan    *Plan
	Notes   []string // what is missing, and why

	Sections []*exportSection
}

// export sends a run as one HTML file, to be kept or passed on.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	run, err := s.session(r.PathValue("id"))
	if err != nil {
		return err
	}
	d, err := run.Detail(r.Context())
	if err != nil {
		return err
	}
	page := exported{Policy: exportPolicy, Style: template.CSS(exportStyle), Script: template.JS(exportScript), Version: s.cfg.Version, Now: time.Now(), Run: d}
	page.Tone = map[view.RunState]string{view.Completed: "good", view.Failed: "bad", view.Killed: "bad", view.Stalled: "warn"}[d.State]
	if !d.Started.IsZero() {
		page.Took = tookWords(d.Last.Sub(d.Started))
	}
	if plan, err := s.cfg.Facts.Plan(r.Context(), d.Run); err == nil {
		page.Plan = &plan
	}
	if page.Sections, err = exportLog(r.Context(), run, d.Seq); err != nil {
		return err
	}
	left := 0
	for _, part := range page.Sections {
		left += part.Left
	}
	if left > 0 {
		page.Notes = append(page.Notes, fmt.Sprintf("%d lines of the log are not in this file: it holds %d MiB of it at most. The journal of the run has all of them.", left, maxExport>>20))
	}
	if !d.State.Over() {
		page.Notes = append(page.Notes, "The run was going on when this file was made.")
	}
	var out bytes.Buffer
	if err := exportTemplate.Execute(&out, page); err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": exportName(d.Run)}))
	w.Header().Set("Cache-Control", "no-store")
	return write(w, r, http.StatusOK, "text/html; charset=utf-8", []byte(plainText(out.String())))
}

// exportName is the name of the file: letters, digits, dot, dash and underscore of the plan's own.
func exportName(run view.Run) string {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(run.Plan, `\`, "/")), ".md")
	if run.Plan == "" {
		name = run.ID
	}
	name = strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("._-", c)) {
			return c
		}
		return '-'
	}, name)
	const most = 80
	return "ralphex-" + strings.Trim(name[:min(len(name), most)], "-.") + ".html"
}

// sourceHash allows one script or style by its bytes.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04:05 MST")
}

func tookWords(d time.Duration) string { return event.Brief(d) }

func usdWords(reported, listed float64) string {
	switch {
	case reported+listed == 0:
		return "–"
	case listed > 0:
		return fmt.Sprintf("≈$%.2f", reported+listed)
	}
	return fmt.Sprintf("$%.2f", reported)
}

func shortRev(rev string) string { return rev[:min(len(rev), 12)] }

func taskMark(status string) string {
	switch status {
	case "done":
		return "✓"
	case "failed":
		return "✗"
	case "active":
		return "◐" // some of its boxes are ticked
	}
	return "○"
}

func verdict(green *bool) template.HTML {
	switch {
	case green == nil:
		return `<span class="dim">cut off</span>`
	case *green:
		return `<span class="good">✓ green</span>`
	}
	return `<span class="bad">✗ red</span>`
}

// exportSection is a piece of the log that can be folded.
type exportSection struct {
	Title string
	Time  time.Time
	Lines int
	Left  int // lines that are not in it
	Open  bool

	body bytes.Buffer
}

// HTML is the body: what addLine wrote.
func (s *exportSection) HTML() template.HTML { return template.HTML(s.body.String()) }

const (
	// maxExport is how much of a log an export holds, maxExportSection how much of one section of it, in bytes of HTML.
	maxExport        = 24 << 20
	maxExportSection = 6 << 20
	maxExportLine    = 64 << 10 // of text
	exportPageRows   = 2000
)

// exportLog reads the log up to the event last. Of one that is too large the sections in its middle lose their lines: how a run began and how it
// ended is worth most.
func exportLog(ctx context.Context, run Session, last int64) ([]*exportSection, error) {
	log := exportWriter{}
	for after := int64(0); after < last; {
		rows, next, err := run.Rows(ctx, after, exportPageRows)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			log.add(row)
		}
		if next <= after {
			break
		}
		after = next
	}
	if n := len(log.sections); n > 0 {
		log.sections[n-1].Open = true
	}
	return log.sections, nil
}
