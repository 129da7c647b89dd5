package lsp

import (
	"fmt"
	"strings"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan"
)

// symbols are the outline: tasks, and in them their boxes, nested as their lists are.
func (v view) symbols(*documentParams) (any, *jsonrpc.Error) {
	tree := []symbol{}
	p, ok := v.isPlan()
	if ok {
		starts, ends := v.text.ruler(v.enc), v.text.ruler(v.enc)
		for _, t := range p.Tasks {
			s := symbol{Name: fmt.Sprintf("%s %s: %s", taskMark(t), t.ID, orDash(t.Title)), Detail: progress(t), Kind: symbolTask}
			s.Range = v.cut(t.Span, starts, ends)
			s.Selection = v.lineRange(t.Span.Start, t.Span)
			boxes := t.Checkboxes
			s.Children = v.boxSymbols(&boxes, t.Span.End)
			tree = append(tree, s)
		}
	}
	if !v.client.TextDocument.DocumentSymbol.Hierarchical {
		return v.flat(tree, ""), nil
	}
	return tree, nil
}

// boxSymbols takes the boxes that begin before end. A box holds those that begin inside of it.
func (v view) boxSymbols(boxes *[]plan.Checkbox, end int) []symbol {
	var out []symbol
	for len(*boxes) > 0 && (*boxes)[0].Span.Start < end {
		b := (*boxes)[0]
		*boxes = (*boxes)[1:]
		span := plan.Span{Start: b.Span.Start, End: min(b.Span.End, end)}
		s := symbol{Name: boxMark(b) + " " + orDash(b.Text), Kind: symbolBox}
		s.Range = v.cut(span, v.text.ruler(v.enc), v.text.ruler(v.enc))
		s.Selection = v.lineRange(b.Offset, span)
		s.Children = v.boxSymbols(boxes, span.End)
		out = append(out, s)
	}
	return out
}

// cut is a span as a range.
func (v view) cut(s plan.Span, starts, ends *ruler) Range {
	return Range{starts.position(s.Start), ends.position(s.End)}
}

// lineRange is the line of an offset, as far as it lies in the span.
func (v view) lineRange(off int, s plan.Span) Range {
	from, to := v.text.line(v.text.lineOf(off))
	from, to = max(from, s.Start), min(to, s.End)
	r := v.text.ruler(v.enc)
	return Range{r.position(from), r.position(max(from, to))}
}

// flat is the tree for clients that know none.
func (v view) flat(tree []symbol, container string) []flatSymbol {
	out := []flatSymbol{}
	for _, s := range tree {
		out = append(out, flatSymbol{Name: s.Name, Kind: s.Kind, Location: location{v.uri, s.Range}, Container: container})
		out = append(out, v.flat(s.Children, s.Name)...)
	}
	return out
}

func taskMark(t plan.Task) string {
	switch {
	case t.Status == plan.TaskStatusDone && len(t.LeftForPerson()) > 0:
		return "◇"
	case t.Status == plan.TaskStatusDone:
		return "✓"
	case t.Status == plan.TaskStatusActive:
		return "◐"
	}
	return "○"
}

func boxMark(b plan.Checkbox) string {
	switch b.State {
	case plan.BoxChecked:
		return "☑"
	case plan.BoxManual:
		return "◇"
	case plan.BoxSkipped:
		return "–"
	}
	return "☐"
}

// progress is "2/5", and what waits for a person.
func progress(t plan.Task) string {
	ticked := 0
	for _, b := range t.Checkboxes {
		if b.Checked {
			ticked++
		}
	}
	s := fmt.Sprintf("%d/%d", ticked, len(t.Checkboxes))
	if n := len(t.LeftForPerson()); n > 0 {
		s += fmt.Sprintf(", %d for a person", n)
	}
	return s
}

// orDash is s, or something to show in its place.
func orDash(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return "—"
	}
	return s
}

// folds are the tasks, without the blank lines behind them.
func (v view) folds(*documentParams) (any, *jsonrpc.Error) {
	out := []foldingRange{}
	p, ok := v.isPlan()
	if !ok {
		return out, nil
	}
	for _, t := range p.Tasks {
		first := v.text.lineOf(t.Span.Start)
		end := t.Span.End
		for end > t.Span.Start && strings.IndexByte(" \t\r\n", v.text.bytes[end-1]) >= 0 {
			end--
		}
		if last := v.text.lineOf(end); last > first {
			out = append(out, foldingRange{StartLine: uint32(first), EndLine: uint32(last)})
		}
	}
	return out, nil
}
