package convert

import (
	"slices"
	"strconv"
	"strings"

	"ralphex/pkg/plan"
	"ralphex/pkg/plan/check"
)

// The boxes that every task ends with, and the last task.
const (
	writeTests = "write tests"
	runTests   = "run project tests"
	lastTitle  = "Verify acceptance criteria"
)

// Box says where an item of the source stands in the plan. A box of the source that became a whole task has one
// entry for each box of that task.
type Box struct {
	Task   string // title of its task, as it stands in the plan
	Text   string // of the box, as it stands in the plan
	Line   int    // of the plan
	Origin Origin
}

// writer writes one plan. What the check does not let pass is dropped by its key, and the plan written anew.
type writer struct {
	s       *Source
	drop    map[string]string // key → why
	lines   []string
	keys    []string // of each line: the piece it is a part of, "" = ours
	losses  []Loss
	boxes   []Box
	implied []string // ids that the number of a task says
	from    string   // the sentence about the source
	extra   []string // validation commands of the caller
	wasGap  bool     // the last line is empty
}

func itoa(n int) string { return strconv.Itoa(n) }

// put writes lines that belong together. what says where they come from.
func (w *writer) put(key string, what Loss, lines ...string) {
	if len(lines) == 0 {
		return
	}
	if why, ok := w.drop[key]; ok && key != "" {
		what.Text, what.Why = strings.TrimSpace(strings.Join(lines, "\n")), why
		w.losses = append(w.losses, what)
		return
	}
	for _, l := range lines {
		w.lines = append(w.lines, l)
		w.keys = append(w.keys, key)
	}
	w.wasGap = lines[len(lines)-1] == ""
}

func (w *writer) ours(lines ...string) { w.put("", Loss{}, lines...) }

// gap writes an empty line, unless there is one already.
func (w *writer) gap() {
	if !w.wasGap && len(w.lines) > 0 {
		w.ours("")
	}
}

// guard makes a line of the source harmless; what it owes is a loss.
func (w *writer) guard(s string, at Loss) string {
	out, owed := guarded(s)
	for _, o := range owed {
		at.Text, at.Why = o, "a placeholder: a plan says what is to be done, or leaves it out"
		w.losses = append(w.losses, at)
	}
	return out
}

// render writes the whole plan.
func (w *writer) render() []byte {
	s := w.s
	w.lines, w.keys, w.losses, w.boxes, w.wasGap, w.implied = nil, nil, nil, nil, false, nil
	title := oneLine(strings.TrimRight(strings.TrimSpace(w.guard(oneLine(s.Title), Loss{})), "# "))
	w.title(title)
	w.section(Overview, "What is to be done: "+strings.TrimPrefix(w.lines[0], "# ")+".")
	w.context()
	w.section(Approach, "Work the tasks off in their order. Finish one, with its tests, before the next one begins.")
	w.section(Testing, "Each task ends with tests of its own and a run of the project's tests.")
	w.section(Progress, "Tick a box when it is really done. The boxes of this plan are the only record of progress.")
	w.section(Technical, "")
	w.own(false)
	w.commands()
	w.heading(string(Steps))
	w.notes(Steps)
	w.tasks()
	w.section(After, "")
	w.own(true)
	for len(w.lines) > 0 && w.lines[len(w.lines)-1] == "" {
		w.lines, w.keys = w.lines[:len(w.lines)-1], w.keys[:len(w.keys)-1]
	}
	return []byte(strings.Join(w.lines, "\n") + "\n")
}

// title writes the first line, which can't be left out.
func (w *writer) title(title string) {
	switch why := w.drop["title"]; {
	case why != "":
		w.losses = append(w.losses, Loss{Text: title, Why: why})
		w.ours("# Plan")
	case !hasWord(title):
		w.ours("# Plan")
	default:
		w.put("title", Loss{}, "# "+title)
	}
}

func (w *writer) heading(name string) {
	w.gap()
	w.ours("## "+name, "")
	w.wasGap = true
}

