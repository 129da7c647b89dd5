package view

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ralphex/pkg/event"
)

// longRun is a run of so many tasks, each with a red gate, a second session, and lines of output.
func longRun(tasks, lines int) (events []event.Event) {
	at := t0
	tell := func(task int, d event.Data) {
		at = at.Add(time.Second)
		events = append(events, event.Event{Seq: int64(len(events) + 1), Time: at, Run: "r", Phase: event.PhaseTask, Task: task, Data: d})
	}
	tell(0, event.RunStart{Plan: "/repo/a.md", Mode: "full", Branch: "a", Tasks: tasks})
	tell(0, event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks})
	line := event.Output{Text: strings.Repeat("words of an agent ", 5)}
	for pos := 1; pos <= tasks; pos++ {
		for attempt := range 2 {
			tell(pos, event.NewTaskIterationSection(pos))
			tell(pos, event.TaskStart{ID: fmt.Sprint(pos), Title: "a task of some length", Open: 3, Total: 3, Attempt: attempt + 1})
			tell(pos, event.SessionStart{N: 2*pos + attempt, Executor: "claude"})
			for range lines {
				tell(pos, line)
			}
			for n := range 10 {
				tell(pos, event.Spent{Usage: event.Usage{InputTokens: int64(1000 * n), OutputTokens: int64(10 * n)}})
			}
			tell(pos, event.SessionEnd{N: 2*pos + attempt, Usage: event.Usage{InputTokens: 10000, OutputTokens: 100, CostUSD: 0.1}})
			tell(pos, event.GateStart{Commands: 1})
			tell(pos, event.GateCommand{Command: "go test ./...", Exit: 1 - attempt, Tail: strings.Repeat("FAIL\n", 50)})
			tell(pos, event.GateEnd{Green: attempt == 1, Commands: 1})
		}
		tell(pos, event.Commit{Rev: strings.Repeat("a", 40), Message: "feat: a task", By: "ralphex", Paths: []string{"a.go", "b.go"}})
		tell(pos, event.TaskEnd{ID: fmt.Sprint(pos), Title: "a task of some length", Outcome: event.Done})
	}
	return events
}

// BenchmarkFold reads a run of 100 tasks and 100,000 lines.
func BenchmarkFold(b *testing.B) {
	events := longRun(100, 500)
	for b.Loop() {
		s := NewState(Meta{Source: Journal})
		for _, e := range events {
			s.Apply(e)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
}

// BenchmarkBroadcast makes the public stream of it.
func BenchmarkBroadcast(b *testing.B) {
	events := longRun(100, 500)
	for b.Loop() {
		l := NewBroadcastLogger()
		for _, e := range events {
			l.Each(e, func(PublicEvent) {})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
}

// BenchmarkRun makes the row of it, which each change asks for.
func BenchmarkRun(b *testing.B) {
	s := told(longRun(100, 0))
	for b.Loop() {
		s.Run(t0, Running)
	}
}

// BenchmarkDetail makes all of it, four times a second at most.
func BenchmarkDetail(b *testing.B) {
	s := told(longRun(100, 0))
	size := 0
	for b.Loop() {
		text, err := json.Marshal(s.Detail(t0, Running))
		if err != nil {
			b.Fatal(err)
		}
		size = len(text)
	}
	b.ReportMetric(float64(size), "bytes")
}
