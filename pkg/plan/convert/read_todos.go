package convert

import (
	"path"
	"strconv"
	"strings"

	"ralphex/internal/lazyregexp"
	"ralphex/pkg/plan"
)

// Todo lists of a coding agent come in three shapes: an array of {"content", "status", "activeForm"}, also as
// {"todos": […]}; a folder with one file for each task, {"id", "subject", "description", "status", "blockedBy"};
// and the list as it is drawn in the terminal, ☐ and ☒.

var drawn = lazyregexp.New(`(?m)^[\s⎿•*-]*[☐☒☑◻◼✔]\x{fe0f}?\s+\S`)

// todoList is the array of a todo file, nil if it is none.
func todoList(v *value) *value {
	if v == nil {
		return nil
	}
	if v.kind == '{' {
		v = v.get("todos")
	}
	list := v.list()
	for _, t := range list {
		if t.kind != '{' || t.get("content", "subject").kind != '"' || t.get("status").kind != '"' {
			return nil
		}
	}
	if len(list) == 0 {
		return nil
	}
	return v
}

func isTodo(v *value) bool {
	return v != nil && v.kind == '{' && v.get("subject").kind == '"' && v.get("status").kind == '"'
}

func detectTodos(in *Input) (int, string) {
	if in.Folder {
		if len(in.todoFiles()) > 0 {
			return 90, "files like 1.json with subject and status"
		}
		return 0, ""
	}
	if looksJSON(in.main.text) {
		v := in.jsonValue()
		if todoList(v) != nil || isTodo(v) {
			return 95, "JSON with content and status"
		}
		return 0, ""
	}
	if n := len(drawn.FindAllStringIndex(in.main.text, 3)); n > 0 && !strings.Contains(in.main.text, "- [ ]") {
		return 55 + 10*n, "lines that begin with ☐ or ☒"
	}
	return 0, ""
}

// todoFiles are the files of a folder that have one task each, in the order of their numbers.
func (in *Input) todoFiles() []string {
	var out []string
	for n := 1; n <= 500; n++ {
		if name := itoa(n) + ".json"; in.has(name) {
			f, err := in.file(name)
			if err == nil && f != nil {
				if v, err := parseJSON(f.text); err == nil && isTodo(v) {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

func readTodos(s *Source, in *Input, _ Options) error {
	if in.Folder {
		return s.todoFolder(in)
	}
	if !looksJSON(in.main.text) {
		o := s.readOutline(in.main)
		s.Title = firstText(o.title, todoTitle(in))
		s.tasks(o, shape{})
		return nil
	}
	v, err := parseJSON(in.main.text)
	if err != nil {
		return err
	}
	s.Title = todoTitle(in)
	t := Task{Origin: Origin{Path: in.main.Path, Line: 1, Offset: -1}}
	list := []*value{v}
	if l := todoList(v); l != nil {
		list = l.list()
	}
	for _, m := range list {
		if m.kind == '{' {
			t.Items = append(t.Items, s.todo(m, in.main.Path))
		}
	}
	s.Tasks = []Task{showIDs(t)}
	return nil
}

// todoTitle leaves out names that are only numbers for machines.
func todoTitle(in *Input) string {
	name := titleFromName(in.Name)
	if strings.Count(path.Base(in.Name), "-") > 3 || strings.EqualFold(name, "todos") || name == "Plan" {
		return "Todo list"
	}
	return name
}

func (s *Source) todoFolder(in *Input) error {
	s.Title = todoTitle(in)
	t := Task{Origin: Origin{Path: in.Name, Offset: -1}}
	byID := map[string]int{}
	var blocks [][2]string
	for _, name := range in.todoFiles() {
		f, err := in.file(name)
		if err != nil {
			return err
		}
		v, err := parseJSON(f.text)
		if err != nil {
			return err
		}
		it := s.todo(v, f.Path)
		for _, b := range v.get("blocks").strs() {
			blocks = append(blocks, [2]string{it.ID, b})
		}
		byID[it.ID] = len(t.Items)
		t.Items = append(t.Items, it)
	}
	for _, b := range blocks {
		if i, ok := byID[b[1]]; ok {
			it := &t.Items[i]
			it.Depends = appendNew(it.Depends, b[0])
		}
	}
	if len(t.Items) == 0 {
		return ErrNothing
	}
	s.Tasks = []Task{showIDs(t)}
	return nil
}

func appendNew(list []string, s string) []string {
	for _, l := range list {
		if l == s {
			return list
		}
	}
	return append(list, s)
}

// todo reads one entry. activeForm says the same as the content in another form, and is left out.
func (s *Source) todo(v *value, file string) Item {
	id := v.get("id").str()
	it := Item{ID: id, Text: oneLine(v.get("content", "subject").str()), Origin: Origin{file, v.line, -1, id}}
	s.Counted = append(s.Counted, words(v.get("activeForm").str())...)
	s.Counted = append(s.Counted, words(id)...)
	it.Detail = v.get("description").str()
	it.Depends = v.get("blockedBy").strs()
	if p := v.get("priority").str(); p != "" {
		it.Detail = joinProse(it.Detail, "Priority: "+p)
	}
	if p := v.get("owner").str(); p != "" {
		it.Detail = joinProse(it.Detail, "Owner: "+p)
	}
	it.State = s.status(file, v.get("status"), false)
	if it.State == plan.BoxOpen && !hasWord(it.Text) {
		s.lose(file, v.line, it.Text, "a box without text")
	}
	return it
}

// showIDs writes the ids into the text where something depends on them.
func showIDs(t Task) Task {
	used := false
	for _, it := range t.Items {
		used = used || len(it.Depends) > 0
	}
	for i := range t.Items {
		it := &t.Items[i]
		if !used || it.ID == "" {
			continue
		}
		id := it.ID
		if _, err := strconv.Atoi(id); err == nil {
			id = "#" + id
		}
		it.Text = id + " " + it.Text
	}
	return t
}