// section writes a section, with what we say if the source says nothing. Without either it is left out.
func (w *writer) section(name SectionName, otherwise string) {
	if otherwise == "" && !slices.ContainsFunc(w.s.Sections, func(x Section) bool { return x.Name == name }) {
		return
	}
	w.heading(string(name))
	at := len(w.lines)
	w.notes(name)
	if len(w.lines) == at && otherwise != "" {
		w.ours(otherwise)
	}
}

// notes writes the prose of a section.
func (w *writer) notes(name SectionName) {
	for i, x := range w.s.Sections {
		if x.Name == name {
			w.gap()
			w.prose(x.Text, Origin{Path: x.Path, Line: x.Line}, "section"+itoa(i), 0, "###")
		}
	}
}

// own writes the sections that are the source's own.
func (w *writer) own(late bool) {
	var done []SectionName
	for _, x := range w.s.Sections {
		if isOurs(x.Name) || x.Late != late || slices.Contains(done, x.Name) {
			continue
		}
		done = append(done, x.Name)
		if name := w.guard(oneLine(string(x.Name)), Loss{Path: x.Path, Line: x.Line}); hasWord(name) && !reserved(name) {
			w.gap()
			w.put("own-"+string(x.Name), Loss{Path: x.Path, Line: x.Line}, "## "+name)
			w.gap()
		} else {
			w.gap()
			w.put("own-"+string(x.Name), Loss{Path: x.Path, Line: x.Line}, "## Notes", "", opening(name))
		}
		w.notes(x.Name)
	}
}

func isOurs(n SectionName) bool {
	switch n {
	case Overview, Context, Approach, Testing, Progress, Technical, Steps, After:
		return true
	}
	return false
}

// context writes where the plan comes from, then what the source says.
func (w *writer) context() {
	w.heading(string(Context))
	if w.from != "" {
		w.put("from", Loss{}, w.from)
	}
	at := len(w.lines)
	w.notes(Context)
	if len(w.lines) == at && w.from == "" {
		w.ours("Nothing beyond what the tasks say.")
	}
}

// commands writes the validation commands.
func (w *writer) commands() {
	all := slices.Clone(w.s.Commands)
	for _, c := range w.extra {
		all = append(all, plan.Command{Text: c})
	}
	var done []string
	for i, c := range all {
		text := strings.TrimSpace(clean2(c.Text))
		if text == "" || slices.Contains(done, text) {
			continue
		}
		if len(done) == 0 {
			w.heading(validationName)
		}
		done = append(done, text)
		key := "command" + itoa(i)
		at := Loss{Line: c.Line}
		if strings.ContainsAny(text, "\n`") {
			fence := strings.Repeat("`", max(3, longestRun(text)+1))
			w.gap()
			w.put(key, at, append(append([]string{fence + "sh"}, strings.Split(text, "\n")...), fence)...)
			w.gap()
			continue
		}
		w.put(key, at, "- `"+text+"`")
	}
}

// clean2 cleans a text line by line.
func clean2(s string) string {
	var out []string
	for _, l := range splitLines(s) {
		out = append(out, strings.TrimRight(clean(l.raw), " "))
	}
	return strings.Join(out, "\n")
}

// taskTitle is what stands behind the colon of a task's header.
func (w *writer) taskTitle(t *Task, pos int) string {
	at := Loss{Path: t.Origin.Path, Line: t.Origin.Line}
	title := strings.TrimSpace(strings.TrimRight(w.guard(oneLine(t.Title), at), "# "))
	why := w.drop["task"+itoa(pos)]
	if hasWord(title) && why == "" {
		return title
	}
	if title != "" {
		at.Text, at.Why = t.Title, firstText(why, "a title without words")
		w.losses = append(w.losses, at)
	}
	return "Part " + itoa(pos)
}

// check asks the strict rules, and returns the errors.
func strictErrors(src []byte) []check.Finding {
	var out []check.Finding
	for _, f := range check.Check(src, check.Options{Profile: check.Strict}) {
		if f.Severity == check.Error {
			out = append(out, f)
		}
	}
	return out
}
