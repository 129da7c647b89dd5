package check

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ralphex/internal/lazyregexp"
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

	canonical bool // written as it should be, but for its number
	certain   bool // it can be written anew without losing a word
}

// headers checks how task headers are written and numbered. One edit mends both.
func (c *checker) headers() {
	heads := c.taskHeads()
	renumber := renumberable(heads) && !c.mentionsTasks(heads)
	for i, h := range heads {
		want := strconv.Itoa(i + 1)
		if h.canonical && h.id == want && h.title != "" {
			continue
		}
		number := h.id
		wrongNumber := h.id != want
		if wrongNumber && renumber {
			number = want
		}
		header := strings.TrimRight("### Task "+number+": "+h.title, " ")
		var fix *Fix
		if h.certain {
			fix = one("write `"+header+"`", h.start, len(h.text), header)
			if h.problem != nil {
				fix.order = shaping
			}
		}
		if h.problem != nil && c.refused(h.problem) || h.problem == nil && c.o.Profile != Run && !h.canonical {
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
		h.canonical = isCanonical(h.text, t.ID, t.Title)
		h.certain = h.canonical || keeps(h.text, "### Task "+t.ID+": "+t.Title)
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

// isCanonical tells whether a line is `### Task id: title`.
func isCanonical(line, id, title string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t"), "### Task ")
	if ok {
		rest, ok = strings.CutPrefix(rest, id)
	}
	if title == "" {
		return ok && rest == ":"
	}
	rest, colon := strings.CutPrefix(rest, ": ")
	return ok && colon && rest == title
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

var simpleID = lazyregexp.New(`^[0-9]+(\.[0-9]+)*[a-z]?$`)

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

// taskWords are words for a task, and for what one task has to do with another, in the languages of plans.
var taskWords = strings.Fields(`task tasks iteration iterations step steps depends requires after before blocked
	tarea tareas tarefa tarefas aufgabe aufgaben attività compito taak taken zadanie zadania tâche tâches tache taches
	шаг шага タスク 任务 任務 步骤 작업 과제`)

// taskStems begin such words in languages that bend them.
var taskStems = strings.Fields(`задач задан итераци завдан ітераці`)

// reach is how far before a number its word may stand, in bytes.
const reach = 24

// mentionsTask tells whether a line has a word for a task soon before a number, or a number behind a #.
func mentionsTask(line string) bool {
	for i := 0; i < len(line); i++ {
		if line[i] < '0' || line[i] > '9' || i > 0 && line[i-1] >= '0' && line[i-1] <= '9' {
			continue
		}
		if i > 0 && line[i-1] == '#' {
			return true
		}
		from := max(i-reach, 0)
		for from < i && line[from]&0xC0 == 0x80 { // amid a character
			from++
		}
		for from > 0 && from < i && isLetter(line[from]) && isLetter(line[from-1]) {
			from-- // amid a word
		}
		if wordsMention(line[from:i]) {
			return true
		}
	}
	return false
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 }

// wordsMention tells whether one of the words of s is about tasks.
func wordsMention(s string) bool {
	for len(s) > 0 {
		start := 0
		for start < len(s) && !isLetter(s[start]) {
			start++
		}
		end := start
		for end < len(s) && isLetter(s[end]) {
			end++
		}
		if word := s[start:end]; word != "" && isTaskWord(word) {
			return true
		}
		s = s[end:]
	}
	return false
}

func isTaskWord(word string) bool {
	for _, w := range taskWords {
		if len(w) == len(word) && strings.EqualFold(w, word) {
			return true
		}
	}
	if word[0] < 0x80 {
		return false
	}
	lower := strings.ToLower(word)
	for _, w := range taskStems {
		if strings.HasPrefix(lower, w) {
			return true
		}
	}
	return false
}
