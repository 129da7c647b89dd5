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
	text := src
	first := Check(src, o)
	rest = first
	for range maxRounds {
		edits := Edits(rest)
		if len(edits) == 0 {
			return text, rest, nil
		}
		text = Apply(text, edits)
		rest = Check(text, o)
	}
	return src, first, ErrConflict
}

// Edits gathers the edits of all fixes that can be made at once. A fix that overlaps one before it is left
// for the next round; so are those that add something, as long as there is another one.
func Edits(findings []Finding) []Edit {
	if edits := gather(findings, false); len(edits) > 0 {
		return edits
	}
	return gather(findings, true)
}

func gather(findings []Finding, late bool) []Edit {
	var all []Edit
	taken := map[Edit]bool{}
	for _, f := range findings {
		if f.Fix == nil || f.Fix.late != late || !fits(f.Fix.Edits, all, taken) {
			continue
		}
		for _, e := range f.Fix.Edits {
			if !taken[e] {
				taken[e] = true
				all = insert(all, e)
			}
		}
	}
	return all
}

// insert keeps edits in order. Findings come in file order, so that it is an append nearly always.
func insert(all []Edit, e Edit) []Edit {
	i := position(all, e)
	return slices.Insert(all, i, e)
}

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
