package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/internal/durable"
	"ralphex/pkg/event"
)

var update = flag.Bool("update", false, "write the golden files")

// recorded reads a journal of testdata: demo is `ralphex demo`, review the whole pipeline with an external reviewer, by scripted agents.
func recorded(t *testing.T, name string) (events []event.Event) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".jsonl"))
	require.NoError(t, err)
	defer f.Close()
	lines := durable.NewLineReader(f, 0)
	for {
		line, _, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return events
		}
		require.NoError(t, err)
		e, err := event.Decode(line)
		require.NoError(t, err)
		events = append(events, e)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

func TestRecordedRuns(t *testing.T) {
	for _, name := range []string{"demo", "review"} {
		t.Run(name, func(t *testing.T) {
			events := recorded(t, name)
			d := told(events).Detail(soon(events), Dead)
			detail, err := json.MarshalIndent(d, "", " ")
			require.NoError(t, err)
			golden(t, name+".detail.json", append(detail, '\n'))

			var public bytes.Buffer
			enc := json.NewEncoder(&public)
			b := NewBroadcastLogger()
			for _, e := range events {
				for _, p := range b.Events(e) {
					require.NoError(t, enc.Encode(p))
				}
			}
			golden(t, name+".public.jsonl", public.Bytes())
		})
	}
}

// words are public events as "type phase: text", with their numbers.
func heardOf(events []event.Event) (got []string) {
	b := NewBroadcastLogger()
	for _, e := range events {
		for _, p := range b.Events(e) {
			text := string(p.Type) + " " + string(p.Phase) + ": " + p.Text
			if p.TaskNum > 0 {
				text += " #" + string(rune('0'+p.TaskNum))
			}
			if p.Signal != "" {
				text += " !" + p.Signal
			}
			got = append(got, text)
		}
	}
	return got
}

func TestBroadcast(t *testing.T) {
	evaluation := event.NewEvaluationSection("claude", "codex")
	tests := []struct {
		name  string
		facts []any
		want  []string
	}{
		{"lines", []any{tasks, event.Output{Text: "a\n\n  \nb\r\nc ", Partial: true}, event.Tick{Box: 1, Text: "x", Checked: true, By: "agent"}, event.Output{Text: "d"}},
			[]string{"output task: starting task execution phase", "output task: a", "output task: b", "output task: box ticked by agent: x", "output task: c d"}},
		{"text that never ended comes before what follows it, in its own phase", []any{tasks, event.Output{Text: "half", Partial: true}, event.PhaseStart{Name: event.PhaseReview}, event.NewReviewSection("", 0)},
			[]string{"output task: starting task execution phase", "output task: half", "iteration_start review: review 0: all findings", "section review: review 0: all findings"}},
		{"a task is over by its fact", []any{tasks, 2, event.NewTaskIterationSection(2), event.TaskStart{Title: "A", Open: 1, Total: 1}, event.TaskEnd{Title: "A", Outcome: event.Done}},
			[]string{"output task: starting task execution phase", "task_start task: task iteration 2 #2", "section task: task iteration 2 #2", "output task: task 2: A, 1 of 1 boxes open", "task_end task: task 2 done #2", "output task: task 2 done in 0s"}},
		{"a task that failed has no end in the plan", []any{tasks, 1, event.NewTaskIterationSection(1), event.TaskStart{Title: "A"}, event.TaskEnd{Title: "A", Outcome: event.Failed}, 2, event.NewTaskIterationSection(2)},
			[]string{"output task: starting task execution phase", "task_start task: task iteration 1 #1", "section task: task iteration 1 #1", "output task: task 1: A, 0 of 0 boxes open", "error task: task 1 failed",
				"task_start task: task iteration 2 #2", "section task: task iteration 2 #2"}},
		{"without facts a task is over when the next begins, or all are", []any{tasks, event.NewTaskIterationSection(1), event.NewTaskIterationSection(1), event.NewTaskIterationSection(2), event.PhaseEnd{Name: event.PhaseTask}},
			[]string{"output task: starting task execution phase", "task_start task: task iteration 1 #1", "section task: task iteration 1 #1", "task_start task: task iteration 1 #1", "section task: task iteration 1 #1",
				"task_end task: task 1 done #1", "task_start task: task iteration 2 #2", "section task: task iteration 2 #2", "task_end task: task 2 done #2", "output task: all tasks completed"}},
		{"an evaluation is one", []any{event.PhaseStart{Name: event.PhaseCodex, Stage: event.StageExternal}, event.NewExternalIterationSection("codex", 2), event.PhaseStart{Name: event.PhaseClaudeEval}, evaluation, event.Output{Text: "x"}},
			[]string{"iteration_start codex: codex iteration 2", "section codex: codex iteration 2", "section claude-eval: claude evaluating codex findings", "output claude-eval: x"}},
		{"the last step, and a plan, keep their phase", []any{event.PhaseStart{Name: event.PhaseFinalize, Stage: event.StageFinalize}, event.NewFinalizeSection(), event.PhaseStart{Name: event.PhasePlan, Stage: event.StagePlan}, event.NewPlanIterationSection(1), event.Asked{Question: "Which?", Options: []string{"a", "b"}}},
			[]string{"section finalize: finalize step", "output plan: starting interactive plan creation", "section plan: plan iteration 1", "output plan: QUESTION: Which?", "output plan: OPTIONS: a, b"}},
		{"warnings and errors are told", []any{event.Note{Level: event.Warn, Text: "x", Hint: "y"}, event.Note{Level: event.Error, Text: "z"}, event.Note{Level: event.Info, Text: "i"}},
			[]string{"warn : x", "output : y", "error : z", "output : i"}},
		{"a claim ends nothing", []any{tasks, event.Output{Text: "<<<RALPHEX:ALL_TASKS_DONE>>>"}, event.Claimed{Signal: "ALL_TASKS_DONE"}},
			[]string{"output task: starting task execution phase", "output task: <<<RALPHEX:ALL_TASKS_DONE>>>", "signal task: ALL_TASKS_DONE !ALL_TASKS_DONE"}},
		{"a restart", []any{tasks, 1, event.NewTaskIterationSection(1), event.RunRestart{}, event.PhaseEnd{Name: event.PhaseTask}},
			[]string{"output task: starting task execution phase", "task_start task: task iteration 1 #1", "section task: task iteration 1 #1", "section task: restarted", "output task: all tasks completed"}},
		{"completed", []any{event.RunEnd{Outcome: event.LeftHuman, Reason: "2 items", Files: 1, Additions: 2, Deletions: 3}},
			[]string{"output : DIFFSTATS: files=1 additions=2 deletions=3", "output : the run is completed: 2 items", "signal : COMPLETED !COMPLETED"}},
		{"failed", []any{event.RunEnd{Outcome: event.Failed, Reason: "gate is red\nmore"}}, []string{"error : the run failed: gate is red", "signal : FAILED !FAILED"}},
		{"aborted", []any{event.RunEnd{Outcome: event.Interrupted}}, []string{"warn : the run was aborted", "signal : FAILED !FAILED"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, heardOf(story(tt.facts...))) })
	}
}

