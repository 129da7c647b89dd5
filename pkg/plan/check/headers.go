package check

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralphex/pkg/plan"
)

// taskHead is a task header, or what was certainly meant as one.
type taskHead struct {
	line    int    // its number
	text    string // as it stands there
	start   int    // its offset
	id      string
	title   string
	problem *plan.Problem // why no task begins here; nil: one does
	counts  bool
	certain bool // it can be written anew without losing a word
}

// headers checks how task headers are written and numbered. One edit mends both.
func (c *checker) headers() {
	heads := c.taskHeads()
	renumber := renumberable(heads) && !c.mentionsTasks(heads)
	for i, h := range heads {
		want := strconv.Itoa(i + 1)
		number := h.id
		wrongNumber := h.id != want
		if wrongNumber && renumber {
			number = want
		}
		header := strings.TrimRight("### Task "+number+": "+h.title, " ")
		var fix *Fix
		if h.certain {
			fix = one("write `"+header+"`", h.start, len(h.text), header)
		}
		canonical := strings.TrimRight("### Task "+h.id+": "+h.title, " ")
		if h.problem != nil && c.refused(h.problem) || h.problem == nil && c.o.Profile != Run && canonical != strings.TrimRight(h.text, " \t") {
			c.report("task-header", h.start, len(h.text), h.complaint(header), fix)
		}
		if wrongNumber && h.counts {
			if !renumber {
				fix = nil
			}
			c.report("task-number", h.start, len(h.text), "number this task "+want+": tasks count 1, 2, 3", fix)
		}
		if h.title == "" && h.counts {
			c.report("task-title", h.start, len(h.text), "write what this task is about behind the colon", nil)
		}
	}
}

// refused tells whether a header that is none is worth a word: a run starts with some of them.
func (c *checker) refused(q *plan.Problem) bool {
	return c.o.Profile != Run || q.Severity() == plan.Refusal || len(c.p.Tasks) == 0
}

// complaint says what is wrong with a header.
func (h *taskHead) complaint(header string) string {
	say := "write this as `" + header + "`"
	if h.title == "" {
		say = "write this as `### Task N: title`"
	}
	if h.problem == nil {
		return say
	}
	switch h.problem.Code {
	case plan.WrongKeyword:
		return say + ": the word Task is English in every plan"
	case plan.NoColon:
		return say + ": a colon follows the number"
	case plan.MissingSpaces:
		return say + ": blanks stand around the word Task"
	case plan.WrongLevel:
		return say + ": with another number of # no task begins here"
	}
	return "write this at the start of a line, outside of lists and quotes: no task begins here"
}

// taskHeads lists headers in file order: those that count, and those that would if they were written right.
func (c *checker) taskHeads() []taskHead {
	heads := make([]taskHead, 0, len(c.p.Tasks))
	for i := range c.p.Tasks {
		t := &c.p.Tasks[i]
		h := taskHead{line: t.Line, id: t.ID, title: t.Title, counts: true}
		h.text, h.start = c.line(t.Line)
		h.certain = keeps(h.text, "### Task "+t.ID+": "+t.Title)
		heads = append(heads, h)
	}
	levels := map[string]bool{}
	for i := range c.p.Problems {
		q := &c.p.Problems[i]
		switch q.Code {
		case plan.WrongLevel:
			heads = append(heads, c.wrongLevel(q))
			levels[marks(heads[len(heads)-1].text)] = true
		case plan.WrongKeyword, plan.NoColon, plan.MissingSpaces:
			heads = append(heads, c.misspelt(q))
		case plan.NestedHeader:
			if !c.refused(q) {
				continue
			}
			text, start := c.line(q.Line)
			c.report("task-header", start, len(text), (&taskHead{title: "x", problem: q}).complaint(""), nil)
		}
	}
	if len(levels) > 1 || len(levels) > 0 && len(heads) > 0 && slices.ContainsFunc(heads, func(h taskHead) bool { return !h.isWrongLevel() }) {
		// Tasks of two levels: those that count may be parts of the others, or the other way round.
		for i := range heads {
			heads[i].certain = heads[i].certain && !heads[i].isWrongLevel()
		}
	}
	slices.SortStableFunc(heads, func(a, b taskHead) int { return cmp.Compare(a.line, b.line) })
	return heads
}

