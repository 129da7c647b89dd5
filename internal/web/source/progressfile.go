package source

import (
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
	phase event.Phase
	stage event.Stage
	task  int

	another  bool   // the header is that of another run in the same file, which is to be told
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

	stamp string // that was read last, and what it means: most lines have that of the line before
	at    time.Time
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
	t.place, t.lines, t.blank = inBody, 0, true
	if t.head.Started.After(t.now) || t.now.IsZero() {
		t.now = t.head.Started
	}
	if t.another {
		t.another = false
		t.restart(t.now)
	}
	t.say(t.now, event.RunStart{Plan: t.head.Plan, Mode: t.head.Mode, Branch: t.head.Branch, Executor: t.head.Executor, Worktree: t.head.worktree()})
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
	head := t.head
	if t.lines == 0 {
		head = Header{Started: head.Started} // what is not said again holds no more
	}
	switch {
	case line == "":
		t.blank = true
		return true
	case head.field(line, t.loc):
		t.head = head
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
		t.place, t.head, t.another = inHeader, Header{}, true
		return
	}
	if text, ok := t.stamped(line); ok {
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
func (t *textReader) stamped(line string) (text string, ok bool) {
	const n = len("[06-01-02 15:04:05]")
	if len(line) < n || line[0] != '[' || line[n-1] != ']' {
		return "", false
	}
	if line[:n] != t.stamp {
		at, ok := shortTime(line[1:n-1], t.loc)
		if !ok {
			return "", false
		}
		t.stamp, t.at = line[:n], at
	}
	t.now = t.at
	return strings.TrimPrefix(line[n:], " "), true
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

// long takes the first part of a line that is too long.
func (t *textReader) long(line string) {
	t.blank, t.ruled = false, 0
	if text, ok := t.stamped(line); ok {
		line = text
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
