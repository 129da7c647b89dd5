package view

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

var t0 = time.Date(2026, 1, 29, 15, 30, 0, 0, time.UTC)

// story makes events of facts, a second apart. A number stands for the task of the facts behind it, a duration for time that passes.
func story(facts ...any) (events []event.Event) {
	at, task, phase := t0, 0, event.PhaseNone
	for _, f := range facts {
		switch f := f.(type) {
		case int:
			task = f
		case time.Duration:
			at = at.Add(f)
		case event.Data:
			if p, ok := f.(event.PhaseStart); ok {
				phase = p.Name
			}
			events = append(events, event.Event{Seq: int64(len(events) + 1), Time: at, Run: "r", Phase: phase, Task: task, Data: f})
			at = at.Add(time.Second)
		default:
			panic(fmt.Sprintf("%T is no part of a story", f))
		}
	}
	return events
}

func told(events []event.Event) *State {
	s := NewState(Meta{ID: "r", Source: Journal, Project: "repo", Root: "/repo", Path: "/repo/.ralph/events/r.jsonl"})
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

// soon is a moment after the newest event.
func soon(events []event.Event) time.Time { return events[len(events)-1].Time.Add(time.Minute) }

// TestEachKindHasAPlace fails for a kind that apply does not name: a new fact is to be shown, or to be named as one for the log.
func TestEachKindHasAPlace(t *testing.T) {
	for _, kind := range event.Kinds() {
		e, err := event.Decode(fmt.Appendf(nil, `{"v":1,"seq":1,"type":%q,"data":{}}`, kind))
		require.NoError(t, err)
		assert.True(t, NewState(Meta{}).apply(e), "apply has no case for %s", kind)
	}
}

var (
	start  = event.RunStart{Plan: "/repo/docs/plans/2026-01-29-feature.md", Mode: "full", Branch: "feature", Executor: "claude", PID: 7, Tasks: 3, Done: []string{"1: Parser"}}
	ending = func(o event.Outcome) event.RunEnd { return event.RunEnd{Outcome: o, Reason: "why"} }
	tasks  = event.PhaseStart{Name: event.PhaseTask, Stage: event.StageTasks}
	limit  = event.Wait{For: time.Hour, Until: t0.Add(time.Hour), Agent: "claude", Reason: "rate limit"}
)

func TestStates(t *testing.T) {
	tests := []struct {
		name  string
		facts []any
		later time.Duration // after the newest event; 0 = a minute
		alive Alive
		want  RunState
		why   string
		can   []string
	}{
		{"begins", []any{start}, 0, Running, Active, "", []string{"pause", "stop", "note"}},
		{"works", []any{start, tasks, 2, event.SessionStart{N: 1}}, 0, Running, Active, "", []string{"pause", "stop", "skip", "note"}},
		{"a failure that is tried again is none", []any{start, tasks, event.SessionStart{N: 1}, event.SessionEnd{N: 1, Failure: "overload"}}, 0, Running, Active, "",
			[]string{"pause", "stop", "skip", "note"}},
		{"the end of the task phase is none of the run", []any{start, tasks, event.PhaseEnd{Name: event.PhaseTask, Stage: event.StageTasks}}, 0, Running, Active, "",
			[]string{"pause", "stop", "note"}},
		{"a signal ends nothing", []any{start, tasks, event.SessionStart{N: 1}, event.Claimed{Signal: "ALL_TASKS_DONE"}}, 0, Running, Active, "",
			[]string{"pause", "stop", "skip", "note"}},
		{"says nothing", []any{start}, StalledAfter, Running, Stalled, "it has told nothing for a long time", []string{"pause", "stop", "note"}},
		{"limit", []any{start, limit, event.Note{Text: "x"}}, 30 * time.Minute, Running, Waits, "rate limit", []string{"pause", "stop", "retry-now", "note"}},
		{"limit that was over long ago", []any{start, limit}, 2 * time.Hour, Running, Stalled, "it has told nothing for a long time", nil},
		{"limit is over", []any{start, limit, event.SessionStart{N: 1}}, 0, Running, Active, "", nil},
		{"delay", []any{start, event.Wait{For: time.Minute, Reason: "overloaded"}}, 0, Running, Waits, "overloaded", []string{"pause", "stop", "note"}},
		{"paused", []any{start, event.Pause{By: "anna, pid 4"}}, time.Hour, Running, Paused, "paused by anna, pid 4", []string{"resume", "stop", "note"}},
		{"goes on", []any{start, event.Pause{By: "anna"}, event.Pause{Over: true}}, 0, Running, Active, "", nil},
		{"question", []any{start, event.Asked{Question: "Which?"}}, time.Hour, Running, Waits, "a question", []string{"pause", "stop", "note", "answer"}},
		{"answered", []any{start, event.Asked{Question: "Which?"}, event.Asked{Question: "Which?", Answer: "b"}}, 0, Running, Active, "", nil},
		{"draft", []any{start, event.Draft{N: 1, Text: "# A"}}, 0, Running, Waits, "a draft of the plan", []string{"pause", "stop", "note", "draft"}},
		{"a draft that goes back is nobody's", []any{start, event.Draft{N: 1, Back: true}}, 0, Running, Active, "", nil},
		{"draft is reviewed", []any{start, event.Draft{N: 1}, event.DraftReview{N: 1, Action: event.Revise}}, 0, Running, Active, "", nil},
		{"done", []any{start, ending(event.Done)}, 0, Dead, Completed, "why", []string{}},
		{"done, and not yet gone", []any{start, ending(event.Done)}, 0, Running, Completed, "why", []string{}},
		{"unproven", []any{start, ending(event.Unproven)}, 0, Dead, Completed, "why", nil},
		{"left", []any{start, ending(event.LeftHuman)}, 0, Dead, Completed, "why", nil},
		{"skipped", []any{start, ending(event.Skipped)}, 0, Dead, Completed, "why", nil},
		{"failed", []any{start, ending(event.Failed)}, 0, Dead, Failed, "why", nil},
		{"interrupted", []any{start, ending(event.Interrupted)}, 0, Dead, Aborted, "why", nil},
		{"notes behind the end change nothing", []any{start, ending(event.Failed), event.Note{Text: "x"}}, 0, Dead, Failed, "why", nil},
		{"killed", []any{start, tasks}, 0, Dead, Killed, "its process is gone, and wrote no end: the same command goes on", []string{}},
		{"killed in a wait", []any{start, limit}, 0, Dead, Killed, "its process is gone, and wrote no end: the same command goes on", []string{}},
		{"begun again", []any{start, tasks, event.RunRestart{PID: 8}}, 0, Running, Active, "", nil},
		{"begun again after its end", []any{start, ending(event.Failed), event.RunRestart{PID: 8}}, 0, Running, Active, "", nil},
		{"a budget", []any{start, event.Budget{Run: event.Limits{CostUSD: 5}}}, 0, Running, Active, "", []string{"pause", "stop", "budget", "note"}},
		{"a budget of tasks only", []any{start, event.Budget{Task: event.Limits{CostUSD: 5}}}, 0, Running, Active, "", []string{"pause", "stop", "note"}},
		{"a budget that is used up", []any{start, event.Budget{Run: event.Limits{CostUSD: 5}}, event.RunEnd{Outcome: event.Interrupted, Exit: 4}}, 0, Dead, Aborted, "", []string{"budget"}},
		{"a budget elsewhere", []any{start, event.Budget{Run: event.Limits{CostUSD: 5}}, event.RunEnd{Outcome: event.Interrupted, Exit: 4}}, 0, Unknown, Aborted, "", []string{}},
		{"turns at a workspace hear no orders", []any{event.RunStart{Mode: "loop"}}, 0, Running, Active, "", []string{}},
		{"another machine's", []any{start}, 0, Unknown, Active, "", []string{}},
		{"another machine's, silent", []any{start}, time.Hour, Unknown, Stalled, "it has told nothing for a long time", []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events := story(tt.facts...)
			now := soon(events)
			if tt.later > 0 {
				now = events[len(events)-1].Time.Add(tt.later)
			}
			r := told(events).Run(now, tt.alive)
			assert.Equal(t, tt.want, r.State)
			assert.Equal(t, tt.why, r.Why)
			if tt.can != nil {
				assert.Equal(t, tt.can, r.Can)
			}
			assert.Equal(t, r.State.Over(), r.Ended != nil, "a run that is over has an end, and no other")
		})
	}
}

