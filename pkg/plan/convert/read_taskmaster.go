package convert

import (
	"path"
	"slices"
	"strings"

	"ralphex/pkg/plan"
)

// Task Master writes .taskmaster/tasks/tasks.json: {"master": {"tasks": […], "metadata": {…}}, "other-tag": …}, or,
// older, {"tasks": […], "meta": {…}}. A task has an integer id, and subtasks whose ids count within it.

// tagged is one tag of such a file.
type tagged struct {
	name string
	v    *value
}

// taskMasterTags lists the tags, nil if it is no such file.
func taskMasterTags(v *value) []tagged {
	if v.kind != '{' {
		return nil
	}
	if looksTaskMaster(v.get("tasks")) {
		return []tagged{{"", v}}
	}
	var out []tagged
	for i, k := range v.keys {
		if m := v.members[i]; m.kind == '{' && m.get("tasks").kind == '[' && (looksTaskMaster(m.get("tasks")) || len(m.get("tasks").list()) == 0) {
			out = append(out, tagged{k, m})
		}
	}
	return out
}

// looksTaskMaster tells whether a list holds tasks of this format.
func looksTaskMaster(list *value) bool {
	for _, t := range list.list() {
		if t.kind != '{' || !t.has("title") || !t.has("status") {
			return false
		}
		if t.get("id").isInt() || t.has("subtasks") || t.has("testStrategy") {
			return true
		}
	}
	return false
}

func detectTaskMaster(in *Input) (int, string) {
	v := in.jsonValue("tasks.json", ".taskmaster/tasks/tasks.json", "tasks/tasks.json")
	if v == nil {
		return 0, ""
	}
	tags := taskMasterTags(v)
	if slices.ContainsFunc(tags, func(t tagged) bool { return looksTaskMaster(t.v.get("tasks")) }) {
		return 94, "JSON with tasks that have number, title and status"
	}
	return 0, ""
}

// jsonValue parses the main file, or the first of these that a folder has; nil if it is not JSON.
func (in *Input) jsonValue(names ...string) *value {
	f, err := in.pick(names...)
	if err != nil || !looksJSON(f.text) {
		return nil
	}
	if f.parsed == nil {
		f.parsed, f.parseErr = parseJSON(f.text)
	}
	return f.parsed
}

// jsonFile is jsonValue for readers: what is wrong is an error.
func (in *Input) jsonFile(names ...string) (*File, *value, error) {
	f, err := in.pick(names...)
	if err != nil {
		return nil, nil, err
	}
	v, err := parseJSON(f.text)
	return f, v, err
}

func readTaskMaster(s *Source, in *Input, o Options) error {
	f, v, err := in.jsonFile("tasks.json", ".taskmaster/tasks/tasks.json", "tasks/tasks.json")
	if err != nil {
		return err
	}
	tags := taskMasterTags(v)
	tag, err := s.chooseTag(tags, o.Tag)
	if err != nil {
		return err
	}
	m := taskMaster{s: s, path: f.Path}
	for _, t := range tags {
		if t.name != tag.name {
			m.leaveOut(t)
		}
	}
	if meta := tag.v.get("metadata", "meta"); meta.kind == '{' {
		s.Title = meta.get("projectName", "name").str()
		if d := meta.get("description").str(); d != "" {
			s.add(Overview, f.Path, meta.line, d)
		}
		for _, k := range []string{"created", "updated", "version"} {
			s.Counted = append(s.Counted, words(meta.get(k).str())...)
		}
	}
	if tag.name != "" {
		s.Title = strings.TrimSpace(s.Title)
		if tag.name != "master" {
			s.Title = strings.TrimSpace(s.Title + " " + tag.name)
		}
	}
	s.Title = firstText(s.Title, in.folderTitle(f))
	for _, t := range tag.v.get("tasks").list() {
		m.task(t)
	}
	return nil
}

// folderTitle makes a title of the folder that a file of a fixed name stands in.
func (in *Input) folderTitle(f *File) string {
	if !fixedNames[path.Base(f.Path)] {
		return titleFromName(f.Path)
	}
	parts := strings.Split(strings.Trim(path.Dir(f.Path), "/"), "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if p := parts[i]; !strings.HasPrefix(p, ".") && p != "tasks" && p != "" {
			return titleFromName(p)
		}
	}
	if in.Folder && !strings.HasPrefix(in.home, ".") {
		return titleFromName(in.home)
	}
	return "Plan"
}

func (s *Source) chooseTag(tags []tagged, want string) (tagged, error) {
	var names []string
	for _, name := range []string{want, "master"} {
		for _, t := range tags {
			if t.name == name && (name != "master" || want == "") && len(t.v.get("tasks").list()) > 0 {
				return t, nil
			}
		}
	}
	for _, t := range tags {
		if want == "" && len(t.v.get("tasks").list()) > 0 {
			return t, nil
		}
		names = append(names, t.name)
	}
	return tagged{}, &UnknownError{Format: s.Format, Reason: "there are no tasks with the tag " + quote1(want) + "; the file has " + strings.Join(names, ", ")}
}

