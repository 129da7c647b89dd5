package convert

import (
	"strings"

	"ralphex/pkg/plan"
)

// validationHeads are headings below which a source names commands that prove the work.
var validationHeads = map[string]bool{
	"validation commands": true, "validation": true, "verification commands": true, "quality gates": true, "quality gate": true,
	"test commands": true, "checks": true, "commands to verify": true,
}

// readValidation takes validation commands out of an outline: an item that is wholly one code span or `$ cmd`,
// and shell fences. What else stands there is prose about testing.
func (s *Source) readValidation(o *outline) {
	for i := range o.parts {
		p := &o.parts[i]
		if !validationHeads[strings.ToLower(strings.Trim(p.text, " :*"))] {
			continue
		}
		var rest []block
		found := false
		for _, b := range p.blocks {
			if cmd, ok := commandIn(&b); ok {
				s.Commands = append(s.Commands, plan.Command{Text: cmd, Line: b.num})
				found = true
				continue
			}
			rest = append(rest, b)
		}
		if !found {
			continue
		}
		s.add(Testing, o.file.Path, p.line, markdown(rest, 0))
		s.Counted = append(s.Counted, words(p.text)...)
		p.blocks, p.text = nil, ""
	}
}

// commandIn returns the command that a block is.
func commandIn(b *block) (string, bool) {
	switch b.kind {
	case item:
		return commandOf(b.text)
	case fence:
		lang, _, _ := strings.Cut(b.text, " ")
		if lang == "sh" || lang == "bash" || lang == "shell" || lang == "console" || lang == "zsh" {
			cmd := strings.TrimSpace(strings.Join(b.lines, "\n"))
			return shellLines(cmd), cmd != ""
		}
	case text:
		if len(b.lines) == 1 && strings.HasPrefix(strings.TrimSpace(b.lines[0]), "$ ") {
			return commandOf(strings.TrimSpace(b.lines[0]))
		}
	}
	return "", false
}

// shellLines takes the prompts off a block in which every line has one.
func shellLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		cmd, ok := strings.CutPrefix(strings.TrimSpace(l), "$ ")
		if !ok {
			return s
		}
		lines[i] = cmd
	}
	return strings.Join(lines, "\n")
}

// commandOf returns the command that a text is, if it is one.
func commandOf(t string) (string, bool) {
	t = strings.TrimSpace(t)
	if spans := codeSpans(t); len(spans) == 1 && spans[0] == [2]int{0, len(t)} {
		t = strings.TrimSpace(strings.Trim(t, "`"))
		cmd := strings.TrimSpace(strings.TrimPrefix(t, "$ "))
		return cmd, hasWord(cmd)
	}
	if cmd, ok := strings.CutPrefix(t, "$ "); ok {
		cmd = strings.TrimSpace(cmd)
		return cmd, hasWord(cmd)
	}
	return "", false
}

// isCommand tells whether a text that a format calls a validation reads like a command line.
func isCommand(t string) bool {
	if t == "" || strings.Contains(t, "\n") || strings.HasSuffix(t, ".") && !strings.HasSuffix(t, "...") {
		return false
	}
	head, _, _ := strings.Cut(t, " ")
	for i := range len(head) {
		c := head[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("._/-=+", c) >= 0 || c >= 'A' && c <= 'Z' && i > 0) {
			return false
		}
	}
	return strings.ToLower(head) != "all" && strings.ToLower(head) != "the"
}
