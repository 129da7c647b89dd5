package cli

import (
	"errors"
	"fmt"

	"ralphex/pkg/plan"
)

type tickCmd struct {
	Plan string `arg:"" help:"Markdown plan."`
	Pos  int    `arg:"" help:"Position of the task, 1 = the first in the file (ralphex show)."`
	Box  []int  `help:"Box of the task, 1 = its first; may be given again." placeholder:"N" xor:"which"`
	All  bool   `help:"All boxes of the task." xor:"which"`
	Undo bool   `help:"Open boxes instead of ticking them."`
}

// Help shows examples.
func (tickCmd) Help() string {
	return `Examples:
  ralphex tick docs/plans/feature.md 2 --box 3    a person did this item
  ralphex tick docs/plans/feature.md 2 --all
  ralphex tick docs/plans/feature.md 2 --undo     open the task's boxes: the next run does it again

One byte of the file changes for each box. Without --box, ticking takes the first open box and --undo all.`
}

// Run ticks or opens boxes.
func (c tickCmd) Run(p *Proc) error {
	_, pl, err := namedPlan(c.Plan, p.Dir)
	if err != nil {
		return err
	}
	task, ok := pl.Task(c.Pos)
	if !ok {
		return usage(fmt.Errorf("%s has no task at position %d: it has %d", c.Plan, c.Pos, len(pl.Tasks)), "ralphex show "+c.Plan)
	}
	boxes, err := c.boxes(task)
	if err != nil {
		return err
	}
	if err := pl.SetBoxes(c.Pos, boxes, !c.Undo); err != nil {
		return err
	}
	verb := "ticked"
	if c.Undo {
		verb = "opened"
	}
	for _, b := range boxes {
		fmt.Fprintf(plainly(p.Out), "%s %d.%d (line %d): %s\n", verb, c.Pos, b, task.Checkboxes[b-1].Line, task.Checkboxes[b-1].Text)
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
				return nil, usage(fmt.Errorf("task %d has no box %d: it has %d", c.Pos, b, len(task.Checkboxes)), "ralphex show "+shellQuote(c.Plan))
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
