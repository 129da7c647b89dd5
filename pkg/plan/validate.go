package plan

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// RunError says why a plan can't be run: all of it, each with its place and with what to type instead.
type RunError struct {
	Path     string
	Findings []Problem // in file order, never empty
}

// Error has one line per finding: "plan.md:3:1: message; write `…`".
func (e *RunError) Error() string {
	lines := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		lines[i] = place(e.Path, f.Line, f.Col) + f.Message() + "; " + f.Hint()
	}
	return strings.Join(lines, "\n")
}

// Validate tells whether the plan can be run at all: nil or a *RunError.
func (p *Plan) Validate() error {
	var found []Problem
	switch {
	case strings.TrimSpace(strings.TrimPrefix(p.text, bom)) == "":
		found = append(found, Problem{Code: Empty, Line: 1, Col: 1})
	case len(p.Tasks) == 0:
		found = append(found, Problem{Code: NoTasks, Line: 1, Col: 1})
	}
	for _, q := range p.Problems {
		if q.Severity() == Refusal || len(p.Tasks) == 0 && explainsNoTasks(q.Code) {
			found = append(found, q)
		}
	}
	if found == nil {
		return nil
	}
	return &RunError{Path: p.Path, Findings: found}
}

func explainsNoTasks(c Code) bool {
	switch c {
	case WrongLevel, NestedHeader, HiddenHeader, UnclosedFence, BareCR:
		return true
	}
	return false
}

// foreignKeywords are words that people write for Task when their plan is in another language. A heading
// counts as a mistaken task header only if a number follows.
var foreignKeywords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`
		задача задание итерация завдання ітерація задатак заданне
		tarea iteración iteracion tarefa iteração iteracao aufgabe tâche tache itération
		compito attività attivita iterazione taak iteratie zadanie iteracja úkol ukol úloha uloha iterace
		görev gorev yineleme uppgift oppgave opgave tehtävä tehtava feladat sarcină sarcina
		εργασία zadatak naloga ülesanne uzdevums užduotis tugas nhiệm
		タスク 任务 任務 작업 과제 태스크 迭代 反復 イテレーション 반복 مهمة משימה कार्य งาน`) {
		words[w] = true
	}
	return words
})

// nearHeader reports a heading that was most likely meant to be a task header.
func (r *reading) nearHeader(h *head) {
	n, ok := readNear(h.text)
	if !ok {
		return
	}
	switch {
	case h.level != 3:
		if n.keyword == wordEnglish && n.separator == sepColon && !n.glued {
			r.report(WrongLevel, r.first, "")
		}
	case n.keyword != wordEnglish:
		r.refuse(WrongKeyword, n)
	case n.glued:
		r.refuse(MissingSpaces, n)
	case n.separator != sepColon:
		r.refuse(NoColon, n)
	}
}

// nearLine does so for a line that Markdown takes for no heading: `###Task 1: x`.
func (r *reading) nearLine() {
	s := r.line[r.first:]
	text := strings.TrimLeft(s, "#")
	if level := len(s) - len(text); level == 3 && text != "" && !isBlank(text[0]) {
		if n, ok := readNear(text); ok && n.keyword != wordNone && n.separator == sepColon {
			r.refuse(MissingSpaces, n)
		}
	}
}

func (r *reading) refuse(code Code, n near) {
	q := r.at(code, r.first)
	q.Fix = n.header()
	r.p.Problems = append(r.p.Problems, q)
}

type keyword int

const (
	wordNone    keyword = iota
	wordEnglish         // Task or Iteration, as it must be
	wordCase            // task, TASK
	wordForeign         // Задача
)

type separator int

const (
	sepColon separator = iota
	sepOther           // - – — . ) ：
	sepEnd             // nothing follows the number
)

// near is a heading of the shape: word, number, separator, title.
type near struct {
	keyword   keyword
	word      string
	number    string
	separator separator
	title     string
	glued     bool // no blank between word and number
}

// header is what should have been typed.
func (n near) header() string {
	word := "Task"
	if strings.EqualFold(n.word, "iteration") {
		word = "Iteration"
	}
	title := n.title
	if title == "" {
		title = "title"
	}
	return "### " + word + " " + n.number + ": " + title
}

// readNear takes a heading's text apart. ok is false for anything that has another shape.
func readNear(text string) (n near, ok bool) {
	digit := strings.IndexAny(text, "0123456789")
	if digit <= 0 {
		return n, false
	}
	head := strings.TrimRight(text[:digit], " \t#№.")
	n.word = head
	n.glued = len(head) == digit
	switch {
	case head == "Task" || head == "Iteration":
		n.keyword = wordEnglish
	case strings.EqualFold(head, "task") || strings.EqualFold(head, "iteration"):
		n.keyword = wordCase
	case foreignKeywords()[strings.ToLower(firstWord(head))]:
		n.keyword = wordForeign
	default:
		return n, false
	}
	rest := text[digit:]
	i := 0
	for i < len(rest) && (rest[i] >= '0' && rest[i] <= '9' || rest[i] == '.' && i+1 < len(rest) && rest[i+1] >= '0' && rest[i+1] <= '9') {
		i++
	}
	n.number, rest = rest[:i], rest[i:]
	if i < len(text[digit:]) && rest[0] >= 'a' && rest[0] <= 'z' { // 2a
		n.number, rest = n.number+rest[:1], rest[1:]
	}
	return n, n.readSeparator(rest)
}

// readSeparator reads what follows the number.
func (n *near) readSeparator(rest string) bool {
	spaced := strings.TrimLeft(rest, " \t")
	c, size := utf8.DecodeRuneInString(spaced)
	switch {
	case spaced == "":
		n.separator = sepEnd
		return true
	case c == ':':
		n.separator = sepColon
	case strings.ContainsRune("-–—−‒.)：﹕|", c):
		n.separator = sepOther
	default:
		return false
	}
	n.title = strings.TrimSpace(spaced[size:])
	// "### Task 2-3 overview" is a range, not a separator.
	if c == '-' && len(spaced) == len(rest) && n.title != "" {
		if _, err := strconv.Atoi(firstWord(n.title)); err == nil {
			return false
		}
	}
	return true
}
