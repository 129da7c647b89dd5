package convert

import (
	"bytes"
	"encoding/json"
	"fmt"

	"ralphex/pkg/plan"
)

// json writes the model, all of it.
func (r *Result) json(in *Input, o Options) error {
	m := r.Source.toModel()
	for _, c := range o.Validate {
		m.Commands = append(m.Commands, commandJSON{c})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	r.Output = b.Bytes()
	r.Losses = r.account(in, nil, r.said())
	return nil
}

// said is everything that the model says, decoded.
func (r *Result) said() string {
	v, err := parseJSON(string(r.Output))
	if err != nil {
		return ""
	}
	var b bytes.Buffer
	for _, u := range jsonUnits(&File{}, v) {
		b.WriteString(u.text)
		b.WriteByte('\n')
	}
	return b.String()
}

func (s *Source) toModel() modelJSON {
	m := modelJSON{Version: modelVersion, Title: s.Title, Tasks: []taskJSON{}, Sections: []sectionJSON{}, Commands: []commandJSON{}}
	for _, x := range s.Sections {
		m.Sections = append(m.Sections, sectionJSON(x))
	}
	for _, c := range s.Commands {
		m.Commands = append(m.Commands, commandJSON{c.Text})
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		out := taskJSON{Number: i + 1, Title: t.Title, Status: string(t.status()), ID: t.ID, Intro: t.Intro, Outro: t.Outro,
			Depends: t.Depends, Origin: jsonOrigin(t.Origin), Checkboxes: []boxJSON{}}
		for _, it := range t.Items {
			out.Checkboxes = append(out.Checkboxes, boxJSON{Text: it.Text, Checked: it.Checked(), State: string(it.State), Depth: it.Depth,
				ID: it.ID, Before: it.Before, Detail: it.Detail, Depends: it.Depends, Origin: jsonOrigin(it.Origin)})
		}
		m.Tasks = append(m.Tasks, out)
	}
	return m
}

func jsonOrigin(o Origin) *originJSON {
	if o.Line == 0 && o.ID == "" {
		return nil
	}
	j := originJSON(o)
	return &j
}

// status is how far a task is, as a plan would say.
func (t *Task) status() plan.TaskStatus {
	done := 0
	for _, it := range t.Items {
		if it.Checked() {
			done++
		}
	}
	switch {
	case done == 0:
		return plan.TaskStatusPending
	case done == len(t.Items):
		return plan.TaskStatusDone
	}
	return plan.TaskStatusActive
}
