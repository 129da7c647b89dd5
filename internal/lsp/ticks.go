package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"ralphex/internal/lsp/jsonrpc"
	"ralphex/pkg/plan"
	"ralphex/pkg/plan/check"
)

// The commands, for those who want a key for them.
const (
	commandToggle = "ralphex.toggleBox" // {textDocument, position}
	commandFixAll = "ralphex.fixAll"    // {textDocument}
)

// ticks are the actions that tick or open boxes: the one under the cursor, those of a selection, or, on the header
// of a task, all of it.
func (v view) ticks(r Range) []codeAction {
	p, ok := v.isPlan()
	if !ok {
		return nil
	}
	from, to := v.text.span(r, v.enc)
	if task, ok := v.taskHead(p, from); ok && v.text.lineOf(from) == v.text.lineOf(to) {
		return v.tickTask(task)
	}
	boxes := v.boxesOf(p, from, to)
	if len(boxes) == 1 {
		return v.tickOne(boxes[0])
	}
	return v.tickMany(boxes, "of the selection")
}

// taskHead finds the task whose header stands in the line of an offset.
func (v view) taskHead(p *plan.Plan, off int) (plan.Task, bool) {
	line := v.text.lineOf(off)
	for _, t := range p.Tasks {
		if v.text.lineOf(t.Span.Start) == line {
			return t, true
		}
	}
	return plan.Task{}, false
}

// boxesOf are the boxes in the lines of a range; where there is none, the innermost that holds the place.
func (v view) boxesOf(p *plan.Plan, from, to int) []plan.Checkbox {
	first, last := v.text.lineOf(from), v.text.lineOf(to)
	var in []plan.Checkbox
	var around *plan.Checkbox
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if v.text.lineOf(t.Span.End) < first || v.text.lineOf(t.Span.Start) > last {
			continue
		}
		for j := range t.Checkboxes {
			b := &t.Checkboxes[j]
			if line := v.text.lineOf(b.Offset); line >= first && line <= last {
				in = append(in, *b)
			} else if b.Span.Start <= from && from < b.Span.End {
				around = b
			}
		}
	}
	if len(in) == 0 && around != nil && from == to {
		in = append(in, *around)
	}
	return in
}

func (v view) tickOne(b plan.Checkbox) []codeAction {
	edits := setBoxes([]plan.Checkbox{b}, !b.Checked)
	if len(edits) == 0 {
		return nil
	}
	verb := "Tick"
	if b.Checked {
		verb = "Untick"
	}
	return []codeAction{v.tickAction(verb+" “"+shorten(b.Text)+"”", edits)}
}

func (v view) tickTask(t plan.Task) []codeAction {
	var open []plan.Checkbox
	for _, n := range t.OpenForAgent() {
		open = append(open, t.Checkboxes[n-1])
	}
	var out []codeAction
	if edits := setBoxes(open, true); len(edits) > 0 {
		out = append(out, v.tickAction(fmt.Sprintf("Tick all open boxes of task %s (%d)", t.ID, len(edits)), edits))
	}
	if edits := setBoxes(t.Checkboxes, false); len(edits) > 0 {
		out = append(out, v.tickAction(fmt.Sprintf("Untick all boxes of task %s (%d)", t.ID, len(edits)), edits))
	}
	return out
}

func (v view) tickMany(boxes []plan.Checkbox, which string) []codeAction {
	var out []codeAction
	if edits := setBoxes(boxes, true); len(edits) > 0 {
		out = append(out, v.tickAction(fmt.Sprintf("Tick the boxes %s (%d)", which, len(edits)), edits))
	}
	if edits := setBoxes(boxes, false); len(edits) > 0 {
		out = append(out, v.tickAction(fmt.Sprintf("Untick the boxes %s (%d)", which, len(edits)), edits))
	}
	return out
}

func (v view) tickAction(title string, edits []check.Edit) codeAction {
	return codeAction{Title: title, Kind: kindTick, Edit: v.edit(edits)}
}

// setBoxes ticks or opens boxes, one byte each, as plan.SetBoxes does: ticking takes people's boxes and skipped
// ones, too; opening takes ticked ones only. A box that shows how a box is written is left alone.
func setBoxes(boxes []plan.Checkbox, checked bool) []check.Edit {
	mark := " "
	if checked {
		mark = "x"
	}
	var out []check.Edit
	for _, b := range boxes {
		if b.Checked != checked && !b.Sample {
			out = append(out, check.Edit{Offset: b.Offset, Len: 1, New: mark})
		}
	}
	return out
}

// shorten makes a box's text fit into a menu.
func shorten(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:most-1])) + "…"
}

// command makes the work of a command: an edit that the client is asked to make.
func (s *server) command(raw json.RawMessage) (job, *jsonrpc.Error) {
	p, bad := read[commandParams](raw)
	switch {
	case bad != nil:
		return nil, bad
	case p.Command != commandToggle && p.Command != commandFixAll:
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "the command %q is not known here", p.Command)
	case !s.client.Workspace.ApplyEdit:
		return nil, jsonrpc.Errorf(jsonrpc.RequestFailed, "the client makes no edits (workspace.applyEdit)")
	case len(p.Arguments) != 1:
		return nil, jsonrpc.Errorf(jsonrpc.InvalidParams, "%s takes one argument", p.Command)
	case len(s.asked) >= maxCalls:
		return nil, jsonrpc.Errorf(jsonrpc.RequestFailed, "%d edits wait for an answer of the client already", len(s.asked))
	}
	if p.Command == commandFixAll {
		return about(s, p.Arguments[0], func(p *documentParams) string { return p.Document.URI }, view.fixAllCommand)
	}
	return about(s, p.Arguments[0], func(p *hoverParams) string { return p.Document.URI }, view.toggleCommand)
}

func (v view) toggleCommand(p *hoverParams) (any, *jsonrpc.Error) {
	for _, a := range v.ticks(Range{p.Position, p.Position}) {
		return &applyEditParams{Label: a.Title, Edit: a.Edit}, nil
	}
	return nil, jsonrpc.Errorf(jsonrpc.RequestFailed, "there is no box here")
}

func (v view) fixAllCommand(*documentParams) (any, *jsonrpc.Error) {
	edits := v.repairs()
	if len(edits) == 0 {
		return nil, nil
	}
	return &applyEditParams{Label: "Fix all that is certain", Edit: v.edit(edits)}, nil
}

// applyEdit asks the client to make an edit.
func (s *server) applyEdit(p *applyEditParams) {
	s.ask("workspace/applyEdit", p, func(m *jsonrpc.Message) {
		if m.Error != nil {
			s.log.Warn("the client made no edit", "label", p.Label, "error", m.Error)
			return
		}
		if r, bad := read[applyEditResult](m.Result); bad != nil || !r.Applied {
			s.log.Warn("the client made no edit", "label", p.Label, "result", string(m.Result))
		}
	})
}