func TestTimesOfARun(t *testing.T) {
	events := story(start, tasks, time.Hour, ending(event.Done), time.Minute, event.Note{Text: "a sink works again"})
	r := told(events).Run(soon(events), Dead)
	assert.Equal(t, t0, r.Started)
	assert.Equal(t, events[2].Time, *r.Ended)
	assert.Equal(t, events[3].Time, r.Last)

	killed := story(start, tasks, time.Hour, event.Output{Text: "x"})
	r = told(killed).Run(soon(killed).Add(24*time.Hour), Dead)
	assert.Equal(t, killed[2].Time, *r.Ended, "it ended when it was heard last")
}

// A run that needs a login has ended, and says what it ended for.
func TestLogin(t *testing.T) {
	events := story(start, event.RunEnd{Outcome: event.Interrupted, Exit: 5, Reason: "claude: not logged in"})
	r := told(events).Run(soon(events), Dead)
	assert.Equal(t, Aborted, r.State)
	assert.Equal(t, &Waiting{For: ForLogin, Since: events[1].Time, Text: "claude: not logged in"}, r.Waiting)
}

// So has one that asked, and had nobody to answer.
func TestNobodyToAnswer(t *testing.T) {
	events := story(event.RunStart{Mode: "plan"}, event.Draft{N: 1, Text: "x"}, event.RunEnd{Outcome: event.Interrupted, Exit: 3, Reason: "draft 1 waits for a review"})
	d := told(events).Detail(soon(events), Dead)
	assert.Equal(t, Aborted, d.State)
	assert.Equal(t, &Waiting{For: ForInput, Since: events[1].Time, Text: "a draft of the plan"}, d.Waiting)
	assert.NotNil(t, d.Draft)
	assert.Empty(t, d.Can)
}

