package cli

import (
	"context"
	"os"

	"ralphex/internal/control"
	"ralphex/internal/term"
	"ralphex/pkg/plan"
)

// What the setting view may be.
const (
	viewLines = "lines"
	viewLive  = "live"
)

// newView is how the run is shown: on the whole terminal where that was asked for and can be had, else as lines.
func (r *running) newView(o term.Options) view {
	o.Quiet = r.opts.quiet
	if r.cfg.View != viewLive || r.opts.quiet || r.opts.report || r.drafts() || r.proc.noInput || !term.PanelFits(r.face.tio) {
		return term.New(r.face.tio, o)
	}
	if o.Start.Plan == "" {
		o.Start.Plan = r.named
	}
	return term.NewPanel(r.face.tio, term.PanelOptions{Options: o, Mode: r.modeName(), Tasks: taskRows(r.plan), Orders: term.Orders{
		Stop: func() {
			select {
			case r.proc.keys <- os.Interrupt:
			default: // two are waiting
			}
		},
		Pause:  func() { press(r.face.breaks) },
		Skip:   func() { r.orderByKey(control.Skip) },
		Resume: func() { r.orderByKey(control.Resume) },
	}})
}

// orderByKey gives the run an order as another process would. Why it means nothing now is shown.
func (r *running) orderByKey(order string) {
	reply := r.steer.obey(control.Request{Run: string(r.id), Order: order, By: "a key"})
	if panel, ok := r.face.screen.(*term.Panel); ok && reply.Text != "" {
		panel.Say(reply.Text)
	}
}

// tellStopping lets the view say that the run ends, when it does; the caller calls what it returns when it has.
func (r *running) tellStopping(ctx context.Context) func() {
	panel, ok := r.face.screen.(*term.Panel)
	if !ok {
		return func() {}
	}
	stop := context.AfterFunc(ctx, panel.Stopping)
	return func() { stop() }
}

// taskRows are the tasks of a plan as it is now.
func taskRows(p *plan.Plan) []term.TaskRow {
	if p == nil {
		return nil
	}
	rows := make([]term.TaskRow, 0, len(p.Tasks))
	for _, t := range p.Tasks {
		row := term.TaskRow{Title: t.Title}
		left := false
		for _, b := range t.Checkboxes {
			row.Boxes = append(row.Boxes, term.BoxRow{Text: b.Text, Checked: b.Checked, Person: b.State == plan.BoxManual})
			left = left || b.State == plan.BoxManual && !b.Checked
		}
		switch {
		case t.Status == plan.TaskStatusDone && left:
			row.State = term.TaskLeft
		case t.Status == plan.TaskStatusDone:
			row.State = term.TaskDone
		}
		rows = append(rows, row)
	}
	return rows
}
