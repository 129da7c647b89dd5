package event

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestText(t *testing.T) {
	tests := []struct {
		d    Data
		want string // lines as "style|text", joined by " / "
	}{
		{PhaseStart{Name: PhaseTask}, "raw|starting task execution phase"},
		{PhaseStart{Name: PhasePlan}, "raw|starting interactive plan creation"},
		{PhaseStart{Name: PhaseReview}, ""},
		{PhaseEnd{Name: PhaseTask}, "raw|all tasks completed"},
		{PhaseEnd{Name: PhaseTask, Err: "x"}, ""},
		{PhaseEnd{Name: PhaseReview, Skipped: "review = none"}, "|review phase skipped: review = none"},
		{PhaseEnd{Name: PhaseCodex, Stage: StageExternal, Skipped: "external review disabled, skipping..."}, "|external review disabled, skipping..."},
		{PhaseEnd{Name: PhaseReview, Stage: StageReview2, Interrupted: true}, "warning|second review interrupted: what it would have found is not known"},
		{PhaseEnd{Name: PhaseCodex, Stage: StageExternal, Interrupted: true}, "warning|external review interrupted: what it would have found is not known"},
		{Finding{File: "a.go", Line: 3, Text: "leaks", Disposition: "open"}, ""},
		{Finding{What: "found", File: "a_test.go", Line: 3, Text: "a skip was added", Rule: "test-weakening", Disposition: "open"}, "warning|test-weakening: a_test.go:3 - a skip was added"},
		{Finding{What: "settled", File: "a.go", Line: 3, EndLine: 5, Text: "leaks", Disposition: "fixed", Commit: "0123456789abcdef"}, "|finding fixed in 0123456789: a.go:3-5 - leaks"},
		{Finding{What: "settled", File: "a.go", Text: "leaks", Disposition: "refuted", Reason: "closed in line 9"}, "|finding refuted: a.go - leaks: closed in line 9"},
		{Finding{What: "found", File: "a.go", Text: "leaks", Disposition: "refuted", Reason: "named again"}, ""},
		{ReviewRound{Reviewer: "codex", Found: 3, New: 1, Returned: 2}, "|findings of codex: 3, new 1, dismissed before 2"},
		{ReviewRound{Reviewer: "codex", Result: RoundClean}, ""},
		{NewTaskIterationSection(2), "heading|task iteration 2"},
		{TaskStart{Title: "Parser", Open: 1, Total: 3, Attempt: 1}, "|task 7: Parser, 1 of 3 boxes open"},
		{TaskStart{Title: "Parser", Open: 1, Total: 3, Attempt: 2}, "|task 7: Parser, 1 of 3 boxes open, attempt 2"},
		{TaskEnd{Outcome: Done, Elapsed: 90 * time.Second}, "|task 7 done in 1m30s"},
		{TaskEnd{Outcome: Unproven}, "|task 7 done in 0s, unproven: the plan has no validation commands"},
		{TaskEnd{Outcome: LeftHuman, LeftHuman: 1}, "|task 7 done in 0s, 1 item is left for a person"},
		{TaskEnd{Outcome: LeftHuman, LeftHuman: 2}, "|task 7 done in 0s, 2 items are left for a person"},
		{TaskEnd{Outcome: Failed, Reason: "gate is red"}, "problem|task 7 failed: gate is red"},
		{TaskEnd{Outcome: Skipped}, "|task 7 skipped"},
		{Tick{Text: "write tests", Checked: true, By: "agent"}, "|box ticked by agent: write tests"},
		{Tick{Text: "write tests", By: "ralphex"}, "|box reopened by ralphex: write tests"},
		{Commit{Rev: "0123456789abcdef", By: "agent", Message: "feat: x\n\nmore"}, "|commit 0123456789 by agent: feat: x"},
		{GateStart{Commands: 2}, "|validation: 2 commands"},
		{GateStart{}, ""},
		{GateCommand{Command: "make", Exit: 2, Elapsed: 1234 * time.Millisecond}, "|validation: $ make: exit 2 (1.2s)"},
		{GateCommand{Command: "make", Exit: -1, Cause: "timed out after 30m0s", Elapsed: 30 * time.Minute}, "|validation: $ make: timed out after 30m0s (30m0s)"},
		{GateEnd{Green: true, Commands: 1, Elapsed: time.Second}, "|validation: green (1s)"},
		{GateEnd{Green: true}, ""},
		{GateEnd{Commands: 1}, "warning|validation: red (0s)"},
		{Branch{Name: "a", Created: true}, "|creating branch: a"},
		{Branch{Name: "a"}, "|branch: a"},
		{Archived{To: "/p/completed/a.md"}, "|moved plan to /p/completed/a.md"},
		{Kept{Ref: "refs/ralphex/wip/r/1", Why: "session 2 was cut off"}, "|a copy of the tree is kept as refs/ralphex/wip/r/1: session 2 was cut off"},
		{SessionEnd{N: 2}, ""},
		{SessionEnd{N: 2, Failure: "limit", Message: "come back at 5"}, "warning|session 2: limit: come back at 5"},
		{Claimed{Signal: "QUESTION", Problem: "no options"}, "warning|malformed question signal: no options"},
		{Claimed{Signal: "TASK_FAILED"}, ""},
		{Survivor{PID: 5, Command: "sleep 9", Action: "killed"}, "|process 5 outlived its session and was killed: sleep 9"},
		{Note{Level: Info, Text: "x"}, "|x"},
		{Note{Level: Warn, Text: "x", Hint: "y"}, "warning|x / help|y"},
		{Note{Level: Error, Text: "x"}, "problem|x"},
		{Wait{For: 5 * time.Second, Reason: "rate limit"}, "|waiting 5s: rate limit"},
		{Switch{From: "claude", To: "codex", Why: "usage limit"}, "warning|codex works from here on, instead of claude: usage limit"},
		{Asked{Question: "Which?", Options: []string{"a", "b"}}, "|QUESTION: Which? / |OPTIONS: a, b"},
		{Asked{Question: "Which?", Answer: "a"}, "|ANSWER: a"},
		{Order{What: "skip", By: "anna, pid 7"}, "warning|skip: ordered by anna, pid 7"},
		{Order{What: "stop", AfterTask: true, By: "anna"}, "warning|stop after this task: ordered by anna"},
		{Pause{By: "anna"}, "warning|paused by anna / help|ralphex resume goes on, ralphex stop ends the run"},
		{Pause{Over: true, For: 90 * time.Second}, "|going on after a pause of 1m30s"},
		{Draft{N: 2, Text: "# A\n\ntext\n"}, "|draft 2: 3 lines"},
		{Draft{N: 1, Text: "# A\n", Problems: []string{"no tasks", "no title"}, Back: true}, "|draft 1: 1 line; it breaks 2 rules of the format and goes back: no tasks; no title"},
		{Draft{N: 1, Text: "# A\n", Problems: []string{"no tasks"}}, "|draft 1: 1 line; it breaks rules of the format: no tasks"},
		{DraftReview{N: 1, Action: Accept, Path: "docs/a.md"}, "|DRAFT REVIEW: accept / |draft accepted, continuing to write plan file..."},
		{DraftReview{N: 1, Action: Revise, Feedback: "smaller"}, "|DRAFT REVIEW: revise / |FEEDBACK: smaller / |revision requested, re-running with feedback..."},
		{DraftReview{N: 1, Action: Reject}, "|DRAFT REVIEW: reject / |plan rejected by user"},
		{PlanFile{Path: "docs/a.md", By: "agent"}, "|created docs/a.md, written by agent"},
		{PlanFile{Path: "docs/a.md", By: "found"}, "|there is a plan for this: docs/a.md"},
		{RunEnd{Files: 2, Additions: 3}, "fileonly|DIFFSTATS: files=2 additions=3 deletions=0"},
		{RunEnd{}, ""},
		{Unknown{Name: "x"}, ""},
	}
	for _, tt := range tests {
		var got []string
		for _, l := range Text(Event{Task: 7, Data: tt.d}) {
			got = append(got, string(l.Style)+"|"+l.Text)
		}
		assert.Equal(t, tt.want, strings.Join(got, " / "), "%T", tt.d)
	}
}

