package term

import (
	"time"

	"ralphex/pkg/event"
)

// TaskRow is a task as a Panel lists it.
type TaskRow struct {
	Title string
	Boxes []BoxRow
	State TaskState
}

// BoxRow is a box of a task.
type BoxRow struct {
	Text    string
	Checked bool
	Person  bool // left for a person
}

// TaskState is how far a task is, by facts.
type TaskState string

// The states of a task.
const (
	TaskWaits    TaskState = ""
	TaskDone     TaskState = "done"
	TaskUnproven TaskState = "unproven" // done, and nothing validates it
	TaskLeft     TaskState = "left for a person"
	TaskFailed   TaskState = "failed"
	TaskSkipped  TaskState = "skipped"
)

// panelState is what a Panel tells, beside the log.
type panelState struct {
	status
	rows     []TaskRow // of the plan; the task at position n is rows[n-1]
	elapsed  map[int]time.Duration
	attempt  int
	plan     string
	branch   string
	section  string
	stage    event.Stage
	sessionN int
	agent    string // of the session, with its model
	dirty    bool

	pausing  bool      // p was pressed, the session is being ended
	stopping bool      // the run ends
	held     string    // who made the pause that lasts; empty = none does
	said     string    // see Panel.Say
	answer   chan bool // who waits for the answer to a pause; nil = nobody
}

func newPanelState(opt PanelOptions) panelState {
	st := panelState{rows: opt.Tasks, elapsed: map[int]time.Duration{}, plan: opt.Start.Plan, branch: opt.Start.Branch, dirty: true}
	st.usage = opt.Usage
	return st
}

// apply moves the state by one event. resumed is the beginning of a run that goes on.
func (st *panelState) apply(e event.Event, resumed event.RunStart) {
	st.status.apply(e, resumed)
	st.dirty = true
	switch d := e.Data.(type) {
	case event.RunStart:
		st.plan, st.branch = d.Plan, d.Branch
		st.row(d.Tasks)
	case event.Branch:
		st.branch = d.Name
	case event.PhaseStart:
		st.stage, st.section = d.Stage, ""
	case event.Section:
		st.section = clean(d.Label)
	case event.TaskStart:
		r := st.row(e.Task)
		r.Title, r.State, st.attempt = d.Title, TaskWaits, d.Attempt
	case event.TaskEnd:
		st.elapsed[e.Task] += d.Elapsed
		st.row(e.Task).State = map[event.Outcome]TaskState{event.Done: TaskDone, event.Unproven: TaskUnproven, event.LeftHuman: TaskLeft, event.Failed: TaskFailed, event.Skipped: TaskSkipped}[d.Outcome]
		st.task = 0
	case event.Tick:
		if r := st.row(e.Task); d.Box > 0 && d.Box <= len(r.Boxes) {
			r.Boxes[d.Box-1].Checked = d.Checked
		}
	case event.Pause:
		st.held, st.pausing = clean(d.By), false
		if d.Over {
			st.held = ""
		}
	case event.SessionStart:
		st.said = ""
		st.sessionN, st.agent = d.N, d.Executor
		if d.Model != "" {
			st.agent += " " + d.Model
		}
	}
}

// row is the row of the task at a position; what no plan told of is added.
func (st *panelState) row(position int) *TaskRow {
	if position < 1 || position > 100_000 {
		return &TaskRow{} // of no task
	}
	for len(st.rows) < position {
		st.rows = append(st.rows, TaskRow{})
	}
	return &st.rows[position-1]
}

// counts are the boxes of a task that are ticked, and all.
func (r TaskRow) counts() (done, all int) {
	for _, b := range r.Boxes {
		if b.Checked {
			done++
		}
	}
	return done, len(r.Boxes)
}
