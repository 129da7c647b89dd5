package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ralphex/pkg/event"
)

var (
	begin   = event.RunStart{Plan: "/repo/docs/plans/a.md", Mode: "full", StartHead: "c0ffee", Dirty: []string{"x"}, Commands: []event.Command{{Text: "make test", Line: 3}}}
	work    = event.TaskStart{ID: "1", Title: "Parser", Open: 2, Total: 3, Attempt: 1}
	session = event.SessionStart{N: 1, PID: 4711, PIDStart: 99, Mark: "m", Head: "c0ffee", Dirty: []string{"y"}}
	ended   = event.SessionEnd{N: 1, Usage: event.Usage{InputTokens: 10, CostUSD: 0.5}}
	red     = event.GateEnd{Commands: 1}
	green   = event.GateEnd{Commands: 1, Green: true, TreeHash: "7ree"}
	failed  = event.Claimed{Signal: "TASK_FAILED"}
	allDone = event.Claimed{Signal: "ALL_TASKS_DONE"}
	commit  = event.Commit{Rev: "beef", By: "ralphex"}
	taskEnd = event.TaskEnd{ID: "1", Title: "Parser", Outcome: event.Done}
)

// Each row is what task 1 went through before the process died.
func TestStateOfTask(t *testing.T) {
	tests := []struct {
		name     string
		facts    []event.Data
		attempts int
		current  int
		session  bool
		green    bool
		done     bool
	}{
		{name: "just begun", facts: []event.Data{work}, current: 1},
		{name: "mid session", facts: []event.Data{work, session}, current: 1, session: true},
		{name: "claimed mid session", facts: []event.Data{work, session, failed}, current: 1, session: true},
		{name: "before the gate", facts: []event.Data{work, session, ended}, current: 1},
		{name: "red", facts: []event.Data{work, session, ended, red}, attempts: 1, current: 1},
		{name: "red twice", facts: []event.Data{work, session, ended, red, session, ended, red}, attempts: 2, current: 1},
		{name: "failed", facts: []event.Data{work, session, failed, ended}, attempts: 1, current: 1},
		{name: "failed and red is one", facts: []event.Data{work, session, failed, ended, red}, attempts: 1, current: 1},
		{name: "failed, next session", facts: []event.Data{work, session, failed, ended, session}, attempts: 1, current: 1, session: true},
		{name: "failed, then claimed done", facts: []event.Data{work, session, failed, allDone, ended}, current: 1},
		{name: "failed, but green", facts: []event.Data{work, session, failed, ended, green}, current: 1, green: true},
		{name: "green before commit", facts: []event.Data{work, session, ended, green}, current: 1, green: true},
		{name: "green, red", facts: []event.Data{work, session, ended, green, red}, attempts: 1, current: 1},
		{name: "committed", facts: []event.Data{work, session, ended, green, commit}, current: 1},
		{name: "done", facts: []event.Data{work, session, ended, green, commit, taskEnd}, done: true},
		{name: "done and reopened", facts: []event.Data{work, taskEnd, work}, current: 1},
		{name: "given up", facts: []event.Data{work, session, ended, red, event.TaskEnd{Outcome: event.Failed}}, attempts: 1},
		{name: "restarted", facts: []event.Data{work, session, ended, red, event.RunRestart{}}, attempts: 1, current: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			events := append(numbered(0, begin), numbered(1, tt.facts...)...)
			write(t, dir, run, events...)
			s, err := Find(dir, "/repo/docs/plans/../plans/a.md")
			require.NoError(t, err)
			require.NotNil(t, s)
			assert.Equal(t, tt.attempts, s.Attempts(1), "attempts")
			assert.Equal(t, tt.current, s.Current, "current")
			assert.Equal(t, tt.session, s.Session != nil, "session")
			assert.Equal(t, tt.green, s.Tasks[1].Green != nil, "green")
			assert.Equal(t, tt.done, s.Tasks[1].Done(), "done")
			assert.Equal(t, "1: Parser", (&Task{ID: work.ID, Title: work.Title}).Key())
		})
	}
}

func TestStateHoldsWhatResumeNeeds(t *testing.T) {
	dir := t.TempDir()
	branch, archived := event.Branch{Name: "a", Created: true}, event.Archived{From: "a", To: "b"}
	events := append(numbered(0, begin, branch), numbered(1, work, session, event.Output{Text: "x"}, ended, green, commit, taskEnd)...)
	events = append(events, numbered(2, event.TaskStart{ID: "2.5", Title: "Tests"}, event.SessionStart{N: 2, PID: 4712, Mark: "n"})...)
	events = append(events, numbered(0, archived)...)
	for i := range events {
		events[i].Seq, events[i].Time = int64(i+1), start.Add(time.Duration(i)*time.Second)
	}
	path := write(t, dir, run, events...)

	s, err := Find(dir, begin.Plan)
	require.NoError(t, err)
	require.NotNil(t, s)
	assert.True(t, s.Unfinished())
	assert.Equal(t, run, s.Run)
	assert.Equal(t, path, s.Path)
	assert.EqualValues(t, 12, s.LastSeq)
	assert.Equal(t, start, s.Started)
	assert.Equal(t, start.Add(11*time.Second), s.Last)
	assert.Equal(t, begin, s.Start)
	assert.Equal(t, &branch, s.Branch)
	assert.Equal(t, &archived, s.Archived)
	assert.Equal(t, event.PhaseTask, s.Phase)
	assert.Equal(t, 2, s.Sessions)
	assert.Equal(t, ended.Usage, s.Usage)
	assert.Equal(t, 4712, s.Session.PID)
	assert.Equal(t, 2, s.Session.Task)
	assert.Equal(t, start.Add(10*time.Second), s.Session.Started)
	assert.Equal(t, 2, s.Current)
	assert.Equal(t, []event.Commit{commit}, s.Commits)
	assert.Equal(t, "2.5: Tests", s.Tasks[2].Key())
}

