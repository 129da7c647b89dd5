package convert

import (
	"fmt"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// ralph writes .ralph/tasks.json, version 2: a task for each task, and a child of it for each box but the ending,
// which every conversion to a plan adds.
func (r *Result) ralph(in *Input, o Options) error {
	w := ralphWriter{r: r, ids: map[string]bool{}}
	w.command = w.validation(append(slices.Clone(r.Source.Commands), extraCommands(o.Validate)...))
	w.mint()
	var b strings.Builder
	b.WriteString("{\n  \"version\": 2,\n  \"tasks\": [")
	first := true
	for i := range r.Source.Tasks {
		for _, obj := range w.task(i) {
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.WriteString("\n    " + obj.json("    "))
		}
	}
	if !first {
		b.WriteString("\n  ")
	}
	b.WriteString("]\n}\n")
	r.Output = []byte(b.String())
	for _, x := range r.Source.Sections {
		r.Source.lose(x.Path, x.Line, x.Text, "prose of "+string(x.Name)+": .ralph/tasks.json has tasks only")
	}
	r.Source.lose("", 0, r.Source.Title, "the title: .ralph/tasks.json has none")
	r.Losses = r.account(in, nil, r.said())
	return nil
}

func extraCommands(list []string) []plan.Command {
	var out []plan.Command
	for _, c := range list {
		out = append(out, plan.Command{Text: c})
	}
	return out
}

type ralphWriter struct {
	r       *Result
	ids     map[string]bool
	taskID  []string
	itemID  [][]string
	renamed map[string]string
	command string
}

// validation is the one command line of the format.
func (w *ralphWriter) validation(list []plan.Command) string {
	var parts []string
	for _, c := range list {
		if strings.Contains(c.Text, "\n") {
			w.r.Source.lose("", c.Line, c.Text, "a command of several lines: .ralph/tasks.json has room for one line")
			continue
		}
		parts = append(parts, strings.TrimSpace(c.Text))
	}
	return strings.Join(parts, " && ")
}

// mint gives each task and box an id. Those of the source stay where they are ids there, too, and unique.
func (w *ralphWriter) mint() {
	take := func(want, otherwise string) string {
		if want == "" || w.ids[want] {
			want = otherwise
		}
		for n := 2; w.ids[want]; n++ {
			want = fmt.Sprintf("%s-%d", otherwise, n)
		}
		w.ids[want] = true
		return want
	}
	w.renamed = map[string]string{}
	for i, t := range w.r.Source.Tasks {
		want := t.ID
		if strings.Trim(want, "0123456789.") == "" {
			want = "" // a bare number is none here
		}
		id := take(want, "T"+itoa(i+1))
		w.taskID = append(w.taskID, id)
		w.rename(t.ID, id)
	}
	for i, t := range w.r.Source.Tasks {
		var ids []string
		for j, it := range t.Items {
			ids = append(ids, take(it.ID, w.taskID[i]+"."+itoa(j+1)))
			w.rename(it.ID, ids[j])
		}
		w.itemID = append(w.itemID, ids)
	}
}

func (w *ralphWriter) rename(from, to string) {
	for _, id := range []string{from, to} {
		if _, ok := w.renamed[id]; !ok && id != "" {
			w.renamed[id] = to
		}
	}
}

func (w *ralphWriter) depends(list []string) []string {
	var out []string
	for _, d := range list {
		if to, ok := w.renamed[d]; ok {
			out = appendNew(out, to)
		}
	}
	return out
}

// task makes the objects of a task and its boxes.
func (w *ralphWriter) task(i int) []object {
	t := &w.r.Source.Tasks[i]
	var children []object
	status, done, active := "todo", true, false
	parents := []string{w.taskID[i]}
	for j, it := range t.Items {
		if strings.EqualFold(it.Text, writeTests) || strings.EqualFold(it.Text, runTests) {
			continue
		}
		done, active = done && it.Checked(), active || it.Checked()
		depth := min(it.Depth, len(parents)-1)
		parents = append(parents[:depth+1], w.itemID[i][j])
		children = append(children, w.item(it, w.itemID[i][j], parents[depth]))
	}
	switch {
	case done && active:
		status = "done"
	case active:
		status = "in_progress"
	}
	var o object
	o.add("id", w.taskID[i])
	o.add("title", firstText(oneLine(t.Title), "Part "+itoa(i+1)))
	o.add("status", status)
	o.list("dependsOn", w.depends(t.Depends))
	o.text("notes", joinProse(t.Intro, t.Outro))
	o.text("validation", w.command)
	return append([]object{o}, children...)
}

func (w *ralphWriter) item(it Item, id, parent string) object {
	title := firstText(bare(bare(withoutMark(it.Text), it.ID), id), it.Text)
	switch {
	case it.State == plan.BoxManual:
		title = "(manual) " + title
	case it.State == plan.BoxSkipped || it.Checked() && strings.HasPrefix(it.Text, "(skipped)"):
		title = "(skipped) " + title
	}
	status := "todo"
	if it.Checked() {
		status = "done"
	}
	var o object
	o.add("id", id)
	o.add("title", title)
	o.add("status", status)
	o.add("parentId", parent)
	o.list("dependsOn", w.depends(it.Depends))
	o.text("notes", joinProse(it.Before, it.Detail))
	return o
}

// object is a JSON object with keys in the order of the format.
type object struct{ keys, values []string }

func (o *object) add(key, text string) {
	o.keys, o.values = append(o.keys, key), append(o.values, stringify(text))
}

func (o *object) text(key, text string) {
	if t := trimBlankLines(text); t != "" {
		o.add(key, t)
	}
}

func (o *object) list(key string, list []string) {
	if len(list) == 0 {
		return
	}
	var b strings.Builder
	b.WriteByte('[')
	for i, s := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n        " + stringify(s))
	}
	b.WriteString("\n      ]")
	o.keys, o.values = append(o.keys, key), append(o.values, b.String())
}

func (o *object) json(indent string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + "  " + stringify(k) + ": " + o.values[i])
	}
	b.WriteString("\n" + indent + "}")
	return b.String()
}

// stringify writes a string as JSON.stringify does: nothing is escaped that need not be.
func stringify(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		default:
			if r < 0x20 {
				fmt.Fprintf(&b, `\u%04x`, r)
				continue
			}
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
