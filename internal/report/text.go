package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ralphex/pkg/plan/check"
)

// The colours of a terminal's own palette.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	blue   = "\x1b[34m"
	faint  = "\x1b[2m"
	reset  = "\x1b[0m"
)

var severityColor = map[check.Severity]string{check.Error: red, check.Warning: yellow, check.Note: blue}

// Text writes findings for a person: place, what to do, and the source line with a caret.
func Text(w io.Writer, r Report) error {
	t := &textWriter{w: bufio.NewWriter(w), r: r}
	for _, f := range r.Files {
		for _, x := range f.Findings {
			t.finding(f, x)
		}
	}
	if !r.Quiet {
		t.summary(r.Summary())
	}
	return t.w.Flush()
}

type textWriter struct {
	w *bufio.Writer
	r Report
}

// paint puts a colour around s, on a terminal.
func (t *textWriter) paint(color, s string) string {
	if !t.r.Color || s == "" {
		return s
	}
	return color + s + reset
}

func (t *textWriter) finding(f File, x check.Finding) {
	place := fmt.Sprintf("%s:%d:%d:", f.Path, x.Line, f.runeCol(x.Offset))
	fix := ""
	if x.Fix != nil {
		fix = ", fixable"
	}
	fmt.Fprintf(t.w, "%s %s %s %s\n", t.paint(bold, visible(place)), t.paint(severityColor[x.Severity], string(x.Severity)+":"), visible(x.Message),
		t.paint(faint, "("+x.Rule+fix+")"))
	if !t.r.Quiet {
		t.source(f, x)
	}
}

// source shows the line with a caret below what is meant.
func (t *textWriter) source(f File, x check.Finding) {
	line, start := f.lineAt(x.Offset)
	if strings.TrimSpace(line) == "" {
		return
	}
	from := x.Offset - start
	to := min(from+max(x.Len, 1), len(line))
	if from > len(line) {
		return
	}
	before, within, after := visible(line[:from]), visible(line[from:max(from, to)]), visible(line[max(from, to):])
	before, within, after = t.fit(before, within, after)
	gutter := fmt.Sprintf("%5d", x.Line)
	fmt.Fprintf(t.w, "%s %s%s%s\n", t.paint(blue, gutter+" |"), before, within, after)
	caret := strings.Repeat("^", max(ansi.StringWidth(within), 1))
	fmt.Fprintf(t.w, "%s %s%s\n", t.paint(blue, "      |"), strings.Repeat(" ", ansi.StringWidth(before)), t.paint(severityColor[x.Severity], caret))
}

// gutterWidth is what stands before a source line.
const gutterWidth = 8

// fit cuts a long line so that what is meant stays in sight.
func (t *textWriter) fit(before, within, after string) (b, m, a string) {
	width := t.r.Width - gutterWidth
	if t.r.Width == 0 {
		width = 400 // a whole plan in one line is no help in a log, either
	}
	width = max(width, 20)
	if ansi.StringWidth(before) > width/2 {
		before = ansi.TruncateLeft(before, ansi.StringWidth(before)-width/2+1, "…")
	}
	width -= ansi.StringWidth(before)
	within = ansi.Truncate(within, width, "…")
	return before, within, ansi.Truncate(after, max(width-ansi.StringWidth(within), 0), "…")
}

// visible makes text safe to print: tabs become blanks, so that the caret stands below what it means, and
// control characters, which could draw anything, a mark.
func visible(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteString("    ")
		case unsafe(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unsafe tells whether a terminal would do something else than show the rune: controls, and what turns the
// direction of writing around.
func unsafe(r rune) bool {
	return unicode.IsControl(r) || r == utf8.RuneError || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

func (t *textWriter) summary(s Summary) {
	if s.Fixed > 0 {
		fmt.Fprintf(t.w, "%s mended in %s\n", count(s.Fixed, "finding"), count(t.fixedFiles(), "plan"))
	}
	if s.Errors+s.Warnings+s.Notes == 0 {
		fmt.Fprintf(t.w, "%s checked, nothing to report\n", count(s.Files, "plan"))
		return
	}
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Notes, "note"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n, p.word))
		}
	}
	fmt.Fprintf(t.w, "%s in %s", strings.Join(parts, ", "), count(s.Files, "plan"))
	if s.Fixable > 0 {
		fmt.Fprintf(t.w, "; `ralphex check --fix` mends %d", s.Fixable)
	}
	fmt.Fprintln(t.w)
}

func (t *textWriter) fixedFiles() int {
	n := 0
	for _, f := range t.r.Files {
		if f.Fixed > 0 {
			n++
		}
	}
	return n
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
