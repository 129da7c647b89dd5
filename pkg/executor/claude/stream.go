package claude

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/signals"
)

// stream understands what the CLI prints. It is written to by one goroutine.
type stream struct {
	lines
	emit  func(event.Data)
	now   func() time.Time
	voice voice
	holds holds
	facts facts

	quick quick
	plain bool   // in tests: encoding/json reads every line
	buf   []byte // decoded text of the line at hand
}

func newStream(emit func(event.Data), idle *proc.Idle) *stream {
	if emit == nil {
		emit = func(event.Data) {}
	}
	s := &stream{emit: emit, now: time.Now, holds: newHolds(idle)}
	s.voice = voice{emit: emit, scan: signals.NewScanner()}
	s.lines = lines{s: s, limit: maxLine}
	return s
}

// Write takes the next piece of the stream. When it returns, everything in whole lines has been told to emit.
func (s *stream) Write(p []byte) (int, error) {
	s.lines.write(p)
	s.voice.flush()
	return len(p), nil
}

// close ends the stream and returns what was learned.
func (s *stream) close() facts {
	s.lines.end()
	s.voice.finish()
	s.facts.pending = s.holds.pending()
	s.holds.clear()
	s.facts.text = strings.ToValidUTF8(string(s.voice.kept.last()), "")
	s.facts.signals = s.voice.scan.Signals()
	s.facts.mentions += s.voice.scan.Mentions()
	return s.facts
}

// line takes a whole line that is in memory.
func (s *stream) line(line []byte) {
	if !s.plain && s.quick.read(line) {
		s.takeQuick(&s.quick)
		return
	}
	var w wire
	if !readWire(line, &w) {
		s.rawLine(line)
		return
	}
	s.take(&w, nil)
}

// rawLine takes a line that is no JSON object.
func (s *stream) rawLine(line []byte) {
	line = bytes.TrimRight(line, "\r")
	if len(line) == 0 {
		return
	}
	s.facts.mentions += countMentions(line)
	s.voice.raw(line, true)
}

func (s *stream) takeQuick(q *quick) {
	s.facts.json = true
	switch string(q.typ) {
	case "content_block_delta":
		if !q.parent {
			s.buf = q.delta.decode(s.buf)
			s.voice.delta(s.buf)
		}
	case "assistant":
		s.quickAssistant(q)
	case "user":
		s.facts.mentions += countMentions(q.message)
		for _, id := range q.results {
			s.holds.toolEnds(string(id))
		}
	}
}

func (s *stream) quickAssistant(q *quick) {
	if !q.parent {
		s.facts.spent(string(q.id), q.usage)
		s.facts.stop = ""
	}
	all, mine := countMentions(q.message), 0
	for _, b := range q.said {
		switch {
		case b.name != nil:
			s.tool(string(b.name), string(b.id), b.input, !q.parent)
		case !q.parent:
			s.buf = b.decode(s.buf)
			mine += countMentions(s.buf)
			s.voice.block(s.buf)
		}
	}
	s.facts.mentions += max(0, all-mine)
}

// take takes a line that was read by encoding/json. long is where its long strings are, nil = they are all here.
func (s *stream) take(w *wire, long *spool) {
	s.facts.json = true
	own := w.Parent == ""
	switch w.Type {
	case "assistant":
		s.assistant(w, own, long)
	case "user":
		s.user(w)
	case "stream_event":
		if w.Event != nil && own {
			s.event(w.Event, long)
		}
	case "content_block_delta", "content_block_start", "content_block_stop", "message_start", "message_delta", "message_stop":
		if own {
			s.event(w, long)
		}
	case "result":
		s.result(w, long)
	case "system":
		s.system(w)
	case "rate_limit_event":
		s.facts.rateLimit(w.RateLimit)
	}
}

// event takes an event of the API's own stream, which comes with partial messages.
func (s *stream) event(w *wire, long *spool) {
	switch w.Type {
	case "content_block_delta":
		if w.Delta != nil && w.Delta.Type == "text_delta" {
			s.eachPart(w.Delta.Text, long, s.voice.delta)
		}
	case "content_block_start":
		s.voice.endDelta()
		if b := w.ContentBlock; b != nil && b.Type == "text" && b.Text != "" {
			s.eachPart(b.Text, long, s.voice.delta)
		}
	case "content_block_stop", "message_start":
		s.voice.endDelta()
	case "message_stop":
		s.voice.endDelta()
		var m message
		if lenient(jsonUnmarshal(w.Message, &m)) {
			for _, b := range m.blocks() {
				if b.Type == "text" {
					s.say(b.Text, long)
					break
				}
			}
		}
	}
}

