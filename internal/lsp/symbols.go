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
		tree = make([]symbol, 0, len(p.Tasks))
		r := v.text.ruler(v.enc)
		for _, t := range p.Tasks {
			s := symbol{Name: fmt.Sprintf("%s %s: %s", taskMark(t), t.ID, orDash(t.Title)), Detail: progress(t), Kind: symbolTask}
			s.Range = r.span(t.Span)
			s.Selection = r.lineOf(t.Span.Start, t.Span)
			boxes := t.Checkboxes
			s.Children = r.boxes(&boxes, t.Span.End)
			tree = append(tree, s)
		}
	}
	if !v.client.TextDocument.DocumentSymbol.Hierarchical {
		return v.flat([]flatSymbol{}, tree, ""), nil
	}
	return tree, nil
}

// boxes takes the boxes that begin before end. A box holds those that begin inside of it.
func (r *ruler) boxes(boxes *[]plan.Checkbox, end int) []symbol {
	var out []symbol
	for len(*boxes) > 0 && (*boxes)[0].Span.Start < end {
		b := (*boxes)[0]
		*boxes = (*boxes)[1:]
		span := plan.Span{Start: b.Span.Start, End: min(b.Span.End, end)}
		s := symbol{Name: boxMark(b) + " " + orDash(b.Text), Kind: symbolBox}
		s.Range = r.span(span)
		s.Selection = r.lineOf(b.Offset, span)
		s.Children = r.boxes(boxes, span.End)
		out = append(out, s)
	}
	return out
}

// span is a span as a range.
func (r *ruler) span(s plan.Span) Range { return Range{r.position(s.Start), r.position(s.End)} }

// lineOf is the line of an offset, as far as it lies in the span.
func (r *ruler) lineOf(off int, s plan.Span) Range {
	from, to := r.t.line(r.t.lineOf(off))
	from, to = max(from, s.Start), min(to, s.End)
	return Range{r.position(from), r.position(max(from, to))}
}

// flat adds the tree, for clients that know none.
func (v view) flat(out []flatSymbol, tree []symbol, container string) []flatSymbol {
	for _, s := range tree {
		out = append(out, flatSymbol{Name: s.Name, Kind: s.Kind, Location: location{v.uri, s.Range}, Container: container})
		out = v.flat(out, s.Children, s.Name)
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
