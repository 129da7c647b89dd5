package plan

import "slices"

// Reparse reads src, which is a later state of the same file. If nothing changed, it returns p itself; if
// only bytes between the brackets of known boxes changed, it returns a copy with those boxes set, at a small
// part of the price of ParsePlan. The result is the same as ParsePlan's in every case. src is not kept.
func (p *Plan) Reparse(src []byte) (*Plan, error) {
	changed, ok := p.changedBoxes(src)
	if ok && len(changed) == 0 {
		return p, nil
	}
	if !ok {
		q, err := ParsePlan(src)
		if err != nil {
			if limit, ok := err.(*LimitError); ok {
				limit.Path = p.Path
			}
			return nil, err
		}
		q.Path = p.Path
		return q, nil
	}
	return p.patched(src, changed), nil
}

// ref names a box by indexes, both 0-based.
type ref struct{ task, box int }

// changedBoxes lists the boxes whose byte differs in src. ok is false if anything else differs, too, or if a
// box changed so that the public rule would count it differently.
func (p *Plan) changedBoxes(src []byte) (changed []ref, ok bool) {
	if len(src) != len(p.text) {
		return nil, false
	}
	at := 0
	for i := range p.Tasks {
		for j := range p.Tasks[i].Checkboxes {
			off := p.Tasks[i].Checkboxes[j].Offset
			if string(src[at:off]) != p.text[at:off] {
				return nil, false
			}
			at = off + 1
			if old, now := p.text[off], src[off]; old != now {
				if !isState(now) || isOurs(old) != isOurs(now) {
					return nil, false
				}
				changed = append(changed, ref{i, j})
			}
		}
	}
	return changed, string(src[at:]) == p.text[at:]
}

// isOurs tells whether a mark is one that the public rule does not know.
func isOurs(state byte) bool { return state == '~' || state == '-' }

// patched copies the plan with the given boxes as they are in src. What did not change is shared.
func (p *Plan) patched(src []byte, changed []ref) *Plan {
	q := *p
	q.text = string(src)
	q.Tasks = slices.Clone(p.Tasks)
	last := -1
	for _, c := range changed {
		t := &q.Tasks[c.task]
		if c.task != last {
			t.Checkboxes = slices.Clone(t.Checkboxes)
			last = c.task
		}
		box := &t.Checkboxes[c.box]
		box.set(src[box.Offset])
		t.Status = t.status()
	}
	return &q
}
