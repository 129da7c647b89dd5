package source

import (
	"strconv"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/signals"
)

// A progress file is text of two hands: what stands on a line with a time may be the agent's words, and is kept as text, whatever it says. Facts
// are made only of what ralphex writes without a time: header, sections, restarts, footer.

// textState is where the reader of a progress file stands between two lines. It is a value: a copy of it is a place to which one can return.
type textState struct {
	place place
	lines int       // of the header so far
	head  Header    // of the newest run
	now   time.Time // the newest time that was told
	last  time.Time // of the run's end
	phase event.Phase
	stage event.Stage
	task  int

	blank    bool   // the line before is empty
	ruled    int    // the line before is a ruler of so many dashes
	cut      bool   // the line before is a part of a long one, which goes on
	question string // was asked, and its options may follow
	asked    string // was asked, and has no answer yet
	files    int    // DIFFSTATS, told together with the end
	added    int
	deleted  int
}

// place is a part of the file.
type place uint8

const (
	atStart  place = iota // before anything
	inHeader              // behind the title
	inBody
	inAgain // behind "restarted at": fields of a header may follow
)

// maxHeader bounds a header that has no ruler, in lines.
const maxHeader = 64

// textReader makes events of lines.
type textReader struct {
	textState
	loc  *time.Location
	emit func(event.Event)
}

func (t *textReader) say(at time.Time, d event.Data) {
	t.emit(event.Event{Time: at, Phase: t.phase, Task: t.task, Data: d})
}

// line takes a line without its end. more says that the line goes on: it is longer than anybody wants to have in memory.
func (t *textReader) line(line string, more bool) {
	if t.cut {
		t.cut = more
		t.say(t.now, event.Output{Text: line, Partial: more})
		return
	}
	line = strings.TrimSuffix(line, "\r")
	if more {
		t.leave()
		t.long(line)
		return
	}
	switch t.place {
	case atStart:
		if line == title {
			t.place = inHeader
			return
		}
		if line == "" {
			return
		}
		t.begin() // a file without a header
	case inHeader:
		if t.lines++; ruler(line) > 0 || t.lines > maxHeader {
			t.begin()
		} else {
			t.head.field(line, t.loc)
		}
		return
	case inAgain:
		if t.again(line) {
			return
		}
	case inBody:
	}
	t.body(line)
}

// leave ends a header before its ruler.
func (t *textReader) leave() {
	if t.place != inBody {
		t.begin()
	}
	t.flush()
}

// begin opens the run that the header tells of.
func (t *textReader) begin() {
	t.place, t.lines = inBody, 0
	if t.head.Started.After(t.now) || t.now.IsZero() {
		t.now = t.head.Started
	}
	at := t.now
	if !t.head.Started.IsZero() && t.last.IsZero() {
		at = t.head.Started
	}
	t.say(at, event.RunStart{Plan: t.head.Plan, Mode: t.head.Mode, Branch: t.head.Branch, Executor: t.head.Executor, Worktree: t.head.worktree()})
	t.blank = true
}

// worktree is the folder of the worktree whose copy of the plan the header names.
func (h Header) worktree() string {
	if h.WorktreePlan == "" || h.Plan == "" {
		return ""
	}
	// Both end in the plan's path below the root: /repo/docs/plans/a.md and /trees/a/docs/plans/a.md.
	a, b := strings.Split(h.Plan, "/"), strings.Split(h.WorktreePlan, "/")
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return strings.Join(b[:len(b)-n], "/")
}

// again reads the header's fields behind a restart, as ralphex writes them there and the public one does not.
func (t *textReader) again(line string) bool {
	switch {
	case line == "":
		t.blank = true
		return true
	case t.head.field(line, t.loc):
		if t.lines++; strings.HasPrefix(line, "Started:") || t.lines > maxHeader {
			t.begin()
		}
		return true
	}
	t.place = inBody
	return false
}

// body takes a line behind the header.
func (t *textReader) body(line string) {
	blank, ruled := t.blank, t.ruled
	t.blank, t.ruled = false, 0
	if ruled > 0 && t.footer(line) {
		return
	}
	if ruled > 0 {
		t.say(t.now, event.Output{Text: strings.Repeat("-", ruled)})
	}
	switch {
	case line == "":
		t.blank = true
		return
	case line == title:
		t.flush()
		t.restart(t.now)
		t.place, t.head = inHeader, Header{}
		return
	}
	if at, text, ok := stamped(line, t.loc); ok {
		t.now = at
		t.text(text)
		return
	}
	t.flush()
	if n := ruler(line); n > 0 {
		t.ruled = n
		return
	}
	if label, ok := section(line); ok && blank {
		t.section(label)
		return
	}
	t.raw(line)
}

// stamped reads the time before a line: "[26-01-29 15:30:13] text".
func stamped(line string, loc *time.Location) (at time.Time, text string, ok bool) {
	const n = len("[06-01-02 15:04:05]")
	if len(line) < n || line[0] != '[' || line[n-1] != ']' {
		return at, "", false
	}
	at, ok = shortTime(line[1:n-1], loc)
	return at, strings.TrimPrefix(line[n:], " "), ok
}

