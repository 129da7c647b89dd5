package finding

import (
	"fmt"
	"strconv"
	"strings"

	"ralphex/pkg/event"
)

// Bounds of what later rounds are told.
const (
	promptBytes = 16 << 10
	promptText  = 300 // bytes of a text or a reason
)

// Prompt tells later rounds and reviewers what was named before and what became of it, in the format that they are
// asked to use: open findings first, then refuted ones with their reasons, then fixed ones. It is empty where
// nothing was named, and at most some 16 KiB long; what has no room is counted.
func (l *Ledger) Prompt() string {
	var b strings.Builder
	left := 0
	for _, d := range []Disposition{Open, Refuted, Fixed} {
		for _, e := range l.entries {
			if e.Disposition != d {
				continue
			}
			line := e.told()
			if b.Len()+len(line) > promptBytes {
				left++
				continue
			}
			b.WriteString(line)
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "(and %d more)\n", left)
	}
	return b.String()
}

// told is an entry as a reviewer would write it.
func (e *Entry) told() string {
	var b strings.Builder
	place := e.Finding.Place()
	if strings.ContainsAny(place, " \t") {
		place = "`" + place + "`" // so that it is read again as one
	}
	b.WriteString(place + " - ")
	if e.Severity != "" {
		fmt.Fprintf(&b, "[%s] ", e.Severity)
	}
	b.WriteString(cut(e.Text, promptText))
	for i, line := range e.Also[:min(len(e.Also), 10)] {
		b.WriteString([]string{" (also at line ", ", "}[min(i, 1)] + strconv.Itoa(line))
	}
	if len(e.Also) > 0 {
		b.WriteByte(')')
	}
	fmt.Fprintf(&b, " => %s", e.Disposition)
	reason := e.Reason
	if reason == "" && e.Commit != "" {
		reason = "in " + e.Commit
	}
	if reason != "" {
		b.WriteString(": " + cut(reason, promptText))
	}
	return b.String() + "\n"
}

// Place is the finding's file and lines as people write them: "pkg/a.go:42-50".
func (f Finding) Place() string {
	return event.Finding{File: f.File, Line: f.Line, EndLine: f.EndLine}.Place()
}
