package finding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is how many bytes of a finding's text, and of its reason, are kept.
const maxText = 4096

// Parse reads findings out of what a reviewer wrote: lines that begin with a place,
//
//	path/to/file.go:42 - [major] what is wrong, in one line => fixed
//	path/to/file.go:42-50 - what is wrong => refuted: why it is none
//
// in any of the ways in which people and models write such lists (bullets, numbers, bold, backticks, links, tables,
// the severity or the text first). Fenced code and quotes are skipped. The same words about the same file are one
// finding: at the same line with the later disposition, at several with the worst. Everything else is prose, and left alone.
func Parse(text string) Report {
	var r Report
	p := parser{at: map[ID]int{}, last: -1}
	clean := false
	for _, line := range spoken(text) {
		bare := strip(line)
		if said, ok := strings.CutPrefix(strings.TrimSpace(bare), "=>"); ok {
			p.settle(said)
			continue
		}
		f, ok := p.finding(bare)
		if ok {
			p.add(f)
			continue
		}
		p.last = -1
		clean = clean || saysClean(bare)
	}
	r.Findings = p.found
	r.Clean = clean && len(r.Findings) == 0
	return r
}

// parser gathers findings.
type parser struct {
	found []Finding
	at    map[ID]int
	last  int // the finding that a line of its own with "=>" is about; -1 = none
}

func (p *parser) add(f Finding) {
	i, known := p.at[f.ID()]
	if !known {
		i = len(p.found)
		p.at[f.ID()] = i
		p.found = append(p.found, f)
	}
	p.last = i
	had := &p.found[i]
	switch {
	case !known:
	case had.Line == f.Line: // told again, as in a summary
		if f.Disposition != "" {
			had.Disposition, had.Reason = f.Disposition, f.Reason
		}
	default:
		if !slices.Contains(had.Also, f.Line) {
			had.Also = append(had.Also, f.Line)
		}
		if better(had.Disposition) > better(f.Disposition) {
			had.Disposition, had.Reason = f.Disposition, f.Reason
		}
	}
}

// better orders what is said of several lines with one text: the finding is as well as the worst of them.
func better(d Disposition) int {
	return slices.Index([]Disposition{Open, "", Refuted, Fixed}, d)
}

// settle takes a disposition that stands on the line after its finding.
func (p *parser) settle(said string) {
	if d, reason, ok := disposition(said); ok && p.last >= 0 && p.last < len(p.found) {
		p.found[p.last].Disposition, p.found[p.last].Reason = d, reason
	}
}

// finding reads one line without its markup.
func (p *parser) finding(line string) (Finding, bool) {
	if strings.HasPrefix(line, "|") {
		return row(line)
	}
	var f Finding
	rest := line
	if s, after, ok := severity(rest); ok {
		f.Severity = s
		rest = separator(after)
	}
	after, ok := f.readPlace(rest)
	if !ok {
		if f.Severity == "" {
			return asAsked(line)
		}
		return f.placeLast(rest)
	}
	text := separator(after)
	s, afterSeverity, hasSeverity := severity(text)
	if text == after && !hasSeverity { // "a.go:42 is where it begins" is a sentence
		return Finding{}, false
	}
	if hasSeverity {
		f.Severity = s
		text = separator(afterSeverity)
	}
	return f.say(text)
}

// asAsked reads a line that keeps to the form that is asked for, but whose path has blanks, or no line behind it that there could be: the
// finding is then about the whole file. It has a severity in brackets, or says what became of the finding; else each sentence would be one.
func asAsked(line string) (Finding, bool) {
	_, settled, _ := splitDisposition(line)
	for at, dash := range line[:min(len(line), maxPath)] {
		if dash != '-' && dash != '–' && dash != '—' && dash != ':' {
			continue
		}
		place := strings.TrimRight(line[:at], " \t")
		if len(place) == at && dash != ':' {
			continue // a dash within a word
		}
		text := separator(line[at:])
		s, after, bracketed := bracketedSeverity(text)
		if !bracketed {
			if settled == "" || !quoted(place) && strings.ContainsAny(place, " \t") {
				continue
			}
			after = text
		}
		f := Finding{Severity: s}
		if !f.wholePlace(place) {
			return Finding{}, false
		}
		return f.say(separator(after))
	}
	return Finding{}, false
}

// bracketedSeverity reads "[major]" at the beginning of s.
func bracketedSeverity(s string) (sev Severity, rest string, ok bool) {
	if !strings.HasPrefix(s, "[") || strings.IndexByte(s[:min(len(s), 32)], ']') < 0 {
		return "", s, false
	}
	return severity(s)
}

func quoted(place string) bool { return strings.HasPrefix(place, "`") && strings.HasSuffix(place, "`") }

// say gives the finding its text and, where it ends with one, its disposition.
func (f Finding) say(text string) (Finding, bool) {
	text, f.Disposition, f.Reason = splitDisposition(text)
	f.Text = tidy(text)
	f.Reason = tidy(f.Reason)
	return f, f.Text != ""
}

// placeLast reads "[P1] what is wrong — path/to/file.go:42-50", where the place is the last word.
func (f Finding) placeLast(rest string) (Finding, bool) {
	rest, d, reason := splitDisposition(rest)
	head := strings.TrimRight(rest, " \t.)")
	i := strings.LastIndexAny(head, " \t(")
	if i < 0 {
		return Finding{}, false
	}
	if tail, ok := f.readPlace(head[i+1:]); !ok || tail != "" {
		return Finding{}, false
	}
	f.Text = tidy(strings.TrimRight(head[:i], " \t-–—:|("))
	f.Disposition, f.Reason = d, tidy(reason)
	return f, f.Text != ""
}

// row reads a row of a table: one cell is the place, one may be the severity, the others are the text.
func row(line string) (Finding, bool) {
	var f Finding
	var said []string
	for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
		cell = strings.TrimSpace(cell)
		if f.File == "" {
			if rest, ok := f.readPlace(cell); ok && rest == "" {
				continue
			}
			f.File, f.Line, f.EndLine = "", 0, 0
		}
		if s, ok := severityWords[strings.ToLower(strings.Trim(cell, "[]()"))]; ok && f.Severity == "" {
			f.Severity = s
			continue
		}
		if cell != "" {
			said = append(said, cell)
		}
	}
	if f.File == "" {
		return Finding{}, false
	}
	return f.say(strings.Join(said, " - "))
}

// separator takes what stands between the parts of a finding; it returns the text as it was where nothing does.
func separator(s string) string {
	trimmed := strings.TrimLeft(s, " \t")
	rest := strings.TrimLeft(trimmed, "-–—:|,")
	if rest == trimmed {
		return s
	}
	return strings.TrimLeft(rest, " \t")
}

// saysClean recognises NO ISSUES FOUND alone on its line.
func saysClean(line string) bool {
	return words(line) == "no issues found"
}

// tidy makes one line of printable text of s, of at most maxText bytes.
func tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	return cut(strings.TrimSpace(s), maxText)
}

// cut shortens s to at most n bytes, at a character's border, with a mark.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = "…"
	end := n - len(mark)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimSpace(s[:end]) + mark
}