func (s *stream) assistant(w *wire, own bool, long *spool) {
	var m message
	if !lenient(jsonUnmarshal(w.Message, &m)) {
		return
	}
	synthetic := w.IsAPIError || m.Model == "<synthetic>"
	if w.IsAPIError {
		s.facts.refused(w, s.now())
	}
	if own {
		s.facts.spent(m.ID, m.Usage)
		s.facts.stop = m.StopReason
	}
	all, mine := countMentions(w.Message), 0
	for _, b := range m.blocks() {
		switch {
		case b.Type == "text" && synthetic:
			s.voice.endDelta()
			s.eachPart(b.Text, long, func(p []byte) { s.voice.raw(p, false) })
			s.voice.closeLine()
			if s.facts.apiErr != nil && w.IsAPIError {
				s.facts.apiErr.text = firstLine(b.Text)
			}
		case b.Type == "text" && own:
			mine += strings.Count(b.Text, mentionStart)
			s.say(b.Text, long)
		case b.Type == "tool_use":
			s.tool(b.Name, b.ID, b.Input, own)
		}
	}
	if !synthetic {
		s.facts.mentions += max(0, all-mine)
	}
}

// tool shows what the agent does, and waits for it without counting the silence.
func (s *stream) tool(name, id string, input []byte, own bool) {
	line := describe(name, input)
	if own {
		s.holds.toolBegins(id)
	} else {
		line = "  " + line
	}
	s.show(line)
}

// show tells what goes on, after the text before it.
func (s *stream) show(line string) {
	s.voice.flush()
	s.emit(event.Output{Text: line, Source: event.FromTool})
}

func (s *stream) note(level event.Level, text string) {
	s.voice.flush()
	s.emit(event.Note{Level: level, Text: text})
}

func (s *stream) user(w *wire) {
	var m message
	if !lenient(jsonUnmarshal(w.Message, &m)) {
		return
	}
	s.facts.mentions += countMentions(w.Message)
	for _, b := range m.blocks() {
		if b.Type == "tool_result" {
			s.holds.toolEnds(b.ToolUseID)
		}
	}
}

// result ends a turn, not the session. Its text repeats the last one and counts only if no other came.
func (s *stream) result(w *wire, long *spool) {
	s.voice.forget()
	s.holds.turnEnds()
	s.facts.result(w)
	if text := string(w.Result); text != "" && !s.voice.own && !w.IsError {
		s.say(text, long)
	}
}

func (s *stream) system(w *wire) {
	switch w.Subtype {
	case "init":
		s.facts.sessionID = w.SessionID
	case "api_retry":
		s.note(event.Info, retryNote(w))
	case "permission_denied":
		var why string
		_ = jsonUnmarshal(w.Message, &why)
		s.note(event.Warn, fmt.Sprintf("the agent may not use %s: %s", w.ToolName, firstLine(why)))
	case "background_tasks_changed":
		s.holds.tasksAre(w.Tasks)
	case "task_started":
		if w.Background {
			s.holds.taskBegins(w.task)
		}
	case "task_notification":
		if s.holds.taskEnds(w.ID) && w.Description == "" {
			s.show("background task " + w.ID + " " + w.task.Status)
		}
	case "task_updated":
		switch w.Patch.Status {
		case "completed", "failed", "killed", "stopped":
			s.holds.taskEnds(w.ID)
		}
	}
}

func retryNote(w *wire) string {
	what := w.Kind
	if w.ErrorStatus != 0 {
		what = fmt.Sprintf("%s, HTTP %d", what, w.ErrorStatus)
	}
	return fmt.Sprintf("the agent tries again, %d of %d (%s)", w.Attempt, w.MaxRetries, what)
}

// say takes a whole text block of the agent's own.
func (s *stream) say(text string, long *spool) {
	if ref, ok := long.ref(text); ok {
		s.sayLong(ref, long)
		return
	}
	s.voice.block([]byte(text))
}

func (s *stream) sayLong(ref int, long *spool) {
	s.voice.endDelta()
	if len(s.voice.spoken) > 0 {
		var whole tail
		long.text(ref, whole.add)
		if s.voice.repeats(whole) {
			return
		}
	}
	long.text(ref, s.voice.write)
	s.voice.endBlock()
}

// eachPart gives a text to f: in one piece, or piece by piece from the file.
func (s *stream) eachPart(text string, long *spool, f func([]byte)) {
	if ref, ok := long.ref(text); ok {
		long.text(ref, f)
		return
	}
	f([]byte(text))
}

const mentionStart = "<<<RALPHEX:"

func countMentions(b []byte) int { return bytes.Count(b, []byte(mentionStart)) }
