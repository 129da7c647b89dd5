package plan

import "strings"

// NextPlanTaskPosition is nextPlanTaskPosition of the public ralphex: the 1-based position of the first task
// with status != TaskStatusDone, 0 if there is none. Tasks without boxes are skipped: there is nothing in
// them that could ever become done. Tasks in which only people's boxes are left are done for an agent.
func (p *Plan) NextPlanTaskPosition() int {
	for i := range p.Tasks {
		if t := &p.Tasks[i]; t.Status != TaskStatusDone && len(t.Checkboxes) > 0 {
			return i + 1
		}
	}
	return 0
}

// LeftForPerson counts the open boxes of all tasks that only a person can tick.
func (p *Plan) LeftForPerson() int {
	n := 0
	for i := range p.Tasks {
		n += len(p.Tasks[i].LeftForPerson())
	}
	return n
}

// OpenForAgent lists the 1-based boxes that an agent can still tick.
func (t Task) OpenForAgent() []int { return t.boxes(Checkbox.OpenForAgent) }

// LeftForPerson lists the 1-based boxes that are open and that only a person can tick.
func (t Task) LeftForPerson() []int {
	return t.boxes(func(c Checkbox) bool { return c.State == BoxManual })
}

// Done tells whether nothing in the task is left for an agent. A task without boxes is done.
func (t Task) Done() bool {
	for i := range t.Checkboxes {
		if t.Checkboxes[i].OpenForAgent() {
			return false
		}
	}
	return true
}

func (t Task) boxes(want func(Checkbox) bool) []int {
	var out []int
	for i := range t.Checkboxes {
		if want(t.Checkboxes[i]) {
			out = append(out, i+1)
		}
	}
	return out
}

// OpenForAgent tells whether an agent can still tick this box.
func (c Checkbox) OpenForAgent() bool { return c.State == BoxOpen && !c.Sample }

// status derives the status of a task from its boxes.
func (t *Task) status() TaskStatus {
	checked := false
	for i := range t.Checkboxes {
		checked = checked || t.Checkboxes[i].Checked
	}
	switch {
	case len(t.Checkboxes) == 0:
		return TaskStatusPending
	case t.Done():
		return TaskStatusDone
	case checked:
		return TaskStatusActive
	}
	return TaskStatusPending
}

// set gives the box the state that its byte and text stand for.
func (c *Checkbox) set(state byte) {
	c.Checked = state == 'x' || state == 'X'
	switch {
	case c.Checked:
		c.State = BoxChecked
	case state == '-':
		c.State = BoxSkipped
	case state == '~', hasManualPrefix(c.Text):
		c.State = BoxManual
	default:
		c.State = BoxOpen
	}
}

const manualPrefix = "(manual)"

func hasManualPrefix(text string) bool {
	return len(text) >= len(manualPrefix) && strings.EqualFold(text[:len(manualPrefix)], manualPrefix)
}

// isSample tells whether a box's entire text only shows how a box is written: `- [ ]`, [x], "[]".
func isSample(text string) bool {
	s := strings.Trim(text, "`'\"“”‘’ \t")
	if len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 {
		s = strings.TrimLeft(s[1:], " \t")
	}
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return false
	}
	inner := strings.TrimSpace(s[1 : len(s)-1])
	return inner == "" || inner == "x" || inner == "X"
}
