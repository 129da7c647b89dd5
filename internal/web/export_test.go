package web

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/web/view"
)

// hostile is text that would be more than text in a page that believes it.
const hostile = `<script>alert(1)</script>"><img src=x onerror=alert(1)>` + "\u202eRTL\x1b[31mred\x1b[0m"

func exportOf(t *testing.T, d view.Detail, rows ...string) (string, http.Header) {
	t.Helper()
	lib := &fakeLibrary{}
	lib.add(d.Run, rows...)
	lib.all[0].detail = d
	s := newTestServer(t, lib, Config{Version: hostile})
	w := ask(t, s, http.MethodGet, "/api/v1/runs/a/export")
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String(), w.Header()
}

func logLine(seq int, text string) string {
	return fmt.Sprintf(`{"seq":%d,"time":"2026-01-29T15:30:12Z","type":"output","data":{"text":%q,"source":"agent"}}`, seq, text)
}

// Whatever a run says, its export has the tags of the template and no others, and one script: the one that its policy names.
func TestExportEscapesAllThatComesFromARun(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 29, 15, 30, 0, 0, time.UTC)
	red := false
	d := view.Detail{Run: view.Run{ID: "a", Title: hostile, Project: hostile, Branch: hostile, Plan: hostile, Mode: hostile, Executor: hostile, Why: hostile,
		State: view.Failed, Started: at, Last: at.Add(time.Minute), Seq: 3}}
	d.TaskList = []view.Task{{Pos: 1, ID: hostile, Title: hostile, Reason: hostile, Commit: hostile}}
	d.FindingList = []view.Finding{{File: hostile, Line: 3, Text: hostile, Severity: hostile, Reviewer: hostile, Disposition: hostile, Reason: hostile, Commit: hostile}}
	d.Gates = []view.Gate{{Seq: 2, Started: at, Green: &red, Commands: []view.GateCommand{{Command: hostile, Exit: 1, Tail: hostile}}}}
	d.Commits = []view.Commit{{Rev: hostile, Message: hostile, By: hostile}}
	body, header := exportOf(t, d,
		fmt.Sprintf(`{"seq":1,"time":"2026-01-29T15:30:12Z","type":"section","data":{"label":%q},"lines":[]}`, strings.ReplaceAll(hostile, "\x1b", "")),
		logLine(2, "before "+strings.ReplaceAll(hostile, "\x1b", "")+" behind"), `no row`)

	assert.Equal(t, []string{"<script>"}, regexp.MustCompile(`(?i)<script[^>]*>`).FindAllString(body, -1))
	assert.NotRegexp(t, `(?i)<img|<[a-z][^<>]*\son[a-z]+\s*=`, body)
	assert.NotContains(t, body, "\u202e")
	assert.NotContains(t, body, "\x1b")
	assert.Contains(t, body, "before &lt;script&gt;alert(1)&lt;/script&gt;&#34;&gt;&lt;img src=x onerror=alert(1)&gt;⟨202e⟩RTL")
	assert.Contains(t, body, "<style>"+exportStyle+"</style>")
	assert.Contains(t, body, "<script>"+exportScript+"</script>", "the policy allows it by its bytes")
	assert.NotRegexp(t, `(?:src|href)\s*=\s*"?(?:https?:)?//`, body, "nothing is fetched")
	assert.Regexp(t, `^attachment; filename="?ralphex-[\w.-]+\.html"?$`, header.Get("Content-Disposition"))
	assert.NotContains(t, body, "are not in this file")
}

// An export of a large log keeps how the run began and how it ended, and says what it left out.
func TestExportOfALargeLogSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	var rows []string
	big := strings.Repeat("x", maxExportLine+1000)
	for s := range 12 {
		rows = append(rows, fmt.Sprintf(`{"seq":%d,"time":"2026-01-29T15:30:12Z","type":"section","data":{"label":"part %d"},"lines":[]}`, len(rows)+1, s))
		for range 60 {
			rows = append(rows, logLine(len(rows)+1, big))
		}
		rows = append(rows, logLine(len(rows)+1, fmt.Sprintf("end of part %d.", s)))
	}
	body, _ := exportOf(t, view.Detail{Run: view.Run{ID: "a", State: view.Completed, Seq: int64(len(rows))}}, rows...)
	assert.Less(t, len(body), maxExport+maxExport/4)
	assert.Contains(t, body, "lines of the log are not in this file")
	assert.Contains(t, body, "(1000 more bytes)")
	assert.Contains(t, body, "end of part 0.")
	assert.Contains(t, body, "end of part 11.")
	assert.NotContains(t, body, "end of part 1.")
	assert.Contains(t, body, "<bdi>part 1</bdi>", "the section stays")
}

func TestExportName(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string]string{
		"docs/plans/cache.md": "ralphex-cache.html", "": "ralphex-20260129.html", `docs\plans\a b.md`: "ralphex-a-b.html", "x/../..": "ralphex-.html",
		"\"\r\nX: y.md": "ralphex-X--y.html", "план.md": "ralphex-.html",
	} {
		assert.Equal(t, want, exportName(view.Run{ID: "20260129", Plan: plan}), plan)
	}
	assert.Less(t, len(exportName(view.Run{Plan: strings.Repeat("a", 500)})), 100)
}