// shortTime reads "26-01-29 15:30:13" without the cost of time.Parse, which a file of a million lines would feel.
func shortTime(s string, loc *time.Location) (time.Time, bool) {
	const form = "00-00-00 00:00:00"
	var n [6]int
	part := 0
	for i := range form {
		c := s[i]
		if form[i] != '0' {
			if c != form[i] {
				return time.Time{}, false
			}
			part++
			continue
		}
		if c < '0' || c > '9' {
			return time.Time{}, false
		}
		n[part] = 10*n[part] + int(c-'0')
	}
	if n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 || n[3] > 23 || n[4] > 59 || n[5] > 60 {
		return time.Time{}, false
	}
	return time.Date(2000+n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, loc), true
}

// section reads the label of "--- label ---".
func section(line string) (string, bool) {
	label, ok := strings.CutPrefix(line, "--- ")
	if !ok {
		return "", false
	}
	label, ok = strings.CutSuffix(label, " ---")
	return label, ok && label != ""
}

// footer reads the line behind the last ruler: "Completed: 2026-01-29 15:35:42 (5m30s)".
func (t *textReader) footer(line string) bool {
	end := event.RunEnd{Outcome: event.Done}
	rest, ok := strings.CutPrefix(line, "Completed: ")
	if !ok {
		if rest, ok = strings.CutPrefix(line, "Failed: "); !ok {
			return false
		}
		end.Outcome, end.Exit = event.Failed, 1
	}
	if len(rest) < len(longTime) {
		return false
	}
	at, err := time.ParseInLocation(longTime, rest[:len(longTime)], t.loc)
	if err != nil {
		return false
	}
	elapsed, reason, _ := strings.Cut(rest[len(longTime):], ") - ")
	if end.Elapsed, err = time.ParseDuration(strings.Trim(elapsed, " ()")); err != nil && !t.head.Started.IsZero() {
		end.Elapsed = at.Sub(t.head.Started)
	}
	if end.Reason = reason; reason == "user aborted" {
		end.Outcome, end.Exit = event.Interrupted, 130
	}
	end.Files, end.Additions, end.Deletions = t.files, t.added, t.deleted
	t.flush()
	t.now, t.last = at, at
	t.phase, t.stage, t.task = event.PhaseNone, event.StageNone, 0
	t.files, t.added, t.deleted = 0, 0, 0
	t.say(at, end)
	return true
}

// section opens one.
func (t *textReader) section(label string) {
	if at, ok := strings.CutPrefix(label, "restarted at "); ok {
		when, err := time.ParseInLocation(longTime, at, t.loc)
		if err != nil {
			when = t.now
		}
		t.restart(when)
		t.place = inAgain
		return
	}
	s := event.Section{Type: event.SectionGeneric, Label: label}
	phase, stage, task := event.PhaseTask, event.StageTasks, 0
	switch {
	case strings.HasPrefix(label, "task iteration "):
		s.Type = event.SectionTask
		s.TaskNum = number(label)
		task = s.TaskNum
	case strings.Contains(label, "evaluating"):
		phase, stage = event.PhaseClaudeEval, event.StageExternal
	case strings.HasPrefix(label, "plan iteration "):
		phase, stage = event.PhasePlan, event.StagePlan
		s.Iteration = number(label)
	case strings.HasPrefix(label, "finalize"):
		phase, stage = event.PhaseFinalize, event.StageFinalize
	case strings.Contains(label, "external review"):
		phase, stage = event.PhaseCodex, event.StageExternal
	case strings.Contains(label, "iteration") && (strings.Contains(label, "codex") || strings.Contains(label, "custom")):
		phase, stage = event.PhaseCodex, event.StageExternal
		s.Type, s.Iteration = event.SectionReview, number(label)
	case strings.Contains(label, "review"):
		phase, stage = event.PhaseReview, event.StageReview
		s.Type, s.Iteration = event.SectionReview, number(label)
		if t.stage == event.StageExternal || t.stage == event.StageReview2 {
			stage = event.StageReview2
		}
	default:
		phase, stage = t.phase, t.stage
	}
	t.move(phase, stage)
	t.task = task
	t.say(t.now, s)
}

// number finds the first one of a label: "review 2: critical/major".
func number(label string) int {
	i := strings.IndexAny(label, "0123456789")
	if i < 0 {
		return 0
	}
	j := i
	for j < len(label) && label[j] >= '0' && label[j] <= '9' {
		j++
	}
	n, err := strconv.Atoi(label[i:j])
	if err != nil {
		return 0
	}
	return n
}

// move goes on to another stage.
func (t *textReader) move(phase event.Phase, stage event.Stage) {
	if stage == t.stage {
		t.phase = phase
		return
	}
	if t.stage != event.StageNone && t.stage != event.StageTasks { // the end of the tasks is told by a line of its own
		t.say(t.now, event.PhaseEnd{Name: stagePhase(t.stage), Stage: t.stage})
	}
	t.phase, t.stage, t.task = phase, stage, 0
	if stage != event.StageNone {
		t.say(t.now, event.PhaseStart{Name: stagePhase(stage), Stage: stage})
	}
}

