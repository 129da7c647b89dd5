package convert

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ralphex/pkg/plan"
)

// lastItems are what the last task does besides its ending, each with words that tell it.
var lastItems = []struct {
	text  string
	words []string
}{
	{"re-run the whole test suite", []string{"test", "тест"}},
	{"run the linter", []string{"lint", "линт"}},
	{"confirm every requirement of the Overview", []string{"requirement", "overview", "требован"}},
}

// tasks writes the tasks, and the last one if the source has none.
func (w *writer) tasks() {
	tasks := w.s.Tasks
	verified := false
	pos := 0
	for i := range tasks {
		last := i == len(tasks)-1 && strings.EqualFold(strings.TrimRight(tasks[i].Title, " .!:"), lastTitle)
		if len(tasks[i].Items) == 0 && !last && tasks[i].Title == "" && trimBlankLines(tasks[i].Intro+tasks[i].Outro) == "" {
			continue
		}
		pos++
		verified = verified || last
		w.task(&tasks[i], pos, last)
	}
	if !verified {
		w.task(&Task{Title: lastTitle, Origin: noOrigin}, pos+1, true)
	}
}

// task writes one task. last adds what the last task needs.
func (w *writer) task(t *Task, pos int, last bool) {
	key := "task" + itoa(pos)
	at := Loss{Path: t.Origin.Path, Line: t.Origin.Line}
	title := lastTitle
	if !last {
		title = w.taskTitle(t, pos)
	}
	w.gap()
	head := key
	if w.drop[key] != "" {
		head = "" // its title was replaced
	}
	w.put(head, at, "### Task "+itoa(pos)+": "+title)
	w.gap()
	w.about(t, pos, title)
	items, left := w.items(t)
	w.prose(joinProse(t.Intro, left), Origin{Path: t.Origin.Path, Line: introLine(t)}, key+".intro", 0, "####")
	w.gap()
	if len(items) == 0 && !last {
		items = []Item{{Text: title, State: plan.BoxOpen, Origin: t.Origin}}
	}
	ended := withEnding(items, last)
	d := depths{}
	for i := range ended {
		w.item(&ended[i], key+".item"+itoa(i), t, title, &d)
		if i == len(items)-1 && trimBlankLines(t.Outro) != "" && len(ended) > len(items) {
			w.gap()
			w.prose(t.Outro, Origin{Path: t.Origin.Path}, key+".outro", 0, "####")
			w.gap()
			d = depths{}
		}
	}
	if len(ended) == len(items) || len(items) == 0 {
		w.gap()
		w.prose(t.Outro, Origin{Path: t.Origin.Path}, key+".outro", 0, "####")
	}
}

// introLine is the line of the source where the text of a task begins, as near as it is known.
func introLine(t *Task) int {
	if t.Origin.Line == 0 || strings.HasPrefix(t.Intro, "Part of: ") {
		return 0
	}
	return t.Origin.Line + 1
}

// about writes what a plan has no place for but text: another id, and what the task depends on.
func (w *writer) about(t *Task, pos int, title string) {
	if t.ID == "T"+itoa(pos) {
		w.implied = append(w.implied, t.ID) // readers take it for the number
	} else if t.ID != "" && t.ID != itoa(pos) && !hasToken(title, t.ID) && !strings.Contains(t.Intro, idLine(t.ID)) {
		w.ours(idLine(w.guard(oneLine(t.ID), Loss{Path: t.Origin.Path, Line: t.Origin.Line})))
		w.gap()
	}
	if line := dependsLine(t.Depends); len(t.Depends) > 0 && !strings.Contains(t.Intro, line) {
		if w.renumbered() {
			line += idsMark
		}
		w.ours(w.guard(line, Loss{Path: t.Origin.Path, Line: t.Origin.Line}))
		w.gap()
	}
}

// renumbered tells whether a bare number could be taken for that of a task.
func (w *writer) renumbered() bool {
	for i := range w.s.Tasks {
		if id := w.s.Tasks[i].ID; strings.Trim(id, "0123456789") == "" && id != itoa(i+1) {
			return true
		}
	}
	return false
}

// What a plan says about a task in lines of ours; readPlan knows them again.
const (
	idMark      = "Id in the source: "
	dependsMark = "Depends on: "
	idsMark     = " (ids of the source)"
)

func idLine(id string) string { return idMark + id }

func dependsLine(ids []string) string { return dependsMark + oneLine(strings.Join(ids, ", ")) }