func TestElapsed(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 999 * time.Millisecond: "0s", 5*time.Minute + 30*time.Second + 1: "5m30s", time.Hour: "1h0m",
		83*time.Minute + 59*time.Second: "1h23m", 70 * time.Minute: "1h10m", 26 * time.Hour: "26h0m",
	} {
		assert.Equal(t, want, Elapsed(d))
	}
	assert.Equal(t, "1.3s", Brief(1260*time.Millisecond))
	assert.Equal(t, "12s", Brief(12600*time.Millisecond))
}

// splitAll writes pieces down: "text" for a line, "text…" for a part that goes on, "…text" for one that has begun.
func splitAll(outputs ...Output) (got []string) {
	var s Splitter
	emit := func(p Piece) {
		text := string(p.Source) + ":" + p.Text
		if !p.First {
			text = "…" + text
		}
		if !p.Last {
			text += "…"
		}
		got = append(got, text)
	}
	for _, o := range outputs {
		s.Split(o, emit)
	}
	s.Flush(emit)
	return got
}

func TestSplitter(t *testing.T) {
	long := strings.Repeat("x", maxHeld+1)
	tests := []struct {
		name string
		in   []Output
		want []string
	}{
		{"lines", []Output{{Text: "a\n\nb\r\nc"}}, []string{":a", ":", ":b", ":c"}},
		{"a line in parts", []Output{{Text: "a\nb", Partial: true}, {Text: "c", Partial: true}, {Text: "d\ne"}}, []string{":a", ":bcd", ":e"}},
		{"two sources in parts", []Output{{Text: "a", Partial: true}, {Text: "t", Source: FromTool}, {Text: "b"}}, []string{"tool:t", ":ab"}},
		{"never ended", []Output{{Text: "a", Partial: true}, {Text: "s", Source: FromStderr, Partial: true}}, []string{":a", "stderr:s"}},
		{"ends with a newline", []Output{{Text: "a\n", Partial: true}, {Text: "b"}}, []string{":a", ":b"}},
		{"long line", []Output{{Text: long, Partial: true}, {Text: "y", Partial: true}, {Text: "z\nb"}}, []string{":" + long + "…", "…:y…", "…:z", ":b"}},
		{"long line that another source breaks", []Output{{Text: long, Partial: true}, {Text: "t", Source: FromTool}, {Text: "z"}},
			[]string{":" + long + "…", "…:", "tool:t", ":z"}},
		{"long line, never ended", []Output{{Text: long, Partial: true}}, []string{":" + long + "…", "…:"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, splitAll(tt.in...)) })
	}
}