func (h *taskHead) isWrongLevel() bool { return h.problem != nil && h.problem.Code == plan.WrongLevel }

func marks(line string) string {
	line = strings.TrimLeft(line, " ")
	return line[:len(line)-len(strings.TrimLeft(line, "#"))]
}

// misspelt reads a header from what the reader would have typed.
func (c *checker) misspelt(q *plan.Problem) taskHead {
	h := taskHead{line: q.Line, problem: q}
	h.text, h.start = c.line(q.Line)
	h.id, h.title = splitHeader(q.Fix)
	if h.title == "title" && !strings.HasSuffix(strings.TrimRight(h.text, " \t#"), "title") {
		h.title = "" // it is the reader's placeholder
	}
	h.certain = h.title != "" && keeps(h.text, q.Fix)
	return h
}

// wrongLevel reads a header that has too many or too few #.
func (c *checker) wrongLevel(q *plan.Problem) taskHead {
	h := taskHead{line: q.Line, problem: q}
	h.text, h.start = c.line(q.Line)
	body := strings.TrimLeft(strings.TrimLeft(h.text, " #"), " \t")
	h.id, h.title = splitHeader("### " + body)
	h.certain = h.title != "" && h.id != "" && len(marks(h.text)) > 1 && keeps(h.text, "### Task "+h.id+": "+h.title)
	return h
}

// splitHeader takes `### Task 1: title` apart.
func splitHeader(header string) (id, title string) {
	head, title, _ := strings.Cut(header, ":")
	fields := strings.Fields(head)
	if len(fields) > 2 {
		id = strings.Join(fields[2:], " ")
	}
	return id, strings.TrimSpace(title)
}

// keeps tells whether a header that is written anew has all words of the old one, but for its keyword.
func keeps(old, now string) bool {
	count := map[string]int{}
	for _, w := range Words(now) {
		count[w]++
	}
	lost := 0
	for i, w := range Words(old) {
		if count[w]--; count[w] < 0 {
			lost++
			if i > 0 {
				return false
			}
		}
	}
	return lost <= 1
}

var simpleID = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*[a-z]?$`)

// renumberable tells whether nothing but numbers would change.
func renumberable(heads []taskHead) bool {
	for i := range heads {
		if !simpleID.MatchString(heads[i].id) || !heads[i].certain {
			return false
		}
	}
	return true
}

// mentionsTasks tells whether the text speaks of tasks by their numbers, which would be other ones then.
func (c *checker) mentionsTasks(heads []taskHead) bool {
	header := map[int]bool{}
	wrong := false
	for i, h := range heads {
		header[h.line] = true
		wrong = wrong || h.id != strconv.Itoa(i+1)
	}
	if !wrong || !c.on("task-number") {
		return !wrong
	}
	for n := 1; n <= len(c.lines); n++ {
		line, _ := c.line(n)
		if header[n] {
			_, line, _ = strings.Cut(line, ":")
		}
		if mentionsTask(line) {
			return true
		}
	}
	return false
}

// taskMention matches a word for a task, in the languages of plans, with a number soon behind it.
var taskMention = regexp.MustCompile(`(?i)(\b(tasks?|iterations?|steps?|depends|requires|after|before|blocked|tareas?|tarefas?|aufgaben?|attività|compito|taak|taken|zadani[ea])\b|` +
	`t[âa]ches?\b|зада[нч]|итераци|завдан|шаг|タスク|任务|任務|步骤|작업|과제)[^0-9]{0,16}[0-9]|#[0-9]`)

// mentionsTask tells whether a line has a word for a task and a number behind it.
func mentionsTask(line string) bool {
	return strings.ContainsAny(line, "0123456789") && taskMention.MatchString(line)
}
