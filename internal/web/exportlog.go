package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// exportRow is a row of the log as the feed makes it.
type exportRow struct {
	Time  time.Time  `json:"time"`
	Type  string     `json:"type"`
	Data  exportData `json:"data"`
	Lines []struct {
		Style string `json:"style"`
		Text  string `json:"text"`
	} `json:"lines"`
}

// exportData is what of the data of a fact is needed: the text of an output, the label of a section.
type exportData struct {
	Text   string `json:"text"`
	Source string `json:"source"`
	Label  string `json:"label"`
}

// exportWriter makes sections of rows.
type exportWriter struct {
	sections []*exportSection
	size     int // of all bodies
	dropped  int // index of the section that loses its lines next, less one
}

// add takes a row. One that is no row is passed over: a log is what some program wrote.
func (w *exportWriter) add(raw json.RawMessage) {
	var row exportRow
	if json.Unmarshal(raw, &row) != nil {
		return
	}
	if row.Type == string(event.Section{}.Kind()) || len(w.sections) == 0 {
		title := "start"
		if row.Data.Label != "" {
			title = plainText(row.Data.Label)
		}
		w.sections = append(w.sections, &exportSection{Title: title, Time: row.Time})
		if row.Data.Label != "" {
			return
		}
	}
	if row.Type == string(event.Output{}.Kind()) {
		w.line(row.Time, exportClass(row.Data.Source), row.Data.Text)
		return
	}
	for _, l := range row.Lines {
		w.line(row.Time, exportStyleClass(l.Style), l.Text)
	}
}

// line writes one line, as far as there is room for it.
func (w *exportWriter) line(at time.Time, class, text string) {
	s := w.sections[len(w.sections)-1]
	s.Lines++
	if s.body.Len() > maxExportSection {
		s.Left++
		return
	}
	if len(text) > maxExportLine {
		text = text[:maxExportLine] + fmt.Sprintf(" … (%d more bytes)", len(text)-maxExportLine)
	}
	before := s.body.Len()
	fmt.Fprintf(&s.body, "<p class=%q><time>%s</time><span>%s</span></p>\n", class, at.Format("15:04:05"), template.HTMLEscapeString(plainText(text)))
	w.size += s.body.Len() - before
	for w.size > maxExport && w.dropped+2 < len(w.sections) {
		w.dropped++
		old := w.sections[w.dropped]
		w.size -= old.body.Len()
		old.Left = old.Lines
		old.body.Reset()
	}
	if w.size > maxExport { // a few sections are all there is
		s.Left++
		s.body.Truncate(before)
		w.size = maxExport
	}
}

// exportClass is how output is shown, by who said it. The names are those of the filters.
func exportClass(source string) string {
	switch source {
	case "agent", "":
		return "agent"
	case "tool":
		return "tool"
	}
	return "command"
}

func exportStyleClass(style string) string {
	switch style {
	case "warning", "error", "problem":
		return style
	}
	return "info"
}

var (
	escapeCodes = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?`)
	noForm      = strings.NewReplacer("\r", "", "\x00", "␀", "\u202a", "⟨202a⟩", "\u202b", "⟨202b⟩", "\u202d", "⟨202d⟩", "\u202e", "⟨202e⟩",
		"\u2066", "⟨2066⟩", "\u2067", "⟨2067⟩", "\u2068", "⟨2068⟩")
)

// plainText takes the terminal's escapes out of a text, and shows what turns the direction of a line as what it is.
func plainText(s string) string {
	if strings.Contains(s, "\x1b") {
		s = escapeCodes.ReplaceAllString(s, "")
	}
	return noForm.Replace(strings.ToValidUTF8(s, "�"))
}
