package event

import (
	"maps"
	"strings"
)

// maxHeld is how much of an unfinished line a Splitter keeps back, so that views get whole lines.
const maxHeld = 4 << 10

// Piece is a line of Output, or a part of a line that is too long to wait for its end. Parts of one line follow each other:
// nothing stands between the one with First and the one with Last.
type Piece struct {
	Text   string // without a line end
	Source Source
	First  bool // begins a line
	Last   bool // ends it
}

// Splitter makes lines of Output, for views that show lines. The zero value is ready.
type Splitter struct {
	held   map[Source]string // the beginning of a line that goes on
	long   bool              // parts of a long line were given out, and not its end
	source Source            // whose line that is
}

// Clone is a Splitter that stands where s does, and goes on by itself.
func (s *Splitter) Clone() Splitter {
	c := *s
	c.held = maps.Clone(s.held)
	return c
}

// Split hands the lines of an Output to emit.
func (s *Splitter) Split(o Output, emit func(Piece)) {
	if s.long && s.source != o.Source {
		s.closeLong(emit)
	}
	text := o.Text
	if held := s.held[o.Source]; held != "" {
		delete(s.held, o.Source)
		text = held + text
	}
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more && o.Partial {
			s.hold(line, o.Source, emit)
			return
		}
		emit(Piece{Text: strings.TrimSuffix(line, "\r"), Source: o.Source, First: !s.long, Last: true})
		s.long = false
		if !more {
			return
		}
		text = rest
	}
}

// hold takes the beginning of a line, or more of a long one.
func (s *Splitter) hold(line string, source Source, emit func(Piece)) {
	if !s.long && len(line) <= maxHeld {
		if s.held == nil {
			s.held = map[Source]string{}
		}
		s.held[source] = line
		return
	}
	emit(Piece{Text: line, Source: source, First: !s.long})
	s.long, s.source = true, source
}

func (s *Splitter) closeLong(emit func(Piece)) {
	emit(Piece{Source: s.source, Last: true})
	s.long = false
}

// Flush hands out what is held back, as whole lines.
func (s *Splitter) Flush(emit func(Piece)) {
	if s.long {
		s.closeLong(emit)
	}
	for _, source := range []Source{FromAgent, FromStderr, FromTool, FromCommand} {
		if held := s.held[source]; held != "" {
			emit(Piece{Text: held, Source: source, First: true, Last: true})
		}
	}
	clear(s.held)
}

// EndsText tells whether the fact comes behind all text before it, so that a view flushes its Splitter. Facts that may happen
// in the middle of an agent's sentence don't.
func EndsText(d Data) bool {
	switch d.(type) {
	case Output, Spent, Claimed, Tick, Note, Order, Commit, SetAside, Survivor, Unknown:
		return false
	}
	return true
}