// The list reads the ends of a long journal only: what the run says of itself at its end holds then.
func TestARunWithoutItsMiddle(t *testing.T) {
	events := story(event.RunStart{Tasks: 3}, tasks, 1, event.TaskStart{ID: "1"}, event.SessionStart{N: 1}, event.SessionEnd{N: 1, Usage: event.Usage{CostUSD: 1}}, event.TaskEnd{ID: "1", Outcome: event.Done},
		3, event.TaskStart{ID: "3"}, event.SessionStart{N: 2}, event.SessionEnd{N: 2, Usage: event.Usage{CostUSD: 2}}, event.TaskEnd{ID: "3", Outcome: event.Done},
		event.RunEnd{Outcome: event.Done, Usage: event.Usage{CostUSD: 3, InputTokens: 5}, ListUSD: 4, Unpriced: 1})
	ends := append(events[:1:1], events[8:]...)
	r := told(ends).Run(soon(events), Dead)
	assert.Equal(t, Tally{Total: 3, Done: 3}, r.Tasks)
	assert.Equal(t, 3.0, r.CostUSD)
	assert.Equal(t, 4.0, r.ListUSD)
	assert.Equal(t, 1, r.Unpriced)
	assert.Equal(t, 3.0, told(events).Run(soon(events), Dead).CostUSD)
	assert.Zero(t, told(events).Run(soon(events), Dead).ListUSD, "counted by ourselves")
}

func TestTitles(t *testing.T) {
	for want, d := range map[string]event.RunStart{
		"feature": {Plan: "/repo/feature.md", Mode: "full", Branch: "b"}, "a cache": {Mode: "plan", Request: " a cache\nfor all"}, "review of b": {Mode: "review", Branch: "b"},
		"external review of b": {Mode: "codex-only", Branch: "b"}, "loop on main": {Mode: "loop", Branch: "main"}, "review": {Mode: "review"}, "r": {},
	} {
		events := story(d)
		assert.Equal(t, want, told(events).Run(soon(events), Running).Title)
	}
}