func quote1(s string) string { return "\"" + s + "\"" }

type taskMaster struct {
	s    *Source
	path string
}

// leaveOut reports the tasks of another tag.
func (m taskMaster) leaveOut(t tagged) {
	for _, k := range t.v.get("tasks").list() {
		m.s.lose(m.path, k.line, strings.Join(k.texts(), " "), "belongs to the tag "+quote1(t.name)+": convert it with --tag "+t.name)
	}
	meta := t.v.get("metadata", "meta")
	if texts := meta.texts(); len(texts) > 0 {
		m.s.lose(m.path, meta.line, strings.Join(texts, " "), "belongs to the tag "+quote1(t.name))
	}
}

// status reads how far a task is. Words beyond open and done are losses.
func (s *Source) status(file string, v *value, parent bool) plan.BoxState {
	said := v.str()
	switch strings.ToLower(said) {
	case "done", "completed", "complete":
		s.Counted = append(s.Counted, words(said)...)
		return plan.BoxChecked
	case "pending", "todo", "":
		s.Counted = append(s.Counted, words(said)...)
		return plan.BoxOpen
	case "cancelled", "canceled":
		s.Counted = append(s.Counted, words(said)...)
		return plan.BoxSkipped
	}
	if parent && activeStatus(said) {
		s.Counted = append(s.Counted, words(said)...) // its parts say so
		return plan.BoxOpen
	}
	s.lose(file, v.line, said, "a status that a plan does not have; the box is open")
	return plan.BoxOpen
}

// activeStatus tells whether something is being worked on.
func activeStatus(s string) bool { return s == "in-progress" || s == "in_progress" }

// labelled makes Markdown of a field: its name, and its text below it if that has several lines.
func labelled(name, text string) string {
	text = trimBlankLines(text)
	switch {
	case text == "":
		return ""
	case strings.ContainsAny(text, "\n\r"):
		return name + ":\n\n" + text
	}
	return name + ": " + text
}

// fields are the texts of a task or subtask.
func fields(t *value) string {
	out := t.get("description").str()
	if d := t.get("details").str(); d != out {
		out = joinProse(out, d)
	}
	out = joinProse(out, labelled("Test strategy", t.get("testStrategy").str()))
	if p := t.get("priority").str(); p != "" {
		out = joinProse(out, "Priority: "+p)
	}
	return out
}

func (m taskMaster) task(v *value) {
	s := m.s
	id := v.get("id").str()
	t := Task{ID: id, Title: oneLine(v.get("title").str()), Origin: Origin{m.path, v.line, -1, id}}
	t.Intro = fields(v)
	t.Depends = v.get("dependencies").strs()
	subs := v.get("subtasks").list()
	state := s.status(m.path, v.get("status"), len(subs) > 0)
	m.stamps(v)
	open := 0
	for _, sub := range subs {
		it := m.subtask(id, sub, subs)
		if !it.Checked() {
			open++
		}
		t.Items = append(t.Items, it)
	}
	self := Item{Text: firstText(t.Title, t.Intro, "Task "+id), State: state, Origin: t.Origin}
	switch {
	case len(subs) == 0, !self.Checked() && open == 0:
		t.Items = append(t.Items, self)
	case self.Checked() && open > 0:
		s.lose(m.path, v.line, t.Title, "is done there while subtasks are open; the subtasks count")
	}
	s.Tasks = append(s.Tasks, t)
}

func (m taskMaster) subtask(parent string, v *value, siblings []*value) Item {
	id := v.get("id").str()
	if !strings.Contains(id, ".") {
		id = parent + "." + id
	}
	it := Item{ID: id, Text: strings.TrimSpace(id + " " + oneLine(v.get("title").str())), Origin: Origin{m.path, v.line, -1, id}}
	it.State = m.s.status(m.path, v.get("status"), false)
	m.stamps(v)
	it.Detail = fields(v)
	for _, d := range v.get("dependencies").strs() {
		sibling := slices.ContainsFunc(siblings, func(x *value) bool { return x.get("id").str() == d })
		if sibling && !strings.Contains(d, ".") {
			d = parent + "." + d
		}
		it.Depends = append(it.Depends, d)
	}
	return it
}

// stamps are fields that only the tool needs.
func (m taskMaster) stamps(v *value) {
	for _, k := range []string{"createdAt", "updatedAt", "parentId", "parentTaskId"} {
		m.s.Counted = append(m.s.Counted, words(v.get(k).str())...)
	}
}
