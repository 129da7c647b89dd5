package check

import (
	"cmp"
	"errors"
	"slices"
)

// ErrConflict says that fixes work against each other, so that none was made. It is a fault of a rule.
var ErrConflict = errors.New("fixes of this plan work against each other; nothing was changed")

// maxRounds is how often FixAll looks again. A fix can uncover what could not be seen before: a heading that
// becomes a task lets the ending of that task be seen.
const maxRounds = 12

// FixAll repairs what is certain and returns the text with the findings that are left in it. Fixing twice is
// fixing once. On an error the text is src itself, unchanged.
func FixAll(src []byte, o Options) (fixed []byte, rest []Finding, err error) {
	r, err := Repair(src, o)
	return r.Text, r.After, err
}

// Repaired is a text before and after FixAll.
type Repaired struct {
	Text   []byte
	Before []Finding // in the text as it was
	After  []Finding // in Text
}

// Repair is FixAll that tells what there was to mend, too.
func Repair(src []byte, o Options) (Repaired, error) {
	r := Repaired{Text: src, Before: Check(src, o)}
	r.After = r.Before
	for range maxRounds {
		edits := Edits(r.After)
		if len(edits) == 0 {
			return r, nil
		}
		r.Text = Apply(r.Text, edits)
		r.After = Check(r.Text, o)
	}
	return Repaired{Text: src, Before: r.Before, After: r.Before}, ErrConflict
}

// Edits gathers the edits of all fixes that can be made at once, in file order. A fix that overlaps one before
// it is left for the next round; so are those that add something, as long as another one shapes the plan.
func Edits(findings []Finding) []Edit {
	shapes := slices.ContainsFunc(findings, func(f Finding) bool { return f.Fix != nil && f.Fix.order == shaping })
	var all []Edit
	taken := map[Edit]bool{}
	for i := range findings {
		fix := findings[i].Fix
		if fix == nil || shapes && fix.order == late || !fits(fix.Edits, all, taken) {
			continue
		}
		for _, e := range fix.Edits {
			if !taken[e] {
				taken[e] = true
				all = slices.Insert(all, position(all, e), e)
			}
		}
	}
	return all
}

// position is where an edit belongs. Findings come in file order, so that it is the end nearly always.
func position(all []Edit, e Edit) int {
	if n := len(all); n == 0 || all[n-1].Offset < e.Offset {
		return n
	}
	i, _ := slices.BinarySearchFunc(all, e, func(a, b Edit) int { return cmp.Compare(a.Offset, b.Offset) })
	return i
}

// fits tells whether edits leave all others alone. The same edit twice is one edit.
func fits(edits, all []Edit, taken map[Edit]bool) bool {
	for _, e := range edits {
		if taken[e] {
			continue
		}
		i := position(all, e)
		if i > 0 && all[i-1].end() >= e.Offset {
			return false
		}
		if i < len(all) && all[i].Offset <= e.end() {
			return false
		}
	}
	return true
}