// stagePhase is the phase by which a stage is shown.
func stagePhase(s event.Stage) event.Phase {
	switch s {
	case event.StageTasks:
		return event.PhaseTask
	case event.StageReview, event.StageReview2:
		return event.PhaseReview
	case event.StageExternal:
		return event.PhaseCodex
	case event.StageFinalize:
		return event.PhaseFinalize
	case event.StagePlan:
		return event.PhasePlan
	case event.StageNone:
	}
	return event.PhaseNone
}

// restart opens another run in the file, behind one that was killed or failed.
func (t *textReader) restart(at time.Time) {
	t.now, t.phase, t.stage, t.task = at, event.PhaseNone, event.StageNone, 0
	t.files, t.added, t.deleted, t.asked, t.lines = 0, 0, 0, "", 0
	t.last = at
	t.say(at, event.RunRestart{})
}

// raw takes a line of the body that has no time.
func (t *textReader) raw(line string) {
	switch {
	case line == "starting task execution phase":
		t.move(event.PhaseTask, event.StageTasks)
		return
	case line == "starting interactive plan creation":
		t.move(event.PhasePlan, event.StagePlan)
		return
	case strings.HasPrefix(line, "all tasks completed") && t.stage == event.StageTasks:
		t.say(t.now, event.PhaseEnd{Name: event.PhaseTask, Stage: event.StageTasks})
		t.phase, t.stage, t.task = event.PhaseNone, event.StageNone, 0
		if line = strings.TrimLeft(strings.TrimPrefix(line, "all tasks completed"), ", "); line == "" {
			return
		}
	}
	t.say(t.now, event.Output{Text: line})
}

// text takes what stands behind a time.
func (t *textReader) text(text string) {
	if options, ok := strings.CutPrefix(text, "OPTIONS: "); ok && t.question != "" {
		t.say(t.now, event.Asked{Question: t.question, Options: strings.Split(options, ", ")})
		t.question = ""
		return
	}
	t.flush()
	if t.stage == event.StagePlan && t.dialog(text) {
		return
	}
	if rest, ok := strings.CutPrefix(text, "DIFFSTATS: "); ok && t.stats(rest) {
		return
	}
	if rest, ok := strings.CutPrefix(text, "ERROR: "); ok {
		t.say(t.now, event.Note{Level: event.Error, Text: rest})
		return
	}
	if rest, ok := strings.CutPrefix(text, "WARN: "); ok {
		t.say(t.now, event.Note{Level: event.Warn, Text: rest})
		return
	}
	t.say(t.now, event.Output{Text: text})
	if kind := token(text); kind != "" {
		t.say(t.now, event.Claimed{Signal: string(kind)})
	}
}

// dialog takes what is asked and answered while a plan is made.
func (t *textReader) dialog(text string) bool {
	if q, ok := strings.CutPrefix(text, "QUESTION: "); ok && q != "" {
		t.question = q
		t.asked = t.question
		return true
	}
	if a, ok := strings.CutPrefix(text, "ANSWER: "); ok && a != "" && t.asked != "" {
		t.say(t.now, event.Asked{Question: t.asked, Answer: a})
		t.asked = ""
		return true
	}
	return false
}

// flush tells a question that came without options.
func (t *textReader) flush() {
	if t.question != "" {
		t.say(t.now, event.Asked{Question: t.question})
		t.question = ""
	}
}

// stats keeps "files=3 additions=10 deletions=2" for the end of the run.
func (t *textReader) stats(text string) bool {
	var n [3]int
	words := strings.Fields(text)
	if len(words) != len(n) {
		return false
	}
	for i, name := range []string{"files=", "additions=", "deletions="} {
		digits, ok := strings.CutPrefix(words[i], name)
		v, err := strconv.Atoi(digits)
		if !ok || err != nil || v < 0 {
			return false
		}
		n[i] = v
	}
	t.files, t.added, t.deleted = n[0], n[1], n[2]
	return true
}

// long takes the first part of a line that is too long.
func (t *textReader) long(line string) {
	t.blank, t.ruled = false, 0
	if at, text, ok := stamped(line, t.loc); ok {
		t.now, line = at, text
	}
	t.cut = true
	t.say(t.now, event.Output{Text: line, Partial: true})
}

// claims are the signals that stand for themselves, by their tokens.
var claims = map[string]signals.Kind{}

func init() {
	for _, k := range []signals.Kind{signals.AllTasksDone, signals.TaskFailed, signals.ReviewDone, signals.CodexReviewDone, signals.PlanReady} {
		claims[k.Token()] = k
	}
}

// token is the signal that a line is, and nothing else.
func token(text string) signals.Kind {
	if !strings.Contains(text, "<<<RALPHEX:") {
		return ""
	}
	return claims[strings.TrimSpace(text)]
}
