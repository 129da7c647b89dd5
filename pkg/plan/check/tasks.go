package check

import (
	"fmt"
	"strings"

	"ralphex/pkg/plan"
)

// Sizes beyond which a task is too much for one session.
const (
	maxBoxes   = 20
	maxLines   = 150
	maxBoxText = 400 // bytes
)

// tasks checks each task as a whole.
func (c *checker) tasks() {
	switch {
	case strings.TrimSpace(c.src[c.bom():]) == "":
		c.report("no-tasks", 0, 0, "the plan is empty: begin with `# Title`, then `### Task 1: title` and `- [ ] step`", nil)
		return
	case len(c.p.Tasks) == 0 && c.meantTasks() == 0: // otherwise their headers are what is to be mended
		line, start := c.line(1)
		c.report("no-tasks", start, len(line), "write at least one `### Task 1: title` with `- [ ] step` below it", nil)
	}
	titles := map[string]int{}
	for i := range c.p.Tasks {
		t := &c.p.Tasks[i]
		line, start := c.line(t.Line)
		if len(t.Checkboxes) == 0 {
			c.report("task-empty", start, len(line), "give this task its steps as `- [ ] step`: nothing in it will be worked on", nil)
		}
		key := strings.ToLower(strings.Join(strings.Fields(t.Title), " "))
		if first, ok := titles[key]; ok && key != "" {
			c.report("task-duplicate", start, len(line), fmt.Sprintf("give this task a title of its own: task %d has the same", first), nil)
		} else {
			titles[key] = t.Position
		}
		c.taskPlace(t, line, start)
		c.taskSize(t, line, start)
	}
}

// taskPlace reports a task outside of Implementation Steps.
func (c *checker) taskPlace(t *plan.Task, line string, start int) {
	if len(c.outl.found[stepIndex]) == 0 {
		return // that the section is missing has been said
	}
	s, ok := c.outl.sectionAt(t.Span.Start)
	if !ok || s.index != stepIndex {
		c.report("task-place", start, len(line), "move this task into `## "+steps+"`", nil)
	}
}

// taskSize reports a task that is too much or too little for one session.
func (c *checker) taskSize(t *plan.Task, line string, start int) {
	own := 0
	for i := range t.Checkboxes {
		if b := &t.Checkboxes[i]; !isEnding(b.Text) {
			own++
		}
	}
	last, _ := c.place(max(t.Span.Start, t.Span.End-1))
	switch lines := last - t.Line + 1; {
	case len(t.Checkboxes) > maxBoxes:
		c.report("task-size", start, len(line), fmt.Sprintf("split this task: %d boxes are too many for one session (%d at most)", len(t.Checkboxes), maxBoxes), nil)
	case lines > maxLines:
		c.report("task-size", start, len(line), fmt.Sprintf("split this task: %d lines are too many for one session (%d at most)", lines, maxLines), nil)
	case own == 0 && len(t.Checkboxes) > 0:
		c.report("task-size", start, len(line), "write the steps of this task as boxes of their own: it has only its ending", nil)
	case own == 1 && len(t.Checkboxes[0].Text) > maxBoxText:
		c.report("task-size", start, len(line), "split this box into several: the whole task is one line", nil)
	}
}
