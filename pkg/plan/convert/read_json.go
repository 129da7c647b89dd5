package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ralphex/pkg/plan"
)

// modelVersion is the version of the JSON that --to json writes. A newer one is refused.
const modelVersion = 1

// The JSON of the model has the keys of `show --json` (title, tasks, checkboxes, validation_commands), and more.
type modelJSON struct {
	Version  int           `json:"version"`
	Title    string        `json:"title"`
	Tasks    []taskJSON    `json:"tasks"`
	Sections []sectionJSON `json:"sections"`
	Commands []commandJSON `json:"validation_commands"`
	Prose    []commandJSON `json:"validation_prose,omitempty"` // only `show --json` has it
}

type sectionJSON struct {
	Name SectionName `json:"name"`
	Late bool        `json:"late,omitempty"`
	Text string      `json:"text"`
	Path string      `json:"path,omitempty"`
	Line int         `json:"line,omitempty"`
}

type commandJSON struct {
	Text string `json:"text"`
}

type taskJSON struct {
	Number     int         `json:"number"`
	Title      string      `json:"title"`
	Status     string      `json:"status"`
	Checkboxes []boxJSON   `json:"checkboxes"`
	ID         string      `json:"id,omitempty"`
	Intro      string      `json:"intro,omitempty"`
	Outro      string      `json:"outro,omitempty"`
	Depends    []string    `json:"depends_on,omitempty"`
	Origin     *originJSON `json:"origin,omitempty"`
}

type boxJSON struct {
	Text    string      `json:"text"`
	Checked bool        `json:"checked"`
	State   string      `json:"state,omitempty"`
	Depth   int         `json:"depth,omitempty"`
	ID      string      `json:"id,omitempty"`
	Before  string      `json:"before,omitempty"`
	Detail  string      `json:"detail,omitempty"`
	Depends []string    `json:"depends_on,omitempty"`
	Origin  *originJSON `json:"origin,omitempty"`
}

type originJSON struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Offset int    `json:"offset"`
	ID     string `json:"id,omitempty"`
}

func detectJSON(in *Input) (int, string) {
	if in.Folder || !looksJSON(in.main.text) {
		return 0, ""
	}
	v := in.jsonValue()
	if v == nil || v.kind != '{' || v.get("title").kind != '"' {
		return 0, ""
	}
	for _, t := range v.get("tasks").list() {
		if t.get("checkboxes").kind == '[' {
			return 93, "JSON with tasks and checkboxes"
		}
	}
	return 0, ""
}

func readJSON(s *Source, in *Input, _ Options) error {
	if in.main == nil {
		return errNoFile
	}
	if _, err := parseJSON(in.main.text); err != nil {
		return err
	}
	var m modelJSON
	if err := json.Unmarshal([]byte(strings.TrimPrefix(in.main.text, "\ufeff")), &m); err != nil {
		return fmt.Errorf("read the model: %w", err)
	}
	if m.Version > modelVersion {
		return errors.New("it was written by a newer ralphex: update this one")
	}
	s.fromModel(&m, in.main.Path)
	return nil
}

// fromModel is the other direction of toModel.
func (s *Source) fromModel(m *modelJSON, file string) {
	s.Title = m.Title
	for _, x := range m.Sections {
		s.Sections = append(s.Sections, Section(x))
		s.Counted = append(s.Counted, words(string(x.Name)+" "+x.Path)...)
	}
	for _, c := range m.Commands {
		s.Commands = append(s.Commands, plan.Command{Text: c.Text})
	}
	for _, c := range m.Prose {
		s.add(Testing, file, 0, c.Text)
	}
	for i := range m.Tasks {
		t := &m.Tasks[i]
		task := Task{ID: t.ID, Title: t.Title, Intro: t.Intro, Outro: t.Outro, Depends: t.Depends, Origin: t.Origin.origin(file, t.ID)}
		s.count(t.Status, t.ID, t.Origin)
		for j := range t.Checkboxes {
			b := &t.Checkboxes[j]
			s.count(b.State, b.ID, b.Origin)
			task.Items = append(task.Items, Item{Text: oneLine(b.Text), State: b.state(), ID: b.ID, Depends: b.Depends,
				Before: b.Before, Detail: b.Detail, Depth: max(0, b.Depth), Origin: b.Origin.origin(file, b.ID)})
		}
		s.Tasks = append(s.Tasks, task)
	}
}

// count remembers the words that are structure here.
func (s *Source) count(status, id string, o *originJSON) {
	s.Counted = append(s.Counted, words(status+" "+id)...)
	if o != nil {
		s.Counted = append(s.Counted, words(o.Path+" "+o.ID)...)
	}
}

func (o *originJSON) origin(file, id string) Origin {
	if o == nil {
		return Origin{Path: file, Offset: -1, ID: id}
	}
	return Origin(*o)
}

func (b *boxJSON) state() plan.BoxState {
	switch s := plan.BoxState(b.State); s {
	case plan.BoxOpen, plan.BoxChecked, plan.BoxManual, plan.BoxSkipped:
		return s
	}
	if b.Checked {
		return plan.BoxChecked
	}
	return plan.BoxOpen
}
