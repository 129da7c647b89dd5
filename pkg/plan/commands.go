package plan

import "strings"

// This file decides which text of the validation section is a command. Only what can be nothing else is one:
// an item that is wholly one code span, an item `$ command`, or a shell fence. "`config.yaml` must parse" is
// prose; prose is reported and never run.

const (
	validationName = "Validation Commands"
	testingName    = "Testing Strategy"
)

// enterSection follows the document's sections.
func (r *reading) enterSection(h *head) {
	if r.section > 0 && h.level <= r.section {
		r.section = 0
	}
	name := strings.TrimRight(h.text, " :")
	if h.level <= 2 {
		r.testing = h.level == 2 && strings.EqualFold(name, testingName)
	}
	if !strings.EqualFold(name, validationName) {
		return
	}
	switch {
	case h.level == 2, h.level == 3 && r.testing:
		r.section = h.level
	case r.section == 0:
		r.report(ValidationPlace, r.first, "")
	}
}

// validationItem reads an item of the section. text is what follows its box, if it has one.
func (r *reading) validationItem(it *item, text string) {
	own := r.body[it.pos:it.own]
	own = own[markerLen(own):]
	if i := strings.Index(own, text); text != "" && i >= 0 { // stands at the end of its first line
		own = own[i:]
	}
	own, wholly := paragraph(own)
	if own == "" {
		return
	}
	if cmd, ok := commandOf(own); ok && wholly {
		r.p.ValidationCommands = append(r.p.ValidationCommands, Command{Text: cmd, Line: r.num})
		return
	}
	if r.hasShellFence(it) { // "run all of it:" above a fence
		return
	}
	r.prose(own, it.pos-r.off)
}

func (r *reading) prose(text string, i int) {
	r.p.ValidationProse = append(r.p.ValidationProse, Prose{Text: text, Line: r.num})
	r.report(ValidationProse, i, text)
}

// hasShellFence tells whether a shell fence stands in the item.
func (r *reading) hasShellFence(it *item) bool {
	for i := r.fences; i < len(r.o.fences) && r.o.fences[i].pos < it.end; i++ {
		if f := &r.o.fences[i]; f.closed && isShell(fenceInfo(r.src, f.node)) {
			return true
		}
	}
	return false
}

// validationFence reads a fenced block of the section.
func (r *reading) validationFence(f *fence, info string) {
	text := strings.TrimRight(fenceText(r.src, f.node), "\n")
	switch {
	case strings.TrimSpace(text) == "":
	case isShell(info):
		r.p.ValidationCommands = append(r.p.ValidationCommands, Command{Text: text, Line: r.num})
	default:
		r.prose(text, f.pos-r.off)
	}
}

// markerLen is the length of a list marker.
func markerLen(s string) int {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return min(i+1, len(s))
}

// paragraph joins the lines of the first paragraph of s, and tells whether it is all of s.
func paragraph(s string) (text string, wholly bool) {
	s = strings.TrimSpace(s)
	var lines []string
	rest := s
	for rest != "" {
		line, more, _ := strings.Cut(rest, "\n")
		line = strings.TrimSpace(line)
		if line == "" {
			return strings.Join(lines, " "), false
		}
		lines = append(lines, line)
		rest = more
	}
	return strings.Join(lines, " "), true
}

// commandOf returns the command that a text is, if it is one.
func commandOf(s string) (string, bool) {
	if code, ok := codeSpan(s); ok {
		s = strings.TrimSpace(code)
		if cmd, ok := strings.CutPrefix(s, "$ "); ok {
			s = strings.TrimSpace(cmd)
		}
		return s, s != ""
	}
	if cmd, ok := strings.CutPrefix(s, "$ "); ok {
		cmd = strings.TrimSpace(cmd)
		return cmd, cmd != ""
	}
	return "", false
}

// codeSpan returns the content of s if s is wholly one code span.
func codeSpan(s string) (string, bool) {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	if n == 0 || len(s) < 2*n+1 {
		return "", false
	}
	for i := n; i < len(s); {
		j := strings.IndexByte(s[i:], '`')
		if j < 0 {
			return "", false
		}
		i += j
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return s[n:i], i+n == len(s)
		}
		i += run
	}
	return "", false
}
