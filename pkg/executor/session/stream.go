package session

import (
	"bytes"
	"time"

	"ralphex/internal/proc"
	"ralphex/pkg/event"
	"ralphex/pkg/executor"
	"ralphex/pkg/executor/jsonl"
)

// Dialect understands the lines of one CLI.
type Dialect interface {
	// Object takes a line, or, with long, its skeleton. false: it is no JSON object, and is shown as it is.
	// An object that means nothing to the dialect is true all the same: a newer CLI has new ones.
	Object(line []byte, long *jsonl.Long) bool
	// Outcome says what the session was, when the stream is at its end.
	Outcome(End) Outcome
}

// PlainText is a dialect of a CLI that prints text of its own instead of JSON lines.
type PlainText interface {
	Text(p []byte)
}

// Meter is a dialect that can say what the session has used up so far.
type Meter interface {
	Spent() (event.Usage, map[string]event.Usage)
}

// OfModel is all that was used up under the name of the one model that a stream tells; nil if it tells none.
func OfModel(name string, u event.Usage) map[string]event.Usage {
	if name == "" || u == (event.Usage{}) {
		return nil
	}
	return map[string]event.Usage{name: u}
}

// End is what is known besides the dialect's own facts when a session is over.
type End struct {
	Exit   proc.Exit
	Stderr string // its end
	Said   Said
	JSON   bool // at least one line was a JSON object
	At     time.Time
}

// Outcome is what only the dialect knows of a session.
type Outcome struct {
	SessionID string
	Usage     event.Usage
	Models    map[string]event.Usage // see executor.Result
	Failure   *executor.Failure      // nil: the session went well
}

// Stream reads what a CLI prints, and gives it to a dialect. It is written to by one goroutine.
type Stream struct {
	Talk    *Talk
	Lines   *jsonl.Lines
	Now     func() time.Time
	dialect Dialect
	text    PlainText
	json    bool
	said    *Said
	spent   event.Usage
}

// NewStream begins to read. emit may be nil; idle may be nil.
func NewStream(emit func(event.Data), idle *proc.Idle, open func(*Talk) Dialect) *Stream {
	s := &Stream{Talk: newTalk(emit, idle), Now: time.Now}
	s.Lines = jsonl.NewLines(s)
	s.dialect = open(s.Talk)
	s.text, _ = s.dialect.(PlainText)
	return s
}

// Write takes the next piece of the stream. When it returns, everything in whole lines has been told to emit.
func (s *Stream) Write(p []byte) (int, error) {
	if s.text != nil {
		s.text.Text(p)
	} else {
		_, _ = s.Lines.Write(p)
	}
	s.Talk.voice.flush()
	return len(p), nil
}

// meter tells emit what the session has used up, if that has changed.
func (s *Stream) meter(emit func(event.Data)) {
	if m, ok := s.dialect.(Meter); ok {
		if u, models := m.Spent(); u != s.spent {
			s.spent = u
			emit(event.Spent{Usage: u, Models: models})
		}
	}
}

// Close ends the stream. It may be called again.
func (s *Stream) Close() Said {
	if s.said == nil {
		s.Lines.End()
		said := s.Talk.end()
		s.said = &said
	}
	return *s.said
}

// Outcome asks the dialect what the session was. The stream is at its end then.
func (s *Stream) Outcome(exit proc.Exit, stderr string) Outcome {
	return s.dialect.Outcome(End{Exit: exit, Stderr: stderr, Said: s.Close(), JSON: s.json, At: s.Now()})
}

// Line implements jsonl.Sink.
func (s *Stream) Line(line []byte) {
	if s.dialect.Object(line, nil) {
		s.json = true
		return
	}
	line = bytes.TrimRight(line, "\r")
	if len(line) > 0 {
		s.Raw(line, true)
	}
}

// Long implements jsonl.Sink.
func (s *Stream) Long(skeleton []byte, l *jsonl.Long) bool {
	ok := s.dialect.Object(skeleton, l)
	s.json = s.json || ok
	return ok
}

// Raw implements jsonl.Sink: what is no JSON is shown and kept, and never searched for signals.
func (s *Stream) Raw(piece []byte, ends bool) {
	s.Talk.Foreign(piece)
	s.Talk.voice.raw(piece, ends)
}

// Note implements jsonl.Sink.
func (s *Stream) Note(level event.Level, text string) { s.Talk.Note(level, text) }
