package phase

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/plan"
	"ralphex/pkg/vcs"
)

// work is the state of one run of the task phase: the plan and the tree as last seen, and what is proven.
type work struct {
	*Task
	plan   *plan.Plan
	report Report

	proven     map[string]bool         // task keys: done for a fact
	attempts   map[string]int          // task keys: red gates and TASK_FAILED since the task was last done
	left       map[string]map[int]bool // task keys: boxes that the executor leaves for a person
	here       []string                // task keys that this process has proven
	skip       map[string]bool         // task keys: somebody ordered to leave them open
	started    map[string]time.Time    // task keys
	headAt     map[string]vcs.Rev      // task keys: HEAD before the first session
	sessionN   map[string]int          // task keys: sessions so far
	gaveUp     map[string]string       // task keys: what the agent said when it gave up
	reopenings map[string]int          // task keys: how often boxes were opened while a gate judged them
	red        *redRound               // the task that failed its gate and goes again

	changed   bool // the last session changed a box
	stalled   int
	overloads int
	fuse      fuse
	unseen    []string // task keys: proven since Between last looked
}

// redRound is a task whose boxes are ticked and whose gate is red.
type redRound struct {
	key     string
	failure string
}

// Key identifies a task across edits of the plan: the raw identifier and the title.
func Key(t plan.Task) string { return t.ID + ": " + t.Title }

// ReviewMarks is what tasks of a plan say about their own reviews, by Key; nil = nothing.
func ReviewMarks(p *plan.Plan) map[string]string {
	var marks map[string]string
	for _, t := range p.Tasks {
		if t.Review.When == "" {
			continue
		}
		if marks == nil {
			marks = map[string]string{}
		}
		marks[Key(t)] = string(t.Review.When)
	}
	return marks
}

func newWork(t *Task, p *plan.Plan) *work {
	w := &work{Task: t, plan: p, proven: map[string]bool{}, attempts: map[string]int{},
		left: map[string]map[int]bool{}, skip: map[string]bool{}, started: map[string]time.Time{}, headAt: map[string]vcs.Rev{}, sessionN: map[string]int{},
		gaveUp: map[string]string{}, reopenings: map[string]int{}}
	if t.opts.Resume.Active {
		for _, k := range t.opts.Resume.Proven {
			w.proven[k] = true
		}
		maps.Copy(w.attempts, t.opts.Resume.Attempts)
		for _, k := range t.opts.Resume.Skipped {
			w.skip[k] = true
		}
		w.unseen = slices.Clone(t.opts.Resume.Unseen)
		w.forget()
		return w
	}
	for _, k := range DoneKeys(p) {
		w.proven[k] = true
	}
	return w
}

// DoneKeys names the tasks of p that have nothing left for an agent: at the start of a run these are facts.
func DoneKeys(p *plan.Plan) []string {
	var keys []string
	for _, task := range p.Tasks {
		if len(task.Checkboxes) > 0 && len(task.OpenForAgent()) == 0 {
			keys = append(keys, Key(task))
		}
	}
	return keys
}

// settled tells whether nothing is left in a task that this run's executor could do.
func (w *work) settled(task plan.Task) bool {
	if len(task.Checkboxes) == 0 {
		return false
	}
	for _, box := range task.OpenForAgent() {
		if !w.left[Key(task)][box] {
			return false
		}
	}
	return true
}

// nextPlanTaskPosition is the position that the next session works on: the task that failed its gate, else the first task
// that is not done (the seed's rule), without boxes that the executor left for a person and without tasks that somebody skipped.
func (w *work) nextPlanTaskPosition() int {
	if w.red != nil {
		if pos := w.position(w.red.key); pos > 0 {
			return pos
		}
		w.red = nil // the task vanished from the plan
	}
	pos := w.plan.NextPlanTaskPosition()
	if pos == 0 || len(w.left)+len(w.skip) == 0 {
		return pos
	}
	for i := pos; i <= len(w.plan.Tasks); i++ {
		task := w.plan.Tasks[i-1]
		if len(task.OpenForAgent()) > 0 && !w.settled(task) && !w.skip[Key(task)] {
			return i
		}
	}
	return 0
}