// items are the items that can be written, and the text that belonged to others.
func (w *writer) items(t *Task) (out []Item, left string) {
	for _, it := range t.Items {
		text := it.Text
		for _, d := range it.Depends {
			if !hasToken(text, d) {
				text += " (depends on " + strings.Join(it.Depends, ", ") + ")"
				break
			}
		}
		at := Loss{Path: it.Origin.Path, Line: it.Origin.Line}
		it.Text = w.guard(oneLine(text), at)
		if !hasWord(it.Text) {
			at.Text, at.Why = text, "a box without text"
			w.losses = append(w.losses, at)
			if n := len(out); n > 0 {
				out[n-1].Detail = joinProse(out[n-1].Detail, joinProse(it.Before, it.Detail))
			} else {
				left = joinProse(left, joinProse(it.Before, it.Detail))
			}
			continue
		}
		switch {
		case it.State == plan.BoxManual && !strings.HasPrefix(strings.ToLower(it.Text), "(manual)"):
			it.Text = "(manual) " + it.Text
		case it.State == plan.BoxSkipped && !strings.HasPrefix(strings.ToLower(it.Text), "(skipped)"):
			it.Text = "(skipped) " + it.Text
		}
		out = append(out, it)
	}
	return out, left
}

// hasToken tells whether a text names an id.
func hasToken(text, id string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], id)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(id):])
		end := i + len(id)
		longer := end+1 < len(text) && text[end] == '.' && text[end+1] >= '0' && text[end+1] <= '9'
		if !isWordRune(before) && before != '.' && !isWordRune(after) && !longer {
			return true
		}
		from = end
	}
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// withEnding adds the boxes that a task ends with, and those of the last task. They are ticked if everything else
// is: what was done stays done.
func withEnding(items []Item, last bool) []Item {
	out := slices.Clone(items)
	state := plan.BoxOpen
	if len(items) > 0 && !last && !slices.ContainsFunc(items, func(i Item) bool { return !i.Checked() }) {
		state = plan.BoxChecked
	}
	own := func(text string) Item { return Item{Text: text, State: state, Origin: noOrigin} }
	tail := len(out)
	for tail > 0 && (isEnding(out[tail-1].Text, writeTests) || isEnding(out[tail-1].Text, runTests)) {
		tail--
	}
	if last {
		var add []Item
		for _, l := range lastItems {
			if !slices.ContainsFunc(out, func(i Item) bool { return says(i.Text, l.words) }) {
				add = append(add, own(l.text))
			}
		}
		out = slices.Insert(out, tail, add...)
	}
	n := len(out)
	switch {
	case n > 1 && isEnding(out[n-1].Text, runTests) && isEnding(out[n-2].Text, writeTests):
	case n > 0 && isEnding(out[n-1].Text, runTests):
		out = slices.Insert(out, n-1, own(writeTests))
	case n > 0 && isEnding(out[n-1].Text, writeTests):
		out = append(out, own(runTests))
	default:
		out = append(out, own(writeTests), own(runTests))
	}
	for i := max(0, len(out)-2); i < len(out); i++ {
		out[i].Depth = 0
	}
	return out
}

// says tells whether an item is about something; to write tests is not to run them.
func says(text string, words []string) bool {
	text = strings.ToLower(text)
	return !isEnding(text, writeTests) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// isEnding tells whether a text begins with the words of an ending.
func isEnding(text, ending string) bool {
	text = strings.TrimLeft(text, "*_`")
	if len(text) < len(ending) || !strings.EqualFold(text[:len(ending)], ending) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[len(ending):])
	return !isWordRune(r)
}

// depths keeps the nesting of boxes whole: prose between two boxes ends all lists.
type depths struct {
	base int // depth in the source of what is outermost now
	last int // depth of the box before
	any  bool
}

func (d *depths) of(it *Item) int {
	if !d.any || trimBlankLines(it.Before) != "" || it.Depth <= d.base {
		d.base, d.last, d.any = it.Depth, 0, true
		return 0
	}
	d.last = min(it.Depth-d.base, d.last+1, maxNest)
	return d.last
}

// item writes a box with what belongs to it.
func (w *writer) item(it *Item, key string, t *Task, task string, d *depths) {
	depth := d.of(it)
	if trimBlankLines(it.Before) != "" {
		w.gap()
		w.prose(it.Before, Origin{Path: it.Origin.Path}, key+".before", 0, "####")
		w.gap()
	}
	mark := " "
	if it.Checked() {
		mark = "x"
	}
	before := len(w.lines)
	w.put(key, Loss{Path: it.Origin.Path, Line: it.Origin.Line}, pad(2*depth)+"- ["+mark+"] "+it.Text)
	if len(w.lines) > before {
		box := Box{Task: task, Text: it.Text, Line: len(w.lines), Origin: it.Origin}
		if it.Origin.Line > 0 || it.Origin.ID != "" {
			w.boxes = append(w.boxes, box)
		}
		if t.Origin.Offset >= 0 && t.Origin != it.Origin && t.Origin.Line > 0 {
			box.Origin = t.Origin // the box that became this task is done when all of its boxes are
			w.boxes = append(w.boxes, box)
		}
	}
	if detail := trimBlankLines(it.Detail); detail != "" {
		w.prose(detail, Origin{Path: it.Origin.Path, Line: detailLine(it)}, key+".detail", 2*depth+2, "")
	}
}

func detailLine(it *Item) int {
	if it.Origin.Line == 0 {
		return 0
	}
	return it.Origin.Line + 1
}