func TestTasksOfARun(t *testing.T) {
	events := story(start, tasks,
		2, event.TaskStart{ID: "2", Title: "Lexer", Open: 2, Total: 3, Attempt: 1},
		event.SessionStart{N: 1, Executor: "claude"}, event.Tick{Box: 1, Checked: true}, event.Tick{Box: 2, Checked: true}, event.SessionEnd{N: 1, Usage: event.Usage{InputTokens: 5, CostUSD: 1}},
		event.GateStart{Commands: 1}, event.GateCommand{Command: "make", Exit: 2, Tail: "no"}, event.GateEnd{Commands: 1},
		event.TaskStart{ID: "2", Title: "Lexer", Open: 0, Total: 3, Attempt: 2},
		event.SessionStart{N: 2, Executor: "claude"}, event.SessionEnd{N: 2, Usage: event.Usage{InputTokens: 7, CostUSD: 2}},
		event.GateStart{Commands: 1}, event.GateCommand{Command: "make", Tail: "ok"}, event.GateEnd{Green: true, Commands: 1},
		event.TaskEnd{ID: "2", Title: "Lexer", Outcome: event.Done, Elapsed: time.Minute, Commit: "abc", TreeHash: "def"},
		3, event.TaskStart{ID: "2.5", Title: "Glue", Attempt: 1}, event.SessionStart{N: 3, Executor: "claude"}, event.Spent{Usage: event.Usage{InputTokens: 11}})
	s := told(events)
	d := s.Detail(soon(events), Running)
	assert.Equal(t, Tally{Total: 3, Done: 2}, d.Tasks, "one was done before")
	assert.Equal(t, 3, d.Task)
	assert.Equal(t, "Glue", d.TaskTitle)
	require.Len(t, d.TaskList, 2)
	lexer, glue := d.TaskList[0], d.TaskList[1]
	assert.Equal(t, TaskDone, lexer.State)
	assert.Equal(t, "abc", lexer.Commit)
	assert.Equal(t, 3.0, lexer.CostUSD)
	assert.Equal(t, int64(12), lexer.Usage.InputTokens)
	require.Len(t, lexer.Attempts, 2)
	assert.Equal(t, "validation is red", lexer.Attempts[0].Reason)
	assert.Equal(t, []int{2}, lexer.Attempts[1].Sessions)
	assert.Equal(t, TaskActive, glue.State)
	assert.Nil(t, glue.Ended)
	assert.Equal(t, int64(11), glue.Usage.InputTokens, "of the session in flight")
	assert.Equal(t, int64(23), d.Usage.InputTokens)
	require.Len(t, d.Gates, 2)
	assert.Equal(t, "no", d.Gates[0].Commands[0].Tail)
	assert.Empty(t, d.Gates[1].Commands[0].Tail, "of a green one it is on demand only")

	d = s.Detail(soon(events), Dead)
	require.NotNil(t, d.SessionList[2].Ended)
	assert.True(t, d.SessionList[2].Killed)
	assert.True(t, d.TaskList[1].Attempts[0].Killed)
	assert.Equal(t, TaskPending, d.TaskList[1].State)
	assert.True(t, d.Stages[0].Killed)
	assert.True(t, d.Processes[0].Killed)
	assert.Nil(t, s.Detail(soon(events), Running).SessionList[2].Ended, "what was given out changed nothing")
}