// A run that could not get its name in the store at its start tells it with a later fact.
func TestStateKnowsTheNameInTheStore(t *testing.T) {
	named, late := begin, work
	named.Provenance, late.Provenance = "run-i001-cli-a", "run-i002-cli-b"
	for _, tt := range []struct {
		facts []event.Data
		want  string
	}{
		{[]event.Data{begin, work}, ""},
		{[]event.Data{named, work, event.RunRestart{}}, "run-i001-cli-a"},
		{[]event.Data{begin, work, late}, "run-i002-cli-b"},
		{[]event.Data{begin, work, event.RunRestart{Provenance: "run-i003-cli-c"}, work}, "run-i003-cli-c"},
		{[]event.Data{begin, event.RunEnd{Outcome: event.Failed, Provenance: "run-i004-cli-d"}}, "run-i004-cli-d"},
	} {
		dir := t.TempDir()
		write(t, dir, run, numbered(1, tt.facts...)...)
		r, err := Resumable(dir, begin.Plan, nil)
		require.NoError(t, err)
		assert.Equal(t, tt.want, r.Start.Provenance)
	}
}

// What a process set aside stays so for those that go on, however many there are, and whether or not it ended in order.
func TestResumeKnowsWhatIsSetAside(t *testing.T) {
	facts := []event.Data{begin, event.SetAside{Paths: []string{"cover.out"}, By: event.ByValidation}, event.RunEnd{Outcome: event.Interrupted, LeftoverUnknown: true},
		event.RunRestart{}, event.SetAside{Paths: []string{"mine.go", "cover.out"}, By: event.ByPerson}}
	want := map[string]event.Maker{"cover.out": event.ByPerson, "mine.go": event.ByPerson}
	for _, end := range [][]event.Data{nil, {event.RunEnd{Outcome: event.Failed, LeftoverUnknown: true}}} {
		dir := t.TempDir()
		write(t, dir, run, numbered(1, slices.Concat(facts, end)...)...)
		r, err := Resumable(dir, begin.Plan, nil)
		require.NoError(t, err)
		assert.Equal(t, want, r.Aside)
		assert.Equal(t, end != nil, r.Blind)
	}
}

func TestFindTakesNewestRunOfPlan(t *testing.T) {
	other := begin
	other.Plan = "/repo/other.md"
	end := event.RunEnd{Outcome: event.Failed, Exit: 1, Leftover: map[string]string{"a.go": "5tamp"}}
	note := event.Note{Level: event.Warn, Text: "progress file: works again"}
	tests := []struct {
		name   string
		runs   [][]event.Data // oldest first
		find   string         // what Find returns
		latest string
	}{
		{"none", nil, "", ""},
		{"unfinished", [][]event.Data{{begin}}, "run-0", "run-0"},
		{"finished", [][]event.Data{{begin, end}}, "", "run-0"},
		{"note behind the end", [][]event.Data{{begin, end, note, note}}, "", "run-0"},
		{"an older one does not count", [][]event.Data{{begin}, {begin, end}}, "", "run-1"},
		{"newer of another plan", [][]event.Data{{begin}, {other}, {other, end}}, "run-0", "run-0"},
		{"died before it began", [][]event.Data{{begin}, {}}, "run-0", "run-0"},
		{"begins with a note", [][]event.Data{{note, begin}}, "run-0", "run-0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "events")
			for i, facts := range tt.runs {
				write(t, dir, event.RunID(fmt.Sprintf("run-%d", i)), numbered(0, facts...)...)
			}
			latest := func(dir, plan string) (*State, error) { return Latest(dir, plan, nil) }
			for want, find := range map[string]func(string, string) (*State, error){tt.find: Find, tt.latest: latest} {
				s, err := find(dir, begin.Plan)
				require.NoError(t, err)
				if want == "" {
					assert.Nil(t, s)
					continue
				}
				require.NotNil(t, s)
				assert.Equal(t, want, string(s.Run))
				if s.End != nil {
					assert.Equal(t, end, *s.End)
				}
			}
		})
	}
}

func TestListRuns(t *testing.T) {
	dir := t.TempDir()
	list, err := ListRuns(filepath.Join(dir, "none"))
	require.NoError(t, err)
	assert.Empty(t, list)

	write(t, dir, "run-1", numbered(0, begin, event.RunEnd{Exit: 3})...)
	write(t, dir, "run-2", numbered(0, begin, event.PhaseStart{})...)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run-3.jsonl"), []byte("hello\n"+first+"\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run-4.jsonl"), []byte(first[:30]), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600))

	list, err = ListRuns(dir)
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Equal(t, event.RunID("run-3"), list[0].Run)
	assert.ErrorContains(t, list[0].Err, "broken line at byte 0")
	assert.Equal(t, event.RunID("run-2"), list[1].Run)
	assert.Nil(t, list[1].End)
	assert.Equal(t, start.Add(time.Second), list[1].Last)
	assert.Equal(t, event.RunID("run-1"), list[2].Run)
	assert.Equal(t, 3, list[2].End.Exit)
	assert.Equal(t, start, list[2].Started)
	assert.Equal(t, begin, list[2].Start)
	assert.Positive(t, list[2].Size)
}
