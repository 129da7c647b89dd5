package check

import (
	"strconv"
	"strings"

	"ralphex/pkg/plan"
)

// lastTitle is the title of the last task of every plan.
const lastTitle = "Verify acceptance criteria"

// lastItem is one of the items that the last task needs.
type lastItem struct {
	what  string // for the message
	text  string // how --fix writes it
	words []string
}

// lastItems are recognized by words, in the languages that plans are written in.
var lastItems = []lastItem{
	{"the test suite", "re-run the whole test suite", strings.Fields(`
		test тест テスト 测试 測試 테스트 prueba prüf`)},
	{"the linter", "run the linter", strings.Fields(`
		lint vet линт 린트 リンタ リント 静态检查 静的解析 analyzer analyser shellcheck ruff clippy rubocop mypy prettier fmt formatter statique estático statisch`)},
	{"the requirements of the Overview", "confirm every requirement of the Overview", strings.Fields(`
		requirement overview acceptance criteri требован обзор критери 要件 要求 需求 概要 概述 요구 개요 requisito anforderung exigence critère überblick`)},
}

// lastTask checks the task that verifies the plan.
func (c *checker) lastTask() {
	if len(c.p.Tasks) == 0 {
		return
	}
	last := &c.p.Tasks[len(c.p.Tasks)-1]
	line, start := c.line(last.Line)
	title := strings.TrimRight(last.Title, " .!:")
	switch {
	case last.Title == lastTitle:
	case strings.EqualFold(title, lastTitle):
		i := strings.LastIndex(line, last.Title)
		c.report("last-task", start, len(line), "write its title as `"+lastTitle+"`",
			one("write its title as `"+lastTitle+"`", start+i, len(last.Title), lastTitle))
	default:
		c.noLastTask(last, line, start)
		return
	}
	c.lastTaskItems(last, line, start)
}

// noLastTask reports that the last task is another one.
func (c *checker) noLastTask(last *plan.Task, line string, start int) {
	for i := range c.p.Tasks[:len(c.p.Tasks)-1] {
		if t := &c.p.Tasks[i]; strings.EqualFold(strings.TrimRight(t.Title, " .!:"), lastTitle) {
			line, start := c.line(t.Line)
			c.report("last-task", start, len(line), "move this task to the end: it verifies all others", nil)
			return
		}
	}
	var fix *Fix
	if c.clear && c.meantTasks() == len(c.p.Tasks) && c.inSteps(last) {
		fix = c.appendLastTask(last)
	}
	c.report("last-task", start, len(line), "add the task `### Task "+strconv.Itoa(len(c.p.Tasks)+1)+": "+lastTitle+"` behind this one", fix)
}

// meantTasks counts the task headers, those that are written wrong included.
func (c *checker) meantTasks() int {
	n := len(c.p.Tasks)
	for _, q := range c.p.Problems {
		switch q.Code {
		case plan.WrongKeyword, plan.NoColon, plan.MissingSpaces, plan.WrongLevel, plan.NestedHeader:
			n++
		}
	}
	return n
}

// inSteps tells whether a task stands where tasks belong, or no place for them is known yet.
func (c *checker) inSteps(t *plan.Task) bool {
	s, ok := c.outl.sectionAt(t.Span.Start)
	return len(c.outl.found[stepIndex]) == 0 || ok && s.index == stepIndex
}

// appendLastTask writes the task behind the last line of the one that is the last now.
func (c *checker) appendLastTask(last *plan.Task) *Fix {
	n, _ := c.place(last.Span.Start + len(strings.TrimRight(c.src[last.Span.Start:last.Span.End], " \t\r\n")))
	at := c.after(n)
	var s strings.Builder
	if at > 0 && c.src[at-1] != '\n' {
		s.WriteString(c.eol)
	}
	s.WriteString(c.eol + "### Task " + strconv.Itoa(len(c.p.Tasks)+1) + ": " + lastTitle + c.eol + c.eol)
	for _, item := range lastItems {
		s.WriteString("- [ ] " + item.text + c.eol)
	}
	s.WriteString("- [ ] " + writeTests + c.eol + "- [ ] " + runTests + c.eol)
	text := s.String()
	if at == len(c.src) && !strings.HasSuffix(c.src, "\n") {
		text = strings.TrimSuffix(text, c.eol)
	}
	return later("add the task `"+lastTitle+"`", at, text)
}

// lastTaskItems checks what the last task does.
func (c *checker) lastTaskItems(t *plan.Task, line string, start int) {
	if len(t.Checkboxes) == 0 {
		return
	}
	var missing []lastItem
	for _, item := range lastItems {
		if !hasItem(t, item) {
			missing = append(missing, item)
		}
	}
	if len(missing) == 0 {
		return
	}
	var what, texts []string
	for _, item := range missing {
		what = append(what, item.what)
		texts = append(texts, item.text)
	}
	c.report("last-task-items", start, len(line), "add a box for "+strings.Join(what, ", and one for "), c.lastItemsFix(t, texts))
}

// lastItemsFix adds them above the ending of the task, or at its end if it has none.
func (c *checker) lastItemsFix(t *plan.Task, texts []string) *Fix {
	depth := leastDepth(t)
	for i := range t.Checkboxes {
		if b := &t.Checkboxes[i]; b.Depth == depth && isEnding(b.Text) {
			return c.insertBefore(t, b, texts)
		}
	}
	_, last := lastBoxes(t)
	return c.insertAfter(t, last, texts)
}

// hasItem tells whether a box of the task is about the item. To write tests is not to run them.
func hasItem(t *plan.Task, item lastItem) bool {
	for i := range t.Checkboxes {
		text := t.Checkboxes[i].Text
		if hasWords(text, writeTests) {
			continue
		}
		text = strings.ToLower(text)
		for _, w := range item.words {
			if strings.Contains(text, w) {
				return true
			}
		}
	}
	return false
}
