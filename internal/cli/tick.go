package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ralphex/pkg/plan"
)

type tickCmd struct {
	Plan string  `arg:"" help:"Markdown plan."`
	Pos  taskBox `arg:"" help:"Position of the task, 1 = the first in the file (ralphex show); 2.3 is its third box."`
	Box  []int   `help:"Box of the task, 1 = its first; may be given again." placeholder:"N" xor:"which"`
	All  bool    `help:"All boxes of the task." xor:"which"`
	Undo bool    `help:"Open boxes instead of ticking them."`
}

// Help shows examples.
func (tickCmd) Help() string {
	return `Examples:
  ralphex tick docs/plans/feature.md 2.3          a person did this item; or: 2 --box 3
  ralphex tick docs/plans/feature.md 2 --all
  ralphex tick docs/plans/feature.md 2 --undo     open the task's boxes: the next run does it again

One byte of the file changes for each box. Without --box, ticking takes the first open box and --undo all.`
}

// taskBox is a task, or one of its boxes: "2", "2.3".
type taskBox struct{ task, box int }

// UnmarshalText reads it.
func (t *taskBox) UnmarshalText(text []byte) error {
	pos, box, one := strings.Cut(string(text), ".")
	var err error
	if t.task, err = strconv.Atoi(pos); err == nil && one {
		t.box, err = strconv.Atoi(box)
	}
	if err != nil || one && t.box < 1 {
		return fmt.Errorf("%q is no task: expected the position of one in the file, as `ralphex show` counts them, or 2.3 for a box of it", text)
	}
	return nil
}

// Run ticks or opens boxes.
func (c tickCmd) Run(p *Proc) error {
	_, pl, err := namedPlan(c.Plan, p.Dir)
	if err != nil {
		return err
	}
	pos := c.Pos.task
	task, ok := pl.Task(pos)
	if c.Pos.box > 0 {
		if len(c.Box) > 0 || c.All {
			return usage(fmt.Errorf("%d.%d names a box already", pos, c.Pos.box), "leave --box and --all away")
		}
		c.Box = []int{c.Pos.box}
	}
	if !ok {
		return usage(fmt.Errorf("%s has no task at position %d: it has %d", c.Plan, pos, len(pl.Tasks)), "ralphex show "+c.Plan)
	}
	boxes, err := c.boxes(task)
	if err != nil {
		return err
	}
	if err := pl.SetBoxes(pos, boxes, !c.Undo); err != nil {
		return err
	}
	verb := "ticked"
	if c.Undo {
		verb = "opened"
	}
	for _, b := range boxes {
		fmt.Fprintf(plainly(p.Out), "%s %d.%d (line %d): %s\n", verb, pos, b, task.Checkboxes[b-1].Line, task.Checkboxes[b-1].Text)
	}
	return nil
}

// boxes are the boxes that will really change.
func (c tickCmd) boxes(task plan.Task) ([]int, error) {
	if len(task.Checkboxes) == 0 {
		return nil, usage(errors.New("the task has no boxes"), "ralphex show "+shellQuote(c.Plan))
	}
	var out []int
	add := func(b int) {
		if task.Checkboxes[b-1].Checked == c.Undo {
			out = append(out, b)
		}
	}
	if len(c.Box) > 0 {
		for _, b := range c.Box {
			if b < 1 || b > len(task.Checkboxes) {
				return nil, usage(fmt.Errorf("task %d has no box %d: it has %d", c.Pos.task, b, len(task.Checkboxes)), "ralphex show "+shellQuote(c.Plan))
			}
			add(b)
		}
		return out, nil
	}
	for b := range task.Checkboxes {
		add(b + 1)
	}
	if !c.All && !c.Undo && len(out) > 1 {
		out = out[:1]
	}
	return out, nil
}
