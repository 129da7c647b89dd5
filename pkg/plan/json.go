package plan

import "encoding/json"

// This file is the public JSON of a plan: title, tasks[number, title, status, checkboxes[text, checked]],
// widened by keys of ours that come after them. tasks, checkboxes and the other lists are never null.

type planJSON struct {
	Title string `json:"title"`
	Tasks []Task `json:"tasks"`

	Path               string    `json:"path,omitempty"`
	Position           int       `json:"position"` // of the next task, 0 = none
	LeftForPerson      int       `json:"left_for_person"`
	ValidationCommands []Command `json:"validation_commands"`
	ValidationProse    []Prose   `json:"validation_prose"`
	Problems           []Problem `json:"problems"`
}

type taskJSON struct {
	Number     int        `json:"number"`
	Title      string     `json:"title"`
	Status     TaskStatus `json:"status"`
	Checkboxes []Checkbox `json:"checkboxes"`

	ID            string `json:"id"`
	Position      int    `json:"position"`
	Line          int    `json:"line"`
	LeftForPerson int    `json:"left_for_person"`

	Review ReviewWhen `json:"review,omitempty"`
}

type checkboxJSON struct {
	Text    string `json:"text"`
	Checked bool   `json:"checked"`

	State  BoxState `json:"state"`
	Sample bool     `json:"sample,omitempty"`
	Line   int      `json:"line"`
	Depth  int      `json:"depth"`
}

type problemJSON struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Line     int      `json:"line"`
	Col      int      `json:"col"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint"`
}

// MarshalJSON writes the public shape.
func (p *Plan) MarshalJSON() ([]byte, error) {
	return json.Marshal(planJSON{
		Title: p.Title, Tasks: list(p.Tasks), Path: p.Path,
		Position: p.NextPlanTaskPosition(), LeftForPerson: p.LeftForPerson(),
		ValidationCommands: list(p.ValidationCommands), ValidationProse: list(p.ValidationProse),
		Problems: list(p.Problems),
	})
}

// MarshalJSON writes the public shape.
func (t Task) MarshalJSON() ([]byte, error) {
	return json.Marshal(taskJSON{
		Number: t.Number, Title: t.Title, Status: t.Status, Checkboxes: list(t.Checkboxes),
		ID: t.ID, Position: t.Position, Line: t.Line, LeftForPerson: len(t.LeftForPerson()),
		Review: t.Review.When,
	})
}

// MarshalJSON writes the public shape.
func (c Checkbox) MarshalJSON() ([]byte, error) {
	return json.Marshal(checkboxJSON{
		Text: c.Text, Checked: c.Checked, State: c.State, Sample: c.Sample, Line: c.Line, Depth: c.Depth,
	})
}

// MarshalJSON writes the problem as a person would read it, with its code.
func (p Problem) MarshalJSON() ([]byte, error) {
	return json.Marshal(problemJSON{
		Code: p.Code, Severity: p.Severity(), Line: p.Line, Col: p.Col, Message: p.Message(), Hint: p.Hint(),
	})
}

// list is s, empty instead of nil.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
