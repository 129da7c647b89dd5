package view

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"ralphex/pkg/event"
)

// PublicType is the kind of a PublicEvent.
type PublicType string

// The types of the public stream.
const (
	PublicOutput         PublicType = "output"
	PublicSection        PublicType = "section"
	PublicError          PublicType = "error"
	PublicWarn           PublicType = "warn"
	PublicSignal         PublicType = "signal"
	PublicTaskStart      PublicType = "task_start"
	PublicTaskEnd        PublicType = "task_end"
	PublicIterationStart PublicType = "iteration_start"
)

// The signals by which a client of the public stream knows that nothing more comes. Only the end of a run is one; what an agent signals has the name
// of its token, "ALL_TASKS_DONE".
const (
	SignalCompleted = "COMPLETED"
	SignalFailed    = "FAILED"
)

// restarted is the heading behind which a run goes on that was killed, or had ended.
const restarted = "restarted"

// PublicEvent is a message of the public stream, a line each.
type PublicEvent struct {
	Type         PublicType  `json:"type"`
	Phase        event.Phase `json:"phase"`
	Section      string      `json:"section,omitempty"`
	Text         string      `json:"text"`
	Timestamp    time.Time   `json:"timestamp"`
	Signal       string      `json:"signal,omitempty"`
	TaskNum      int         `json:"task_num,omitempty"` // 1-based position in the plan, as event.NewTaskIterationSection got it
	IterationNum int         `json:"iteration_num,omitempty"`
}

// BroadcastLogger makes the public stream of a run's events. A run that is watched and one that is replayed give the same: text comes by
// whole lines, with the time at which it was told.
//
// A task is said to have ended by its task_end fact. Where there are none (a text log) it has when a task further down is begun, or the task phase is
// through.
type BroadcastLogger struct {
	split event.Splitter
	heard event.Event // the newest Output
	task  int         // position of the task whose task_start was told, and no task_end; 0 = none
	facts bool        // there are facts about tasks
	seq   int64
}

// NewBroadcastLogger returns one that stands before the first event of a run.
func NewBroadcastLogger() *BroadcastLogger { return &BroadcastLogger{} }

// Clone is a BroadcastLogger that stands where b does, and goes on by itself.
func (b *BroadcastLogger) Clone() *BroadcastLogger {
	c := *b
	c.split = b.split.Clone()
	return &c
}

// Events returns what the next event of the run is in the public stream. One that was given before, by its number, is nothing.
func (b *BroadcastLogger) Events(e event.Event) (out []PublicEvent) {
	b.Each(e, func(p PublicEvent) { out = append(out, p) })
	return out
}

// Each is Events, without a list.
func (b *BroadcastLogger) Each(e event.Event, emit func(PublicEvent)) {
	if e.Seq <= b.seq || e.Data == nil {
		return
	}
	b.seq, e.Time = e.Seq, plain(e.Time)
	if o, ok := e.Data.(event.Output); ok {
		b.heard = e
		b.split.Split(o, func(p event.Piece) { b.line(p.Text, emit) })
		return
	}
	if event.EndsText(e.Data) {
		b.split.Flush(func(p event.Piece) { b.line(p.Text, emit) })
	}
	b.bounds(e, emit)
	for _, l := range event.Text(e) {
		b.said(e, l, emit)
	}
	switch d := e.Data.(type) {
	case event.Claimed:
		emit(PublicEvent{Type: PublicSignal, Phase: e.Phase, Text: d.Signal, Timestamp: e.Time, Signal: d.Signal})
	case event.RunEnd:
		b.runEnd(e, d, emit)
	}
}

// line tells a line of output, as of when it was heard. Empty ones say nothing.
func (b *BroadcastLogger) line(text string, emit func(PublicEvent)) {
	if strings.TrimSpace(text) != "" {
		emit(PublicEvent{Type: PublicOutput, Phase: b.heard.Phase, Text: text, Timestamp: b.heard.Time})
	}
}

