package claude

import (
	"fmt"
	"strings"
	"time"

	"ralphex/pkg/event"
	"ralphex/pkg/executor/jsonl"
	"ralphex/pkg/executor/session"
)

// dialect understands what the CLI prints. It is used by one goroutine.
type dialect struct {
	*session.Talk
	now   func() time.Time
	facts facts
	below map[string]int // calls of sub-agents: how deep those are that work for them

	quick quick
	plain bool   // in tests: encoding/json reads every line
	buf   []byte // decoded text of the line at hand
	name  string // of the tool that was called last
}

// Dialect reads stream-json.
func Dialect(t *session.Talk) session.Dialect { return newDialect(t) }

func newDialect(t *session.Talk) *dialect { return &dialect{Talk: t, now: time.Now} }

// Object implements session.Dialect.
func (s *dialect) Object(line []byte, long *jsonl.Long) bool {
	if long == nil && !s.plain && s.quick.read(line) {
		s.takeQuick(&s.quick)
		return true
	}
	var w wire
	if !jsonl.Object(line, &w) {
		return false
	}
	s.take(&w, long)
	if long != nil && long.Whole() {
		s.unshown(w.Type, long.Size())
	}
	return true
}

// unshown says what of a long line nobody sees, so that nothing is cut silently.
func (s *dialect) unshown(typ, size string) {
	switch {
	case typ == "user":
		s.Note(event.Info, fmt.Sprintf("a tool result of %s is not shown", size))
	case typ != "" && typ != "assistant" && typ != "result" && typ != "stream_event" && !strings.HasPrefix(typ, "content_block"):
		s.Note(event.Info, fmt.Sprintf("a line of %s (%s) is not shown", size, session.FirstLine(typ)))
	}
}

// Outcome implements session.Dialect.
func (s *dialect) Outcome(e session.End) session.Outcome {
	u, models := s.facts.usage()
	return session.Outcome{SessionID: s.facts.sessionID, Usage: u, Models: models, Failure: classify(e, s.facts)}
}

// Spent implements session.Meter.
func (s *dialect) Spent() (event.Usage, map[string]event.Usage) { return s.facts.usage() }

func (s *dialect) takeQuick(q *quick) {
	switch string(q.typ) {
	case "content_block_delta":
		if !q.parent {
			s.buf = q.delta.decode(s.buf)
			s.DeltaBytes(s.buf)
		}
	case "assistant":
		s.quickAssistant(q)
	case "user":
		s.Foreign(q.message)
		for _, id := range q.results {
			s.ToolEnds(string(id))
		}
	}
}

func (s *dialect) quickAssistant(q *quick) {
	if !q.parent {
		s.facts.spent(string(q.id), s.modelName(q.model), q.usage)
		s.facts.stop = ""
	}
	all, mine := session.CountMentions(q.message), 0
	for _, b := range q.said {
		switch {
		case b.name != nil:
			if s.name != string(b.name) {
				s.name = string(b.name)
			}
			s.tool(s.name, string(b.id), b.input, s.depth(q.parent, string(q.above)))
		case !q.parent:
			s.buf = b.decode(s.buf)
			if all > 0 {
				mine += session.CountMentions(s.buf)
			}
			s.SayBytes(s.buf)
		}
	}
	s.Others(all - mine)
}

// modelName makes a string of a name only where it is another one than before.
func (s *dialect) modelName(name []byte) string {
	if string(name) == s.facts.msgModel {
		return s.facts.msgModel
	}
	return string(name)
}

