package convert

import (
	"strings"

	"ralphex/internal/lazyregexp"
)

// This file writes text of a source so that it is text in the plan, too: no box outside of the items, no task
// that nobody meant, no HTML or fence that swallows what follows.

// placeholders stand for text that somebody owes. A plan has none (rule "placeholder").
var placeholders = lazyregexp.New(`\?{3,}|\bTBD\b|\bFIXME\b`)

// codeSpans returns the ranges of s that are code spans.
func codeSpans(s string) [][2]int {
	var out [][2]int
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			break
		}
		at += i
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		end := closingRun(s, at+run, run)
		if end < 0 {
			at += run
			continue
		}
		out = append(out, [2]int{at, end + run})
		at = end + run
	}
	return out
}

// closingRun finds a run of exactly n backquotes.
func closingRun(s string, from, n int) int {
	for from < len(s) {
		i := strings.IndexByte(s[from:], '`')
		if i < 0 {
			return -1
		}
		from += i
		run := len(s[from:]) - len(strings.TrimLeft(s[from:], "`"))
		if run == n {
			return from
		}
		from += run
	}
	return -1
}

// guarded makes one line of text harmless. owed are the placeholders that were taken out of it.
func guarded(s string) (out string, owed []string) {
	s = strings.TrimRight(clean(s), " \t")
	if !strings.ContainsAny(s, "?BE<-") {
		return s, nil
	}
	spans := codeSpans(s)
	left := spans
	in := func(i int) bool { // asked for growing i
		for len(left) > 0 && left[0][1] <= i {
			left = left[1:]
		}
		return len(left) > 0 && left[0][0] <= i
	}
	var b strings.Builder
	last := 0
	for _, m := range placeholders.FindAllStringIndex(s, -1) {
		if in(m[0]) {
			continue
		}
		owed = append(owed, s[m[0]:m[1]])
		b.WriteString(strings.TrimRight(s[last:m[0]], " "))
		if last = m[1]; b.Len() > 0 {
			b.WriteByte(' ')
		}
	}
	b.WriteString(strings.TrimLeft(s[last:], " "))
	if len(owed) == 0 {
		b.Reset()
		b.WriteString(s)
	}
	out = b.String()
	if len(owed) > 0 {
		out = strings.TrimRight(strings.TrimLeft(out, " :;,–—"), " ")
		out = strings.ReplaceAll(out, "()", "")
		out = strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(out, " .", "."), " ,", ","), " ")
		spans = codeSpans(out)
	}
	return uncommented(out, spans), owed
}

// uncommented breaks the signs of comments outside of code spans.
func uncommented(s string, spans [][2]int) string {
	if !strings.Contains(s, "<!--") && !strings.Contains(s, "-->") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		for len(spans) > 0 && spans[0][1] <= i {
			spans = spans[1:]
		}
		in := len(spans) > 0 && spans[0][0] <= i
		switch {
		case s[i] == '\\' && i+1 < len(s) && !in:
			b.WriteString(s[i : i+2])
			i++
		case !in && strings.HasPrefix(s[i:], "<!--"):
			b.WriteString(`\<!--`)
			i += 3
		case !in && strings.HasPrefix(s[i:], "-->"):
			b.WriteString(`--\>`)
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

var lineMark = lazyregexp.New(`^(?:[-*+#=>|<~]|\d{1,9}[.)](?:\s|$)|` + "```" + `)`)

// opening makes the begin of a line of text harmless: it must not start a list, a heading or HTML. Quotes and
// tables stay.
func opening(s string) string {
	switch {
	case s == "" || !lineMark.MatchString(s):
		return s
	case s[0] == '|', s[0] == '>':
		return s
	case s[0] == '*' && len(s) > 1 && s[1] != ' ' && s[1] != '\t':
		return s // emphasis
	case s[0] == '<' && len(s) > 1 && (strings.HasPrefix(s, "<http") || s[1] == ' '):
		return s
	case s[0] >= '0' && s[0] <= '9':
		i := strings.IndexAny(s, ".)")
		return s[:i] + `\` + s[i:]
	}
	return `\` + s
}

// unboxed takes the brackets of a box off the begin of a text that is no box.
func unboxed(s string) string {
	for {
		mark, _, rest, ok := bracket(s, true, false)
		if !ok {
			break
		}
		if strings.ContainsAny(mark, "xX✓✔") {
			rest += " (done)"
		}
		s = rest
	}
	if strings.HasPrefix(s, "[") && len(s) > 2 && strings.IndexByte(s[:min(len(s), 6)], ']') > 0 {
		return `\` + s
	}
	return s
}