// The form of the public stream: what is zero is left out, but for the four that are always there.
func TestPublicJSON(t *testing.T) {
	text, err := json.Marshal(PublicEvent{Type: PublicOutput, Text: "a<b", Timestamp: t0})
	require.NoError(t, err)
	assert.Equal(t, `{"type":"output","phase":"","text":"a\u003cb","timestamp":"2026-01-29T15:30:00Z"}`, string(text))
	text, err = json.Marshal(PublicEvent{Type: PublicTaskStart, Phase: "task", Section: "s", Text: "x", Timestamp: t0, Signal: "S", TaskNum: 2, IterationNum: 3})
	require.NoError(t, err)
	assert.Equal(t, `{"type":"task_start","phase":"task","section":"s","text":"x","timestamp":"2026-01-29T15:30:00Z","signal":"S","task_num":2,"iteration_num":3}`, string(text))
}

// TestBroadcastLiveIsReplayed: a clone at any place, events as a journal has them, and a part that is read twice make the same stream.
func TestBroadcastLiveIsReplayed(t *testing.T) {
	for seed := range uint64(100) {
		c := chance{rand.New(rand.NewPCG(seed, 4))}
		live := c.events(t, 100)
		for i := range live { // more text than chance has
			if o, ok := live[i].Data.(event.Output); ok {
				o.Text = strings.Repeat(o.Text+"x\n", c.IntN(3)) + o.Text
				live[i].Data = o
			}
		}
		var want, got []PublicEvent
		b := NewBroadcastLogger()
		for _, e := range live {
			want = append(want, b.Events(e)...)
		}
		cut := c.IntN(len(live))
		r := NewBroadcastLogger()
		read := again(t, live)
		for _, e := range read[:cut] {
			got = append(got, r.Events(e)...)
		}
		fork := r.Clone()
		r.Events(event.Event{Seq: 1 << 40, Time: time.Now(), Data: event.Output{Text: "elsewhere", Partial: true}})
		for _, e := range read[c.IntN(cut+1):] {
			got = append(got, fork.Events(e)...)
		}
		require.Equal(t, want, got, "seed %d", seed)
	}
}
