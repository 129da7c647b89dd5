package session

import (
	"bytes"
	"strings"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/signals"
)

// Talk is what a session says and does, as its dialect tells it: shown, searched for signals where the agent itself
// speaks, and remembered. It is used by one goroutine.
type Talk struct {
	emit     func(event.Data)
	voice    voice
	holds    holds
	after    *afterlife
	mentions int
	acted    bool // a tool was called
}

func newTalk(emit func(event.Data), idle *proc.Idle) *Talk {
	if emit == nil {
		emit = func(event.Data) {}
	}
	return &Talk{emit: emit, holds: newHolds(idle), voice: voice{emit: emit, scan: signals.NewScanner()}}
}

// Said is what was learned of a talk when it is over.
type Said struct {
	Text     string           // the agent's own text and lines that are no JSON, last executor.MaxText bytes
	Signals  []signals.Signal // of the agent's own text
	Mentions int              // signals elsewhere
	Pending  []string         // background tasks that have not ended
	Own      bool             // the agent said something itself
	Acted    bool             // a tool was called
}

func (t *Talk) end() Said {
	t.voice.finish()
	t.after.ends()
	s := Said{Pending: t.holds.pending(), Own: t.voice.own, Acted: t.acted}
	t.holds.clear()
	s.Text = strings.ToValidUTF8(string(t.voice.kept.last()), "")
	s.Signals = t.voice.scan.Signals()
	s.Mentions = t.mentions + t.voice.scan.Mentions()
	return s
}

// Say adds a whole block of the agent's own text, unless it repeats one that came by Delta. long is where the strings of
// a long line are; nil: the text is all there.
func (t *Talk) Say(text string, long *jsonl.Long) {
	t.TurnBegins()
	if long.IsCut(text) {
		t.sayLong(text, long)
		return
	}
	t.voice.block([]byte(text))
}

// SayBytes is Say for a text that stays the caller's.
func (t *Talk) SayBytes(text []byte) {
	t.TurnBegins()
	t.voice.block(text)
}

func (t *Talk) sayLong(text string, long *jsonl.Long) {
	t.voice.endDelta()
	if len(t.voice.spoken) > 0 {
		var whole tail
		long.Each(text, whole.add)
		if t.voice.repeats(whole) {
			return
		}
	}
	long.Each(text, t.voice.write)
	t.voice.endBlock()
}

// Delta adds a piece of a block of the agent's own text; the block ends with EndDelta, or with whatever else is said.
func (t *Talk) Delta(text string, long *jsonl.Long) {
	t.TurnBegins()
	long.Each(text, t.voice.delta)
}

// DeltaBytes is Delta for a text that stays the caller's.
func (t *Talk) DeltaBytes(text []byte) {
	t.TurnBegins()
	t.voice.delta(text)
}

// EndDelta ends a block that came in pieces.
func (t *Talk) EndDelta() { t.voice.endDelta() }

// Forget says that what was said so far will not be repeated.
func (t *Talk) Forget() { t.voice.forget() }

// Spoke tells whether the agent has said something itself.
func (t *Talk) Spoke() bool { return t.voice.own }

// Print adds text of the CLI, not of the agent: shown and kept, never searched. It is a line, or several.
func (t *Talk) Print(text string, long *jsonl.Long) {
	t.voice.endDelta()
	long.Each(text, func(p []byte) { t.voice.raw(p, false) })
	t.voice.closeLine()
}

// Foreign counts the signals in bytes that are not the agent's own word: tool results, thinking, sub-agents.
func (t *Talk) Foreign(b []byte) { t.mentions += CountMentions(b) }

// Others counts signals that were found in the same way by the dialect itself.
func (t *Talk) Others(n int) { t.mentions += max(0, n) }

// CountMentions counts what looks like a signal.
func CountMentions(b []byte) int { return bytes.Count(b, []byte("<<<RALPHEX:")) }

// Show tells what goes on at a depth of sub-agents (0 = the agent itself), after the text before it.
func (t *Talk) Show(line string, depth int) {
	t.voice.flush()
	t.emit(event.Output{Text: strings.Repeat("  ", min(max(depth, 0), 8)) + line, Source: event.FromTool})
}

// Note tells a person something about the session.
func (t *Talk) Note(level event.Level, text string) {
	t.voice.flush()
	t.emit(event.Note{Level: level, Text: text})
}

// Tool shows a tool call. The agent's own is waited for until ToolEnds, without counting the silence.
func (t *Talk) Tool(line, id string, depth int) {
	t.acted = true
	if depth == 0 {
		t.TurnBegins()
		t.holds.toolBegins(id)
	}
	t.Show(line, depth)
}

// ToolEnds says that a tool has answered.
func (t *Talk) ToolEnds(id string) { t.holds.toolEnds(id) }

// Busy says that the agent waits for something of its own, until ToolEnds: silence is no hang.
func (t *Talk) Busy(id string) { t.holds.toolBegins(id) }

// TaskBegins says that the agent runs something in the background, described for a person. If it has not ended when
// the session does, it is pending.
func (t *Talk) TaskBegins(id, what string) { t.holds.taskBegins(id, what) }

// TaskEnds tells whether that task was known.
func (t *Talk) TaskEnds(id string) bool { return t.holds.taskEnds(id) }

// ForgetTasks says that no background task runs.
func (t *Talk) ForgetTasks() { clear(t.holds.tasks); t.holds.apply() }

// LeaveOpen turns the tool calls that are open when the last turn ends into pending work: for a CLI that ends its turn
// while a command runs. It is called before TurnEnds; what names a call that has this id.
func (t *Talk) LeaveOpen(what func(id string) string) {
	for id := range t.holds.tools {
		t.holds.tasks[id] = what(id)
	}
}

// Waiting tells whether the agent waits for something of its own now.
func (t *Talk) Waiting() bool { return t.holds.held }
