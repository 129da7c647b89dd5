package check

import (
	"cmp"
	"slices"
	"strings"
)

// Finding is one place where a plan breaks a rule.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`

	Line    int `json:"line"`     // 1-based
	Col     int `json:"col"`      // 1-based, in bytes
	EndLine int `json:"end_line"` // of the first byte behind it
	EndCol  int `json:"end_col"`
	Offset  int `json:"offset"` // in bytes, byte order mark included
	Len     int `json:"len"`

	Message string `json:"message"` // says what to do
	Fix     *Fix   `json:"fix,omitempty"`
}

// Fix repairs a finding. It is there only where it is certain.
type Fix struct {
	Title string `json:"title"`
	Edits []Edit `json:"edits"` // in file order, none overlaps another

	order order
}

// order is when FixAll makes a fix.
type order int

const (
	anyTime order = iota
	shaping       // lets a task or a box be seen that was not one before
	late          // adds what is missing: not before all tasks and boxes are seen
)

// Edit replaces Len bytes at Offset by New.
type Edit struct {
	Offset int    `json:"offset"`
	Len    int    `json:"len"`
	New    string `json:"new"`
}

func (e Edit) end() int { return e.Offset + e.Len }

// Apply makes edits, which are in file order and do not overlap.
func Apply(src []byte, edits []Edit) []byte {
	grown := 0
	for _, e := range edits {
		grown += len(e.New) - e.Len
	}
	out := make([]byte, 0, len(src)+max(grown, 0))
	at := 0
	for _, e := range edits {
		out = append(out, src[at:e.Offset]...)
		out = append(out, e.New...)
		at = e.end()
	}
	return append(out, src[at:]...)
}

// Worst is the highest severity among findings, Off if there are none.
func Worst(findings []Finding) Severity {
	worst := Off
	for i := range findings {
		if rank(findings[i].Severity) > rank(worst) {
			worst = findings[i].Severity
		}
	}
	return worst
}

func rank(s Severity) int {
	switch s {
	case Error:
		return 3
	case Warning:
		return 2
	case Note:
		return 1
	}
	return 0
}

// sortFindings puts findings in file order.
func sortFindings(f []Finding) {
	slices.SortStableFunc(f, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(rank(b.Severity), rank(a.Severity)), strings.Compare(a.Rule, b.Rule))
	})
}