var publicTypes = map[event.Style]PublicType{event.Warning: PublicWarn, event.Problem: PublicError}

// said tells what a fact is in words.
func (b *BroadcastLogger) said(e event.Event, l event.Line, emit func(PublicEvent)) {
	if l.Style == event.Heading {
		return // bounds has told it
	}
	kind := cmp.Or(publicTypes[l.Style], PublicOutput)
	for text := range strings.SplitSeq(l.Text, "\n") {
		if text = strings.TrimSuffix(text, "\r"); strings.TrimSpace(text) != "" {
			emit(PublicEvent{Type: kind, Phase: e.Phase, Text: text, Timestamp: e.Time})
		}
	}
}

// bounds tells where tasks, iterations and sections begin and end.
func (b *BroadcastLogger) bounds(e event.Event, emit func(PublicEvent)) {
	switch d := e.Data.(type) {
	case event.TaskStart:
		b.facts = true
	case event.TaskEnd:
		b.facts = true
		if e.Task == b.task && d.Outcome.Completed() {
			b.taskEnd(e, emit)
		}
	case event.PhaseStart:
		if d.Name != event.PhaseTask {
			b.inferEnd(e, emit)
		}
	case event.PhaseEnd:
		if d.Name == event.PhaseTask && d.Err == "" {
			b.inferEnd(e, emit)
		}
	case event.RunRestart:
		b.task = 0
		emit(PublicEvent{Type: PublicSection, Phase: e.Phase, Section: restarted, Text: restarted, Timestamp: e.Time})
	case event.RunEnd:
		b.task = 0
	case event.Section:
		b.section(e, d, emit)
	}
}

func (b *BroadcastLogger) section(e event.Event, d event.Section, emit func(PublicEvent)) {
	at := PublicEvent{Phase: e.Phase, Text: d.Label, Timestamp: e.Time}
	switch {
	case d.Type == event.SectionTask && d.TaskNum > 0:
		if d.TaskNum > b.task {
			b.inferEnd(e, emit)
		}
		b.task = d.TaskNum
		at.Type, at.TaskNum = PublicTaskStart, d.TaskNum
		emit(at)
	case d.Type == event.SectionReview:
		at.Type, at.IterationNum = PublicIterationStart, d.Iteration
		emit(at)
	}
	at.Type, at.Section = PublicSection, d.Label
	emit(at)
}

// inferEnd says that the task is over which was worked on, where no fact says so.
func (b *BroadcastLogger) inferEnd(e event.Event, emit func(PublicEvent)) {
	if !b.facts {
		b.taskEnd(e, emit)
	}
}

func (b *BroadcastLogger) taskEnd(e event.Event, emit func(PublicEvent)) {
	if b.task > 0 {
		emit(PublicEvent{Type: PublicTaskEnd, Phase: event.PhaseTask, Text: "task " + strconv.Itoa(b.task) + " done", Timestamp: e.Time, TaskNum: b.task})
		b.task = 0
	}
}

// runEnd says how the run ended: by its own last words, and not before.
func (b *BroadcastLogger) runEnd(e event.Event, d event.RunEnd, emit func(PublicEvent)) {
	at := PublicEvent{Phase: e.Phase, Timestamp: e.Time}
	reason := ""
	if d.Reason != "" {
		reason, _, _ = strings.Cut(": "+d.Reason, "\n")
	}
	end := at
	end.Type, end.Signal, end.Text = PublicSignal, SignalFailed, SignalFailed
	switch d.Outcome {
	case event.Failed:
		at.Type, at.Text = PublicError, "the run failed"+reason
	case event.Interrupted:
		at.Type, at.Text = PublicWarn, "the run was aborted"+reason
	default:
		at.Type, at.Text = PublicOutput, "the run is completed"+reason
		end.Signal, end.Text = SignalCompleted, SignalCompleted
	}
	emit(at)
	emit(end)
}