// Tasks keep what is known of them when the plan is edited while it is worked on.
func TestTasksAreMoved(t *testing.T) {
	begin := func(id, title string) event.TaskStart { return event.TaskStart{ID: id, Title: title, Attempt: 1} }
	end := func(id, title string) event.TaskEnd {
		return event.TaskEnd{ID: id, Title: title, Outcome: event.Done}
	}
	events := story(event.RunStart{Tasks: 2}, tasks,
		1, begin("1", "Parser"), end("1", "Parser"), 2, begin("2", "Lexer"), event.SessionStart{N: 1}, event.SessionEnd{N: 1},
		1, begin("0", "Setup"), end("0", "Setup"), 3, begin("2", "Lexer"), event.SessionStart{N: 2}, event.SessionEnd{N: 2}, end("2", "Lexer"))
	d := told(events).Detail(soon(events), Running)
	var got []string
	for _, task := range d.TaskList {
		got = append(got, fmt.Sprintf("%d %s: %s %s %v, %d sessions", task.Pos, task.ID, task.Title, task.State, task.Replaced, task.Sessions))
	}
	assert.Equal(t, []string{"1 1: Parser done true, 0 sessions", "1 0: Setup done false, 0 sessions", "3 2: Lexer done false, 2 sessions"}, got)
	assert.Equal(t, Tally{Total: 3, Done: 3}, d.Tasks)
}

func TestARunIsBegunAgain(t *testing.T) {
	events := story(start, tasks, 2, event.TaskStart{ID: "2", Title: "Lexer"}, event.SessionStart{N: 1}, event.Spent{Usage: event.Usage{InputTokens: 5}}, limit,
		0, time.Hour, event.RunRestart{PID: 8}, tasks, 2, event.TaskStart{ID: "2", Title: "Lexer"}, event.SessionStart{N: 2}, event.SessionEnd{N: 2})
	d := told(events).Detail(soon(events), Running)
	last := events[5].Time
	assert.Equal(t, 1, d.Restarts)
	assert.Equal(t, 8, d.PID)
	require.Len(t, d.Processes, 2)
	assert.Equal(t, last, *d.Processes[0].Ended)
	assert.True(t, d.Processes[0].Killed)
	assert.True(t, d.SessionList[0].Killed)
	assert.Equal(t, last, *d.SessionList[0].Ended)
	assert.True(t, d.TaskList[0].Attempts[0].Killed)
	assert.False(t, d.TaskList[0].Attempts[1].Killed)
	assert.Equal(t, last, *d.Waits[0].Until)
	assert.Equal(t, int64(5), d.Usage.InputTokens, "what the killed session told of")
	require.Len(t, d.Stages, 2)
	assert.Equal(t, last, *d.Stages[0].Ended)
}

func TestAPlanIsMade(t *testing.T) {
	talk := []any{event.RunStart{Mode: "plan", Request: "a cache\nfor tokens"}, event.PhaseStart{Name: event.PhasePlan, Stage: event.StagePlan},
		event.NewPlanIterationSection(1), event.SessionStart{N: 1}, event.SessionEnd{N: 1}, event.Asked{Question: "Which?", Options: []string{"a", "b"}}}
	events := story(talk...)
	d := told(events).Detail(soon(events), Running)
	assert.Equal(t, "a cache", d.Title)
	require.NotNil(t, d.Question)
	assert.Equal(t, []string{"a", "b"}, d.Question.Options)
	assert.Equal(t, ForInput, d.Waiting.For)

	talk = append(talk, event.Asked{Question: "Which?", Answer: "b"}, event.Draft{N: 1, Text: "one"}, event.DraftReview{N: 1, Action: event.Revise, Feedback: "smaller"},
		event.Draft{N: 2, Text: "two", Problems: []string{"no title"}, Back: true}, event.Draft{N: 3, Text: "three"})
	events = story(talk...)
	d = told(events).Detail(soon(events), Running)
	assert.Nil(t, d.Question)
	require.NotNil(t, d.Draft)
	assert.Equal(t, 3, d.Draft.N)
	assert.Equal(t, "two", d.Draft.Previous)
	assert.Len(t, d.Talk, 6)

	talk = append(talk, event.DraftReview{N: 3, Action: event.Accept, Path: "docs/plans/cache.md"}, event.PlanFile{Path: "docs/plans/cache.md", By: "agent"})
	events = story(talk...)
	d = told(events).Detail(soon(events), Running)
	assert.Nil(t, d.Draft)
	assert.Equal(t, "docs/plans/cache.md", d.PlanFile.Path)
	assert.Equal(t, "/repo/docs/plans/cache.md", filepath.ToSlash(d.PlanPath))

	events = story(event.RunStart{Mode: "plan"}, event.PlanFile{Path: "../../etc/passwd"})
	assert.Empty(t, told(events).Run(soon(events), Dead).PlanPath)

	events = story(start, event.Archived{From: "docs/plans/a.md", To: "docs/plans/completed/a.md"}) // as a run in a worktree tells it
	r := told(events).Run(soon(events), Dead)
	assert.Equal(t, "/repo/docs/plans/completed/a.md", filepath.ToSlash(r.PlanPath))
	assert.Equal(t, "docs/plans/completed/a.md", r.Plan)
}

