package plan

import (
	"errors"
	"fmt"
)

// ErrMoved is what every MovedError is.
var ErrMoved = errors.New("the plan changed under this box")

// ErrNoBox is returned for a position or box that the plan does not have.
var ErrNoBox = errors.New("no such box")

// MovedError says that a box is not any more where it was read. Nothing was written.
type MovedError struct {
	Path          string
	Position, Box int
	Want, Found   string // text of the box as it was read, and what stands in its place now ("" = nothing)
}

func (e *MovedError) Error() string {
	found := "nothing is there now"
	if e.Found != "" {
		found = fmt.Sprintf("now there is %q", e.Found)
	}
	return fmt.Sprintf("%s: task %d, box %d was %q, %s: read the plan again", e.Path, e.Position, e.Box, e.Want, found)
}

// Is makes errors.Is(err, ErrMoved) work.
func (e *MovedError) Is(target error) bool { return target == ErrMoved }

// Tick checks a box of the plan file at path, both numbers 1-based. Exactly one byte of the file changes; if
// the box is checked already, nothing is written. People's boxes and skipped ones are ticked, too: whether
// they may be is for the caller to decide.
func Tick(path string, pos, box int) error { return SetBoxes(path, pos, []int{box}, true) }

// Untick opens a box that is checked. Open, manual and skipped boxes stay as they are.
func Untick(path string, pos, box int) error { return SetBoxes(path, pos, []int{box}, false) }

// TickAll checks all boxes of a task that an agent can still tick.
func TickAll(path string, pos int) error {
	p, err := ParsePlanFile(path)
	if err != nil {
		return err
	}
	t, ok := p.Task(pos)
	if !ok {
		return fmt.Errorf("tick %s: task %d of %d: %w", path, pos, len(p.Tasks), ErrNoBox)
	}
	return p.SetBoxes(pos, t.OpenForAgent(), true)
}

// SetBoxes checks or opens boxes of one task of the plan file at path, in one write.
func SetBoxes(path string, pos int, boxes []int, checked bool) error {
	p, err := ParsePlanFile(path)
	if err != nil {
		return err
	}
	return p.SetBoxes(pos, boxes, checked)
}

// Tick is SetBoxes for one box.
func (p *Plan) Tick(pos, box int) error { return p.SetBoxes(pos, []int{box}, true) }

// Untick is SetBoxes for one box.
func (p *Plan) Untick(pos, box int) error { return p.SetBoxes(pos, []int{box}, false) }

// SetBoxes checks or opens boxes of the task at pos in the file that p was read from. The file may have
// changed since, but each box must still be where it was, with the same text in a task with the same header;
// else the error is a *MovedError and nothing is written. Afterwards p is the file's new state.
//
// The file is replaced as a whole: at any moment, also after a crash, it has either all changes or none.
// Line ends, byte order mark, trailing blanks and the file's mode stay; a symbolic link stays one.
func (p *Plan) SetBoxes(pos int, boxes []int, checked bool) error {
	if p.Path == "" {
		return errors.New("tick: the plan was not read from a file")
	}
	for _, box := range boxes {
		if t, ok := p.Task(pos); !ok || box < 1 || box > len(t.Checkboxes) {
			return fmt.Errorf("tick %s: task %d, box %d: %w", p.Path, pos, box, ErrNoBox)
		}
	}
	var after *Plan
	err := rewrite(p.Path, func(src []byte) ([]byte, error) {
		now, err := p.Reparse(src)
		if err != nil {
			return nil, err
		}
		out, err := p.setIn(now, src, pos, boxes, checked)
		if err != nil {
			return nil, err
		}
		after, err = now.Reparse(out)
		return out, err
	})
	if err != nil {
		return fmt.Errorf("tick %s: %w", p.Path, err)
	}
	*p = *after
	return nil
}

// setIn returns src with the boxes set. now is the reading of src, p the reading that the caller knows.
func (p *Plan) setIn(now *Plan, src []byte, pos int, boxes []int, checked bool) ([]byte, error) {
	out := src
	for _, box := range boxes {
		if err := p.sameBox(now, pos, box); err != nil {
			return nil, err
		}
		c := &now.Tasks[pos-1].Checkboxes[box-1]
		if c.Checked == checked || !checked && c.State != BoxChecked {
			continue
		}
		if &out[0] == &src[0] {
			out = append([]byte(nil), src...)
		}
		out[c.Offset] = ' '
		if checked {
			out[c.Offset] = 'x'
		}
	}
	return out, nil
}

// sameBox compares a box that was read with what stands at its place now. Its mark may differ.
func (p *Plan) sameBox(now *Plan, pos, box int) error {
	was := &p.Tasks[pos-1]
	moved := &MovedError{Path: p.Path, Position: pos, Box: box, Want: was.Checkboxes[box-1].Text}
	t, ok := now.Task(pos)
	if !ok || box > len(t.Checkboxes) {
		return moved
	}
	moved.Found = t.Checkboxes[box-1].Text
	if moved.Found != moved.Want || t.ID != was.ID || t.Title != was.Title {
		if moved.Found == moved.Want {
			moved.Found += " of task " + t.ID + ": " + t.Title
		}
		return moved
	}
	return nil
}