// take takes a line that was read by encoding/json. long is where its long strings are, nil = they are all here.
func (s *dialect) take(w *wire, long *jsonl.Long) {
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
func (s *dialect) event(w *wire, long *jsonl.Long) {
	switch w.Type {
	case "content_block_delta":
		if w.Delta != nil && w.Delta.Type == "text_delta" {
			s.Delta(w.Delta.Text, long)
		}
	case "content_block_start":
		s.EndDelta()
		if b := w.ContentBlock; b != nil && b.Type == "text" && b.Text != "" {
			s.Delta(b.Text, long)
		}
	case "content_block_stop", "message_start":
		s.EndDelta()
	case "message_stop":
		s.EndDelta()
		var m message
		if jsonl.Value(w.Message, &m) {
			for _, b := range m.blocks() {
				if b.Type == "text" {
					s.Say(b.Text, long)
					break
				}
			}
		}
	}
}

func (s *dialect) assistant(w *wire, own bool, long *jsonl.Long) {
	var m message
	if !jsonl.Value(w.Message, &m) {
		return
	}
	synthetic := w.IsAPIError || m.Model == "<synthetic>"
	if w.IsAPIError {
		s.facts.refused(w, s.now())
	}
	if own {
		s.facts.spent(m.ID, m.Model, m.Usage)
		s.facts.stop = m.StopReason
	}
	all, mine := session.CountMentions(w.Message), 0
	for _, b := range m.blocks() {
		switch {
		case b.Type == "text" && synthetic:
			s.Print(b.Text, long)
			if s.facts.apiErr != nil && w.IsAPIError {
				s.facts.apiErr.text = session.FirstLine(b.Text)
			}
		case b.Type == "text" && own:
			mine += session.CountMentions([]byte(b.Text))
			s.Say(b.Text, long)
		case b.Type == "tool_use":
			s.tool(b.Name, b.ID, b.Input, s.depth(!own, w.Parent))
		}
	}
	if !synthetic {
		s.Others(all - mine)
	}
}

// maxDepths keeps a stream that only begins calls from filling memory.
const maxDepths = 10_000

// depth is how many agents stand above who speaks; above is the call that it works for.
func (s *dialect) depth(sub bool, above string) int {
	if !sub {
		return 0
	}
	return max(s.below[above], 1)
}

// tool shows what the agent, or a sub-agent of it, does. What a call of a sub-agent starts is one deeper; that of a call
// of the agent itself is at 1 anyway, and need not be remembered.
func (s *dialect) tool(name, id string, input []byte, depth int) {
	if depth > 0 && len(s.below) < maxDepths {
		if s.below == nil {
			s.below = map[string]int{}
		}
		s.below[id] = depth + 1
	}
	s.Tool(session.Describe(name, input), id, depth)
}

func (s *dialect) user(w *wire) {
	var m message
	if !jsonl.Value(w.Message, &m) {
		return
	}
	s.Foreign(w.Message)
	for _, b := range m.blocks() {
		if b.Type == "tool_result" {
			s.ToolEnds(b.ToolUseID)
		}
	}
}

// result ends a turn, not the session. Its text repeats the last one and counts only if no other came.
func (s *dialect) result(w *wire, long *jsonl.Long) {
	s.Forget()
	s.facts.result(w)
	if text := string(w.Result); text != "" && !s.Spoke() && !w.IsError {
		s.Say(text, long)
	}
	s.TurnEnds()
}

func (s *dialect) system(w *wire) {
	switch w.Subtype {
	case "init":
		s.TurnBegins()
		s.facts.sessionID = w.SessionID
	case "api_retry":
		s.Note(event.Info, retryNote(w))
	case "permission_denied":
		var why string
		_ = jsonl.Value(w.Message, &why)
		s.Note(event.Warn, fmt.Sprintf("the agent may not use %s: %s", w.ToolName, session.FirstLine(why)))
	case "background_tasks_changed":
		s.ForgetTasks()
		for _, t := range w.Tasks {
			s.TaskBegins(t.ID, t.String())
		}
	case "task_started":
		if w.Background {
			s.TaskBegins(w.task.ID, w.task.String())
		}
	case "task_notification":
		if s.TaskEnds(w.ID) && w.Description == "" {
			s.Show("background task "+w.ID+" "+w.task.Status, 0)
		}
	case "task_updated":
		switch w.Patch.Status {
		case "completed", "failed", "killed", "stopped":
			s.TaskEnds(w.ID)
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
