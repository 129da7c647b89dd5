package format

import (
	"strings"

	"ralphex/pkg/plan"
)

const bom = "\xef\xbb\xbf"

// line is one line of a plan, without its line end.
type line struct {
	text     string
	start    int  // offset in the file
	verbatim bool // nothing of it is formatted, unless a heading counts there all the same
	sealed   bool // not even then
}

// split cuts a plan into lines, and finds the line end that most of them have.
func split(p *plan.Plan) (lines []line, eol string) {
	src, crlf, off := p.Source(), 0, 0
	if strings.HasPrefix(src, bom) {
		off = len(bom)
	}
	for off < len(src) {
		text, _, found := strings.Cut(src[off:], "\n")
		l := line{text: text, start: off}
		off += len(text)
		if found {
			off++
			if strings.HasSuffix(text, "\r") {
				crlf++
			}
		}
		lines = append(lines, l)
	}
	eol = "\n"
	if 2*crlf > strings.Count(src, "\n") {
		eol = "\r\n"
	}
	markOpaque(lines, p.Opaque)
	markFrontMatter(lines)
	markHTML(lines, p.Headings)
	for i := range lines {
		if lines[i].verbatim || lines[i].sealed {
			lines[i].text = strings.TrimRight(lines[i].text, "\r")
		}
	}
	return lines, eol
}

// markOpaque marks fences and comments.
func markOpaque(lines []line, spans []plan.Span) {
	next := 0
	for i := range lines {
		end := lines[i].start + len(lines[i].text) + 1
		for next < len(spans) && spans[next].End <= lines[i].start {
			next++
		}
		for _, s := range spans[next:] {
			if s.Start >= end {
				break
			}
			if s.End > lines[i].start {
				lines[i].verbatim = true
			}
		}
	}
}

// markFrontMatter marks settings between two `---` at the top of the file, which other tools read.
func markFrontMatter(lines []line) {
	if len(lines) == 0 || strings.TrimRight(lines[0].text, " \t\r") != "---" {
		return
	}
	for i, l := range lines[1:] {
		if strings.TrimRight(l.text, " \t\r") == "---" {
			for j := range lines[:i+2] {
				lines[j].sealed = true
			}
			return
		}
	}
}

// literal are the tags whose content is as it is, blank lines included.
var literal = []string{"pre", "script", "style", "textarea"}

// markHTML marks blocks of HTML: to the next blank line, or to the closing tag of what is literal, and a
// comment that is never closed to the end. A heading ends whatever was taken for HTML: Markdown knows better.
func markHTML(lines []line, heads []plan.Heading) {
	until := ""
	inside := false
	for i := range lines {
		if lines[i].sealed {
			continue
		}
		for len(heads) > 0 && heads[0].Line < i+1 {
			heads = heads[1:]
		}
		if len(heads) > 0 && heads[0].Line == i+1 {
			until, inside = "", false
			continue
		}
		text := strings.TrimLeft(lines[i].text, " \t")
		lower := strings.ToLower(text)
		switch {
		case until != "":
			lines[i].verbatim = true
			if strings.Contains(lower, until) {
				until = ""
			}
			continue
		case inside:
			inside = strings.TrimRight(text, "\r") != ""
			lines[i].verbatim = lines[i].verbatim || inside
		case lines[i].verbatim:
		case strings.HasPrefix(text, "<"):
			inside = true
			lines[i].verbatim = true
		}
		if strings.Contains(text, "<!--") && !strings.Contains(text[strings.LastIndex(text, "<!--"):], "-->") && !lines[i].verbatim {
			until = "-->"
			lines[i].verbatim = true
		}
		for _, tag := range literal {
			if rest, ok := strings.CutPrefix(lower, "<"+tag); ok && (rest == "" || strings.IndexByte(" \t\r>", rest[0]) >= 0) && !strings.Contains(lower, "</"+tag) {
				until = "</" + tag
			}
		}
	}
}

// indented tells whether a line may be code by its indentation.
func indented(text string) bool {
	return strings.HasPrefix(text, "    ") || strings.Contains(text[:len(text)-len(strings.TrimLeft(text, " \t"))], "\t")
}