func (w *work) position(key string) int {
	return 1 + slices.IndexFunc(w.plan.Tasks, func(t plan.Task) bool { return Key(t) == key })
}

func (w *work) title(pos int) string {
	if pos < 1 || pos > len(w.plan.Tasks) {
		return ""
	}
	return w.plan.Tasks[pos-1].Title
}

// who is what a person calls the work on a task.
func (w *work) who(pos int) string { return fmt.Sprintf("task %d (%s)", pos, w.title(pos)) }

// failureFor is what the next prompt says about the attempt before.
func (w *work) failureFor(key string) string {
	if w.red != nil && w.red.key == key {
		return w.red.failure
	}
	return w.gaveUp[key]
}

// tail is the end of a text, as much as a prompt can do with.
func tail(text string) string { return tailOf(text, 2<<10) }

func tailOf(text string, most int) string {
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = "… " + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}

func (w *work) open(pos int, task plan.Task, attempt int) {
	key := Key(task)
	if w.started[key].IsZero() {
		w.started[key], w.headAt[key] = time.Now(), w.state.head.Rev
	}
	w.sessionN[key]++
	w.log.Emit(pos, event.NewTaskIterationSection(pos))
	open := len(task.OpenForAgent())
	total := open // boxes that are a person's, or skipped, are no part of the agent's work
	for _, b := range task.Checkboxes {
		if b.Checked {
			total++
		}
	}
	w.log.Emit(pos, event.TaskStart{ID: task.ID, Title: task.Title, Open: open, Total: total, Attempt: attempt})
}

func (w *work) leaveBoxes(pos int, boxes []int) {
	if len(boxes) == 0 || pos > len(w.plan.Tasks) {
		return
	}
	key := Key(w.plan.Tasks[pos-1])
	if w.left[key] == nil {
		w.left[key] = map[int]bool{}
	}
	for _, b := range boxes {
		w.left[key][b] = true
	}
}

// finish collects what is left for a person, from the plan as it is now.
func (w *work) finish() {
	for i, task := range w.plan.Tasks {
		if !w.skip[Key(task)] || len(task.OpenForAgent()) == 0 {
			continue
		}
		w.report.Skipped = append(w.report.Skipped, i+1)
		boxes := map[int]bool{}
		maps.Copy(boxes, w.left[Key(task)])
		for _, b := range task.OpenForAgent() {
			boxes[b] = true
		}
		w.left[Key(task)] = boxes
	}
	for i, task := range w.plan.Tasks {
		if len(task.Checkboxes) == 0 {
			w.report.Look = append(w.report.Look, fmt.Sprintf("line %d: task %d (%s) has no boxes, so nobody worked on it: give it some, or take it out of the tasks", task.Line, i+1, task.Title))
		}
	}
	w.report.Left = LeftItems(w.plan, w.left)
	w.report.Kept, w.report.Swept = w.Touched()
}

// LeftItems lists the boxes that only a person can do; extra names boxes that an executor left, a task key.
func LeftItems(p *plan.Plan, extra map[string]map[int]bool) []LeftItem {
	var items []LeftItem
	for i, task := range p.Tasks {
		boxes := slices.Clone(task.LeftForPerson())
		for _, b := range task.OpenForAgent() {
			if extra[Key(task)][b] {
				boxes = append(boxes, b)
			}
		}
		slices.Sort(boxes)
		for _, b := range boxes {
			c := task.Checkboxes[b-1]
			items = append(items, LeftItem{Position: i + 1, Box: b, Line: c.Line, Task: task.Title, Text: c.Text})
		}
	}
	return items
}
