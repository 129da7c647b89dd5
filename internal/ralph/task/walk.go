package task

import (
	"bytes"
	"slices"

	"ralphex/internal/ralph/stable"
)

// walk reads a file in one walk over its bytes. It is the reading of tree, at a third of its price, for a file whose JSON is whole and that has
// its tasks where they belong. Of any other ok is false and nothing is reported: tree has the words for it.
func (in *Inspection) walk() (f *File, ok bool) {
	c := stable.NewCursor(in.text)
	if !c.IsObject() {
		return nil, false
	}
	var version, mutations any
	ok = true
	for key := range c.Members() {
		switch key {
		case "tasks":
			if f != nil || !c.IsArray() {
				ok = false
				c.Value()
				continue
			}
			f = &File{Tasks: in.tasks(c)}
		case "version":
			version = c.Value()
		case "mutationCount":
			mutations = c.Value()
		default:
			c.Value()
		}
	}
	if !ok || f == nil || !c.End() || newer(version) {
		in.Diagnostics = nil
		return nil, false
	}
	in.Legacy = version != any(2.0)
	f.MutationCount = count(mutations)
	return f, true
}

// tasks reads the list. An entry that is other than nearly all are is read again, from a tree of it.
func (in *Inspection) tasks(c *stable.Cursor) []Task {
	list := []Task{}
	places := newPlaces(in.text)
	i := 0
	for at := range c.Items() {
		place := places.entry(i, at)
		if i++; i == sample {
			list = slices.Grow(list, len(in.text)/max(at/sample, shortest)+1)
		}
		t := Task{Source: place}
		if fields(c, &t) {
			list = append(list, t)
			continue
		}
		c.Back(at)
		if t, ok := in.entry(i-1, c.Value(), place); ok {
			list = append(list, t)
		}
	}
	return list
}

// How many entries are there? The first ones tell it well enough, so that the list grows once; none is shorter than `{"id":"A","title":"a","status":"todo"}`.
const (
	sample   = 32
	shortest = 37
)

// fields reads an entry that is an object with keys of a task only, and has what a task needs; of any other it is false.
func fields(c *stable.Cursor, t *Task) bool {
	ok := c.IsObject()
	for key := range c.Members() {
		switch key {
		case "id":
			t.ID = stable.Trim(c.String())
		case "title":
			t.Title = stable.Trim(c.String())
		case "status":
			t.Status = known(c.String(), Statuses)
		case "parentId":
			t.ParentID = stable.Trim(c.String())
		case "dependsOn":
			t.DependsOn = unique(c.Strings())
		case "notes":
			t.Notes = stable.Trim(c.String())
		case "validation":
			t.Validation = stable.Trim(c.String())
		case "blocker":
			t.Blocker = stable.Trim(c.String())
		case "priority":
			t.Priority = known(c.String(), priorities)
		case "mode":
			t.Mode = known(c.String(), modes)
		case "tier":
			t.Tier = known(c.String(), tiers)
		case "acceptance":
			t.Acceptance = c.Strings()
		case "constraints":
			t.Constraints = c.Strings()
		case "context":
			t.Context = c.Strings()
		case "writeRiskLabels":
			t.WriteRiskLabels = c.Strings()
		case "lastVerifierResult":
			t.LastVerifierResult = known(c.String(), verifiers)
		case "lastReconciliationWarning":
			t.LastReconciliationWarning = stable.Trim(c.String())
		default: // unknown, or misspelled
			ok = false
			c.Value()
		}
	}
	return ok && t.ID != "" && t.Title != "" && t.Status != ""
}

// places tells where the entries stand, in one walk over the text: their offsets only grow.
type places struct {
	text         []byte
	at           int // offset up to which lines are counted
	line, column int
	room         []SourceLocation // for the next ones
}

func newPlaces(text []byte) *places { return &places{text: text, line: 1, column: 1} }

// entry is the place of an entry at an offset.
func (p *places) entry(i, offset int) *SourceLocation {
	passed := p.text[p.at:offset]
	p.at = offset
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		p.line += bytes.Count(passed, []byte{'\n'})
		p.column = 1
		passed = passed[last+1:]
	}
	for _, b := range passed {
		switch {
		case b >= 0xf0: // four bytes, two units
			p.column += 2
		case b < 0x80 || b >= 0xc0:
			p.column++
		}
	}
	if len(p.room) == 0 {
		p.room = make([]SourceLocation, 256)
	}
	at := &p.room[0]
	p.room = p.room[1:]
	*at = SourceLocation{ArrayIndex: i, Line: p.line, Column: p.column}
	return at
}