func TestReviews(t *testing.T) {
	review := event.PhaseStart{Name: event.PhaseReview, Stage: event.StageReview}
	events := story(event.RunStart{Mode: "review", Branch: "feature"}, review, event.NewReviewSection("claude", 0), event.SessionStart{N: 1}, event.SessionEnd{N: 1},
		event.ReviewRound{Stage: event.StageReview, Found: 2, New: 2, Result: event.RoundAgain}, event.NewReviewSection("claude", 1), event.SessionStart{N: 2},
		event.PhaseStart{Name: event.PhaseClaudeEval}, event.PhaseEnd{Name: event.PhaseClaudeEval}, event.PhaseStart{Name: event.PhaseReview},
		event.PhaseEnd{Name: event.PhaseCodex, Stage: event.StageExternal, Skipped: "external review disabled"})
	d := told(events).Detail(soon(events), Running)
	assert.Equal(t, "review of feature", d.Title)
	assert.Equal(t, events[2].Time, d.Rounds[0].Started)
	require.Len(t, d.Stages, 2, "an evaluation is no stage")
	assert.Equal(t, event.StageExternal, d.Stages[0].Stage)
	assert.Equal(t, "external review disabled", d.Stages[0].Skipped)
	assert.Equal(t, event.StageReview, d.Stage)
	assert.Equal(t, event.StageReview, d.SessionList[1].Stage)
	assert.Nil(t, d.Stages[1].Ended)
	assert.Equal(t, events[6].Time, *d.Sections[0].Ended)
}

// A text log names tasks by their headings only.
func TestATextLog(t *testing.T) {
	s := NewState(Meta{ID: "p", Source: Progress})
	events := story(event.RunStart{Plan: "/repo/a.md"}, event.PhaseStart{Name: event.PhaseTask}, event.NewTaskIterationSection(1), event.Output{Text: "x"},
		event.NewTaskIterationSection(1), event.NewTaskIterationSection(2), event.PhaseEnd{Name: event.PhaseTask}, event.PhaseStart{Name: event.PhaseReview},
		event.NewReviewSection("", 0))
	for _, e := range events[:6] {
		s.Apply(e)
	}
	d := s.Detail(soon(events), Running)
	assert.Equal(t, 2, d.Task)
	assert.Equal(t, Tally{Total: 2, Done: 1}, d.Tasks)
	assert.Len(t, d.TaskList[0].Attempts, 2)
	assert.Empty(t, d.Can, "nobody can be told anything by a text log")
	for _, e := range events[6:] {
		s.Apply(e)
	}
	d = s.Detail(soon(events), Running)
	assert.Equal(t, Tally{Total: 2, Done: 2}, d.Tasks)
	assert.Equal(t, []event.Stage{event.StageTasks, event.StageReview}, []event.Stage{d.Stages[0].Stage, d.Stages[1].Stage})
}

// Whoever writes a page counts on lists that are lists.
func TestListsAreNeverNull(t *testing.T) {
	for _, events := range [][]event.Event{nil, story(start, event.Commit{}, event.SetAside{}, event.GateEnd{}, 1, event.TaskStart{}, event.SessionStart{}, event.Asked{}, event.Draft{})} {
		text, err := json.Marshal(told(events).Detail(t0, Running))
		require.NoError(t, err)
		assert.NotContains(t, string(text), "null")
	}
}
