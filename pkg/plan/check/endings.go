package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ralphex/pkg/plan"
)

// The two boxes that end each task.
const (
	writeTests = "write tests"
	runTests   = "run project tests"
)

// hasWords tells whether a box's text begins with the words, in any case; more words may follow.
func hasWords(text, words string) bool {
	text = strings.TrimLeft(text, "*_`")
	if len(text) < len(words) || !strings.EqualFold(text[:len(words)], words) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[len(words):])
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isEnding(text string) bool { return hasWords(text, writeTests) || hasWords(text, runTests) }

// endings checks the last two boxes of each task.
func (c *checker) endings() {
	for i := range c.p.Tasks {
		t := &c.p.Tasks[i]
		if len(t.Checkboxes) == 0 {
			continue // that it has no boxes has been said
		}
		rule := "task-ending"
		if i == len(c.p.Tasks)-1 {
			rule = "last-task-ending"
		}
		c.ending(rule, t)
	}
}

func (c *checker) ending(rule string, t *plan.Task) {
	previous, last := lastBoxes(t)
	hasRun := hasWords(last.Text, runTests)
	if hasRun && previous != nil && hasWords(previous.Text, writeTests) {
		return
	}
	var missing []string
	var message string
	before := false
	switch {
	case hasRun:
		missing, before = []string{writeTests}, true
		message = "write `- [ ] " + writeTests + "` above the last box of this task"
	case hasWords(last.Text, writeTests):
		missing = []string{runTests}
		message = "end this task with `- [ ] " + runTests + "`"
	default:
		missing = []string{writeTests, runTests}
		message = "end this task with `- [ ] " + writeTests + "` and `- [ ] " + runTests + "`"
	}
	line, start := c.line(t.Line)
	var fix *Fix
	if before {
		fix = c.insertBefore(t, last, missing)
	} else {
		fix = c.insertAfter(t, last, missing)
	}
	c.report(rule, start, len(line), message, fix)
}

// lastBoxes returns the last two of the boxes that are nested least; previous is nil if there is but one.
func lastBoxes(t *plan.Task) (previous, last *plan.Checkbox) {
	depth := leastDepth(t)
	for i := range t.Checkboxes {
		if t.Checkboxes[i].Depth == depth {
			previous, last = last, &t.Checkboxes[i]
		}
	}
	return previous, last
}

func leastDepth(t *plan.Task) int {
	depth := t.Checkboxes[0].Depth
	for i := range t.Checkboxes {
		depth = min(depth, t.Checkboxes[i].Depth)
	}
	return depth
}

// indent is what stands before a box's bullet; ok is false if that is more than blanks.
func (c *checker) indent(b *plan.Checkbox) (text string, ok bool) {
	line := c.src[b.Span.Start:b.Offset]
	text = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return text, isMarker(line[len(text):])
}

// isMarker tells whether s is a bullet, blanks and a bracket.
func isMarker(s string) bool {
	return len(s) > 2 && strings.IndexByte("-*+", s[0]) >= 0 && strings.TrimSpace(s[1:]) == "["
}

// insertAfter makes the fix that adds open boxes below a box and all that is nested in it.
func (c *checker) insertAfter(t *plan.Task, b *plan.Checkbox, texts []string) *Fix {
	return c.insertBoxes(t, b, min(b.Span.End, t.Span.End), texts)
}

// insertBefore makes the fix that adds open boxes above a box.
func (c *checker) insertBefore(t *plan.Task, b *plan.Checkbox, texts []string) *Fix {
	return c.insertBoxes(t, b, b.Span.Start, texts)
}

// insertBoxes adds boxes like b at the start of a line.
func (c *checker) insertBoxes(t *plan.Task, b *plan.Checkbox, at int, texts []string) *Fix {
	indent, ok := c.indent(b)
	if !ok || !c.clear || c.murky(t) {
		return nil
	}
	var s strings.Builder
	if at > 0 && c.src[at-1] != '\n' {
		s.WriteString(c.eol)
	}
	for _, text := range texts {
		s.WriteString(indent + "- [ ] " + text + c.eol)
	}
	text := s.String()
	if at == len(c.src) && !strings.HasSuffix(c.src, "\n") {
		text = strings.TrimSuffix(text, c.eol)
	}
	return later("add "+strings.Join(quoted(texts), " and "), at, text)
}

func quoted(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = "`- [ ] " + t + "`"
	}
	return out
}

// murky tells whether Markdown and the line rule disagree about a box of the task.
func (c *checker) murky(t *plan.Task) bool {
	if c.murkyTasks == nil {
		c.murkyTasks = map[int]bool{}
		pos := 0
		for _, q := range c.p.Problems {
			if q.Code != plan.LineOnlyBox && q.Code != plan.HiddenBox {
				continue
			}
			for pos < len(c.p.Tasks) && c.p.Tasks[pos].Line <= q.Line {
				pos++
			}
			c.murkyTasks[pos] = true
		}
	}
	return c.murkyTasks[t.Position]
}
